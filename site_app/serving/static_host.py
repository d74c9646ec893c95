"""Exports the built pages for a static host: the pages and the files _headers and _redirects replace what the server would do.

Each page contains its own policy, because a host may ignore _headers, and Cloudflare Pages reads only its first 100 rules.
"""

import html
import shutil
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from site_app.content.navigation import not_found
from site_app.content.records import PLAIN_BOOKING
from site_app.content.routes import NOT_FOUND, REDIRECTS
from site_app.core.http.paths import PROVIDER_PAGES
from site_app.core.i18n import use
from site_app.core.locales import LOCALES, Locale
from site_app.core.settings import Settings
from site_app.plugins.static_first.patch import replace
from site_app.serving.headers import POLICY, RESOURCE_POLICY, UNFRAMED, allowed_content, common_headers
from site_app.serving.stored_files import A_DAY, COPY_OF_HOME, FOLDER_CACHING

# Leads a visitor who chose another language to the page in it. Inlined as it is, so its comment is here.
CHOSEN_LANGUAGE = Path(__file__).with_name("chosen_language.js")
_HEAD = '<head><meta charSet="utf-8"/>'  # how each page's head begins
_COMPRESSED = (".br", ".gz")  # not exported, because such hosts compress files themselves


def write_static(built: Path, to: Path, settings: Settings) -> int:
    """Writes pages, files, _headers and _redirects; returns the number of pages."""
    pages: dict[str, str] = {}
    for file in sorted(built.rglob("*")):
        path = "/" + file.relative_to(built).as_posix()
        if not file.is_file() or file.suffix in _COMPRESSED or path == COPY_OF_HOME:
            continue
        if file.name == "index.html":
            pages[path.removesuffix("/index.html") or "/"] = _page(path, file.read_text(), settings)
        else:
            target = to / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    for path, text in pages.items():
        # faq.html is served at /faq, faq/index.html would be at /faq/
        _write(to / f"{path.strip('/') or 'index'}.html", text)
    for locale in LOCALES:
        _write(to / f"{locale.prefix}/404.html".lstrip("/"), _not_found_page(locale))
    _write(to / "_headers", "\n".join(_headers(settings)) + "\n")
    _write(to / "_redirects", "\n".join(_redirects(pages, settings)) + "\n")
    return len(pages)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def _page(path: str, text: str, settings: Settings) -> str:
    """Returns the page with its policy and the address of API and socket; an English page redirects visitors who chose another language."""
    if settings.backend_url:
        text = _with_backend(text, html.escape(settings.backend_url))
    text = replace(text, (_HEAD, _HEAD + _language_script(path)))
    policy = f'<meta http-equiv="{POLICY.decode()}" content="{allowed_content(text, settings)}"/>'
    return replace(text, (_HEAD, _HEAD + policy))  # a policy in the page concerns only what follows it


def _language_script(path: str) -> str:
    """Returns the script that redirects visitors who chose another language, as the server would; pages in those have none."""
    locales = [locale for locale in LOCALES if locale.prefix]
    if any(path.startswith(f"{locale.prefix}/") for locale in locales):
        return ""
    script = CHOSEN_LANGUAGE.read_text().strip().replace("LANGUAGES", "|".join(locale.id for locale in locales))
    return f"<script>{script}</script>"


def _with_backend(text: str, backend: str) -> str:
    text = text.replace(" data-boot ", f' data-boot data-backend="{backend}" ', 1).replace(' action="/', f' action="{backend}/')
    for locale in LOCALES:
        text = text.replace(f' href="{locale.prefix}{PLAIN_BOOKING}"', f' href="{backend}{locale.prefix}{PLAIN_BOOKING}"')
    return text


def _not_found_page(locale: Locale) -> str:
    """Returns the 404 page, which redirects to the home page, where the message is shown."""
    home = (locale.prefix or "/") + NOT_FOUND
    with use(locale):
        sentence = html.escape(not_found())
    return (
        f'<!doctype html><html lang="{locale.tag}"><head><meta charset="utf-8"><title>404</title>'
        f'<meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url={home}"></head>'
        f'<body><p><a href="{home}">{sentence}</a></p></body></html>\n'
    )


def _headers(settings: Settings) -> Iterator[str]:
    """Yields the lines of _headers. No two rules set the same header for a path, because such hosts would join the values.

    No rule is about the cache of pages: these hosts let browsers ask again for each.
    """
    yield "/*"
    for name, value in common_headers(settings):
        if name != RESOURCE_POLICY:  # other sites may show the pictures, and a rule for each page would be too many
            yield f"  {name.decode()}: {value.decode()}"
    yield f"  {POLICY.decode()}: {UNFRAMED}"  # which a page cannot say itself
    for folder, cache in (*FOLDER_CACHING.items(), *((name, A_DAY) for name in ("cards", "flags", "fonts", "icons", "images"))):
        yield f"/{folder}/*"
        yield f"  cache-control: {cache.decode()}"


def _redirects(pages: Iterable[str], settings: Settings) -> Iterator[str]:
    """Yields the lines of _redirects: moved pages, and with a remote backend the pages that only a server answers."""
    for locale in LOCALES:
        for old, new in REDIRECTS.items():
            yield f"{locale.prefix}{old} {locale.prefix}{new} 301"
    if not settings.backend_url:
        return
    folders = dict.fromkeys("/" + path.split("/")[1] for path in PROVIDER_PAGES)
    patterns = [path for folder in folders for path in (folder, f"{folder}/*") if path in PROVIDER_PAGES or path.endswith("*")]
    for locale in LOCALES:
        for path in patterns:
            source = locale.prefix + path
            yield f"{source} {settings.backend_url}{source.replace('*', ':splat')} 302"
    yield from _partner_links(tuple(pages))


def _partner_links(pages: Collection[str]) -> Iterator[str]:
    """Yields the rules for partners' short links: /r/CODE/faq leads to /faq?ref=CODE, and what is no page to the front page.

    Each rule writes the first part of the page's path itself: by `/:splat`, a host that keeps double slashes would lead
    /r/CODE//evil.example to the host evil.example.
    """
    for first_part in sorted({path.split("/")[1] for path in pages} - {""}):
        page = f"/{first_part}"
        if page in pages:
            yield f"/r/:code{page} {page}?ref=:code 302"
        if any(path.startswith(f"{page}/") for path in pages):
            yield f"/r/:code{page}/* {page}/:splat?ref=:code 302"
    yield "/r/:code/* /?ref=:code 302"
    yield "/r/:code /?ref=:code 302"
