"""The field: its options, their defaults and its texts."""

from typing import Any, Literal, TypedDict

import reflex as rx
from reflex_base.components.component import field
from reflex_base.vars import Var

# The npm packages, at the versions that the field was tested with.
LIBPHONENUMBER = "libphonenumber-js@1.13.16"  # its metadata must be about as old as that of the server's `phonenumbers`
COUNTRY_NAMES = "react-phone-number-input@3.4.14"  # only its country names are used
FLAGS = "country-flag-icons@1.6.20"  # copied into our own /flags by plugin.py


class PhonePayload(TypedDict):
    """The field's result for its text; while the field is empty, every value except `formatted` is None."""

    country: str | None  # None for a number from outside the accepted countries
    countryCode: str | None
    formatted: str
    valid: bool | None
    possible: bool | None
    nationalNumber: str | None
    number: str | None  # E.164
    ext: str | None
    verdict: Literal["possible", "too_short", "too_long", "invalid_length", "invalid_country"] | None


class Country(TypedDict):
    """A row of the list of countries; the main country of a dial code has priority 0."""

    name: str
    iso2: str
    dialCode: str
    priority: int
    areaCodes: list[str] | None


WORDS = {
    "labelled": "{label}: {value}",
    "country": "Country",
    "list": "Countries",
    "noCountry": "not selected",
    "search": "Search for a country",
    "noMatch": "No country found. Try another spelling.",
    "weCall": "If you ask us to call, we’ll use {number} ({country}).",
    "weCallExtension": "If you ask us to call, we’ll use {number}, extension {ext} ({country}).",
    "weCallNowhere": "If you ask us to call, we’ll use {number}.",
    "disagree": "This number is from {number}, but you chose {country}. Which is right?",
    "tooShort": "This number is too short. Please check that no digits are missing.",
    "tooLong": "This number is too long. Please check it for extra digits.",
    "extensionTooLong": "This extension is too long. Please check it for extra digits.",
    "invalidLength": "This number has too many or too few digits. Please check it.",
    "invalidCountry": "We can’t use a number from this country. Please enter another one.",
    "unknown": "We don’t recognise this kind of number. Please check it.",
    "pattern": "We can’t use this number format. Please check it.",
}

_passed_on = rx.event.passthrough_event_spec
_nothing = rx.event.no_args_event_spec


def _text_and_payload(text: Var[str], payload: Var[PhonePayload]) -> tuple[Var[str], Var[PhonePayload]]:
    return text, payload


def _prop(default: Any, doc: str) -> Any:
    """Returns a prop that the browser always receives, so that defaults are defined only here."""
    return field(default_factory=lambda: Var.create(default), doc=doc)


