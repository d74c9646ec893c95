"""Booking, viewing, moving and cancelling a meeting without JavaScript."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.axe import COLOURS, findings
from tests.browser.booking.steps import meetings, new_address, plain_submit
from tests.browser.visit import Visit
from tests.support.site_server import Site

MOVE = "main .actions a.button-strong"
LINES = """([selector, words]) => {
  const texts = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const start = texts.currentNode.data.indexOf(words);
    if (start >= 0) {
      const range = new Range();
      range.setStart(texts.currentNode, start);
      range.setEnd(texts.currentNode, start + words.length);
      return range.getClientRects().length;
    }
  }
}"""  # on which the words of this element stand


def box(item: Locator) -> FloatRect:
    return item.bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}


def right_edge(page: Page, selector: str) -> int:
    return round(page.locator(selector).locator("visible=true").first.evaluate("item => item.getBoundingClientRect().right"))


def test_a_meeting_is_booked_moved_and_cancelled_without_javascript(visit: Visit, site: Site) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False, width=360)
    page.locator("input[name=slot]").first.check()
    plain_submit(page)
    page.locator("[name=full_name]").fill("Ada Lovelace")
    page.locator("[name=email]").fill(new_address())
    plain_submit(page)
    expect(page.locator(MOVE)).to_be_visible()
    assert meetings(site)[-1][:3] == ("booked", "Ada Lovelace", "Asia/Bangkok")
    time_before = page.locator("dd").first.inner_text()

    page.locator(MOVE).click()
    page.locator(".calendar-day").last.click()
    page.locator("input[name=slot]").last.check()
    plain_submit(page)
    expect(page.locator(MOVE)).to_be_visible()
    expect(page.locator("dd").first).not_to_have_text(time_before)

    page.locator("details:has([value=cancel]) summary").click()
    page.locator("[value=cancel]").click()
    expect(page.locator(f"[value=cancel], {MOVE}[href*=move]")).to_have_count(0)
    assert meetings(site)[-1][0] == "cancelled"


def test_an_incomplete_form_is_answered_with_errors_at_its_fields(visit: Visit) -> None:
    page = visit("/book", javascript=False, allowed=("422 (Unprocessable Entity)",))
    page.locator("input[name=slot]").first.check()
    plain_submit(page)
    page.locator("[name=full_name]").fill("Ada Lovelace")

    plain_submit(page)

    expect(page.locator(".field-error")).to_have_count(1)
    expect(page.locator("#email-error")).to_be_visible()
    expect(page.locator("[name=email]")).to_have_attribute("required", "")


def test_the_page_is_used_up_to_its_end_on_a_wide_screen(visit: Visit) -> None:
    page = visit("/book", wait=False, width=1280)
    assert right_edge(page, ".choosing") == right_edge(page, ".theme svg")

    page.locator("input[name=slot]").first.check()
    plain_submit(page)

    assert right_edge(page, ".chosen") == right_edge(page, ".theme svg")


@pytest.mark.parametrize("width", [390, 320])
def test_very_large_type_leaves_words_whole_and_the_head_tidy(visit: Visit, width: int) -> None:
    page = visit("/book", wait=False, width=width)

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    assert page.evaluate(LINES, ["h1", "Consultation"]) == 1
    assert page.evaluate(LINES, ["footer [href^=mailto]", "plumbline.example.com"]) == 1
    zone = page.locator("select[name=zone]")
    assert zone.evaluate("select => parseFloat(getComputedStyle(select).fontSize)") == 2 * 16
    assert right_edge(page, "select[name=zone]") == right_edge(page, ".calendar")
    # Of one day: the first day may have a single slot left.
    neighbours = page.locator(".slot:has(+ .slot)").first, page.locator(".slot + .slot").first
    assert len({round(slot["y"]) for slot in map(box, neighbours)}) == 1
    brand, *preferences = page.evaluate(
        "[...document.querySelectorAll('.bar .brand, .preferences li, .theme')].map(item => item.getBoundingClientRect().toJSON())"
    )
    assert {round(item["top"] + item["height"] / 2) for item in preferences} == {
        round(preferences[0]["top"] + preferences[0]["height"] / 2)
    }
    assert preferences[0]["top"] >= brand["bottom"]
    assert preferences[-1]["right"] <= width
    day = box(page.locator(".calendar-day").first)
    assert day["height"] < 1.3 * day["width"]
    figure = page.locator(".calendar-day").last.evaluate("day => parseFloat(getComputedStyle(day).fontSize)")
    assert figure >= 1.4 * 16 * width / 390


def test_on_a_phone_the_zone_follows_the_calendar_and_the_times_follow_it(visit: Visit) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False, width=390)

    tops = [box(page.locator(part).first)["y"] for part in (".host", ".calendar", ".zone", "#day legend", ".slot")]

    assert tops == sorted(tops)
    expect(page.locator("#day legend")).to_contain_text("Bangkok")


def test_host_days_and_times_stand_side_by_side_on_a_wide_screen(visit: Visit) -> None:
    page = visit("/book", javascript=False, width=1280)

    host, zone, calendar, times = (
        box(page.locator(f".choosing > {part}")) for part in (".host", ".zone", ".calendar", ".times")
    )

    assert host["x"] == zone["x"]
    assert host["y"] + host["height"] <= zone["y"]
    assert host["y"] == calendar["y"] == times["y"]
    assert host["x"] + host["width"] <= calendar["x"]
    assert calendar["x"] + calendar["width"] <= times["x"]
    assert round(box(page.locator(".calendar-day").first)["width"]) == 48


@pytest.mark.parametrize("width", [390, 1280])
def test_the_hosts_time_stays_on_one_line_in_thai(visit: Visit, width: int) -> None:
    page = visit("/th/book?zone=Asia/Bangkok", javascript=False, width=width)

    # If it is after midnight there, the day makes a second line.
    times = page.locator(".slot-there").filter(has_text=re.compile(r"^\S+ \d\d:\d\d$"))
    slot = page.locator(".slot").filter(has=times).first
    lines = "words => { const range = new Range(); range.selectNodeContents(words); return range.getClientRects().length }"
    assert slot.locator(".slot-there").evaluate(lines) == 1
    assert box(slot)["height"] >= 52


def test_a_held_time_and_the_way_to_others_stand_beside_the_form(visit: Visit) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False, allowed=("422 (Unprocessable Entity)",))
    page.locator("input[name=slot]").first.check()
    plain_submit(page)
    page.locator("[name=full_name]").fill("Ada Lovelace")

    page.locator("[value=keep]").click()
    expect(page.locator("[name=full_name]")).to_have_value("Ada Lovelace")
    plain_submit(page)

    form, side = (box(page.locator(part)) for part in ("form#call", ".chosen"))
    assert box(page.locator("[value=keep]"))["x"] >= side["x"] >= form["x"] + form["width"]
    expect(page.locator("form#call :is(.notice, details)")).to_have_count(0)
    page.get_by_text("Choose another time").click()
    page.locator("input[name=slot]").last.check()
    page.locator("[name=email]").fill(new_address())
    plain_submit(page)
    expect(page.locator(MOVE)).to_be_visible()


def test_all_times_keep_what_was_typed(visit: Visit, site: Site) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False, width=360)
    page.locator("input[name=slot]").first.check()
    plain_submit(page)
    page.locator("[name=full_name]").fill("Ada Lovelace")
    page.locator("[name=project_information]").fill("one\n two")
    page.get_by_text("Choose another time").click()

    page.locator("[value=release]").click()
    expect(page.locator("input[name=slot]:checked")).to_have_count(1)
    page.locator(".calendar-day").last.click()
    expect(page.locator("fieldset legend")).to_be_in_viewport()
    page.locator("select[name=zone]").select_option("Europe/London")
    page.locator("form.zone button").click()
    expect(page.locator("fieldset legend")).to_contain_text("London time")
    page.locator("input[name=slot]").last.check()
    plain_submit(page)

    expect(page.locator("[name=full_name]")).to_have_value("Ada Lovelace")
    expect(page.locator("[name=project_information]")).to_have_value("one\n two")
    page.locator("[name=email]").fill(new_address())
    plain_submit(page)
    expect(page.locator(MOVE)).to_be_visible()
    assert meetings(site)[-1][:3] == ("booked", "Ada Lovelace", "Europe/London")


def test_without_javascript_openers_and_the_faq_lead_to_the_plain_page(visit: Visit) -> None:
    page = visit("/th", javascript=False)

    expect(page.locator("[commandfor]:visible")).to_have_count(0)
    page.locator("main .button[href='/th/book']:visible").first.click()

    expect(page.locator("input[name=slot]").first).to_be_visible()
    page.goto(page.url.replace("/th/book", "/th/faq"))
    page.locator("main details:has(a[href='/th/book']) summary").click()
    page.locator("main details a[href='/th/book']").click()
    expect(page.locator("input[name=slot]").first).to_be_visible()


def test_a_plain_booking_survives_a_change_of_language_and_leads_back_to_english(visit: Visit, site: Site) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False, width=360)
    page.locator("input[name=slot]").first.check()
    page.locator("header [lang=zh-Hans]").click()
    expect(page.locator("input[name=slot]").first).to_be_checked()
    plain_submit(page)
    page.locator("[name=full_name]").fill("Ada Lovelace")
    page.locator("[name=email]").fill("ada@example")

    page.locator("header [lang=th]").click()
    expect(page.locator("html")).to_have_attribute("lang", "th")
    expect(page.locator("[name=full_name]")).to_have_value("Ada Lovelace")
    expect(page.locator("[name=email]")).to_have_value("ada@example")
    page.locator("[name=email]").fill(new_address())
    page.locator("[name=email]").press("Enter")

    page.wait_for_url("**/th/meetings/*")
    assert meetings(site)[-1][:3] == ("booked", "Ada Lovelace", "Asia/Bangkok")
    page.locator("header .brand").click()
    page.locator(".bar-narrow[popovertarget]").click()
    page.locator(".drawer a[data-language=en]").click()
    expect(page).to_have_url(site.url + "/")


def test_the_plain_page_has_the_chosen_theme_and_is_light_without_one(visit: Visit) -> None:
    page, color_schemes = visit("/book", wait=False), []
    looks: list[tuple[str | None, Literal["light", "dark"]]] = [(None, "dark"), ("light", "dark"), ("dark", "light")]
    for theme, scheme in looks:
        page.emulate_media(color_scheme=scheme)
        page.evaluate("chosen => chosen && (localStorage.theme = chosen)", theme)
        page.reload()
        color_schemes.append(page.evaluate("getComputedStyle(document.documentElement).colorScheme"))
    assert color_schemes == ["light", "light", "dark"]


def test_the_plain_page_has_the_typeface_of_its_language(visit: Visit) -> None:
    typefaces = [
        visit(address, wait=False).evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")
        for address in ("/th", "/th/book")
    ]

    assert typefaces[0] == typefaces[1]


def test_the_theme_switch_of_the_plain_page_decides_for_the_site_too(visit: Visit, site: Site) -> None:
    page = visit("/book", wait=False)

    page.get_by_role("button", name="Use the dark theme").click()

    expect(page.locator("html")).to_have_class("dark")
    page.goto(f"{site.url}/faq")
    expect(page.locator("html.dark")).to_have_count(1)


def test_the_plain_page_links_to_the_pages_of_the_site_and_keeps_the_partner(visit: Visit) -> None:
    page = visit("/th/book?ref=ACDEFGHJ", wait=False)

    expect(page.locator("header a[href='/th/company/prices?ref=ACDEFGHJ']")).to_be_visible()
    expect(page.locator("header a[href='/th/services/it-services-and-branding/web-development?ref=ACDEFGHJ']")).to_be_visible()
    expect(page.locator("footer a[href='/th/services/it-services-and-branding/web-development?ref=ACDEFGHJ']")).to_be_visible()
    expect(page.locator("footer a[href^='mailto:']:not([href*=ref])")).to_be_visible()


def test_a_day_of_the_calendar_shows_its_times_in_every_zone(visit: Visit) -> None:
    page = visit("/book?zone=Asia/Bangkok", javascript=False, width=360)
    days = page.locator(".calendar-day")
    # A day in the middle has times in every zone. All times of the last one may be of the day before in London.
    day = days.nth(days.count() // 2)
    day_label = day.get_attribute("aria-label") or ""

    day.click()

    legend = page.locator("fieldset legend")
    expect(legend).to_be_in_viewport()
    assert legend.inner_text().startswith(day_label.rpartition(",")[0])
    expect(page.locator(".calendar-day[aria-current=true]")).to_have_attribute("aria-label", day_label)
    expect(page.locator("input[name=slot]")).to_have_count(int(day_label.rpartition(" ")[2]))
    page.locator("select[name=zone]").select_option("Europe/London")
    page.locator("form.zone button").click()
    expect(page.locator("fieldset legend")).to_have_text(f"{day_label.rpartition(',')[0]}, London time")


def test_a_day_is_shown_where_it_was_on_a_wide_screen(visit: Visit) -> None:
    page = visit("/book", javascript=False, width=1280)

    page.locator(".calendar-day").last.click()

    expect(page.locator("h1")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def test_later_weeks_lead_to_times_that_are_later(visit: Visit, start_site: Callable[..., Site]) -> None:
    page = visit("/book", on=start_site(SITE_BOOKING_HORIZON="80d"), javascript=False)
    first_day = page.locator("[name=day]").first.input_value()

    page.get_by_label("Later weeks").click()

    later_day = page.locator("[name=day]").first.input_value()
    assert later_day > first_day
    page.get_by_label("Earlier weeks").click()
    assert page.locator("[name=day]").first.input_value() < later_day


def test_the_plain_page_is_light_without_javascript(visit: Visit) -> None:
    plain = visit("/book", javascript=False, color_scheme="dark")

    assert plain.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def test_nothing_covers_the_days_before_a_time_is_chosen(visit: Visit) -> None:
    page = visit("/book", wait=False, width=360)
    button = page.locator("main form[method=post] > p:last-child button")
    expect(button).to_be_hidden()

    page.locator("input[name=slot]").first.check()

    expect(button).to_be_in_viewport()


def test_with_the_setting_the_plain_page_follows_the_system(visit: Visit, start_site: Callable[..., Site]) -> None:
    page = visit("/book", on=start_site(SITE_THEME="system"), wait=False, color_scheme="dark")

    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_axe_finds_nothing_on_plain_pages(visit: Visit, site: Site) -> None:
    page = visit("/healthz", wait=False, width=360, color_scheme="dark")

    for path in ("/book", "/contact-us/sent?reference=M-2345-67&check=1"):
        page.goto(site.url + path)
        assert findings(page) == []
        page.emulate_media(color_scheme="light")
        assert findings(page, COLOURS) == []
        page.emulate_media(color_scheme="dark")


def test_the_link_to_the_plain_page_leaves_react_behind(visit: Visit) -> None:
    page = visit("/faq")
    question = page.locator("details:has(a[href='/book'])")
    question.locator("summary").click()
    page.evaluate("sessionStorage.attribution = 'ref=A2C3D4E5'")

    question.locator("a[href='/book']").click()

    expect(page.locator("input[name=slot]").first).to_be_visible()
    expect(page.locator("form.times [name=attribution]")).to_have_value("ref=A2C3D4E5")


def test_the_button_of_the_time_zone_appears_with_another_choice(visit: Visit) -> None:
    page = visit("/book?zone=Asia/Bangkok", wait=False)
    button = page.locator("form.zone button")
    expect(button).to_be_hidden()

    page.locator("select[name=zone]").select_option("Europe/London")
    button.click()

    expect(page.locator("fieldset legend")).to_contain_text("London time")
    expect(button).to_be_hidden()
