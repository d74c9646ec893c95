"""Somebody who has never seen git writes a case study in two languages, looks at it, publishes, corrects and withdraws it."""

import io
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from site_app.content.publications import all_publications
from site_app.content.publications.prose import prose
from site_app.core.i18n import LOCALES, use
from site_app.pages.drafts import built_file
from site_app.pages.publications import own_parts
from site_app.pages.static_html import html_of
from tests.browser.axe import findings
from tests.browser.content_site import EDITOR, ContentSite
from tests.browser.signing_in import PHONE, signed_in
from tests.browser.visit import Visit

PATH = "/office/content/case/a-board-for-larkfield"
SUMMARY = "How a freight company moved its deliveries from a whiteboard to a screen in twelve weeks."
THAI_SUMMARY = "บริษัทขนส่งแห่งหนึ่งย้ายงานส่งจากไวต์บอร์ดขึ้นหน้าจอใน 12 สัปดาห์ และสิ่งที่เราได้เรียนรู้"


@pytest.fixture(scope="module")
def content_site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ContentSite]:
    content_site = ContentSite(tmp_path_factory.mktemp("content"))
    content_site.site.start()
    yield content_site
    content_site.site.kill()


def _picture(color: str) -> FilePayload:
    content = io.BytesIO()
    Image.new("RGB", (1200, 700), color).save(content, "PNG")
    return {"name": f"{color}.png", "mimeType": "image/png", "buffer": content.getvalue()}


def _published(page: Page) -> None:
    """Waits until the list says that what was asked for is done; it loads itself again meanwhile."""
    expect(page.get_by_text("Everything that was asked for is in the repository")).to_be_visible(timeout=60_000)


def test_a_case_is_written_previewed_published_corrected_and_withdrawn(visit: Visit, content_site: ContentSite) -> None:
    page = signed_in(
        visit("/office/content", on=content_site.site, **PHONE | {"width": 1280}), content_site.site, EDITOR, "Content"
    )

    # Write it in English.
    page.get_by_text("Write a new one").click()
    page.get_by_label("Title, in English").fill("A board for Larkfield")
    page.get_by_label("case study", exact=True).check()
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(f"{content_site.site.url}{PATH}/en")
    page.get_by_label("Summary").fill(SUMMARY)
    page.get_by_label("Priya Nair").check()
    page.get_by_label("Client").fill("Larkfield Freight")
    page.get_by_label("Text, in Markdown").fill("The problem\n\nSix dispatchers planned 650 deliveries.\n")
    page.get_by_label("Text, in Markdown").press("Control+Home")
    page.get_by_role("button", name="Heading", exact=True).click()
    expect(page.get_by_label("Text, in Markdown")).to_have_value("## The problem\n\nSix dispatchers planned 650 deliveries.\n")
    for color in ("red", "green", "blue"):
        page.locator("#upload").set_input_files(_picture(color))
        page.locator("#picture-alt").fill(f"A {color} board on a wall")
        page.get_by_role("button", name="Add the picture").click()
        expect(page.get_by_role("status").filter(has_text="The picture is added")).to_be_visible()
    page.locator("#f-picture-file").select_option("a-board-for-larkfield-red.png")
    page.locator("#f-picture-alt").fill("A red board on a wall")

    # Look at it as on a phone; the preview follows the typing.
    page.get_by_role("button", name="Phone", exact=True).click()
    preview = page.frame_locator("iframe[name=preview]")
    page.get_by_label("Title", exact=False).first.fill("A board for all of Larkfield")
    expect(preview.get_by_role("heading", name="A board for all of Larkfield")).to_be_visible()
    expect(preview.locator("article img")).to_have_count(4)
    widths = preview.locator("article img").evaluate_all(
        "pictures => pictures.map(picture => (picture.loading = 'eager', picture.closest('a').clientWidth))"
    )
    assert all(0 < width <= 360 for width in widths), widths
    assert preview.locator("html").evaluate("page => page.scrollWidth <= page.clientWidth")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()

    # Translate it.
    page.get_by_role("navigation", name="Languages").get_by_role("link", name="ภาษาไทย").click()
    page.get_by_label("Title", exact=False).first.fill("กระดานของ Larkfield")
    page.get_by_label("Summary").fill(THAI_SUMMARY)
    page.locator("#f-picture-alt").fill("กระดานสีแดงบนผนัง")
    page.get_by_label("Text, in Markdown").fill("## ปัญหา\n\n![กระดานสีแดง](a-board-for-larkfield-red.png)\n")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    expect(page.get_by_text("to fix")).to_have_count(0)

    # Publish both.
    page.get_by_role("button", name="Save and publish").click()
    _published(page)
    names = content_site.deploy()
    pictures = {f"site_app/content/case_studies/a-board-for-larkfield-{color}.png" for color in ("red", "green", "blue")}
    texts = {f"site_app/content/case_studies/a-board-for-larkfield{ending}" for ending in (".md", ".th.md")}
    assert pictures | texts <= {*names}
    page.reload()
    row = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="A board for all of Larkfield"))
    expect(row.locator(".badge")).to_have_text("published")

    # Correct it.
    row.get_by_role("link").click()
    page.get_by_label("Client").fill("Larkfield Freight Ltd")
    page.get_by_role("button", name="Save and publish").click()
    _published(page)
    assert "Larkfield Freight Ltd" in content_site.published("a-board-for-larkfield.md")
    content_site.deploy()

    # Withdraw it.
    page.goto(f"{content_site.site.url}{PATH}/en")
    page.get_by_text("Withdraw it", exact=True).click()
    page.get_by_role("button", name="Yes, withdraw it").click()
    _published(page)
    assert "draft: true" in content_site.published("a-board-for-larkfield.md")
    content_site.deploy()
    page.reload()
    expect(row.locator(".badge")).to_have_text("draft")


