"""The options that this site passes to static_first: its scripts and their values, the head, and the files beside the pages.

Draws the icons, and the pictures that other sites show when a page is shared. Only the build imports this module.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

from components.art.cards import Palette, draw_card
from components.art.favicons import IconColors, icon_files
from components.art.headline_font import BRAND_FONT, HEADLINE_FONT, HEADLINE_LANGUAGE
from components.art.pictures import URL_PATH
from components.messages import icon_paths
from components.phone_input import flags
from site_app.content.navigation import messages
from site_app.content.records import PLAIN_BOOKING
from site_app.content.routes import BY_PATH, REDIRECTS, ROUTES
from site_app.core import ROOT, colors
from site_app.core.i18n import split_language, use
from site_app.core.locales import LOCALES
from site_app.core.published_pages import write_page_tags
from site_app.core.settings import Settings, settings
from site_app.layout.head import card_image
from site_app.layout.machine_files import write_feeds, write_machine_files
from site_app.plugins.socket_guard import check_handlers
from site_app.plugins.static_first.build_cache import replace_file
from site_app.plugins.static_first.site import CORE_PACKAGES, StaticSite, compiled, exports
from site_app.serving.plain_leads import posted_kinds
from site_app.states.snackbar import TIMEOUTS_MS

_FOLDER = Path(__file__).parent
_INSIGHTS = "insights/script.js"
_ART = ROOT / "components/art"
_DRAWINGS = _ART / "drawings"
_FONTS = ROOT / "assets/fonts"
_LANGUAGE_PREFIX = f"({'|'.join(locale.prefix for locale in LOCALES)})"


def static_site() -> StaticSite:
    """Returns this site's options for StaticFirstPlugin."""
    return StaticSite(
        sources=ROOT / "components",
        entry="components/browser/reader/entry.js",
        head=_speculation_rules(),
        head_script=_theme_script(),
        modules={
            "configuration.js": exports(
                LOCALES=[{"id": locale.id, "tag": locale.tag, "prefix": locale.prefix} for locale in LOCALES],
                PAGE_VIEWS=f"/{_INSIGHTS}",
                HEADLINE_FONT=HEADLINE_FONT,
                BRAND_FONT=BRAND_FONT,
                HEADLINE_LANGUAGE=HEADLINE_LANGUAGE,
            ),
            "messages.js": exports(ICONS=icon_paths(), MESSAGES=messages(), TIMEOUTS_MS=TIMEOUTS_MS),
        },
        files={_INSIGHTS: (ROOT / "site_app/serving/insights.js").read_text()},
        core_modules=(
            CORE_PACKAGES,
            r"\.web[\\/]components[\\/](layout|browser|messages|reliable_form)[\\/]",
            r"app_components[\\/]site_app[\\/]layout[\\/](shell|page_layout_en)\.",
        ),
        server_paths=[*REDIRECTS, *(locale.prefix + PLAIN_BOOKING for locale in LOCALES)],
        draw_assets=draw_icons,
        write_files=write_files,
        check_events=check_handlers,
        written_path=lambda path: split_language(path)[1],
        is_strict=lambda path: split_language(path)[1] in BY_PATH,
        proxied_paths=(
            r"^/(v1\.0|plain|calendar|readyz|ping|office)(/|\?|$)",
            rf"^{_LANGUAGE_PREFIX}/(book|meetings|partners|confirm)(/|\?|$)",
        ),
        posted_path=rf"^{_LANGUAGE_PREFIX}({'|'.join(posted_kinds())})(/sent)?(\?|$)",
        path_after_post=r"/sent(\?|$)",
        served_folders={"/flags": "node_modules/country-flag-icons/3x2"},
    )


def draw_icons(public: Path) -> None:
    """Draws the icons next to the files of assets/."""
    light, dark = (IconColors(shades["primary"], shades["on-primary"]) for shades in (colors.light(), colors.dark()))
    for name, content in icon_files(light, dark).items():
        (public / name).parent.mkdir(parents=True, exist_ok=True)
        (public / name).write_bytes(content)


def write_files(static: Path) -> None:
    """Writes the files beside the pages. Copies the phone input's flags from their npm package, so that browsers load none from other hosts."""
    write_cards(static, settings())
    write_feeds(static, settings())
    write_machine_files(static, settings())
    write_page_tags(static.parent, {route.path: route.tag for route in ROUTES})
    _remove_unused_pictures(static)
    (static / "flags").mkdir(exist_ok=True)
    for path, picture in flags():
        (static / "flags" / path.name).write_text(picture)


def _remove_unused_pictures(static: Path) -> None:
    """Deletes pictures of earlier builds, which no page of this one shows."""
    used = {name for page in static.rglob("*.html") for name in re.findall(rf"{URL_PATH}/([^ \",]+)", page.read_text())}
    for file in (static / URL_PATH.strip("/")).glob("*"):
        if file.name not in used:
            file.unlink()


def _theme_script() -> str:
    """Returns the script that sets the theme before the first paint."""
    script = (_FOLDER / "theme.js").read_text()
    return script.replace("{theme}", settings().theme).replace("{dark}", colors.dark()["background"])


def _speculation_rules() -> str:
    """Returns the speculation rules, by which browsers preload pages."""
    rules = (_FOLDER / "speculation_rules.json").read_text().strip()
    return f'<script type="speculationrules">{rules}</script>'


def write_cards(static: Path, settings: Settings) -> None:
    """Writes a PNG for each page and language; reuses the PNG of an earlier build with the same text and drawing."""
    (static / "cards").mkdir(exist_ok=True)
    card_folder = compiled() / "drawn_cards"  # kept between builds, because drawing all cards takes seconds
    card_folder.mkdir(exist_ok=True)
    shades = colors.light()
    palette = Palette(shades["tint"], shades["surface-raised"], shades["ink"], shades["primary"])
    used = set()
    for route in ROUTES:
        for locale in LOCALES:
            with use(locale):
                file = _card_file(card_folder, route.title(), _drawing_of(route.tag), settings.brand_name, palette)
            (static / card_image(route, locale).lstrip("/")).write_bytes(file.read_bytes())
            used.add(file)
    for old in set(card_folder.iterdir()) - used:
        old.unlink()


def _card_file(card_folder: Path, title: str, drawing: str, brand: str, palette: Palette) -> Path:
    """Returns the file of a card; draws it unless an earlier build has drawn the same."""
    name = hashlib.sha256(repr((title, drawing, brand, palette, _drawing_digest())).encode()).hexdigest()
    file = card_folder / f"{name}.png"
    if not file.exists():
        replace_file(file, draw_card(title, drawing, brand=brand, palette=palette))
    return file


@cache
def _drawing_digest() -> str:
    """Returns a digest of the code, the drawings and the fonts that cards are drawn with."""
    digest = hashlib.sha256()
    for file in sorted((*_ART.rglob("*"), *_FONTS.rglob("*"))):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def _drawing_of(tag: str) -> str:
    """Returns the name of the page's drawing, or the home page's if the page has none."""
    name = tag.replace("-", "_")
    return name if (_DRAWINGS / f"{name}.svg").exists() else "home"
