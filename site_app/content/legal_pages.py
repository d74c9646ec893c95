"""The five legal pages: their Markdown, with the figures, the brand and the storage inventory filled in."""

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from site_app.content.legal_values import legal_values
from site_app.content.storage import INVENTORY
from site_app.core.i18n.markdown import BrokenText, Document, escaped, read
from site_app.core.routes import BY_PATH

TEXTS = Path(__file__).parents[2] / "locales" / "en" / "legals"
LEGAL_PAGES = {
    f"/legals/{name}": f"{name}.md"
    for name in (
        "terms-of-service",
        "privacy-policy",
        "legal-notice",
        "cookies-policy",
        "affiliate-program-terms-conditions",
    )
}
_KINDS = {"cookie": "Cookie", "localStorage": "Local storage", "sessionStorage": "Session storage"}


def legal_page(path: str) -> Document:
    """The text of a legal page, always in English: that is the binding one."""
    return legal_pages()[path]


@cache
def legal_pages() -> Mapping[str, Document]:
    """All five by path; raises BrokenText when one of them links to what is not there."""
    values, pages = legal_values(), {}
    for path, file in LEGAL_PAGES.items():
        try:
            text = (TEXTS / file).read_text(encoding="utf-8").replace("{storage_inventory}", _inventory())
            pages[path] = read(text, values=values, paths=BY_PATH)
        except BrokenText as problem:
            raise BrokenText(f"{file}: {problem}") from None
    for path, page in pages.items():
        _check_links_between(path, page.links(), pages)
    return pages


def _check_links_between(source: str, links: Collection[str], pages: Mapping[str, Document]) -> None:
    for href in links:
        path, _, anchor = href.partition("#")
        if anchor and path in pages and anchor not in pages[path].anchors():
            raise BrokenText(f"{source}: the link {href} names a heading that is not there")


def _inventory() -> str:
    """What the site keeps in a browser, as a table in Markdown."""
    kept = ((item.name, _KINDS[item.kind], item.purpose, item.lifetime) for item in INVENTORY)
    rows = (("Name", "Kind", "What it is for", "How long it stays"), *kept)
    head, *body = (f"| {' | '.join(map(escaped, row))} |" for row in rows)
    return "\n".join((head, "|---|---|---|---|", *body))
