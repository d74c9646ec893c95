"""Files sent along with a quote request."""

import sqlite3

from playwright.sync_api import FilePayload, Locator, Page, expect

from site_app.contracts.fields import MAX_FILES
from site_app.core.business import MAX_FILE_MEGABYTES
from tests.browser.away import AWAY
from tests.browser.forms.filling import QUOTE, clear_button, open_rest, reference
from tests.browser.held_requests import hold
from tests.browser.visit import Visit
from tests.support.site_server import Site

PLAN: FilePayload = {"name": "plan.txt", "mimeType": "text/plain", "buffer": b"A plan.\n" * 100}


def _choose(page: Page, *files: FilePayload) -> None:
    QUOTE.on(page).locator("input[type=file]").set_input_files(list(files))


def _claimed(site: Site) -> list[tuple[str, str]]:
    with sqlite3.connect(f"file:{site.var}/site.db?mode=ro", uri=True) as database:
        return database.execute("select original_name, claimed_by from attachment where claimed_by is not null").fetchall()


def test_chosen_files_are_sent_except_one_with_a_false_extension(visit: Visit, site: Site) -> None:
    page = QUOTE.filled(visit, allowed=("Failed to load resource",))
    notes: FilePayload = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"# Notes\n"}
    _choose(page, PLAN, notes, {"name": "picture.png", "mimeType": "image/png", "buffer": b"<html>no picture</html>"})

    QUOTE.button(page).click()
    expect(page.locator("#quote-form-attachments-error")).to_be_visible()
    page.locator(".file-actions button").last.click()
    QUOTE.button(page).click()

    number = reference(page)
    assert sorted(name for name, claim in _claimed(site) if claim == number) == ["notes.md", "plan.txt"]


