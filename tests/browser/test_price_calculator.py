"""The price calculator: each service page opens on its own kind of work, and computes."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit

MOBILE = "/services/it-services-and-branding/mobile-development"


def test_a_service_page_opens_on_its_own_kind_of_work_and_computes(visit: Visit) -> None:
    page = visit(MOBILE)
    work, results = page.get_by_label("What should we build?"), page.get_by_role("status").filter(has_text="£")
    expect(work).to_have_value("mobile_app")
    expect(results).to_contain_text("£27,000–£36,000")

    page.get_by_label("Full-time people").fill("2")
    expect(results).to_contain_text("£54,000–£72,000")
    work.select_option("web_app")

    expect(results).to_contain_text("£36,000–£54,000")
    expect(results).to_contain_text("2–3")


def test_a_service_that_is_not_priced_by_a_team_has_no_calculator(visit: Visit) -> None:
    for path in ("/services/digital-marketing", "/services/it-services-and-branding/software-maintenance"):
        expect(visit(path).get_by_label("What should we build?")).to_have_count(0)
