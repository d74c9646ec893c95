"""A server that goes away: the browser's console messages, and the wait for everything a page fetches before."""

from playwright.sync_api import Page

from tests.browser.waiting import until

AWAY = (
    "WebSocket",
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_FAILED",
    "Failed to load resource",
    # our scripts' messages about files fetched when the page is idle: a test may have stopped the server by then
    "numbering plans could not be loaded",
    "page views are not counted",
    " failed: ",
)
_ARRIVED = """(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const here = (link) => performance.getEntriesByName(link.href).length > 0;
  const seen = (phone) => phone.checkVisibility() && phone.getBoundingClientRect().top < innerHeight; // others wait until then
  const ready = (phone) => !seen(phone) || phone.querySelector('.phone-selected img')?.complete;
  return typeof window.insights === 'function' && !document.querySelector('dialog[open] [aria-busy=true]')
    && all('link[rel=modulepreload], link[rel=stylesheet]').every(here) && all('.phone').every(ready);
})()"""


def arrived(page: Page) -> None:
    """Waits for everything a page fetches by itself: code, style, its open dialog, the flag, the script that counts views."""
    until(page, _ARRIVED, within_ms=20_000)
