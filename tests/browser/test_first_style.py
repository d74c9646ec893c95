"""A page comes with the style of its first paint; the style of closed parts, the whole style and the headlines' font load later."""

import re
from itertools import cycle

import pytest
from playwright.sync_api import Locator

from site_app.content.routes import ROUTES
from tests.browser.visit import Visit
from tests.browser.waiting import until
from tests.support.site_server import Site

FACE = "/fonts/instrument-sans-640.woff2"
_LOADED = "[...document.fonts].some(font => /Instrument Sans\"?$/.test(font.family) && font.status == 'loaded')"
_BRAND_LOADED = (
    "[...document.fonts].some(font => /^\"?(Instrument Sans|Brand)\"?$/.test(font.family) && font.status == 'loaded')"
)
_EVERYWHERE = """async () => {
  await wholeStyle();
  const found = [], everywhere = /(^|[\\s,>+~])\\*?::?(before|after|backdrop|selection|marker)\\b/;
  const look = (rules) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule && !rule.matches) continue;
      if (rule instanceof CSSSupportsRule && !rule.matches) continue;
      if (everywhere.test(rule.selectorText ?? "")) found.push(rule.selectorText);
      look(rule.cssRules ?? []);
    }
  };
  for (const sheet of document.styleSheets) look(sheet.cssRules);
  return found;
}"""
_CLOSED_IS_STYLED = "document.querySelector('link[href*=\"/assets/closed-\"]')?.sheet != null"
# Opens everything, notes how it looks, loads the whole style, and returns up to ten properties that have changed.
_CHANGES = """async () => {
  document.querySelectorAll("details, dialog").forEach((element) => element.setAttribute("open", ""));
  const parts = [...document.body.querySelectorAll("*")].flatMap((element) => [[element], [element, "::before"], [element, "::after"]]);
  const keys = [...getComputedStyle(document.body)].filter((key) => !key.startsWith("--") && key !== "perspective-origin");
  const rounded = (look) => look.replace(/\\d+\\.\\d+/g, (number) => Number(number).toFixed(2)); // a value is calculated at two places
  const looks = () => parts.map(([element, part]) => {
    const style = getComputedStyle(element, part);
    return part && style.content === "none" ? "" : rounded(keys.map((key) => style.getPropertyValue(key)).join("\\n"));
  });
  const own = looks();
  await wholeStyle();
  const changes = looks().flatMap((look, place) => {
    const [was, is] = [own[place].split("\\n"), look.split("\\n")];
    const [element, part] = parts[place];
    return own[place] === look ? [] : keys
      .map((key, number) => [element.localName, element.className, part, key, was[number], is[number]])
      .filter(([, , , , before, after]) => before !== after);
  });
  return changes.slice(0, 10);
}"""
_KINDS = {route.path.split("/")[1]: route.path for route in ROUTES}  # the last page of each top-level folder
_LOCALES = {"th": "th-TH", "cn": "zh-CN"}
_PAGES = [*_KINDS.values(), "/th", "/cn/faq"]


@pytest.mark.parametrize(("path", "width"), [("/", 360), *zip(_PAGES, cycle((1280, 360)))])
def test_a_page_looks_the_same_with_its_own_style_and_with_the_whole(path: str, width: int, visit: Visit) -> None:
    # In the page's own language, so that no message offers another one.
    page = visit(path, wait=False, locale=_LOCALES.get(path[1:3], "en-GB"))
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_load_state("networkidle")
    page.mouse.move(5, 5)
    until(page, _CLOSED_IS_STYLED)

    assert page.evaluate(_CHANGES) == []


def test_a_page_without_interaction_does_not_load_the_style_of_closed_parts(visit: Visit) -> None:
    page = visit("/", wait=False)
    page.wait_for_load_state("networkidle")
    assert not page.evaluate(_CLOSED_IS_STYLED)

    page.mouse.wheel(0, 10)

    until(page, _CLOSED_IS_STYLED)


def test_a_dialog_opened_before_its_style_stays_invisible_until_then(visit: Visit) -> None:
    page = visit("/contact-us", wait=False, calm=False)
    dialog = page.locator("dialog").first
    dialog.evaluate("dialog => dialog.showModal()")
    assert dialog.evaluate("dialog => getComputedStyle(dialog).opacity") == "0"

    page.mouse.move(5, 5)

    until(page, _CLOSED_IS_STYLED)
    until(page, "getComputedStyle(document.querySelector('dialog[open]')).opacity == '1'")


