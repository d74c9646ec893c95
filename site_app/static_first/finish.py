"""The last step of a build: pages get their style and script, and nothing that is broken leaves."""

from pathlib import Path

from components.phone_input.plugin import flags
from site_app import colors
from site_app.i18n import LOCALES
from site_app.routes import PLAIN_BOOKING, REDIRECTS
from site_app.settings import Settings
from site_app.static_first.boot import write_boot
from site_app.static_first.cards import write_cards
from site_app.static_first.check import check
from site_app.static_first.compress import compress
from site_app.static_first.feeds import write_feeds
from site_app.static_first.page_style import page_styles
from site_app.static_first.patch import replace

_HERE = Path(__file__).parent
# The theme must be known before the first paint; which links a browser may fetch ahead is data.
_FIRST = (
    f"<script>{replace((_HERE / 'theme.js').read_text().strip(), ('{dark}', colors.dark()['background']))}</script>"
    f'<script type="speculationrules">{(_HERE / "speculation_rules.json").read_text().strip()}</script>'
)
_NOT_SERVED = ("404.html", "__spa-fallback.html")


def finish(static: Path, settings: Settings) -> None:
    """Turn Reflex's export into the site that is served; raises BrokenSite where a page is not fit to be."""
    (sheet,) = (static / "assets").glob("__reflex_global_styles-*.css")
    boot = write_boot(static)
    for page, style in page_styles(sheet, sorted(static.rglob("index.html"))).items():
        head = f"{_FIRST}<style>{style}</style>{boot.tag(page_path(static, page))}</head>"
        page.write_text(replace(page.read_text(), ("</head>", head)))
        if page.parent != static:  # Reflex's copy for hosts without clean addresses
            page.parent.with_suffix(".html").unlink()
    for name in _NOT_SERVED:
        (static / name).unlink(missing_ok=True)
    write_cards(static, settings)
    write_feeds(static, settings)
    write_flags(static)
    check(static, redirects=REDIRECTS, elsewhere=[locale.prefix + PLAIN_BOOKING for locale in LOCALES])
    compress(static)


def write_flags(static: Path) -> None:
    """The phone input's flags, from its npm package: nothing is fetched from a foreign host."""
    (static / "flags").mkdir(exist_ok=True)
    for path, picture in flags():
        (static / "flags" / path.name).write_text(picture)


def page_path(static: Path, page: Path) -> str:
    """The address at which a page's file is served."""
    return ("/" + page.parent.relative_to(static).as_posix()).replace("/.", "/")