def test_a_text_is_written_without_javascript(visit: Visit, content_site: ContentSite) -> None:
    page = visit("/office/content/article/how-we-estimate/en", on=content_site.site, **PHONE | {"javascript": False})
    signed_in(page, content_site.site, EDITOR, "How we estimate a project")

    page.get_by_label("Text, in Markdown").fill("## Written without scripts\n\nText.\n")
    page.get_by_role("button", name="Preview", exact=True).click()
    preview = page.frame_locator("iframe[name=preview]")
    expect(preview.get_by_role("heading", name="Written without scripts")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    page.get_by_role("link", name="History").click()
    page.get_by_role("button", name="Restore").first.click()
    expect(page.get_by_label("Text, in Markdown")).not_to_have_value("## Written without scripts\n\nText.\n")


def test_axe_finds_nothing_on_the_pages_of_texts_and_every_page_fits(visit: Visit, content_site: ContentSite) -> None:
    page = visit("/office/content", on=content_site.site, **PHONE)
    signed_in(page, content_site.site, EDITOR, "Content")
    base = f"{content_site.site.url}/office/content"
    page.goto(f"{base}/article/what-a-weekly-report-says/en")
    page.get_by_label("Summary").fill("Too short")
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_text("to fix before it can be published")).to_be_visible()

    looks: list[tuple[int, Literal["light", "dark"]]] = [(360, "dark"), (768, "light"), (1280, "light")]
    problems = {}
    for path in (
        "",
        *(f"/article/what-a-weekly-report-says/{page_of}" for page_of in ("en", "th", "en/history", "en/compare")),
    ):
        page.goto(base + path)
        # The site's own pages have tests.
        page.locator("iframe").evaluate_all("frames => frames.forEach((frame) => frame.remove())")
        for width, scheme in looks:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
            problems[path, scheme, width] = findings(page)

    assert {place: found for place, found in problems.items() if found} == {}


class _Elements(HTMLParser):
    """The elements and words of HTML, however it is written."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[object] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append((tag, sorted((name.lower(), value or "") for name, value in attrs)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self.parts and isinstance(self.parts[-1], list):
            self.parts[-1].append(data)
        else:
            self.parts.append([data])


def test_previews_draw_what_the_build_draws(built: None) -> None:
    for publication in all_publications():
        for locale in LOCALES:
            with use(locale):
                elements = _Elements(html_of(*own_parts(publication, prose(publication.words())))).parts
            page = built_file(locale.prefix + publication.path)
            assert page is not None
            built_parts = _Elements(page.decode().partition("<article>")[2]).parts
            assert elements == built_parts[: len(elements)], (publication.slug, locale.id)
