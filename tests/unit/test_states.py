"""The states without a browser."""

import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from site_app.content.faq import faq_categories
from site_app.states import reference
from site_app.states.dialogs import DialogState
from site_app.states.faq import FaqState
from site_app.states.language import LanguageState
from site_app.states.snackbar import SnackbarState, show_message

pytestmark = pytest.mark.anyio


def test_everything_starts_as_the_spec_says() -> None:
    dialogs, snackbar = DialogState(), SnackbarState()

    assert not any((dialogs.show_quote_dialog, dialogs.show_contact_dialog, dialogs.show_consultation_dialog))
    assert (snackbar.show, snackbar.type, snackbar.text, snackbar.timeout, snackbar.content) == (False, "", "", 0, "")
    assert not snackbar.show_action_button
    assert LanguageState().language == "en"
    assert FaqState().expanded == {}


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


@pytest.mark.parametrize(("name", "seq"), [("settings", 1), ("quote", "1"), ("quote", True), ("quote", None)])
def test_a_forged_report_changes_nothing(name: Any, seq: Any) -> None:
    state = DialogState()

    state.report(name, seq)

    assert (state.open_dialog, state.seq) == ("", 0)


def test_expanding_a_question_collapses_its_neighbours_only() -> None:
    state = FaqState()
    general, services = _slugs("general_inquiries"), _slugs("services")

    state.report("general_inquiries", general[0], 1)
    state.report("services", services[0], 1)
    state.report("general_inquiries", general[1], 2)

    assert state.expanded == {"general_inquiries": general[1], "services": services[0]}


def test_a_question_can_be_collapsed() -> None:
    state, (question, *_) = FaqState(), _slugs("services")

    state.report("services", question, 1)
    state.report("services", "", 2)

    assert state.expanded == {}


def test_an_unknown_question_is_not_kept() -> None:
    state = FaqState()

    state.report("services", "x" * 1000, 1)
    state.report("x" * 1000, "y", 1)

    assert state.expanded == {}
    assert set(state.seq) == {"services"}


def test_an_unknown_language_is_not_chosen() -> None:
    state = LanguageState()

    state.choose("cn")
    state.choose("xx")

    assert state.language == "cn"


async def test_a_message_told_twice_is_shown_twice() -> None:
    snackbar = SnackbarState()
    speaker: Any = SimpleNamespace(get_state=_gives(snackbar))

    await show_message(speaker, "success", "Sent")
    first = snackbar.serial
    await show_message(speaker, "success", "Sent")

    assert snackbar.show
    assert snackbar.serial == first + 1


async def test_dismissing_an_old_message_leaves_the_new_one() -> None:
    snackbar = SnackbarState()
    speaker: Any = SimpleNamespace(get_state=_gives(snackbar))

    await show_message(speaker, "success", "Sent")
    await show_message(speaker, "error", "Network Error", action="retry")
    snackbar.dismiss(1)

    assert snackbar.show
    assert (snackbar.type, snackbar.timeout, snackbar.show_action_button) == ("error", 0, True)


def test_a_shared_list_is_pickled_as_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"{number:03}", "Somewhere") for number in range(250)]
    monkeypatch.setattr(reference, "_shared", {("countries", "en"): reference.SharedList("countries", "en", rows)})

    saved = pickle.dumps(reference.shared_list("countries", "en"))

    assert len(saved) < 120
    assert pickle.loads(saved) is reference.shared_list("countries", "en")


def _slugs(category: str) -> list[str]:
    return [question.slug for one in faq_categories() if one.slug == category for question in one.questions]


def _gives(state: Any) -> Any:
    async def get_state(_kind: type) -> Any:
        return state

    return get_state
