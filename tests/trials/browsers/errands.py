"""Errands: tasks of visitors that each engine performs. An errand gets a new visitor's tab and raises AssertionError on failure."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from PIL import Image

from site_app.content.home import home_words
from site_app.core.service_table import SERVICE_TABLE
from tests.trials.browsers.engines import Choices
from tests.trials.browsers.tab import Tab

# Each section's headline and its place on the page.
_SECTIONS = """
const flat = (text) => text.replace(/\\s+/g, ' ').trim();
return [...document.querySelectorAll('main > *, footer')].filter((element) => element.getBoundingClientRect().height > 0).map((element) => {
  const { top, left, width, height } = element.getBoundingClientRect();
  return {
    words: flat(element.querySelector('h1, h2, h3, p')?.textContent ?? ''),
    box: [left, top + scrollY, left + width, top + scrollY + height],
    page: document.documentElement.scrollWidth,
  };
});
"""
_MIN_COLOURS = 8  # text has a dozen shades at its edges; a section that was not drawn has one or two


def whole_on_paper(tab: Tab) -> None:
    printed = _letters(tab.printed())
    # The footer, the bar and the invitation at the end are left out on paper.
    on_paper = _SECTIONS.replace("'main > *, footer'", "'main > :not(:has(> .invitation))'")
    missing = [section["words"] for section in tab.run(on_paper) if _letters(section["words"]) not in printed]
    assert not missing, f"not on paper at {tab.path}: {missing}"


def whole_picture(tab: Tab) -> None:
    picture = tab.picture()
    sections = tab.run(_SECTIONS)
    scale = picture.width / sections[0]["page"]
    bottom = max(section["box"][3] for section in sections)
    assert picture.height >= (bottom - 2) * scale, f"the picture ends at {picture.height} of {bottom * scale:.0f} px"
    blank = [section["words"] for section in sections if _is_blank(picture, [edge * scale for edge in section["box"]])]
    assert not blank, f"not in the picture of {tab.path}: {blank}"


def _is_blank(picture: Image.Image, box: list[float]) -> bool:
    left, top, right, bottom = map(round, box)
    colours = picture.crop((left, top, right, bottom)).getcolors(maxcolors=1 << 24) or []
    return len(colours) < _MIN_COLOURS


def _letters(text: str) -> str:
    """Keeps only letters and digits, as lines break at spaces and hyphens."""
    return "".join(filter(str.isalnum, text)).casefold()


_HAS_FOCUS = "return document.activeElement.matches(arguments[0])"
_MESSAGE = "Do you write programs for machines that do not exist yet?"
_REFERENCE = ".result dd strong"


@dataclass(frozen=True)
class Errand:
    name: str
    run: Callable[[Tab], None]
    choices: Choices = Choices()


def navigation(tab: Tab) -> None:
    """Goes by a menu to a page, by Back home again, into another language, and home from a missing page."""
    tab.open("/")
    if tab.run("return innerWidth >= 1024"):
        tab.click(".bar-links summary", "Company")
        tab.click(".menu-panel a", "About us")
    else:
        tab.click("button", "Open menu")
        tab.click(".drawer summary", "Company")
        tab.click(".drawer a", "About us")
    tab.until("return location.pathname", "/company/about-us")
    tab.find("main h1")
    tab.misses(".menu-panel a, .drawer a")
    tab.back()
    tab.until("return location.pathname", "/")
    tab.find("main h1", home_words().headline)
    _language(tab, "th")
    tab.until("return document.documentElement.lang", "th")
    tab.until("return location.pathname", "/th")
    tab.open("/faq")
    _language(tab, "en")
    tab.until("return location.pathname", "/faq")
    tab.open("/no-such-page")
    tab.until("return location.pathname", "/")


def _language(tab: Tab, name: str) -> None:
    wide = tab.run("return innerWidth >= 1024")
    tab.click(".bar-wide summary" if wide else ".bar-narrow[popovertarget]")
    tab.click(f"{'.bar-wide' if wide else '.drawer'} a[data-language={name}]")


def dialogs(tab: Tab) -> None:
    """Opens it by its button, closes it by Escape, its cross, a click beside it and Back; the focus goes in and returns."""
    tab.open("/")
    opener = "main button[commandfor=quote-dialog]"
    for close_dialog in (
        lambda: tab.press("Escape"),
        lambda: tab.click("dialog[open] .dialog-head button"),
        lambda: _press_beside(tab),
        tab.back,
    ):
        tab.click(opener)
        tab.find("dialog[open] h2")
        tab.until("return !!document.activeElement.closest('dialog[open]')")
        close_dialog()
        tab.misses("dialog")
        tab.until("return location.pathname", "/")
    tab.run("document.querySelector(arguments[0]).focus()", opener)
    tab.press("Enter")
    tab.find("dialog[open] h2")
    tab.press("Escape")
    tab.misses("dialog")
    tab.until(_HAS_FOCUS, True, opener)


def _press_beside(tab: Tab) -> None:
    tab.until("return document.querySelector('dialog[open]').getAnimations().length", 0)
    tab.move(3, 3, press=True)


def quote(tab: Tab) -> None:
    tab.open("/?open=quote")
    _person(tab, "#quote-form")
    tab.click("#quote-form .choice", SERVICE_TABLE[0].name())
    tab.fill("#quote-form [name=project_description]", "A machine that weaves algebraic patterns.")
    _sent(tab, "#quote-form", "Q")


def contact(tab: Tab) -> None:
    tab.open("/?open=contact")
    _person(tab, "#contact-form")
    _words(tab, "#contact-form")
    _sent(tab, "#contact-form", "M")


def contact_page(tab: Tab) -> None:
    """The first wrong field gets the focus and is visible; once corrected, the message is sent."""
    tab.open("/contact-us")
    tab.click("#contact-page-form [type=submit]")
    tab.until(_HAS_FOCUS, True, "#contact-page-form [name=full_name]")
    in_sight(tab)
    _person(tab, "#contact-page-form")
    _words(tab, "#contact-page-form")
    _sent(tab, "#contact-page-form", "M")


def affiliate(tab: Tab) -> None:
    form = "#affiliate-form"
    tab.open("/company/affiliate-program")
    for name, text in {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.org"}.items():
        tab.fill(f"{form} [name={name}]", text)
    tab.fill("#affiliate-form-country[role=combobox]", "unit k")
    tab.find("[role=option]", "United Kingdom")
    tab.press("Enter")
    tab.until("return document.querySelector('#affiliate-form [name=country]').value", "GB")
    tab.click(f"{form} [name^=terms], {form} .check input")
    _sent(tab, form, "A")


def booking(tab: Tab) -> None:
    """Chooses a time, holds it and books it."""
    tab.open("/?open=consultation")
    tab.find(".times-form .slot")
    if tab.sees(".calendar-day"):
        tab.click("td:not([aria-selected=true]) > .calendar-day")
    tab.click(".times-form .slot")
    tab.until("return document.querySelectorAll('.slot input:checked').length", 1)
    tab.click(".booking-bar button")
    tab.find("dialog[open] h3", "Your details")
    _person(tab, "#consultation-form")
    _sent(tab, "#consultation-form", "")


def phone(tab: Tab) -> None:
    """The list of countries is visible, typing finds one, and the number is formatted."""
    tab.open("/contact-us")
    field = "#contact-page-form [name=phone]"
    tab.click(field)
    tab.click("#contact-page-form .phone-button")
    tab.find(".phone-menu")
    tab.until("return document.querySelector('.phone-menu').getBoundingClientRect().height > 120")
    tab.until("return document.querySelector('.phone-list').getBoundingClientRect().height > 60")
    tab.press(*"united s")
    tab.find(".phone-option[data-active]", "United States")
    tab.press("Enter")
    tab.until(_HAS_FOCUS, True, field)
    tab.fill(field, "2133734253")
    tab.until("return document.querySelector(arguments[0]).value", "(213) 373-4253", field)


def faq(tab: Tab) -> None:
    """A question opens its answer and closes the previous one."""
    tab.open("/faq")
    tab.click(".questions details:nth-of-type(1) summary")
    tab.find(".questions details[open] .answer")
    tab.click(".questions details:nth-of-type(2) summary")
    tab.until("return document.querySelector('.questions').querySelectorAll('details[open]').length", 1)
    tab.find(".questions details:nth-of-type(2)[open] .answer")


def without_javascript(tab: Tab) -> None:
    """Sends the contact form, follows the calls to action, and books a meeting."""
    tab.open("/")
    for words, path in (("Get a free quote", "/contact-us"), ("Book a free call", "/book")):
        tab.click("main .button", words)
        tab.until("return location.pathname", path)
        tab.back()
        tab.until("return location.pathname", "/")
    tab.open("/contact-us")
    _person(tab, "main")
    _words(tab, "main")
    tab.click("main form [type=submit]")
    tab.find("main h1", "Your message has been sent")
    tab.open("/book")
    tab.run("document.querySelector('input[name=slot]').click()")
    tab.click("main button", "Continue with this time")
    _person(tab, "main")
    tab.click("main button", "Book the call")
    tab.find("main a", "Move the call")


def drawer(tab: Tab) -> None:
    """Tab stays in the open drawer in both directions; after Escape its button has the focus."""
    tab.resize(390, 844)
    tab.open("/")
    tab.run("document.querySelector('header button[popovertarget]').focus()")
    tab.press("Enter")
    tab.find(".drawer a")
    stops = tab.run("return document.querySelectorAll('.drawer :is(a, button)').length")
    for key in ("Tab", "Shift+Tab"):
        for _ in range(stops + 3):
            tab.press(key)
            inside = "return document.activeElement === document.body || !!document.activeElement.closest('.drawer')"
            assert tab.run(inside), (
                f"{key} leads out of the open drawer, to {tab.run('return document.activeElement.outerHTML')[:120]}"
            )
    tab.press("Escape")
    tab.misses(".drawer")
    tab.until(_HAS_FOCUS, True, "header button[popovertarget]")


def width(tab: Tab) -> None:
    """No page and no dialog scrolls sideways, including the plain pages."""
    for narrow in (480, 390, 320):
        tab.resize(narrow, 844)
        for path in ("/", "/contact-us", "/book", "/faq"):
            tab.open(path)
            wide = tab.run("return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
            assert wide <= narrow, f"{path} is {wide} px wide in a window of {narrow}"
        for dialog, inside in (("quote", "[name=full_name]"), ("consultation", ".slot")):
            tab.open(f"/?open={dialog}")
            tab.find(f"dialog[open] {inside}")
            wide, room = tab.run(
                "const { scrollWidth, clientWidth } = document.querySelector('dialog[open]'); return [scrollWidth, clientWidth]"
            )
            assert wide <= room, f"what is in the {dialog} dialog is {wide} px wide and has {room} in a window of {narrow}"


def focus(tab: Tab) -> None:
    """Tab leads to visible elements, and a mouse press draws no focus ring around the cross."""
    tab.open("/company/affiliate-program")
    tab.run("document.querySelector('#affiliate-form [name=company_website]').focus(); scrollTo(0, 0)")
    tab.press("Tab")
    tab.until(_HAS_FOCUS, True, "#affiliate-form-country")
    in_sight(tab)
    tab.open("/")
    tab.click("main button[commandfor=quote-dialog]")
    tab.find("dialog[open] h2")
    ring = "return getComputedStyle(document.querySelector('dialog[open] .dialog-head button')).outlineStyle"
    tab.until(ring, "none")


def paper(tab: Tab) -> None:
    """Every section of a long page is printed, and is in a full-page picture."""
    for path in ("/", "/services/it-services-and-branding/web-development"):
        tab.open(path)
        whole_on_paper(tab)
        whole_picture(tab)


def in_sight(tab: Tab) -> None:
    """Checks that the focused element is inside the window and not under the bar."""
    tab.until(
        """const { top, bottom, left, width, height } = document.activeElement.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return top >= 0 && bottom < innerHeight + 1 && (there === document.activeElement || document.activeElement.contains(there))"""
    )


def _person(tab: Tab, form: str) -> None:
    tab.fill(f"{form} [name=full_name]", "Ada Lovelace")
    tab.fill(f"{form} [name=email]", f"{uuid4().hex[:8]}@example.org")  # a mailbox may have one upcoming meeting


def _words(tab: Tab, form: str) -> None:
    tab.fill(f"{form} [name=subject]", "A question")
    tab.fill(f"{form} [name=message]", _MESSAGE)


def _sent(tab: Tab, form: str, prefix: str) -> None:
    tab.click(f"{form} [type=submit]")
    reference = tab.text(_REFERENCE)
    assert reference.startswith(prefix), f"{reference} is no reference of {form}"


ERRANDS = (
    Errand("navigation", navigation),
    Errand("dialogs", dialogs),
    Errand("quote form", quote),
    Errand("contact form", contact),
    Errand("contact page", contact_page),
    Errand("affiliate form", affiliate),
    Errand("booking", booking),
    Errand("phone", phone),
    Errand("FAQ", faq),
    Errand("drawer", drawer),
    Errand("width", width),
    Errand("width with a large font", width, Choices(font_px=32)),
    Errand("focus", focus),
    Errand("print and picture", paper),
    Errand("without JavaScript", without_javascript, Choices(javascript=False)),
)
