"""The price calculator: each service page opens on its own kind of work, and computes."""

from io import BytesIO

from PIL import Image
from playwright.sync_api import expect

from site_app.core import business
from tests.browser.visit import Visit

MOBILE = "/services/it-services-and-branding/mobile-development"


def price(months: tuple[int, int], people: int) -> str:
    """Returns the price range of a team that works full time for these months, as the page shows it."""
    month = people * business.WORKING_DAYS_A_MONTH * business.DAY_RATE_POUNDS
    low, high = (max(count * month, business.PROJECT_POUNDS) for count in months)
    return f"£{low:,}–£{high:,}"


def test_a_service_page_opens_on_its_own_kind_of_work_and_computes(visit: Visit) -> None:
    page = visit(MOBILE)
    work, results = page.get_by_label("What should we build?"), page.get_by_role("status").filter(has_text="£")
    expect(work).to_have_value("mobile_app")
    expect(results).to_contain_text(price(business.MOBILE_APP_MONTHS, people=1))

    page.get_by_label("Full-time people").fill("2")
    expect(results).to_contain_text(price(business.MOBILE_APP_MONTHS, people=2))
    work.select_option("web_app")

    expect(results).to_contain_text(price(business.WEB_APP_MONTHS, people=2))
    expect(results).to_contain_text("–".join(map(str, business.WEB_APP_MONTHS)))


def test_the_track_has_the_colour_of_the_thumb_only_up_to_it(visit: Visit) -> None:
    page = visit(MOBILE, wait=False)
    track = page.get_by_label("Full-time people")
    track.evaluate("track => track.value = 2")

    picture = Image.open(BytesIO(track.screenshot())).convert("RGB")

    before, thumb, after = (picture.getpixel((int(picture.width * part), picture.height // 2)) for part in (0.05, 0.35, 0.95))
    assert before == thumb
    assert after not in (thumb, picture.getpixel((0, 0)))


def test_a_service_that_is_not_priced_by_a_team_has_no_calculator(visit: Visit) -> None:
    for path in ("/services/digital-marketing", "/services/it-services-and-branding/software-maintenance"):
        expect(visit(path).get_by_label("What should we build?")).to_have_count(0)
