"""Markdown of case studies and articles to HTML: headings with anchors, highlighted code, pictures in sizes, footnotes; no raw HTML."""

import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.footnote import footnote_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from components.art.pictures import BrokenPicture, picture_html, prepare
from site_app.content.measurements import measured
from site_app.content.publications.reading import BrokenPublication, Text, path_in_project
from site_app.core.i18n import Locale, current, href, t

WORDS_A_MINUTE = 220
_SCHEMES = ("https://", "mailto:", "tel:")
_PLACEHOLDER = re.compile(r"(?P<code>```.*?```|`[^`]*`)|\{(?P<name>[a-z_]+)\}", re.DOTALL)
_UNSTYLED = re.compile(
    r'<span class="c-(n|p|w|o|nb|nn|bp|kp|py|g|gp|x|err|esc)">([^<]*)</span>'
)  # kinds that no rule of prose.css colours
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_THAI = re.compile(r"[\u0e00-\u0e7f]")
_LETTERS_A_WORD = {_CHINESE: 1.6, _THAI: 5}  # of scripts that write without spaces


@dataclass(frozen=True)
class Heading:
    anchor: str
    text: str
    level: int


@dataclass(frozen=True)
class Prose:
    """A text as HTML, with its headings and the pages of this site that it links to, each with its line."""

    html: str
    headings: tuple[Heading, ...]
    links: tuple[tuple[str, int], ...]
    minutes: int  # that reading takes


def prose(text: Text) -> Prose:
    """Returns the text as HTML, with links and labels for the language being written, and measured figures for {placeholders}."""
    return _rendered(text, current())


@cache
def _rendered(text: Text, _language: Locale) -> Prose:
    markdown = _filled(text, measured()) if "{" in text.markdown else text.markdown
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    parser.add_render_rule("footnote_block_open", _notes_open)
    parser.add_render_rule("footnote_block_close", _notes_close)
    tokens = parser.parse(markdown, env := {"folder": text.file.parent})
    checked = _checked(tokens, text)
    try:
        prepare(text.file.parent / name for name in checked.pictures)
        html = parser.renderer.render(tokens, parser.options, env)
    except BrokenPicture as broken:
        raise BrokenPublication(f"{path_in_project(text.file)}: {broken}") from None
    return Prose(html, checked.headings, checked.links, _minutes(markdown))


def _filled(text: Text, values: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        if match["code"]:
            return match[0]
        if match["name"] not in values:
            raise BrokenPublication(f"{path_in_project(text.file)}: there is no figure called {match[0]}.")
        return values[match["name"]]

    return _PLACEHOLDER.sub(value, text.markdown)


@dataclass(frozen=True)
class _Checked:
    headings: tuple[Heading, ...]
    links: tuple[tuple[str, int], ...]
    pictures: tuple[str, ...]


def _checked(tokens: Sequence[Token], text: Text) -> _Checked:
    """Give headings their anchors, and refuse what the page could not show."""
    headings: list[Heading] = []
    links: list[tuple[str, int]] = []
    pictures: list[str] = []
    line = text.first_line
    for position, token in enumerate(tokens):
        line = text.first_line + token.map[0] if token.map else line
        if token.type == "heading_open":
            level, words = int(token.tag[1]), tokens[position + 1].content
            if level == 1 or level > 4:
                raise _broken(
                    text, line, f"the heading {words!r} has level {level}: begin with ##, since the title is the first level"
                )
            token.attrSet("id", _anchor(words, headings))
            headings.append(Heading(str(token.attrGet("id")), _plain(tokens[position + 1]), level))
        for child in token.children or ():
            if child.type == "image":
                source = str(child.attrGet("src"))
                if "/" in source or ":" in source:
                    raise _broken(
                        text, line, f"the picture {source} must stand beside the text and be called by its name alone"
                    )
                if not child.content.strip():
                    raise _broken(text, line, f"the picture {source} lacks its alt text: ![what it shows]({source})")
                pictures.append(source)
            elif child.type == "link_open":
                target = str(child.attrGet("href"))
                if target.startswith("/"):
                    links.append((target.partition("#")[0], line))
                elif not target.startswith((*_SCHEMES, "#")):
                    raise _broken(text, line, f"the link {target} begins with none of /, #, {', '.join(_SCHEMES)}")
    return _Checked(tuple(headings), tuple(links), tuple(dict.fromkeys(pictures)))


def _broken(text: Text, line: int, problem: str) -> BrokenPublication:
    return BrokenPublication(f"{path_in_project(text.file)}, line {line}: {problem}.")


def _anchor(words: str, before: Sequence[Heading]) -> str:
    """The heading in small letters and hyphens, of whatever script; a number behind one that is there already."""
    anchor = re.sub(r"[^\w\u0e00-\u0e7f]+", "-", words.lower()).strip("-") or "part"
    used = {heading.anchor for heading in before}
    return next(name for name in (anchor, *(f"{anchor}-{count}" for count in range(2, 999))) if name not in used)


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))


def _minutes(markdown: str) -> int:
    words = len(re.findall(r"[A-Za-z0-9][\w’'-]*", markdown))
    words += sum(len(script.findall(markdown)) / letters for script, letters in _LETTERS_A_WORD.items())
    return max(1, round(words / WORDS_A_MINUTE))


class _Renderer(RendererHTML):
    """markdown-it's own renderer, but for pictures, code, tables and links."""

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        token = tokens[idx]
        picture = picture_html(env["folder"] / str(token.attrGet("src")), alt=token.content)
        caption = token.attrGet("title")
        return f"{picture}<figcaption>{escape(str(caption))}</figcaption>" if caption else picture

    def paragraph_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        return "<figure>" if _is_picture(tokens[idx + 1]) else self.renderToken(tokens, idx, options, env)

    def paragraph_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        return "</figure>\n" if _is_picture(tokens[idx - 1]) else self.renderToken(tokens, idx, options, env)

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        token = tokens[idx]
        language = token.info.split()[0] if token.info.strip() else ""
        label = escape(t("Code: {language}", language=language) if language else t("Code"))
        code = _highlighted(token.content, language)
        return f'<pre class="code" tabindex="0" role="group" aria-label="{label}"><code>{code}</code></pre>\n'

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        heads = []
        for token in tokens[idx:]:
            if token.type == "thead_close":
                break
            if token.type == "inline" and token.content:
                heads.append(_plain(token))
        label = escape(", ".join(heads))
        return f'<div class="sideways" tabindex="0" role="group" aria-label="{label}"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        tokens[idx].attrs.pop("style", None)  # policy allows no inline style
        if not tokens[idx + 1].content:
            tokens[idx].tag = tokens[idx + 2].tag = "td"  # an empty head names no column
        else:
            tokens[idx].attrSet("scope", "col")
        return self.renderToken(tokens, idx, options, env)

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        tokens[idx].attrs.pop("style", None)
        return self.renderToken(tokens, idx, options, env)

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        target = str(tokens[idx].attrGet("href"))
        if target.startswith("/"):
            tokens[idx].attrSet("href", href(target))
        return self.renderToken(tokens, idx, options, env)


def _notes_open(*_: Any) -> str:
    return f'<section class="footnotes" aria-label="{escape(t("Notes"))}"><ol>\n'


def _notes_close(*_: Any) -> str:
    return "</ol></section>\n"


def _is_picture(inline: Token) -> bool:
    """Return True for a paragraph that holds a picture and nothing else."""
    return [child.type for child in inline.children or ()] == ["image"]


def _highlighted(code: str, language: str) -> str:
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return escape(code, quote=False)
    return _UNSTYLED.sub(r"\2", highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix="c-")))
