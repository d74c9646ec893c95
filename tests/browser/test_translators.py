"""Pages that the browser or an extension translates: it puts its own elements in the place of texts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.booking.steps import LOOKUP, book, choose, confirmed, fill, go_on
from tests.browser.visit import Visit
from tests.browser.waiting import HYDRATED, LISTENING, until

# Replaces each text with nested <font> elements, as Google Translate does, now and as soon as others appear.
_TRANSLATE = """delay => {
  const translate = (text) => {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.data.toUpperCase();
    outer.append(inner);
    text.replaceWith(outer);
  };
  const translateAll = () => {
    const texts = [];
    for (const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
      const { currentNode } = walker;
      if (currentNode.data.trim() && !currentNode.parentElement.closest('font, script, style, noscript, textarea')) {
        texts.push(currentNode);
      }
    }
    texts.forEach(translate);
  };
  translateAll();
  const onChange = delay ? () => setTimeout(translateAll, delay) : translateAll;
  new MutationObserver(onChange).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
_REPLY_MS = 100  # of a translator's server


def _translate(page: Page, delay: int = _REPLY_MS) -> None:
    until(page, LISTENING)
    page.evaluate(_TRANSLATE, delay)


def _send_message(page: Page) -> None:
    form = page.locator("main form")
    form.locator("button[type=submit]").click()
    expect(form.locator(".field-error").first).to_be_visible()
    texts = {"full_name": "Ann Lee", "email": "ann@example.com", "subject": "Hello", "message": "A message of some length"}
    for name, text in texts.items():
        form.locator(f"[name={name}]").fill(text)
    form.locator("button[type=submit]").click()
    expect(page.locator("main .result strong").first).to_be_visible()


@pytest.mark.parametrize("is_running", [False, True])
def test_a_form_is_sent_and_a_page_opened_in_a_translated_page(is_running: bool, visit: Visit) -> None:
    page = visit("/contact-us", wait=is_running)
    _translate(page)

    _send_message(page)
    page.locator("footer a[href='/company/about-us']").click()
    page.wait_for_url("**/company/about-us")

    expect(page.locator("main h1 font").first).to_be_visible()


def test_a_text_that_changes_is_seen_in_a_translated_page(visit: Visit) -> None:
    page = visit("/")
    _translate(page)
    page.locator("main [commandfor=consultation-dialog]:visible").first.click()
    dialog = page.get_by_role("dialog")

    choose(page)
    button = dialog.locator(".booking-bar button")
    first_time = button.inner_text()
    choose(page, at=1)
    expect(button).not_to_have_text(first_time, ignore_case=True)
    go_on(page)

    expect(dialog.locator(".hold-clock")).to_be_visible()
    remaining_time = dialog.locator(".hold-clock").inner_text()
    expect(dialog.locator(".hold-clock")).not_to_have_text(remaining_time)


@pytest.mark.parametrize("delay", [0, _REPLY_MS], ids=["extension", "server"])
def test_a_dialog_stays_open_in_a_translated_page(delay: int, visit: Visit) -> None:
    # One that translates again at once wins against the restoring, so React draws the page anew.
    page = visit("/", wait=False, allowed=() if delay else ("React error #418",))
    _translate(page, delay)

    page.locator("main [commandfor=quote-dialog]:visible").first.click()
    until(page, HYDRATED)
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("[name=full_name]")).to_be_visible()
    page.go_back()

    expect(dialog).to_have_count(0)
    assert page.url.endswith("/")


def test_an_extension_that_changes_a_page_before_its_script_closes_no_dialog(visit: Visit) -> None:
    wrap = (
        "addEventListener('DOMContentLoaded', () => document.querySelector('main h1').prepend(document.createElement('mark')))"
    )
    page = visit("/", wait=False, script=wrap, allowed=("React error #418",))

    page.locator("main [commandfor=quote-dialog]:visible").first.click()
    until(page, HYDRATED)
    expect(page.get_by_role("dialog").locator("[name=full_name]")).to_be_visible()
    page.keyboard.press("Escape")

    until(page, "history.state?.dialog ?? ''", "")


@pytest.mark.parametrize("is_running", [False, True])
def test_a_call_is_booked_in_a_translated_page(is_running: bool, visit: Visit) -> None:
    page = visit("/", wait=is_running, allowed=(LOOKUP,))
    _translate(page)
    page.locator("main [commandfor=consultation-dialog]:visible").first.click()

    choose(page)
    go_on(page)
    fill(page)
    book(page)

    expect(confirmed(page)).to_be_visible()


@pytest.mark.parametrize(
    "place",
    [
        "document.body.appendChild(document.createElement('aside'))",
        "document.querySelector('main [preserveAspectRatio=none] rect')",
    ],
    ids=["beside the page", "in an empty element of HTML"],
)
def test_what_a_script_adds_stays_when_react_takes_over(place: str, visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    until(page, LISTENING)
    page.evaluate(f"() => {{ window.place = {place}; }}")
    page.evaluate("() => { window.place.innerHTML = '<title>Saved</title>'; }")

    page.locator("main [name=full_name]").click()
    until(page, HYDRATED)

    assert page.evaluate("document.body.contains(window.place) && window.place.textContent") == "Saved"


# Ways of dictionaries, highlighters and the translators of Firefox and Edge to change the texts of a page.
_CHANGES = {
    "in their place": "for (const text of texts) text.data = text.data.toUpperCase()",
    "marked whole": "for (const text of texts) mark(text, 0, text.length)",
    "marked in part": "for (const text of texts) mark(text, 0, 2)",
    "in marked links": """for (const link of document.querySelectorAll('main p a')) {
        const marker = document.createElement('mark');
        link.before(marker);
        marker.append(link);
        link.firstChild.data = 'LINK';
    }""",
}
_CHANGE_TEXTS = """() => {
  const texts = [];
  for (const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
    if (walker.currentNode.data.trim() && walker.currentNode.parentElement.matches('h1, h2, p, a, button')) {
      texts.push(walker.currentNode);
    }
  }
  const mark = (text, start, end) => {
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, end);
    range.surroundContents(document.createElement('mark'));
  };
  %s
}"""


@pytest.mark.parametrize("change", _CHANGES.values(), ids=_CHANGES)
def test_a_field_keeps_its_text_and_focus_when_texts_around_it_were_changed(change: str, visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    until(page, LISTENING)
    page.evaluate(_CHANGE_TEXTS % change)
    field = page.locator("main [name=full_name]")

    field.press_sequentially("Ann ")
    until(page, HYDRATED)
    page.keyboard.type("Lee")

    expect(field).to_have_value("Ann Lee")


# Translates the texts again whenever they have changed.
_CHANGE_AGAIN = """
  let timer;
  const change = () => {
    for (const text of texts.filter(({ data }) => data !== data.toUpperCase())) text.data = text.data.toUpperCase();
  };
  const onChange = () => { clearTimeout(timer); timer = setTimeout(change, %d); };
  change();
  new MutationObserver(onChange).observe(document.body, { subtree: true, characterData: true });
"""


def test_a_translator_that_changes_texts_in_their_place_again_disturbs_no_field(visit: Visit) -> None:
    page = visit("/contact-us", wait=False)
    until(page, LISTENING)
    page.evaluate(_CHANGE_TEXTS % (_CHANGE_AGAIN % _REPLY_MS))
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
    field = page.locator("main [name=full_name]")

    field.press_sequentially("Ann ")
    until(page, HYDRATED)
    page.keyboard.type("Lee")

    expect(field).to_have_value("Ann Lee")