def test_no_rule_styles_every_element(visit: Visit) -> None:
    """A ::before or ::selection on every element doubles the cost of restyling the page, such as when a dialog opens."""
    page = visit("/", calm=False)

    assert page.evaluate(_EVERYWHERE) == []


def test_the_loading_indicator_is_shown_on_every_page(visit: Visit, site: Site) -> None:
    page = visit("/healthz", wait=False, calm=False)
    indicator = page.locator(".progress")

    for path in ("/contact-us", "/"):
        page.goto(site.url + path)
        assert not indicator.is_visible()
        until(page, "window.wholeStyle != null")  # the page's script runs, and hears of moves
        page.mouse.move(5, 5)
        page.mouse.move(9, 9)
        until(page, _CLOSED_IS_STYLED)
        page.locator("[aria-busy]").first.evaluate("box => box.setAttribute('aria-busy', 'true')")

        assert indicator.is_visible()
        assert indicator.evaluate("element => getComputedStyle(element, '::after').animationName") == "turn"
        assert indicator.evaluate("element => getComputedStyle(element).animationDelay") == "0.4s"


def test_the_headlines_font_is_loaded_if_the_page_has_its_letters(visit: Visit) -> None:
    page = visit("/th")
    page.evaluate("document.fonts.ready.then(() => true)")
    assert not page.evaluate(f"performance.getEntriesByType('resource').some(resource => resource.name.endsWith('{FACE}'))")
    assert not page.evaluate(_LOADED)

    page.locator("a[hreflang=en]").first.evaluate("link => link.click()")
    page.wait_for_url(re.compile(r":\d+/$"))
    until(page, _LOADED)

    page.reload()
    until(page, _LOADED)


def test_the_brands_name_looks_the_same_in_every_language(visit: Visit) -> None:
    widths = []
    for path in ("/", "/th", "/cn"):
        page = visit(path)
        until(page, _BRAND_LOADED)
        widths.append(page.locator(".brand").first.evaluate("name => name.getBoundingClientRect().width"))

    assert max(widths) - min(widths) < 1


def _title_in_other_font(visit: Visit, style: str) -> Locator:
    """Returns the title of a page on which the added font is this style instead."""
    instead = f"""document.fonts.add = () => {{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('{style}');
      document.adoptedStyleSheets = [sheet];
      window.isAdded = true;
    }};"""
    page = visit("/company/about-us", script=instead)
    until(page, "window.isAdded")
    return page.locator("h1")


def test_a_title_that_would_be_longer_keeps_its_font(visit: Visit) -> None:
    title = _title_in_other_font(visit, "h1:not([style*=font]) { font-size: 9rem }")

    assert title.evaluate("title => [title.style.fontFamily, title.style.maxWidth]") == ["var(--font-sans)", ""]
    assert title.page.locator("h2").first.evaluate("title => title.style.fontFamily") == ""


def test_a_title_that_would_be_shorter_becomes_narrower(visit: Visit) -> None:
    # A line less, as long as the title is wide.
    title = _title_in_other_font(visit, "h1:not([style*=max-width]) { letter-spacing: -0.2em }")
    lines = "title => title.offsetHeight / parseFloat(getComputedStyle(title).lineHeight)"

    assert title.evaluate("title => title.style.fontFamily") == ""
    assert title.evaluate("title => title.style.maxWidth") != ""
    assert title.evaluate(lines) > 1


def test_without_scripts_the_style_loads_the_headlines_font(visit: Visit) -> None:
    page = visit("/", javascript=False, wait=False)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))

    page.reload(wait_until="networkidle")

    assert any(url.endswith(FACE) for url in urls)


def test_without_scripts_what_is_closed_has_its_style(visit: Visit) -> None:
    page = visit("/", javascript=False, wait=False)

    page.locator("summary:visible").first.click()

    panel = page.locator("details[open] > :not(summary)").first
    assert panel.evaluate("element => getComputedStyle(element).position") == "absolute"
