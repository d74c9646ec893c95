"""What the site says: complete, and linked to what is there."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any

import pytest

from site_app import business
from site_app.content.about_us import about_us
from site_app.content.affiliate_program import affiliate_program
from site_app.content.amounts import pounds
from site_app.content.brand import contact_details
from site_app.content.contact_us import contact_us
from site_app.content.engagement import comparison
from site_app.content.faq import faq, pick_questions
from site_app.content.faq.records import Item, ItemList, Question
from site_app.content.home import home
from site_app.content.navigation import footer, navigation
from site_app.content.offers import offers
from site_app.content.records import Link
from site_app.content.sample_documents import report, scope
from site_app.content.services import SERVICES
from site_app.content.storage import stored_item
from site_app.content.technologies import technology_catalogues
from site_app.i18n import BY_ID, LOCALES, Locale, in_local_words, use
from site_app.routes import BY_PATH
from site_app.settings import Settings

PAGES: dict[str, Callable[[], Any]] = {
    "home": home,
    "about_us": about_us,
    "affiliate_program": affiliate_program,
    "faq": faq,
    "contact_us": contact_us,
    "scope": scope,
    "report": report,
    **SERVICES,
}
EVERYTHING = {**PAGES, "navigation": navigation, "footer": footer}


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


@pytest.fixture(scope="module")
def said() -> list[tuple[str, Any]]:
    return [leaf for page in EVERYTHING.values() for leaf in walk(page())]


def test_nothing_is_left_empty(said: list[tuple[str, Any]]):
    assert [name for name, value in said if value == "" and name not in ("title", "label")] == []


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


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_a_record_can_be_written_in_every_language(locale: Locale):
    with use(locale):
        texts = {name: [value for _, value in walk(page()) if isinstance(value, str)] for name, page in EVERYTHING.items()}

    assert all(texts.values())


def test_the_comparison_has_a_value_for_every_model():
    table = comparison()

    assert {len(row.values) for row in table.rows} == {len(table.models)}


def test_the_worked_example_is_computed_from_the_commission(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(business, "COMMISSION", Decimal("0.125"))

    sums = affiliate_program().example.items

    net = [Decimal(re.sub("[£,]", "", one.payment)) for one in sums]
    assert [one.commission for one in sums] == [pounds(payment / 8) for payment in net]
    assert "12.5%" in affiliate_program().claim


@pytest.mark.parametrize(("amount", "written"), [(100, "£100"), (Decimal("1234.50"), "£1,234.50"), (4000, "£4,000")])
def test_pounds_are_written_without_needless_pence(amount: Decimal | int, written: str):
    assert pounds(amount) == written


def test_pounds_stay_pounds_in_chinese():
    with use(BY_ID["cn"]):
        assert pounds(4000) == "£4,000"


def test_a_phone_link_dials_the_bare_number():
    (phone,) = (detail for detail in contact_details() if detail.slug == "phone_number")

    assert phone.href == "tel:+442079460958"


@pytest.mark.parametrize(("locale", "slug"), [("en", ""), ("th", "line"), ("cn", "wechat")])
def test_readers_of_a_language_see_the_chat_they_use(monkeypatch: pytest.MonkeyPatch, locale: str, slug: str):
    links = {"line": "https://line.example.com/a", "wechat": "https://wechat.example.com/b"}
    own = Settings(brand_line=links["line"], brand_wechat=links["wechat"])
    monkeypatch.setattr("site_app.content.brand.settings", lambda: own)

    with use(BY_ID[locale]):
        chats = {one.slug: one.href for one in contact_details() if one.slug in links}

    assert chats == ({slug: links[slug]} if slug else {})


def test_without_an_address_there_is_no_chat():
    with use(BY_ID["th"]):
        assert {one.slug for one in contact_details()} == {"email_address", "phone_number", "address"}


def test_a_figure_that_is_a_sample_is_one_of_the_business():
    assert [name for name in business.SAMPLES if not hasattr(business, name)] == []


def test_every_page_of_a_service_is_an_offer():
    assert {slug: service().offer for slug, service in SERVICES.items()}.items() <= offers().items()


def test_no_technology_stands_twice_in_the_catalogues():
    slugs = [one.slug for catalogue in technology_catalogues() for part in catalogue.categories for one in part.technologies]

    assert len(slugs) == len(set(slugs))


def test_an_unknown_question_is_refused():
    with pytest.raises(KeyError, match="no_such_question"):
        pick_questions(("no_such_question",))


def test_an_answer_reads_as_lines_of_text():
    question = Question(
        1,
        "why",
        "Why?",
        ("Because:", ItemList((Item("One", "first"), Item("", "Second."))), Link("More", "/faq")),
    )

    assert question.plain() == "Because:\nOne: first\nSecond."


def test_the_inventory_covers_a_family_of_names_in_its_own_store_only():
    assert stored_item("sessionStorage", "draft:message") is not None
    assert stored_item("localStorage", "draft:message") is None
    assert stored_item("cookie", "_ga") is None


def test_the_country_of_the_address_and_of_the_register_speak_the_language_and_the_street_does_not():
    with use(BY_ID["th"]):
        lines = next(one.values for one in contact_details() if one.slug == "address")

        assert lines == ("14 Sample Yard", "London EC1V 0AA", "สหราชอาณาจักร")
        assert footer().small_print.endswith("จดทะเบียนในอังกฤษและเวลส์")


def test_a_chinese_country_takes_a_chinese_comma_and_still_has_a_line_of_its_own():
    with use(BY_ID["cn"]):
        lines = next(one.values for one in contact_details() if one.slug == "address")

        assert in_local_words("1 Street, London, United Kingdom") == "1 Street, London，英国"
        assert lines[1:] == ("London EC1V 0AA", "英国")
