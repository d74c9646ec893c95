"""What the site reads from the glossary that a language's translators keep, locales/<language>/glossary.md."""

import re
from functools import cache

from site_app.core.i18n.current_locale import current
from site_app.core.i18n.translate import CATALOGS
from site_app.core.locales import Locale

_SECTION = r"^## {heading}\n(.*?)(?=^## |\Z)"
_ROW = re.compile(r"^\| *([^|]+?) *\| *([^|]+?) *\|", re.MULTILINE)
_ITEM = re.compile(r"^- (.+)$", re.MULTILINE)


def forbidden_words(locale: Locale) -> dict[str, str]:
    """Returns the words that the glossary forbids under its heading "Never", each with its replacement."""
    rows = list(_ROW.finditer(_section(locale, "Never")))
    return {row[1]: row[2] for row in rows[2:]}  # skips the table's header and separator


def parts_around_whole_words(text: str) -> list[str]:
    """Returns the text in parts; each second one is a word that the glossary lists under "Kept whole", because browsers break lines inside it."""
    pattern = _whole_words(current())
    return pattern.split(text) if pattern else [text]


@cache
def _whole_words(locale: Locale) -> re.Pattern[str] | None:
    words = [word for item in _ITEM.findall(_section(locale, "Kept whole")) for word in item.split()]
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, longest_first))})") if words else None


def _section(locale: Locale, heading: str) -> str:
    file = CATALOGS / locale.id / "glossary.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    section = re.search(_SECTION.format(heading=heading), text, re.MULTILINE | re.DOTALL)
    return section[1] if section else ""
