"""Thai, Chinese and a language of long words, on the smallest screen: every text is translated and fits.

The long words are made in the browser from the English ones: building another language would take a minute and show the same boxes.
Pages are tested without their scripts, which would rewrite the texts; forms and dialogs in use.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from site_app.content.routes import ROUTES
from site_app.core.locales import BY_ID
from tests.browser.axe import findings
from tests.browser.booking.steps import LOOKUP
from tests.browser.forms.filling import open_rest
from tests.browser.layout import faults, lengthen
from tests.browser.visit import Visit
from tests.support.latin import latin_words, visible_texts
from tests.support.site_server import Site

LONG = "long words"
SMALL = {"width": 320, "height": 700}
# Boxes of which words that lines keep whole would become items of their own, with gaps around them.
_SPLIT_BOXES = """[...document.querySelectorAll("whole-word")].map((word) => word.parentElement)
  .filter((parent) => /flex|grid/.test(getComputedStyle(parent).display)).map((parent) => parent.outerHTML)"""
# Forms and dialogs are tested in the language with the tallest lines, and the two largest also with the longest words.
in_thai, in_both = (pytest.mark.parametrize("language", languages) for languages in (["th"], ["th", LONG]))


@in_both
def test_every_page_fits(visit: Visit, site: Site, language: str) -> None:
    page = visit(
        "/healthz", wait=False, allowed=("ERR_FAILED", "Failed to load resource", "dynamically imported module"), **SMALL
    )
    page.route("**/*.js", lambda route: route.abort())

    problems = {}
    for route in ROUTES:
        page.goto(site.url + _prefix(language) + route.path)
        page.evaluate("for (const details of document.querySelectorAll('main details')) details.open = true")
        problems[route.path] = _faults(page, language) + page.evaluate(_SPLIT_BOXES)
        if route.path == "/" and language != LONG:
            problems[route.path] += findings(page)

    assert {path: lines for path, lines in problems.items() if lines} == {}


@in_both
def test_the_drawer_fits(visit: Visit, language: str) -> None:
    page = visit(_prefix(language) + "/", **SMALL)

    page.locator("header .bar-narrow").click()

    assert _faults(page, language) == []


@in_both
def test_the_quote_dialog_speaks_the_language_and_fits(visit: Visit, language: str, tmp_path: Path) -> None:
    page = visit(f"{_prefix(language)}/?open=quote", allowed=(LOOKUP,), **SMALL)
    form = page.locator("#quote-form")
    expect(form.locator(".submit-row button[type=submit]")).to_be_visible()
    _look(page, language)

    _send(form)
    expect(form.locator("[name=full_name]")).to_be_focused()
    open_rest(form)
    _files(form, tmp_path)
    form.locator("[name=phone]").fill("0")
    form.locator("[name=project_description]").fill("机" * 5001)
    form.locator("[name=project_description]").blur()
    expect(form.locator(".field-error")).to_have_count(6)
    _look(page, language)

    form.locator(".phone-field").scroll_into_view_if_needed()  # its engine loads when it is seen
    form.locator(".phone-button").click()
    expect(form.get_by_role("listbox")).to_be_visible()
    _look(page, language)
    page.keyboard.press("Escape")

    _person(form)
    form.locator("[name=services]").first.check()
    form.locator("[name=project_description]").fill("机" * 40)
    _send(form)
    expect(page.locator(".result")).to_be_visible()
    _look(page, language)


@in_both
def test_booking_a_meeting_speaks_the_language_and_fits(visit: Visit, language: str) -> None:
    page = visit(f"{_prefix(language)}/?open=consultation", timezone_id="Pacific/Honolulu", allowed=(LOOKUP,), **SMALL)
    expect(page.locator(".slot").first).to_be_visible()
    _look(page, language)

    page.locator(".times-form button[type=submit]").press("Enter")
    expect(page.locator(".times-form [role=alert]")).to_be_visible()
    page.locator(".slot input").last.check()
    _look(page, language)
    page.locator(".times-form button[type=submit]").click()
    form = page.locator("#consultation-form")
    expect(form.locator("[name=full_name]")).to_be_visible()
    _send(form)
    expect(form.locator("[name=full_name]")).to_be_focused()
    _look(page, language)

    # a mailbox may have one upcoming meeting
    _person(form, f"{BY_ID[language].id if language in BY_ID else 'long'}@example.org")
    _send(form)
    expect(page.locator(".result")).to_be_visible(timeout=20_000)
    _look(page, language)


@in_thai
def test_the_affiliate_form_speaks_the_language_and_fits(visit: Visit, language: str) -> None:
    page = visit(f"{_prefix(language)}/company/affiliate-program", **SMALL)
    form = page.locator("#affiliate-form")
    _send(form)

    expect(form.locator("[aria-invalid=true]").first).to_be_focused()
    _look(page, language)


def _prefix(language: str) -> str:
    return BY_ID[language].prefix if language in BY_ID else ""


def _look(page: Page, language: str) -> None:
    assert _faults(page, language) == []
    if language != LONG:
        html = page.locator("dialog[open], main form").first.evaluate("element => element.outerHTML")
        values = page.locator("[role=combobox]").evaluate_all("boxes => boxes.map(box => box.value ?? '')")
        tag = BY_ID[language].tag
        assert latin_words([*visible_texts(f'<html lang="{tag}">{html}'), *values], language) - NAMES == set()


# The chosen files, and recent currencies without a name in the browser until the server's list arrives.
NAMES = {"ada.pdf", "ada.exe", "empty", "empty.txt", "SLE", "XCG", "ZWG"}


def _faults(page: Page, language: str) -> list[str]:
    if language == LONG:
        lengthen(page)
    return faults(page)


def _send(form: Locator) -> None:
    form.locator(".submit-row button[type=submit]").click()


def _person(form: Locator, email: str = "ada@example.org") -> None:
    form.locator("[name=full_name]").fill("艾达")
    form.locator("[name=email]").fill(email)
    form.locator("[name=phone]").fill("")


def _files(form: Locator, folder: Path) -> None:
    """Chooses one accepted file, and one of each refused kind."""
    for name, content in {"ada.pdf": b"%PDF-1.7", "ada.exe": b"MZ", "empty.txt": b""}.items():
        (folder / name).write_bytes(content)
    form.locator("[type=file]").set_input_files([folder / "ada.pdf", folder / "ada.exe", folder / "empty.txt"])
