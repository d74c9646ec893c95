"""Somebody translates a text of a page in the office, without JavaScript, mends a mistake, and publishes it."""

import subprocess
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from site_app.core.i18n.office_catalogs import read_office
from tests.browser.axe import findings
from tests.browser.content_site import EDITOR, ContentSite
from tests.browser.signing_in import PHONE, signed_in
from tests.browser.visit import Visit
from tests.browser.waiting import until_true

INVITATION = "Start with a call"


@pytest.fixture(scope="module")
def translated_site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ContentSite]:
    content_site = ContentSite(tmp_path_factory.mktemp("translations"))
    content_site.site.start()
    yield content_site
    content_site.site.kill()


def _in_repository(content_site: ContentSite) -> dict[str, str]:
    path = "main:site_app/content/translations/th.po"
    process = subprocess.run(["git", "show", path], cwd=content_site.remote, capture_output=True, check=True)
    return {str(message.id): str(message.string) for message in read_office(process.stdout)}


def _shows_the_end_of_the_build(page: Page) -> bool:
    """Returns true if the page says that the build has ended; otherwise follows the link to its progress."""
    if page.get_by_text("Everything requested is in the repository").is_visible():
        return True
    page.get_by_role("link", name="Show the progress").click()
    return False


def test_a_text_is_translated_and_published_without_javascript(visit: Visit, translated_site: ContentSite) -> None:
    page = visit("/office/content", on=translated_site.site, allowed=("422",), **PHONE | {"javascript": False})
    signed_in(page, translated_site.site, EDITOR, "Content")
    page.get_by_role("link", name="Translations of the site’s other pages").click()
    expect(page.get_by_role("heading", name="Translations", exact=True)).to_be_visible()
    page.get_by_role("link", name="About us, ภาษาไทย").click()
    page.get_by_label("Search").fill(INVITATION)
    page.get_by_role("button", name="Show", exact=True).click()

    field = page.get_by_role("textbox", name=f": {INVITATION}")
    field.fill("นัดคุยกัน {name}")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("alert")).to_contain_text("1 text was not saved")
    expect(field).to_have_value("นัดคุยกัน {name}")
    expect(field).to_have_accessible_description("Its placeholders are {name}, and those of the English none.")

    field.fill("นัดคุยกัน")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    expect(page.locator(".translation .badge")).to_have_text("changed")
    page.locator(".back a").click()
    page.get_by_role("button", name="Publish 1 changed text").click()
    until_true(page, lambda: _shows_the_end_of_the_build(page), within_ms=60_000)
    assert _in_repository(translated_site) == {INVITATION: "นัดคุยกัน"}


def test_axe_finds_nothing_on_the_pages_of_translations_and_they_fit(visit: Visit, translated_site: ContentSite) -> None:
    page = visit("/office/content", on=translated_site.site, **PHONE)
    signed_in(page, translated_site.site, EDITOR, "Content")
    base = f"{translated_site.site.url}/office/translations"
    looks: list[tuple[int, Literal["light", "dark"]]] = [(320, "dark"), (768, "light"), (1280, "light")]
    problems = {}
    for path in ("", "/th?show=all", "/cn?page=/faq&show=all", "/th?show=open"):
        page.goto(base + path)
        for width, scheme in looks:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
            problems[path, scheme, width] = findings(page)

    assert {place: found for place, found in problems.items() if found} == {}
