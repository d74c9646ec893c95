"""The states without a browser."""

import pickle
from typing import Any

import pytest

from site_app.content.faq import faq_categories
from site_app.states import startup
from site_app.states.dialogs import DialogState
from site_app.states.faq import FaqState
from site_app.states.language import LanguageState
from site_app.states.snackbar import SnackbarState, show_message
from site_app.states.startup import StartupState
from tests.support.states import Visitor

pytestmark = pytest.mark.anyio


def test_states_start_as_specified() -> None:
    dialogs, snackbar = DialogState(), SnackbarState()

    assert not any((dialogs.show_quote_dialog, dialogs.show_contact_dialog, dialogs.show_consultation_dialog))
    assert snackbar.snack_bar_data == {}
    assert LanguageState().language == "en"
    assert not any(question["expanded"] for question in FaqState().questions)
    assert StartupState().loading is False


def test_a_handler_opens_and_closes_a_dialog() -> None:
    state = DialogState()

    state.open("contact")
    assert (state.show_contact_dialog, state.open_dialog) == (True, "contact")

    state.open("quote")
    assert (state.show_quote_dialog, state.show_contact_dialog) == (True, False)

    state.close()
    assert state.open_dialog == ""


def test_opening_a_dialog_closes_the_other() -> None:
    state = DialogState()

    state.report("quote", 1)
    state.report("contact", 2)

    assert (state.show_quote_dialog, state.show_contact_dialog) == (False, True)
    assert state.open_dialog == "contact"


def test_a_late_report_of_an_older_change_is_ignored() -> None:
    state = DialogState()

    state.report("quote", 2)
    state.report("", 1)

    assert state.show_quote_dialog
    assert state.seq == 2


def test_expanding_and_collapsing_a_question_leaves_other_groups_alone() -> None:
    state = FaqState()
    general, services = _slugs("general_inquiries"), _slugs("services")

    state.report("general_inquiries", general[0], 1)
    state.report("services", services[0], 1)
    state.report("general_inquiries", general[1], 2)
    assert state.expanded == {"general_inquiries": general[1], "services": services[0]}

    state.report("services", "", 2)
    assert state.expanded == {"general_inquiries": general[1]}


def test_an_unknown_question_is_not_kept() -> None:
    state = FaqState()

    state.report("services", "x" * 1000, 1)
    state.report("x" * 1000, "y", 1)

    assert state.expanded == {}
    assert set(state.seq) == {"services"}


def test_a_handler_expands_and_collapses_a_question() -> None:
    state = FaqState()
    first, second, *_ = _slugs("services")

    state.toggle(first)
    state.toggle(second)
    assert state.expanded == {"services": second}

    state.toggle(second)
    assert state.expanded == {}


def test_a_language_is_chosen_once_and_an_unknown_one_never() -> None:
    state = LanguageState()

    state.choose("cn")
    state.choose("xx")
    state.choose("en")  # that of the page

    assert (state.chosen, state.choice_count, state.language) == ("cn", 1, "en")


async def test_each_message_is_shown_and_dismissing_an_old_one_leaves_the_new_one() -> None:
    visitor = Visitor(StartupState)
    state, snackbar = visitor.state, visitor.state_of(SnackbarState)

    await show_message(state, "success", "Sent")
    first = snackbar.serial
    await show_message(state, "error", "Network Error", action="retry")
    snackbar.dismiss(first)

    data = snackbar.snack_bar_data
    assert (data["show"], snackbar.serial) == (True, first + 1)
    assert (data["type"], data["timeout"], data["show_action_button"]) == ("error", 0, True)


def test_a_message_has_all_of_its_six_fields() -> None:
    snackbar: Any = SnackbarState()

    snackbar.show("Sent", type="info", timeout=100, content="We answer tomorrow", action="again")

    assert snackbar.snack_bar_data == {
        "show": True, "type": "info", "text": "Sent", "timeout": 100, "content": "We answer tomorrow", "show_action_button": True,
    }  # fmt: skip


def test_a_shared_list_is_pickled_as_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"{number:03}", "Somewhere") for number in range(250)]
    monkeypatch.setattr(startup, "_shared", {("countries", "en"): startup.SharedList("countries", "en", rows)})

    saved = pickle.dumps(startup.shared_list("countries", "en"))

    assert len(saved) < 120
    assert pickle.loads(saved) is startup.shared_list("countries", "en")


def _slugs(category: str) -> list[str]:
    return [
        question.slug
        for faq_category in faq_categories()
        if faq_category.slug == category
        for question in faq_category.questions
    ]
