"""A page for developers: the phone input with every option switchable, and everything it reports."""

import json
from typing import Any

import reflex as rx

from components.phone_input.phone_input import DEFAULTS, WORDS, Country, PhonePayload, phone_input

_KINDS = {name: type(value) for name, value in DEFAULTS.items()}
_CHOICES = {"mode": ("auto", "national", "international"), "type": ("tel", "text"), "language": ("en", "th", "zh-Hans")}
_LONGEST_LOG = 40


class DemoFrame(rx.Component):
    """The page's own style, fetched with it alone."""

    library = "$/components/phone_input/demo"
    tag = "DemoFrame"


class PhoneDemoState(rx.State):
    ready: bool = False
    round: int = 0  # a new round is a new field, so that options which only count at the start are seen
    options: dict[str, Any] = DEFAULTS
    value: str | None = None
    text: str = ""
    reports: list[str] = []  # noqa: RUF012
    sent: str = ""

    @rx.event
    def begin(self) -> None:
        """Options may stand in the address, as JSON: /?options={"mode":"national"}."""
        asked = json.loads(self.router.url.query_parameters.get("options", "{}"))
        self.options = DEFAULTS | {name: asked[name] for name in asked if name in DEFAULTS}
        if isinstance(asked.get("words"), dict):
            self.options["words"] = WORDS | asked["words"]
        self.reports, self.text, self.value, self.sent = [], "", None, ""
        self.round += 1
        self.ready = True

    @rx.event
    def switch(self, name: str, value: str) -> None:
        """Read what was typed as the option's own kind and begin a new round."""
        kind = _KINDS[name]
        if kind is bool:
            self.options[name] = not self.options[name]
        elif kind is list:
            self.options[name] = value.replace(",", " ").split() if name != "all_countries" else json.loads(value or "[]")
        elif kind is not dict:
            self.options[name] = kind(value or 0) if kind is int else value
        self.options["default_value"] = self.text
        self.round += 1

    @rx.event
    def inputted(self, text: str, payload: PhonePayload) -> None:
        self.text = text
        self._report("input", text, payload)

    @rx.event
    def judged(self, payload: PhonePayload) -> None:
        self._report("verdict", payload)

    @rx.event
    def moved(self, country: Country) -> None:
        self._report("country", country)

    @rx.event
    def happened(self, name: str) -> None:
        self._report(name)

    @rx.event
    def set_from_outside(self, form: dict[str, Any]) -> None:
        self.value = form["outside"]

    @rx.event
    def submit(self, form: dict[str, Any]) -> None:
        self.sent = json.dumps(form, ensure_ascii=False)

    def _report(self, *what: Any) -> None:
        self.reports = [*self.reports[1 - _LONGEST_LOG :], json.dumps(what, ensure_ascii=False)]


def page() -> rx.Component:
    """Mount it in any app: `app.add_page(demo.page, route="/phone-input", on_load=PhoneDemoState.begin)`."""
    return DemoFrame.create(
        rx.el.h1("Phone input"),
        rx.cond(PhoneDemoState.ready, _specimen()),
        rx.el.button("Open the dialog", type="button", custom_attrs={"commandfor": "phone-dialog", "command": "show-modal"}),
        rx.el.dialog(
            rx.el.h2("In a dialog"),
            phone_input(name="in_dialog", label="Telephone", default_country="GB"),
            id="phone-dialog",
            custom_attrs={"aria-label": "A phone number"},
        ),
        rx.el.h2("Options"),
        rx.el.div(*[_control(name) for name, kind in _KINDS.items() if kind is not dict], class_name="phone-demo-options"),
        rx.el.h2("Reports"),
        rx.el.ol(rx.foreach(PhoneDemoState.reports, lambda report: rx.el.li(rx.el.code(report))), id="reports"),
    )


def _specimen() -> rx.Component:
    options = {name: PhoneDemoState.options[name].to(_type_of(name)) for name in DEFAULTS}
    return rx.fragment(
        rx.el.form(
            phone_input(
                **options,
                key=rx.Var.create(PhoneDemoState.round).to_string(),
                id="phone",
                class_name="phone-demo-field",
                value=PhoneDemoState.value,
                on_input=PhoneDemoState.inputted,
                on_verdict=PhoneDemoState.judged,
                on_country_changed=PhoneDemoState.moved,
                on_open=PhoneDemoState.happened("open"),
                on_close=PhoneDemoState.happened("close"),
                on_focus=PhoneDemoState.happened("focus"),
                on_blur=PhoneDemoState.happened("blur"),
                on_enter=PhoneDemoState.happened("enter"),
                on_space=PhoneDemoState.happened("space"),
            ),
            rx.el.button("Send", type="submit"),
            rx.el.button("Reset", type="reset"),
            on_submit=PhoneDemoState.submit,
            id="specimen",
        ),
        rx.el.form(
            rx.el.input(name="outside", aria_label="A value from outside"),
            rx.el.button("Set from outside", type="submit"),
            on_submit=PhoneDemoState.set_from_outside,
        ),
        rx.el.output(PhoneDemoState.sent, id="sent"),
    )


def _type_of(name: str) -> Any:
    if name == "all_countries":
        return list[Country]
    return {list: list[str], dict: dict[str, str]}.get(_KINDS[name], _KINDS[name])


def _control(name: str) -> rx.Component:
    value = PhoneDemoState.options[name]
    if _KINDS[name] is bool:
        control = rx.el.input(type="checkbox", checked=value.to(bool), on_change=lambda _: PhoneDemoState.switch(name, ""))
    elif name in _CHOICES:
        choices = [rx.el.option(choice, value=choice) for choice in _CHOICES[name]]
        control = rx.el.select(*choices, value=value.to(str), on_change=lambda chosen: PhoneDemoState.switch(name, chosen))
    else:
        shown = value.to(list[str]).join(" ") if _KINDS[name] is list else value.to_string(use_json=False)
        control = rx.el.input(default_value=shown, on_blur=lambda typed: PhoneDemoState.switch(name, typed))
    return rx.el.label(control, f" {name}")
