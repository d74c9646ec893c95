"""Somebody who has never seen git writes a case study in two languages, looks at it, publishes, corrects and withdraws it."""

import io
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import FrameLocator, Locator, Page, expect

from site_app.content.publications import all_publications
from site_app.content.publications.prose import prose
from site_app.core.i18n import use
from site_app.core.locales import LOCALES
from site_app.pages.drafts import built_file
from site_app.pages.publications import own_parts
from site_app.pages.static_html import html_of
from tests.browser.axe import findings
from tests.browser.content_site import EDITOR, ContentSite
from tests.browser.signing_in import PHONE, signed_in
from tests.browser.visit import Visit

SUMMARY = "How a freight company moved its deliveries from a whiteboard to a screen in twelve weeks."
THAI_SUMMARY = "บริษัทขนส่งแห่งหนึ่งย้ายงานส่งจากไวต์บอร์ดขึ้นหน้าจอใน 12 สัปดาห์ และสิ่งที่เราได้เรียนรู้"
# The name of the focused field, and the pixels by which the sticky buttons cover it
_OVERLAP = """[document.activeElement.name, document.querySelector('.editor .first').getBoundingClientRect().bottom
- document.activeElement.getBoundingClientRect().top]"""
COLORS = ("red", "green", "blue")


@pytest.fixture(scope="module")
def content_site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ContentSite]:
    content_site = ContentSite(tmp_path_factory.mktemp("content"))
    content_site.site.start()
    yield content_site
    content_site.site.kill()


@pytest.fixture
def office(visit: Visit, content_site: ContentSite) -> Page:
    """The list of texts, as the editor sees it on a wide screen."""
    page = visit("/office/content", on=content_site.site, **PHONE | {"width": 1280})
    return signed_in(page, content_site.site, EDITOR, "Content")


def _begin(page: Page, title: str) -> None:
    """Begins a case study and fills in what it must have."""
    page.get_by_text("Write a new text").click()
    page.get_by_label("Title, in English").fill(title)
    page.get_by_label("case study", exact=True).check()
    page.get_by_role("button", name="Start writing").click()
    page.get_by_label("Summary").fill(SUMMARY)
    page.get_by_label("Priya Nair").check()
    page.get_by_label("Client").fill("Larkfield Freight")
    _text(page).fill("The problem\n\nSix dispatchers planned 650 deliveries.\n")


def _text(page: Page) -> Locator:
    return page.get_by_label("Text, in Markdown")


def _preview(page: Page) -> FrameLocator:
    return page.frame_locator("iframe[name=preview]")


def _add_picture(page: Page, color: str) -> None:
    content = io.BytesIO()
    Image.new("RGB", (1200, 700), color).save(content, "PNG")
    page.locator("#upload").set_input_files({"name": f"{color}.png", "mimeType": "image/png", "buffer": content.getvalue()})
    page.locator("#picture-alt").fill(f"A {color} board on a wall")
    page.get_by_role("button", name="Add the picture").click()
    expect(page.get_by_role("status").filter(has_text="The picture has been added")).to_be_visible()


def _choose_first_picture(page: Page, file: str) -> None:
    page.locator("#f-picture-file").select_option(file)
    page.locator("#f-picture-alt").fill("A board on a wall")


def _save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()


def _publish(page: Page, button: str = "Save and publish") -> None:
    """Presses the button, and waits until the list, which follows the progress, says that the request is done."""
    page.get_by_role("button", name=button).click()
    _await_publication(page)


def _await_publication(page: Page) -> None:
    expect(page.get_by_text("Everything requested is in the repository")).to_be_visible(timeout=60_000)


def _badge(page: Page, title: str) -> Locator:
    """Returns the state of a text in the list."""
    return page.get_by_role("listitem").filter(has=page.get_by_role("link", name=title)).locator(".badge")


def test_a_case_study_is_written_with_pictures(office: Page, content_site: ContentSite) -> None:
    _begin(office, "A board for Larkfield")
    expect(office).to_have_url(f"{content_site.site.url}/office/content/case/a-board-for-larkfield/en")
    _text(office).press("Control+Home")
    office.get_by_role("button", name="Heading", exact=True).click()
    expect(_text(office)).to_have_value("## The problem\n\nSix dispatchers planned 650 deliveries.\n")
    for color in COLORS:
        _add_picture(office, color)
    _choose_first_picture(office, "a-board-for-larkfield-red.png")
    _save(office)

    expect(_preview(office).locator("article img")).to_have_count(1 + len(COLORS))


def _select(page: Page, words: str) -> None:
    text = _text(page)
    start = text.input_value().index(words)
    text.evaluate("(text, [from, to]) => { text.focus(); text.setSelectionRange(from, to) }", [start, start + len(words)])