class PhoneInput(rx.Component):
    """Wraps phone_input.jsx, which PhoneInputPlugin copies to this library path."""

    library = "$/components/phone_input/phone_input"
    tag = "PhoneInput"
    lib_dependencies: list[str] = [LIBPHONENUMBER, COUNTRY_NAMES, FLAGS]  # noqa: RUF012
    _is_form_control = True

    # the content
    default_value: Var[str] = _prop("", "The text to begin with.")
    auto_format: Var[bool] = _prop(True, "Write a number that has become valid as people write it.")
    mode: Var[Literal["auto", "national", "international"]] = _prop(
        "auto", "How a valid number is written; auto: international if it begins with +, else national."
    )
    valid_characters_only: Var[bool] = _prop(False, "Accept digits, spaces, brackets, plus and minus only.")
    custom_pattern: Var[str] = _prop("", "A regular expression the whole text must match; turns auto_format off.")
    invalid_text: Var[str] = _prop(
        "", "The browser's own message on an invalid number; empty: the form can be sent all the same."
    )
    # the country
    auto_default_country: Var[bool] = _prop(True, "Ask lookup_url where the visitor is.")
    lookup_url: Var[str] = _prop("", "An address of this site that replies like 1;US;USA;United States.")
    default_country: Var[str] = _prop("", "Two letters or a dial code; takes precedence over the lookup.")
    all_countries: Var[list[Country]] = _prop([], "Replaces the built-in list.")
    preferred_countries: Var[list[str]] = _prop(["GB", "US", "TH", "CN"], "On top of the list; the first is the fallback.")
    only_countries: Var[list[str]] = _prop([], "If any: the only countries offered and accepted.")
    ignored_countries: Var[list[str]] = _prop([], "Neither offered nor accepted.")
    language: Var[str] = _prop("en", "The language of the country names, as a tag: en, th, zh-Hans, de.")
    # the list
    show_dial_code_in_list: Var[bool] = _prop(True, "Show dial codes in the list.")
    show_dial_code_in_selection: Var[bool] = _prop(False, "Show the chosen country's dial code.")
    show_flags: Var[bool] = _prop(True, "Show flags.")
    show_search_box: Var[bool] = _prop(False, "Show a search box above the list; on touch there always is one.")
    search_box_placeholder: Var[str] = _prop("", "The search box's placeholder; empty: its word in `words`.")
    native_list_on_touch: Var[bool] = _prop(False, "On touch, the device's own list of countries instead of this one.")
    # the <input>
    type: Var[Literal["tel", "text"]] = _prop("tel", "The input's type.")
    name: Var[str] = _prop("telephone", "The input's name: a form sends the text as it stands.")
    country_name: Var[str] = _prop("", "If set, a hidden field of this name sends the chosen country's two letters.")
    max_length: Var[int] = _prop(25, "The longest text that can be typed; formatting takes nothing of it away.")
    placeholder: Var[str] = _prop("Enter a phone number", "The input's placeholder.")
    auto_complete: Var[str] = _prop("on", "The input's autocomplete.")
    tab_index: Var[int] = _prop(0, "The input's place in the tab order.")
    disabled: Var[bool] = _prop(False, "Nothing can be changed, nothing is sent.")
    read_only: Var[bool] = _prop(False, "Nothing can be changed.")
    required: Var[bool] = _prop(False, "A form cannot be sent without it.")
    auto_focus: Var[bool] = _prop(False, "Gets the focus as soon as it is shown.")
    # texts and appearance
    label: Var[str] = _prop("", "A visible label above the field.")
    aria_label: Var[str] = _prop(
        "Phone number", "The field's name if there is no visible label; empty if a label is elsewhere."
    )
    words: Var[dict[str, str]] = _prop(WORDS, "The sentences of WORDS in the page's language.")
    error: Var[str] = _prop("", "The form's own complaint; takes the place of the line under the field.")
    input_class_name: Var[str] = _prop("", "Classes of the input; class_name is the whole field's.")
    list_class_name: Var[str] = _prop("", "Classes of the open list.")

    on_input: rx.EventHandler[_text_and_payload] = field(doc="The text or its country changed, or it was rewritten.")
    on_verdict: rx.EventHandler[_passed_on(PhonePayload)] = field(doc="Once there is a verdict, and whenever it changes.")
    on_country_changed: rx.EventHandler[_passed_on(Country)] = field(doc="Another country is selected, the first one too.")
    on_open: rx.EventHandler[_nothing] = field(doc="The list was opened (not the device's own).")
    on_close: rx.EventHandler[_nothing] = field(doc="The list was closed.")
    on_focus: rx.EventHandler[_nothing] = field(doc="The input was focused.")
    on_blur: rx.EventHandler[_nothing] = field(doc="The input was left.")
    on_enter: rx.EventHandler[_nothing] = field(doc="Enter was pressed in the input.")
    on_space: rx.EventHandler[_nothing] = field(doc="Space was pressed in the input.")

    @classmethod
    def create(cls, *children: Any, **props: Any) -> "PhoneInput":
        """Creates the field; `words` only needs the texts that differ from WORDS."""
        words = props.get("words", {})
        if isinstance(words, dict):
            if unknown := sorted(words.keys() - WORDS.keys()):
                raise ValueError(f"phone_input has no words {unknown[0]!r}")
            props["words"] = WORDS | words
        return super().create(*children, **props)


phone_input = PhoneInput.create

# Every option with its default, from the component's declarations.
DEFAULTS: dict[str, Any] = {
    name: option.default_factory()._var_value
    for name, option in PhoneInput.get_fields().items()
    if name in PhoneInput.__annotations__ and option.default_factory and option.type_origin is Var
}
