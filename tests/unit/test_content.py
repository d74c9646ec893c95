"""What the site says: complete, linked to what is there, and free of filler."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any

import pytest

from site_app import constants
from site_app.content.about_us import about_us
from site_app.content.affiliate_program import affiliate_program
from site_app.content.brand import brand, contact_details
from site_app.content.contact_us import contact_us
from site_app.content.engagement import comparison
from site_app.content.faq.page import faq, pick_questions
from site_app.content.faq.records import Item, ItemList, Onward, Paragraph, Question
from site_app.content.frame import footer, navigation
from site_app.content.home import home
from site_app.content.money import pounds
from site_app.content.records import Link
from site_app.content.services.table import SERVICES
from site_app.content.storage import stored_item
from site_app.i18n import BY_ID, LOCALES, Locale, use
from site_app.routes import BY_PATH

PAGES: dict[str, Callable[[], Any]] = {
    "home": home,
    "about_us": about_us,
    "affiliate_program": affiliate_program,
    "faq": faq,
    "contact_us": contact_us,
    **SERVICES,
}
EVERYTHING = {**PAGES, "navigation": navigation, "footer": footer, "brand": brand}
FILLER = re.compile(
    r"cutting-edge|seamless|unlock|elevate|world-class|leverage|empower|robust|solutions|delve|!", re.IGNORECASE
)


def walk(record: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf of a record, with the name of the field that holds it."""
    if is_dataclass(record):
        for one in fields(record):
            yield from walk(getattr(record, one.name), one.name)
    elif isinstance(record, tuple):
        for inner in record:
            yield from walk(inner, name)
    else:
        yield name, record


@pytest.fixture(params=EVERYTHING)
def said(request: pytest.FixtureRequest) -> list[tuple[str, Any]]:
    return list(walk(EVERYTHING[request.param]()))


def test_nothing_is_left_empty(said: list[tuple[str, Any]]):
    assert [name for name, value in said if value == "" and name != "title"] == []


def test_no_filler_is_said(said: list[tuple[str, Any]]):
    assert [value for _, value in said if isinstance(value, str) and FILLER.search(value)] == []


def test_no_placeholder_is_left_open(said: list[tuple[str, Any]]):
    assert [value for _, value in said if isinstance(value, str) and "{" in value] == []


def test_an_inner_link_leads_to_a_page(said: list[tuple[str, Any]]):
    addresses = [value.partition("#")[0] for name, value in said if name == "href" and value.startswith("/")]

    assert [address for address in addresses if address not in BY_PATH and address != "/book"] == []  # the API's own page


def test_an_outer_link_names_its_scheme(said: list[tuple[str, Any]]):
    outer = [value for name, value in said if name in ("href", "link") and isinstance(value, str) and value[0] not in "/#"]

    assert [address for address in outer if not address.startswith(("https://", "mailto:", "tel:"))] == []


def test_an_icon_has_a_kebab_name(said: list[tuple[str, Any]]):
    icons = [value for name, value in said if name == "icon"]

    assert [icon for icon in icons if not re.fullmatch(r"[a-z]+(-[a-z]+)*", icon)] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_claim_is_short_enough_to_be_set_large(page: str):
    assert len(PAGES[page]().claim.split()) <= 8


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
@pytest.mark.parametrize("page", EVERYTHING)
def test_a_record_can_be_written_in_every_language(page: str, locale: Locale):
    with use(locale):
        texts = [value for _, value in walk(EVERYTHING[page]()) if isinstance(value, str)]

    assert texts


def test_the_comparison_has_a_value_for_every_model():
    table = comparison()

    assert [row.slug for row in table.rows] == ["billing", "best_for", "team", "scope_changes", "commitment", "you_get"]
    assert {len(row.values) for row in table.rows} == {len(table.models)}


def test_the_worked_example_is_computed_from_the_commission(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(constants, "COMMISSION", Decimal("0.125"))

    sums = affiliate_program().example.sums

    assert [(one.payment, one.commission) for one in sums] == [("£4,000", "£500"), ("£48,000", "£6,000"), ("£15,000", "£1,875")]
    assert affiliate_program().claim == "Recommend us and earn 12.5% recurring"


@pytest.mark.parametrize(("amount", "written"), [(100, "£100"), (Decimal("1234.50"), "£1,234.50"), (4000, "£4,000")])
def test_pounds_are_written_without_needless_pence(amount: Decimal | int, written: str):
    assert pounds(amount) == written


def test_pounds_stay_pounds_in_chinese():
    with use(BY_ID["cn"]):
        assert pounds(4000) == "£4,000"


def test_a_phone_link_dials_the_bare_number():
    (phone,) = (detail for detail in contact_details() if detail.slug == "phone_number")

    assert phone.href == "tel:+442079460958"


def test_every_answer_ends_in_a_link():
    questions = [question for category in faq().categories for question in category.questions]

    assert [one.slug for one in questions if not isinstance(one.content[-1], Onward)] == []


def test_an_unknown_question_is_refused():
    with pytest.raises(KeyError, match="no_such_question"):
        pick_questions(("no_such_question",))


def test_an_answer_reads_as_lines_of_text():
    question = Question(
        1,
        "why",
        "Why?",
        (Paragraph("Because:"), ItemList((Item("One", "first"), Item("", "Second."))), Onward(Link("More", "/faq"))),
    )

    assert question.plain() == "Because:\nOne: first\nSecond."


def test_the_inventory_covers_a_family_of_names_in_its_own_store_only():
    assert stored_item("sessionStorage", "draft:contact") is not None
    assert stored_item("localStorage", "draft:contact") is None
    assert stored_item("cookie", "_ga") is None


def test_the_country_of_the_address_and_of_the_register_speak_the_language_and_the_street_does_not():
    with use(BY_ID["th"]):
        lines = next(one.values for one in contact_details() if one.slug == "address")

        assert lines == ("14 Sample Yard", "London EC1V 0AA", "สหราชอาณาจักร")
        assert footer().small_print.endswith("จดทะเบียนในอังกฤษและเวลส์")