def test_the_buttons_of_the_bar_leave_out_spaces_and_give_way_to_a_pasted_address(office: Page) -> None:
    _begin(office, "A board for Ashford")
    _text(office).fill("It is ready now.\n")

    _select(office, "ready ")  # as a double click selects a word on Windows
    office.get_by_role("button", name="Bold", exact=True).click()
    _select(office, "now")
    office.get_by_role("button", name="Link", exact=True).click()
    office.keyboard.insert_text("https://example.com")

    expect(_text(office)).to_have_value("It is **ready** [now](https://example.com).\n")


def test_the_preview_follows_the_typing_and_fits_a_phone(office: Page, content_site: ContentSite) -> None:
    office.goto(f"{content_site.site.url}/office/content/case/dispatch-board/en")

    office.get_by_role("button", name="Phone", exact=True).click()
    office.get_by_label("Title", exact=False).first.fill("A board for all of Larkfield")

    preview = _preview(office)
    expect(preview.get_by_role("heading", name="A board for all of Larkfield")).to_be_visible()
    widths = preview.locator("article img").evaluate_all(
        "pictures => pictures.map(picture => (picture.loading = 'eager', picture.closest('a').clientWidth))"
    )
    assert widths
    assert all(0 < width <= 360 for width in widths), widths
    assert preview.locator("html").evaluate("page => page.scrollWidth <= page.clientWidth")


def test_a_case_study_is_translated_and_published_with_its_pictures(office: Page, content_site: ContentSite) -> None:
    _begin(office, "A clock for Marlow")
    _add_picture(office, "red")
    _choose_first_picture(office, "a-clock-for-marlow-red.png")
    _save(office)
    office.get_by_role("navigation", name="Languages").get_by_role("link", name="ภาษาไทย").click()
    office.get_by_label("Title", exact=False).first.fill("นาฬิกาของ Marlow")
    office.get_by_label("Summary").fill(THAI_SUMMARY)
    office.locator("#f-picture-alt").fill("กระดานสีแดงบนผนัง")
    _text(office).fill("## ปัญหา\n\n![กระดานสีแดง](a-clock-for-marlow-red.png)\n")
    _save(office)
    expect(office.get_by_text("to fix")).to_have_count(0)

    _publish(office)
    names = content_site.deploy()
    office.reload()

    endings = (".md", ".th.md", "-red.png")
    assert {f"site_app/content/case_studies/a-clock-for-marlow{ending}" for ending in endings} <= {*names}
    expect(_badge(office, "A clock for Marlow")).to_have_text("published")


def test_a_published_text_is_corrected(office: Page, content_site: ContentSite) -> None:
    office.goto(f"{content_site.site.url}/office/content/case/clinic-bookings/en")
    office.get_by_label("Client").fill("Larkfield Clinics Ltd")

    _publish(office)

    assert "Larkfield Clinics Ltd" in content_site.published("clinic-bookings.md")


def test_the_end_of_a_build_is_shown_while_a_new_title_is_typed(office: Page, content_site: ContentSite) -> None:
    office.goto(f"{content_site.site.url}/office/content/case/dispatch-board/en")
    office.get_by_label("Client").fill("Larkfield Dispatch Ltd")

    office.get_by_role("button", name="Save and publish").click()
    office.get_by_text("Write a new text").click()
    title = office.get_by_label("Title, in English")
    title.fill("A clock")
    _await_publication(office)

    expect(title).to_have_value("A clock")
    expect(title).to_be_focused()
    expect(office.get_by_text("The pages with this text are being built.")).to_have_count(0)
    expect(office.locator(".badge.publishing")).to_have_count(0)


def test_a_published_text_is_withdrawn(office: Page, content_site: ContentSite) -> None:
    office.goto(f"{content_site.site.url}/office/content/case/claims-triage/en")
    title = office.get_by_label("Title", exact=False).first.input_value()
    office.get_by_text("Withdraw it", exact=True).click()

    _publish(office, "Yes, withdraw it")
    content_site.deploy()
    office.reload()

    assert "draft: true" in content_site.published("claims-triage.md")
    expect(_badge(office, title)).to_have_text("draft")


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


def test_the_buttons_above_the_form_do_not_cover_the_focused_field(office: Page, content_site: ContentSite) -> None:
    office.goto(f"{content_site.site.url}/office/content/case/dispatch-board/en")
    office.get_by_role("button", name="Save and publish").focus()

    overlaps = {}
    office.keyboard.press("Shift+Tab")
    while not office.locator(".first :focus").count():
        name, overlap = office.evaluate(_OVERLAP)
        overlaps[name] = overlap
        office.keyboard.press("Shift+Tab")

    assert {name: overlap for name, overlap in overlaps.items() if overlap > 0} == {}


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
