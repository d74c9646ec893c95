"""The last step of a build: pages get their style and script, and nothing that is broken leaves."""

from pathlib import Path

from site_app.static_first.boot import write_boot
from site_app.static_first.browser_files import compiled
from site_app.static_first.check import check
from site_app.static_first.node import run
from site_app.static_first.page_style import page_styles
from site_app.static_first.patch import replace
from site_app.static_first.site import StaticSite

_NOT_SERVED = ("404.html", "__spa-fallback.html")


def finish(static: Path, site: StaticSite) -> None:
    """Turn Reflex's export into the site that is served; raises BrokenSite where a page is not fit to be."""
    (sheet,) = (static / "assets").glob("__reflex_global_styles-*.css")
    boot = write_boot(static, site.entry)
    for page, style in page_styles(sheet, sorted(static.rglob("index.html"))).items():
        head = f"{site.head}<style>{style}</style>{boot.tag(page_path(static, page))}</head>"
        page.write_text(replace(page.read_text(), ("</head>", head)))
        if page.parent != static:  # Reflex's copy for hosts without clean addresses
            page.parent.with_suffix(".html").unlink()
    for name in _NOT_SERVED:
        (static / name).unlink(missing_ok=True)
    site.write(static)
    check(static, redirects=site.redirects, elsewhere=site.elsewhere)
    compress(static, compiled() / "compressed")


def compress(static: Path, kept: Path) -> None:
    """Write a .br and a .gz beside each text file; what has not changed since the last build, brotli's best takes from where it is kept."""
    run("compress.mjs", folder=str(static.resolve()), kept=str(kept.resolve()))


def page_path(static: Path, page: Path) -> str:
    """The address at which a page's file is served."""
    return ("/" + page.parent.relative_to(static).as_posix()).replace("/.", "/")
