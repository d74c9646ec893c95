"""The specification's states, checked by their behaviour rather than by their names alone."""

from typing import Any

import reflex as rx
from reflex.istate.data import URLData

from site_app.contracts.lists import CountryRows, CurrencyRows
from site_app.states import startup
from site_app.states.dialogs import DialogState
from site_app.states.faq import FaqState
from site_app.states.language import LanguageState
from site_app.states.meeting import MeetingState
from site_app.states.snackbar import SnackbarState
from site_app.states.startup import StartupState
from tests.spec.checklist import SENTENCES, Faults, differing, lacking, sentence

__all__ = ["SENTENCES"]  # those of the checklist, and these
_DIALOGS = ("quote", "contact", "consultation")


def new(state: Any) -> Any:
    """Returns a visitor's state, without a visitor."""
    return state(_reflex_internal_init=True)


@sentence(
    "R22", "Client state: loading flag (starts off), snackBarData (starts empty), dialogs (start false), language (starts en) …"
)
def beginnings() -> Faults:
    dialogs, meeting, lists = new(DialogState), new(MeetingState), new(StartupState)
    yield from differing("loading", False, lists.loading)
    yield from differing("snackBarData", {}, new(SnackbarState).snack_bar_data)
    yield from differing("dialogs", [False] * 3, [getattr(dialogs, f"show_{name}_dialog") for name in _DIALOGS])
    yield from differing("the current language", "en", new(LanguageState).language)
    yield from differing("slots, countries, currencies", [[], [], []], [meeting.slots, lists.countries, lists.currencies])
    yield from differing("expanded questions", [], [question for question in new(FaqState).questions if question["expanded"]])


@sentence("R18", "Dialogs: each opens when its flag becomes true and closes when its close event sets the flag to false")
def dialogs() -> Faults:
    state: Any = new(DialogState)
    for name in _DIALOGS:
        state.open(name)
        yield from differing(
            f"{name} after it was opened", (True, name), (getattr(state, f"show_{name}_dialog"), state.open_dialog)
        )
    state.close()
    yield from differing("the open dialog after it was closed", "", state.open_dialog)


@sentence("R32", "Language: choosing a language stores it as the current language")
def language() -> Faults:
    root: Any = new(rx.State)
    state: Any = root.get_substate(LanguageState.get_full_name().split("."))
    state.choose("th")
    yield from differing("the language that the browser is led to", "th", state.chosen)
    root.rx_router_url = URLData.from_router_data({"headers": {"origin": "https://www.example.com"}, "asPath": "/th/faq"})
    yield from differing("the current language on a Thai page", "th", state.language)


@sentence("R33", "FAQ: opening a question expands it and collapses all other questions in the same category")
def faq() -> Faults:
    state: Any = new(FaqState)
    first, second, *_ = [question["slug"] for question in state.questions if question["category"] == "services"]
    for slug in (first, second):
        state.toggle(slug)
    yield from differing("expanded", {"services": second}, state.expanded)
    state.toggle(second)
    yield from differing("expanded after it was collapsed", {}, state.expanded)


@sentence(
    "R34", "Snackbar: shown when snackBarData is set; its type, text, timeout and optional action button come from the data"
)
def snackbar() -> Faults:
    state: Any = new(SnackbarState)
    state.show("Network Error", type="error", action="again")
    expected = ("show", "type", "text", "timeout", "content", "show_action_button")
    yield from lacking("snackBarData", expected, state.snack_bar_data)
    values = [state.snack_bar_data[name] for name in ("show", "type", "text", "show_action_button")]
    yield from differing("snackBarData", [True, "error", "Network Error", True], values)


@sentence(
    "R35", "Loading countries or currencies replaces the respective list, or an empty list if the response field is missing"
)
def lists() -> Faults:
    empty_lists = {"countries": CountryRows.model_validate({}), "currencies": CurrencyRows.model_validate({})}
    for name, rows in empty_lists.items():
        yield from differing(f"{name} that are missing", [], getattr(rows, name))
    startup._shared["countries", "en"] = startup.SharedList("countries", "en", [("GB", "United Kingdom")])
    try:
        state: Any = new(StartupState)
        state.countries_in = "en"
        yield from differing("countries that were loaded", [("GB", "United Kingdom")], list(state.countries))
    finally:
        startup._shared.clear()
