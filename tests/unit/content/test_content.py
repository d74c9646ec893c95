"""The site's content is complete, and its links lead to existing pages."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from site_app.content.about_us import about_us_words
from site_app.content.affiliate_program import TERMS, affiliate_program_words
from site_app.content.contact_us import contact_details, contact_us_words
from site_app.content.engagement import MODELS
from site_app.content.faq import faq_words, pick_questions
from site_app.content.home import home_words
from site_app.content.legal import summary_of
from site_app.content.legal_values import legal_values, stored_item
from site_app.content.navigation import footer_words, navigation_words
from site_app.content.price_page import price_page
from site_app.content.prices import pounds
from site_app.content.records import PageLink
from site_app.content.sample_documents import report, scope
from site_app.content.services import SERVICES
from site_app.core import business
from site_app.core.i18n import in_local_words, t, use
from site_app.core.locales import BY_ID, ENGLISH, LOCALES, Locale
from site_app.core.settings import Settings
from site_app.forms.fields import countries_on_top

EVERYTHING = (
    home_words,
    about_us_words,
    affiliate_program_words,
    faq_words,
    contact_us_words,
    scope,
    report,
    navigation_words,
    footer_words,
    *SERVICES.values(),
)


def walk(record: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yields every leaf of a record with the name of its field."""
    if is_dataclass(record):
        for field in fields(record):
            yield from walk(getattr(record, field.name), field.name)
    elif isinstance(record, tuple):
        for inner in record:
            yield from walk(inner, name)
    else:
        yield name, record


@pytest.fixture(scope="module")
def content_values() -> list[tuple[str, Any]]:
    return [leaf for page in EVERYTHING for leaf in walk(page())]


def test_every_text_of_the_site_has_words(content_values: list[tuple[str, Any]]) -> None:
    assert [name for name, value in content_values if value == "" and name not in ("title", "label", "alt", "topic")] == []


def test_no_placeholder_is_left_open(content_values: list[tuple[str, Any]]) -> None:
    assert [value for _, value in content_values if isinstance(value, str) and "{" in value] == []


def test_external_links_have_a_scheme(content_values: list[tuple[str, Any]]) -> None:
    outer = [
        value for name, value in content_values if name in ("href", "link") and isinstance(value, str) and value[0] not in "/#"
    ]

    assert [address for address in outer if not address.startswith(("https://", "mailto:", "tel:"))] == []


def test_the_prices_page_says_the_warranty_among_the_terms_of_the_models() -> None:
    comparison = price_page().comparison

    assert comparison
    assert comparison.anchor == MODELS
    assert any(f"{business.WARRANTY_DAYS} days of launch" in value for _, values in comparison.items for value in values)


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_a_number_in_the_head_of_a_sheet_stays_with_its_word(locale: Locale) -> None:
    with use(locale):
        heads = [SERVICES["ai_and_deep_learning"]().artefact.head, *(sheet.heading for sheet in report().sheets)]

    assert [head for head in heads if re.search(r" \d|\d (?=周)", head)] == []


def test_the_worked_example_is_computed_from_the_commission(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(business, "COMMISSION", Decimal("0.125"))

    sums = affiliate_program_words().example.items

    net = [Decimal(re.sub("[£,]", "", row.payment)) for row in sums]
    assert [row.commission for row in sums] == [pounds(payment / 8) for payment in net]
    assert "12.5%" in affiliate_program_words().headline


def test_a_changed_commission_is_named_from_its_day_and_by_the_new_terms_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = date(2199, 1, 1)
    monkeypatch.setattr(business, "COMMISSION", Decimal("0.15"))
    monkeypatch.setattr(business, "EARLIER_COMMISSIONS", ((ahead, Decimal("0.20")),))
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", ahead)

    assert "20%" in affiliate_program_words().headline
    first_sum = affiliate_program_words().example.items[0]
    assert first_sum.commission == pounds(Decimal(re.sub("[£,]", "", first_sum.payment)) / 5)
    assert legal_values()["commission"] == "15%"
    assert any("15%" in line for line in summary_of(TERMS))


@pytest.mark.parametrize(
    ("language", "amount", "expected"), [("en", 100, "£100"), ("en", Decimal("1234.50"), "£1,234.50"), ("cn", 4000, "£4,000")]
)
def test_pounds_are_written_without_needless_pence_in_any_language(language: str, amount: Decimal | int, expected: str) -> None:
    with use(BY_ID[language]):
        assert pounds(amount) == expected


def test_a_phone_link_dials_the_bare_number() -> None:
    (phone,) = (detail for detail in contact_details() if detail.slug == "phone_number")

    assert phone.href == "tel:+442079460958"


@pytest.mark.parametrize(("locale", "slug"), [("en", ""), ("th", "line"), ("cn", "wechat")])
def test_readers_of_a_language_see_the_chat_they_use(monkeypatch: pytest.MonkeyPatch, locale: str, slug: str) -> None:
    links = {"line": "https://line.example.com/a", "wechat": "https://wechat.example.com/b"}
    brand = Settings(brand_line=links["line"], brand_wechat=links["wechat"])
    monkeypatch.setattr("site_app.content.contact_us.settings", lambda: brand)

    with use(BY_ID[locale]):
        chats = {detail.slug: detail.href for detail in contact_details() if detail.slug in links}
        (channels,) = pick_questions(("channels",))
        is_asked_to_use_email = channels.content[0] == t(
            "Please use email or the forms here, so that nothing gets lost. In a project we join the tools you work in; what is decided there is confirmed by email."
        )

    assert chats == ({slug: links[slug]} if slug else {})
    assert is_asked_to_use_email is not bool(slug)


@pytest.mark.parametrize("locale", LOCALES, ids=lambda entry: entry.id)
def test_a_language_has_its_country_on_top(locale: Locale) -> None:
    with use(locale):
        assert countries_on_top()[0] == locale.country


@pytest.mark.parametrize("locale", LOCALES, ids=lambda entry: entry.id)
def test_links_to_legal_texts_say_that_these_are_in_english(locale: Locale) -> None:
    with use(locale):
        legal_link, contact_link = PageLink("Terms", "/legals/terms-of-service"), PageLink("Contact", "/contact-us")

    assert (legal_link.text == "Terms", contact_link.text) == (locale is ENGLISH, "Contact")


def test_the_inventory_covers_a_family_of_names_in_its_own_store_only() -> None:
    assert stored_item("sessionStorage", "draft:message") is not None
    assert stored_item("localStorage", "draft:message") is None
    assert stored_item("cookie", "_ga") is None


@pytest.mark.parametrize(("language", "country", "joined"), [("th", "สหราชอาณาจักร", ", "), ("cn", "英国", "，")])
def test_the_country_of_an_address_speaks_the_language_and_the_street_does_not(
    language: str, country: str, joined: str
) -> None:
    with use(BY_ID[language]):
        lines = next(detail.values for detail in contact_details() if detail.slug == "address")

        assert lines == ("14 Sample Yard", "London EC1V 0AA", country)
        assert in_local_words("1 Street, London, United Kingdom") == f"1 Street, London{joined}{country}"
