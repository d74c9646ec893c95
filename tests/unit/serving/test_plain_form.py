"""How the plain pages of forms and of booking answer a refusal."""

import pytest

from site_app.contracts.reply import Refusal, Refused
from site_app.serving.plain_form import press_again, refusal_errors, refusal_status


def _refused(code: str = "invalid", message: str = "", **fields: str) -> Refused:
    return Refused(error=Refusal(code=code, message=message, fields=fields))


def test_errors_of_shown_fields_replace_the_message() -> None:
    refusal = _refused(message="Please check it", email="No such domain", token="Too old")

    assert refusal_errors(refusal, ["email", "phone"]) == {"email": "No such domain"}


def test_without_an_error_of_a_shown_field_the_message_is_left() -> None:
    assert refusal_errors(_refused(message="Please check it", token="Too old"), ["email"]) == {"": "Please check it"}
    assert refusal_errors(_refused(), ["email"]) == {"": press_again()}


@pytest.mark.parametrize(
    ("code", "status"), [("too_many", 429), ("call_exists", 409), ("too_many_calls", 409), ("invalid", 422)]
)
def test_the_page_has_the_status_of_the_refusal(code: str, status: int) -> None:
    assert refusal_status(_refused(code)) == status


def test_a_taken_slot_is_a_conflict() -> None:
    assert refusal_status(_refused(slot="This time is taken")) == 409
