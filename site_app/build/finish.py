"""The last step of a build: pages get their style and boot script, and nothing that is broken leaves."""

import re
from pathlib import Path

from components.phone_input.plugin import flags
from site_app.build.boot import tight, write_boot
from site_app.build.cards import write_cards
from site_app.build.check import check
from site_app.build.critical import classes_of, critical_style, language_of
from site_app.build.edit import replace
from site_app.build.feeds import write_feeds
from site_app.build.lean import lean_html, lean_style
from site_app.i18n import LOCALES
from site_app.routes import PLAIN_BOOKING, REDIRECTS
from site_app.settings import Settings

_HERE = Path(__file__).parent
_NOT_SERVED = ("404.html", "__spa-fallback.html")


def finish(static: Path, settings: Settings) -> None:
    """Turn Reflex's export into the site that is served; raises BrokenSite where a page is not fit to be."""
    (sheet,) = (static / "assets").glob("__reflex_global_styles-*.css")
    boot = write_boot(static, when=settings.boot, sheet=f"/assets/{sheet.name}")
    style = sheet.read_text()
    for page in sorted(static.rglob("index.html")):
        # React adds the manifest when it starts: Chromium fetches it before the first paint, which has no use for it.
        html = re.sub(r'<link rel="modulepreload"[^>]*/>|<link [^>]*rel="manifest"/>', "", page.read_text())
        language = language_of(html)
        own = lean_style(critical_style(style, classes_of(html), language))
        head = f"<script>{_first_script(language)}</script><style>{own}</style>{boot.tag(page_path(static, page))}</head>"
        page.write_text(replace(lean_html(html), ("</head>", head)))
        if page.parent != static:  # Reflex's copy for hosts without clean addresses
            page.parent.with_suffix(".html").unlink()
    for name in _NOT_SERVED:
        (static / name).unlink(missing_ok=True)
    write_cards(static, settings)
    write_feeds(static, settings)
    write_flags(static)
    check(static, redirects=REDIRECTS, elsewhere=[locale.prefix + PLAIN_BOOKING for locale in LOCALES])


def _first_script(language: str) -> str:
    """Lines in the page: the theme must be known before the first paint, and the rest waits for it. Only English has the face's letters."""
    names = ("theme.js", "far.js", "face.js", "paint.js") if language == "en" else ("theme.js", "far.js", "paint.js")
    return "".join(tight((_HERE / name).read_text()) for name in names)


def write_flags(static: Path) -> None:
    """The phone input's flags, from its npm package: nothing is fetched from a foreign host."""
    (static / "flags").mkdir(exist_ok=True)
    for path, picture in flags():
        (static / "flags" / path.name).write_text(picture)


def page_path(static: Path, page: Path) -> str:
    """The address at which a page's file is served."""
    return ("/" + page.parent.relative_to(static).as_posix()).replace("/.", "/")
