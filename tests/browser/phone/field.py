"""The phone field on the specimen's page."""

import json
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.waiting import until_true


class Field:
    """The phone field of the specimen's page, with these options."""

    def __init__(self, page: Page, project_url: str, **options: object) -> None:
        page.goto(f"{project_url}/?options={quote(json.dumps(options))}")
        self.page = page
        self.box = page.locator("#specimen .phone")
        expect(page.locator("#specimen .phone[data-ready]")).to_be_visible()
        self.input = page.locator("#phone")
        self.button = self.box.locator(".phone-button")
        self.options = self.box.get_by_role("option")
        self.note = self.box.locator(".phone-note")

    def type(self, text: str) -> str:
        """Presses the keys one by one; returns the field's text."""
        self.input.press_sequentially(text)
        return self.input.input_value()

    def paste(self, text: str) -> str:
        self.input.focus()
        self.page.evaluate(
            """text => {
                const clipboardData = new DataTransfer();
                clipboardData.setData("text/plain", text);
                const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
                document.activeElement.dispatchEvent(event);
            }""",
            text,
        )
        return self.input.input_value()

    def open(self) -> "Field":
        self.button.click()
        expect(self.box.get_by_role("listbox")).to_be_visible()
        return self

    def country(self) -> str:
        """Waits for a country and returns its two letters."""
        flag = self.box.locator(".phone-selected img")
        expect(flag).to_be_visible()
        return str(flag.get_attribute("src")).removesuffix(".svg")[-2:]

    def active(self) -> str:
        return self.box.locator(".phone-option[data-active] .phone-name").inner_text()

    def reports(self, name: str) -> list[list]:
        """Returns the field's reports to the server under this name so far."""
        texts = self.page.locator("#reports li").all_inner_texts()
        return [report[1:] for report in map(json.loads, texts) if report[0] == name]

    def await_report(self, part: str) -> None:
        expect(self.page.locator("#reports li", has_text=part).last).to_be_attached()

    def last_payload(self, **parts: str) -> dict:
        """Returns the newest verdict, once it contains these parts."""
        until_true(self.page, lambda: parts.items() <= self._newest_verdict().items())
        return self._newest_verdict()

    def _newest_verdict(self) -> dict:
        return (self.reports("verdict") or [[{}]])[-1][0]


def watch(page: Page, complaints: list[str]) -> None:
    """Collects forbidden events: an error, a policy violation, a request to a foreign host."""
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: None if "://localhost:" in request.url else complaints.append(request.url))
