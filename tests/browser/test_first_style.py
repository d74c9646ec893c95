"""A page comes with the style of its first paint; the whole style and the headlines' font come later."""

import re

from tests.browser.conftest import Visit
from tests.browser.server import Site
from tests.browser.waiting import until

FACE = "/fonts/instrument-sans-640.woff2"
_LOADED = "[...document.fonts].some(one => /Instrument Sans\"?$/.test(one.family) && one.status == 'loaded')"
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
        page.locator("[aria-busy]").first.evaluate("box => box.setAttribute('aria-busy', 'true')")

        assert indicator.is_visible()
        assert indicator.evaluate("one => getComputedStyle(one, '::after').animationName") == "turn"
        assert indicator.evaluate("one => getComputedStyle(one).animationDelay") == "0.4s"


def test_the_headlines_font_is_loaded_if_the_page_has_its_letters(visit: Visit) -> None:
    page = visit("/th")
    page.evaluate("document.fonts.ready.then(() => true)")
    assert not page.evaluate(f"performance.getEntriesByType('resource').some(one => one.name.endsWith('{FACE}'))")
    assert not page.evaluate(_LOADED)

    page.locator("a[hreflang=en]").first.evaluate("link => link.click()")
    page.wait_for_url(re.compile(r":\d+/$"))
    until(page, _LOADED)

    page.reload()
    until(page, _LOADED)


def test_without_scripts_the_style_loads_the_headlines_font(visit: Visit) -> None:
    page = visit("/", javascript=False, wait=False)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))

    page.reload(wait_until="networkidle")

    assert any(url.endswith(FACE) for url in urls)