def test_files_can_be_dropped_and_refused_ones_are_reported_before_sending(visit: Visit) -> None:
    page = visit("/?open=quote")
    expect(QUOTE.button(page)).to_be_visible()
    open_rest(QUOTE.on(page))
    many: list[FilePayload] = [{**PLAN, "name": f"plan{number}.txt"} for number in range(MAX_FILES)]

    page.locator(".drop").evaluate(
        """(zone) => {
          const data = new DataTransfer();
          data.items.add(new File(["A plan."], "dropped.txt", { type: "text/plain" }));
          for (const type of ["dragover", "drop"]) zone.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    expect(page.locator(".files")).to_contain_text("dropped.txt")
    expect(page.locator(".drop + [role=status]")).to_have_text("dropped.txt:")
    QUOTE.on(page).locator("input[type=file]").evaluate(
        """(field, size) => {
          const data = new DataTransfer();
          data.items.add(new File(["MZ"], "virus.exe", { type: "application/x-msdownload" }));
          data.items.add(new File([new ArrayBuffer(size)], "large.pdf", { type: "application/pdf" }));
          field.files = data.files;
          field.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        MAX_FILE_MEGABYTES * 1024 * 1024 + 1,
    )
    expect(page.locator(".drop + [role=status] .field-error")).to_contain_text(["virus.exe", "large.pdf"])
    _choose(page, *many)
    expect(page.locator(".drop + [role=status] .field-error")).to_contain_text([many[-1]["name"]])

    expect(page.locator(".files").get_by_role("listitem")).to_have_count(MAX_FILES)


def test_files_with_equal_names_and_sizes_are_listed_separately(visit: Visit) -> None:
    page = visit("/?open=quote")
    open_rest(QUOTE.on(page))
    rows = page.locator(".files").get_by_role("listitem")
    _choose(page, {**PLAN, "name": "first.txt"}, PLAN)
    _choose(page, PLAN)
    expect(rows).to_have_count(3)

    rows.first.get_by_role("button").click()

    expect(rows).to_have_count(2)
    expect(page.locator(".files")).not_to_contain_text("first.txt")


def _after_a_cancelled_upload(visit: Visit) -> tuple[Page, Locator]:
    """Returns the quote form's page, whose only file was cancelled during its upload, and the file's button "Again"."""
    page = QUOTE.filled(visit, allowed=AWAY)
    _choose(page, PLAN)
    page.route("**/v1.0/attachments", lambda route: None)  # never answered
    QUOTE.button(page).click()
    page.locator(".file[data-stage=sending] button").click()
    failed = page.locator(".file[data-stage=failed]")
    expect(failed).to_be_visible()
    page.unroute("**/v1.0/attachments")
    return page, failed.locator("button").first


def test_an_upload_can_be_cancelled_and_tried_again(visit: Visit, site: Site) -> None:
    page, retry = _after_a_cancelled_upload(visit)

    retry.click()
    expect(page.locator(".file[data-stage=sent]")).to_be_visible()
    expect(page.locator(".drop + [role=status]")).to_have_text(f"plan.txt: {page.locator('.file-note').inner_text()}")
    QUOTE.button(page).click()

    assert ("plan.txt", reference(page)) in _claimed(site)


def test_a_file_that_is_being_tried_again_is_uploaded_once(visit: Visit, site: Site) -> None:
    page, retry = _after_a_cancelled_upload(visit)
    uploads = hold(page, "**/v1.0/attachments")

    retry.click()
    expect(page.locator(".file[data-stage=sending]")).to_be_visible()
    QUOTE.button(page).click()
    expect(QUOTE.on(page)).to_have_attribute("data-stage", "sending")
    assert len(uploads.routes) == 1
    uploads.release()

    assert ("plan.txt", reference(page)) in _claimed(site)


def test_a_request_cleared_during_its_uploads_is_not_sent_and_can_be_restored(visit: Visit, site: Site) -> None:
    def leads() -> int:
        with sqlite3.connect(f"file:{site.var}/site.db?mode=ro", uri=True) as database:
            return database.execute("select count(*) from lead").fetchone()[0]

    page, count_before = QUOTE.filled(visit, allowed=AWAY), leads()
    _choose(page, PLAN)
    page.route("**/v1.0/attachments", lambda route: None)  # never answered
    QUOTE.button(page).click()
    expect(page.locator(".file[data-stage=sending]")).to_be_visible()

    clear_button(page).click()
    expect(QUOTE.field(page, "full_name")).to_have_value("")
    page.unroute("**/v1.0/attachments")
    page.locator(".snackbar-action").click()
    expect(page.locator(".file[data-stage=waiting]")).to_contain_text("plan.txt")
    QUOTE.button(page).click()

    assert ("plan.txt", reference(page)) in _claimed(site)
    assert leads() == count_before + 1


def test_a_file_swept_by_the_server_is_uploaded_again(visit: Visit, site: Site) -> None:
    page = QUOTE.filled(visit)
    QUOTE.field(page, "email").fill("ada@nowhere.invalid")  # only the server refuses it
    _choose(page, PLAN)
    QUOTE.button(page).click()
    expect(page.locator("#quote-form-email-error")).to_be_visible()
    with sqlite3.connect(site.var / "site.db") as database:
        database.execute("delete from attachment where claimed_by is null")
    QUOTE.field(page, "email").fill("ada@example.org")

    QUOTE.button(page).click()
    expect(page.locator("#quote-form-attachments-error")).to_be_visible()
    QUOTE.button(page).click()

    assert ("plan.txt", reference(page)) in _claimed(site)


def test_after_a_reload_the_visitor_is_asked_to_choose_a_file_again(visit: Visit, site: Site) -> None:
    page = QUOTE.filled(visit)
    _choose(page, PLAN)
    expect(page.locator(".files")).to_be_visible()

    page.goto(site.url + "/?open=quote")
    expect(page.locator(".file[data-stage=missing]")).to_contain_text("plan.txt")
    QUOTE.button(page).click()
    expect(page.locator("#quote-form-attachments-error")).to_be_visible()
    _choose(page, PLAN)
    QUOTE.button(page).click()

    assert ("plan.txt", reference(page)) in _claimed(site)
