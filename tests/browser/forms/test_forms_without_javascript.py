"""The contact form with JavaScript off."""

import re
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.forms.filling import kept, leads
from tests.browser.server import Site
from tests.browser.waiting import until_true

Visit = Callable[..., Page]


def _fill(page: Page, email: str = "ada@example.org") -> None:
    for name, text in {
        "full_name": "Ada <b>Lovelace</b>",
        "email": email,
        "subject": "A question",
        "message": "Do you write programs for machines that do not exist yet?",
    }.items():
        page.locator(f"main [name={name}]").fill(text)


def test_a_message_is_answered_with_its_reference(visit: Visit, site: Site) -> None:
    page = visit("/contact-us", javascript=False)
    _fill(page)

    page.get_by_role("button", name="Send message").click()

    expect(page.get_by_role("heading", name="Your message has been sent successfully")).to_be_visible()
    number = leads(site)[-1]
    expect(page.locator("main")).to_contain_text(number)
    assert kept(site, "full_name", number) == "Ada <b>Lovelace</b>"


def test_the_link_in_the_mail_lets_the_message_through(visit: Visit, site: Site) -> None:
    page = visit("/contact-us", javascript=False)
    _fill(page, "mary@example.org")
    page.get_by_role("button", name="Send message").click()
    expect(page.locator("main")).to_contain_text("press the button behind its link")
    number = leads(site)[-1]

    page.goto(_link_in_the_mail(page, site, number))
    page.get_by_role("button", name="Yes, I wrote it").click()

    expect(page.get_by_role("heading", name="Thank you, we have it")).to_be_visible()
    assert kept(site, "status", number) == "released"


def _link_in_the_mail(page: Page, site: Site, number: str) -> str:
    def mails() -> list[Path]:
        return list((site.var / "mail").glob(f"{number}.*.eml"))

    until_true(page, mails)
    [mail] = mails()
    text = message_from_bytes(mail.read_bytes(), policy=policy.default).get_body(("plain",))
    assert text
    return re.findall(r"http://\S+/confirm/\S+", text.get_content())[0]


def test_a_reload_of_the_answer_and_the_same_words_again_make_no_second_lead(visit: Visit, site: Site) -> None:
    page = visit("/contact-us", javascript=False)
    sent = page.get_by_role("heading", name="Your message has been sent successfully")
    _fill(page, "grace@example.org")
    page.get_by_role("button", name="Send message").click()
    expect(sent).to_be_visible()
    before = leads(site)

    page.reload()
    page.goto(site.url + "/contact-us")
    _fill(page, "grace@example.org")
    page.get_by_role("button", name="Send message").click()

    expect(sent).to_be_visible()
    assert leads(site) == before


def test_errors_stand_beside_their_fields_with_what_was_typed(visit: Visit, site: Site) -> None:
    page = visit("/contact-us", javascript=False, allowed=("422 (Unprocessable Entity)",))
    before = len(leads(site))
    _fill(page, "ada@nowhere.invalid")

    page.get_by_role("button", name="Send message").click()

    expect(page.locator("#email-error")).to_have_text("Email address invalid")
    expect(page.get_by_label("Full name")).to_have_value("Ada <b>Lovelace</b>")
    expect(page.get_by_label("Your message")).to_have_value("Do you write programs for machines that do not exist yet?")
    assert len(leads(site)) == before
    page.get_by_label("Email address").fill("ada@example.net")
    page.get_by_role("button", name="Send message").click()
    expect(page.get_by_role("heading", name="Your message has been sent successfully")).to_be_visible()
    assert len(leads(site)) == before + 1


def test_axe_finds_nothing_on_the_answer(visit: Visit) -> None:
    page = visit("/contact-us/sent?reference=M-2345-67&check=1", wait=False)

    assert findings(page) == []


def test_an_answer_that_names_no_reference_leads_back_to_the_form(visit: Visit, site: Site) -> None:
    page = visit("/contact-us/sent?reference=%3Cscript%3E", javascript=False)

    assert page.url == site.url + "/contact-us"


def test_a_form_that_needs_javascript_says_so_and_leads_to_the_one_that_does_not(visit: Visit) -> None:
    page = visit("/company/affiliate-program", javascript=False)

    said = page.locator("#affiliate-form noscript").inner_html()  # Playwright stops scripts, but does not show this

    assert "This form needs JavaScript" in said
    assert 'href="/contact-us"' in said


@pytest.mark.parametrize(("name", "leads_to"), [("quote", "/contact-us"), ("consultation", "/book")])
def test_a_dialog_opened_without_javascript_leads_on_instead_of_loading_for_ever(
    visit: Visit, name: str, leads_to: str
) -> None:
    page = visit("/", javascript=False)
    page.locator(f"main [commandfor={name}-dialog]").first.click()
    dialog = page.get_by_role("dialog")

    assert leads_to in dialog.locator("noscript").inner_html()
    expect(dialog.locator(".skeleton")).to_be_hidden()


@pytest.mark.parametrize("path", ["/", "/contact-us", "/company/affiliate-program"])
def test_no_button_is_there_that_does_nothing_without_javascript(visit: Visit, path: str) -> None:
    page = visit(path, javascript=False)

    for dead in ("Use the dark theme", "Clear form", "Send the application"):
        expect(page.get_by_role("button", name=dead)).to_have_count(0)


def test_the_contact_form_is_sent_also_when_its_scripts_do_not_come(visit: Visit, site: Site) -> None:
    page = visit("/faq", allowed=("interaction did not load", "Failed to load", "Failed to fetch", "ERR_FAILED"))
    page.route("**/assets/entry.client-*.js", lambda route: route.abort())
    page.goto(site.url + "/contact-us")
    _fill(page, "scripts@example.org")

    page.get_by_role("button", name="Send message").click()

    expect(page.get_by_role("heading", name="Your message has been sent successfully")).to_be_visible()
