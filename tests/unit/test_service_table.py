"""A service is one row; everything that lists services reads that row."""

import pytest

from site_app.content.faq import pick_questions
from site_app.content.home import home_words
from site_app.content.routes import BY_PATH
from site_app.content.services import SERVICES
from site_app.content.services.offers import offers
from site_app.contracts.kinds.quote import QUOTE
from site_app.core.i18n import use
from site_app.core.locales import ENGLISH
from site_app.core.service_table import SERVICE_TABLE, OfferedService
from site_app.pages.table import PAGES
from site_app.provider.leads.mails import facts_of
from tests.support import builders


@pytest.mark.parametrize("service", SERVICE_TABLE, ids=lambda entry: entry.slug)
def test_an_offered_service_is_listed_asked_for_and_named_in_mails(service: OfferedService) -> None:
    with use(ENGLISH):
        (fact,) = facts_of({"services": [service.api_slug]}, ("services",), QUOTE)
        listed = offers()[service.slug]

    assert QUOTE.contract.model_validate(builders.quote(services=[service.api_slug]))
    assert fact.value == listed.name == service.name()


@pytest.mark.parametrize("service", [entry for entry in SERVICE_TABLE if entry.title], ids=lambda entry: entry.slug)
def test_a_service_with_a_title_has_its_page(service: OfferedService) -> None:
    assert BY_PATH[service.path].tag == service.api_slug
    assert service.path in PAGES


def test_every_service_page_belongs_to_an_offered_service() -> None:
    assert {entry.slug for entry in SERVICE_TABLE} == SERVICES.keys()


def test_the_number_of_services_is_counted() -> None:
    with use(ENGLISH):
        (question,) = pick_questions(("services_offered",))

        assert all(str(len(SERVICE_TABLE)) in text for text in (home_words().services.intro, str(question.content[0])))


def test_a_service_that_is_no_longer_offered_goes_by_its_slug() -> None:
    (fact,) = facts_of({"services": ["fax-repair"]}, ("services",), QUOTE)

    assert fact.value == "fax-repair"
