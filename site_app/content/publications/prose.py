"""Markdown of case studies and articles to HTML: headings with anchors, highlighted code, charts, pictures in sizes, footnotes; no raw HTML."""

import re
from collections.abc import Collection, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import chain, count
from textwrap import shorten
from typing import Any, get_args
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_block.table import escapedSplit, getLine
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_def
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from components.art.pictures import picture_html, prepare
from components.records import DRAWER_ID, dialog_id, dialog_title_id
from site_app.content.publications.chart import CHART, chart_html, read_chart
from site_app.content.publications.files import PublicationMistake, Text, mistake_in, raise_mistakes
from site_app.content.publications.measurements import unknown_figure, with_figures
from site_app.content.records import Dialog
from site_app.core.i18n import current, page_path, t
from site_app.core.i18n.markdown import HtmlRenderer, plain_inline, with_unspaced_emphasis
from site_app.core.locales import Locale

WORDS_A_MINUTE = 220
_LINK_PREFIXES = ("/", "#", "https://", "mailto:", "tel:")
_NO_ADDRESS = re.compile(r"https://(https?:|/|$)|(mailto|tel):$")  # such as https://https://example.com
_UNREAD_LINK = re.compile(r"!?\[[^\[\]\n]*\]\([^)\n]*\)?")
_UNREAD_SPACED_LINK = re.compile(r"\[[^\[\]\n]+\] \((?:/|#|https?:)[^)\n]*\)")
_UNREAD_NOTE = re.compile(r"\[\^[^\[\]\n]+\]")
# Lines of a paragraph. Word processors write other bullets and dashes, and an Apple keyboard easily writes a space that does not break.
_UNREAD_LINES = {
    re.compile(r"\s*##.*"): "a heading: begin it with ##, ### or #### and a plain space",
    re.compile(r"\s*(?:[-*+]\u00a0|[•▪◦●○·]\s).*"): "a list: begin each item with - and a plain space",
    re.compile(r"\s*\|.*\|\s*"): "a row of a table: the second line of a table is |---|---|, with as many columns as the first",
}
# Bold words with a space beside the stars; price** has a footnote.
_UNREAD_BOLD = re.compile(r"(?<![A-Za-z0-9\u00c0-\u024f*])\*\*(?:\s[^*]*[^\s*]|[^\s*][^*]*\s)\*\*(?!\*)")
_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?--+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_PAGE_ANCHORS = frozenset(
    ("main", DRAWER_ID, *(make(name) for name in get_args(Dialog) for make in (dialog_id, dialog_title_id)))
)
_NOTE_ANCHOR = re.compile(r"fn(ref)?\d.*")
# Token kinds that prose.css does not colour.
_UNSTYLED = re.compile(r'<span class="c-(n|p|w|o|nb|nn|bp|kp|py|g|gp|x|err|esc)">([^<]*)</span>')
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_THAI = re.compile(r"[\u0e00-\u0e7f]")
_MAX_NESTING = 100  # levels; deeper ones would vanish, and a list in a list takes two
_SURPLUS_CELLS = "surplus cells"  # of a row, in its token
_NOTE_LINES = "note lines"  # of each note, by its name, in the parser's environment
_EMPTY_NOTES = "empty notes"  # their names, in the parser's environment
_MAX_QUOTED_LENGTH = 40  # characters
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
    minutes: int  # reading time
    second_chapter: int = 0  # where it begins in the HTML; 0 without one


def prose(text: Text) -> Prose:
    """Returns the text as HTML, with links and labels for the language being written, and measured figures for {placeholders}."""
    return _rendered(text, current())


@cache
def _rendered(text: Text, _language: Locale) -> Prose:
    return render(text)


def render(text: Text) -> Prose:
    """Returns the same as `prose`, but caches nothing: the office renders a draft anew after each pause in typing."""
    return html_of_checked(check_text(text))


@dataclass(frozen=True)
class CheckedText:
    """A parsed text, with its mistakes in the order of their lines."""

    text: Text
    headings: tuple[Heading, ...]
    links: tuple[tuple[str, int], ...]
    mistakes: tuple[PublicationMistake, ...]
    tokens: Sequence[Token]
    env: MutableMapping[str, Any]


def check_text(text: Text) -> CheckedText:
    """Parses a text and finds its mistakes. Makes the sizes of its pictures."""
    env: dict[str, Any] = {"folder": text.file.parent}
    tokens = _parser().parse(text.markdown, env)
    checks = _Checks(text)
    checks.tokens(tokens)
    checks.notes(env)
    for file, error in prepare(text.file.parent / name for name in checks.pictures).items():
        checks.mistakes.append(mistake_in(text.file, checks.pictures[file.name], str(error).removesuffix(".")))
    mistakes = sorted(checks.mistakes, key=lambda mistake: mistake.line)
    return CheckedText(text, tuple(checks.headings), tuple(checks.links), tuple(mistakes), tokens, env)


def html_of_checked(check: CheckedText) -> Prose:
    """Returns a checked text as HTML. Raises PublicationMistake with all its mistakes."""
    raise_mistakes(check.mistakes)
    parser = _parser()
    chapters = [
        place for place, token in enumerate(check.tokens) if (token.type, token.tag, token.level) == ("heading_open", "h2", 0)
    ]
    second = chapters[1] if len(chapters) > 1 else 0
    opening, further = (
        parser.renderer.render(tokens, parser.options, check.env) for tokens in (check.tokens[:second], check.tokens[second:])
    )
    return Prose(opening + further, check.headings, check.links, _minutes(check.text.markdown), len(opening))


def _parser() -> MarkdownIt:
    options = {"html": False, "maxNesting": _MAX_NESTING}
    parser = with_unspaced_emphasis(MarkdownIt("commonmark", options, renderer_cls=_Renderer))
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.block.ruler.at("footnote_def", _note, {"alt": ["paragraph", "reference"]})
    parser.add_render_rule("footnote_caption", _note_number)
    parser.add_render_rule("footnote_block_open", _notes_open)
    parser.add_render_rule("footnote_block_close", _notes_close)
    return parser


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parses a table. Keeps the cells of a row beyond the columns of the table, which the parser leaves out."""
    token_count = len(state.tokens)
    is_table = table(state, start, end, silent)
    tokens = state.tokens[token_count:]
    columns = sum(token.type == "th_open" for token in tokens)
    for token in tokens:
        if token.type == "tr_open" and token.map:
            cells = escapedSplit(getLine(state, token.map[0]).strip())
            surplus = cells[columns if cells[0] else columns + 1 :]
            token.meta[_SURPLUS_CELLS] = [cell.strip() for cell in surplus if cell.strip()]
    return is_table


def _note(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parses a note. Keeps its line, because the parser replaces an earlier note with the same name."""
    token_count = len(state.tokens)
    is_note = footnote_def(state, start, end, silent)
    if is_note and not silent:
        label = state.tokens[token_count].meta["label"]
        state.env.setdefault(_NOTE_LINES, {}).setdefault(label, []).append(start)
        if len(state.tokens) == token_count + 2:
            state.env.setdefault(_EMPTY_NOTES, set()).add(label)
    return is_note


class _Checks:
    """Gives headings their anchors, fills in figures, and collects mistakes; `line` is the line that it checks."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.line = text.first_line
        self.mistakes: list[PublicationMistake] = []
        self.headings: list[Heading] = []
        self.anchors: set[str] = set()
        self.links: list[tuple[str, int]] = []
        self.own_links: list[tuple[str, int]] = []
        self.pictures: dict[str, int] = {}

    def tokens(self, tokens: Sequence[Token]) -> None:
        for position, token in enumerate(tokens):
            if token.map:
                self.line = self.text.first_line + token.map[0]
            if token.type == "heading_close":  # its figures are filled in
                self.heading(tokens[position - 2], tokens[position - 1])
            elif token.type == "inline":
                self.inline(token, is_paragraph=tokens[position - 1].type == "paragraph_open")
            elif token.type == "fence" and token.info.strip().lower() == CHART:
                self.chart(token)
            elif surplus := token.meta.get(_SURPLUS_CELLS):
                self.note_mistake(
                    f"the row has more cells than the table has columns, and {surplus[0]!r} would not be shown; "
                    "write a | inside a cell as \\|"
                )
        for anchor, line in self.own_links:
            if anchor not in self.anchors:
                self.line = line
                self.note_mistake(f"the link #{anchor} leads to no heading of this text")

    def notes(self, env: MutableMapping[str, Any]) -> None:
        """Refuses a note to which nothing refers, and a second one with the same name."""
        references = env.get("footnotes", {}).get("refs", {})
        for label, lines in env.get(_NOTE_LINES, {}).items():
            self.line = self.text.first_line + lines[-1]
            if len(lines) > 1:
                self.note_mistake(f"the text has the note [^{label}] twice: give each note its own number")
            elif references[f":{label}"] < 0:
                self.note_mistake(f"the text never refers to the note [^{label}]")
            elif label in env.get(_EMPTY_NOTES, ()):
                self.note_mistake(f"the note [^{label}] has no words")

    def note_mistake(self, reason: str) -> None:
        """Notes a mistake in this line, once."""
        mistake = mistake_in(self.text.file, self.line, reason)
        if str(mistake) not in map(str, self.mistakes):
            self.mistakes.append(mistake)

    def heading(self, token: Token, inline: Token) -> None:
        """Registers a heading even if it has mistakes, so that headings below it and links to it cause no further ones."""
        level = int(token.tag[1])
        words = inline.content
        above = self.headings[-1].level if self.headings else 1
        if level == 1 or level > 4:
            self.note_mistake(f"the heading {words!r} has level {level}: use ## to ####, since the title is the first level")
        elif level > above + 1:
            self.note_mistake(f"the heading {words!r} has level {level}, and the one above it {above}: leave no level out")
        if not words:
            self.note_mistake("the heading has no words")
        anchor = _anchor(words, self.anchors)
        self.anchors.add(anchor)
        token.attrSet("id", anchor)
        self.headings.append(Heading(anchor, plain_inline(inline), level))

    def paragraph_lines(self, content: str) -> None:
        """Refuses the first line that was meant as a heading, an item of a list or a row of a table."""
        first_line = self.line
        for offset, line in enumerate(content.splitlines()):
            reason = next((reason for pattern, reason in _UNREAD_LINES.items() if pattern.fullmatch(line)), None)
            if reason:
                self.line = first_line + offset
                self.note_mistake(f"{_quoted(line)} cannot be read as {reason}")
                break
        self.line = first_line

    def inline(self, token: Token, *, is_paragraph: bool) -> None:
        if "|" in token.content and _TABLE_RULE.search(token.content):
            self.note_mistake("a table cannot be read: its second line needs as many columns as its first")
            return
        if is_paragraph:
            self.paragraph_lines(token.content)
        children = token.children or []
        words = "".join(
            child.content if child.type == "text" else "\n" if child.type == "softbreak" else "x" for child in children
        )
        for unread in _UNREAD_BOLD.findall(words):
            self.note_mistake(
                f"{_quoted(unread)} would be shown with its stars: leave no space between them and the bold words"
            )
        for position, child in enumerate(children):
            if child.type == "image":
                self.picture(child, alone=len(children) == 1)
            elif child.type == "link_open":
                target = str(child.attrGet("href"))
                self.link(target)
                if children[position + 1].type == "link_close":
                    self.note_mistake(f"the link {target} has no words")
            elif child.type == "text":
                child.content = self.text_with_figures(child.content)

    def chart(self, token: Token) -> None:
        chart = token.meta[CHART] = read_chart(token.content)
        fence_line = self.line
        for offset, reason in chart.mistakes:
            self.line = fence_line + offset
            self.note_mistake(reason)

    def text_with_figures(self, content: str) -> str:
        """Returns the text with its figures; refuses Markdown that could not be parsed and would be shown as it is."""
        for unread in _UNREAD_LINK.findall(content):
            self.note_mistake(
                f"{unread} cannot be read: an address begins with one of {', '.join(_LINK_PREFIXES)} and a picture’s name "
                "with a letter, and neither holds a space"
            )
        for unread in _UNREAD_SPACED_LINK.findall(content):
            self.note_mistake(f"{unread} cannot be read: leave no space between its words and its address")
        for unread in _UNREAD_NOTE.findall(content):
            self.note_mistake(
                f"the name of the note {unread} has a space: leave it out"
                if re.search(r"\s", unread)
                else f"the note {unread} is missing: write it in a line of its own, {unread}: and its words"
            )
        if name := unknown_figure(content):
            self.note_mistake(f"there is no figure called {{{name}}}; write other braces as code: `{{{name}}}`")
            return content
        return with_figures(content)

    def picture(self, token: Token, *, alone: bool) -> None:
        name = unquote(str(token.attrGet("src")))
        if "/" in name or ":" in name or not name:
            self.note_mistake(f"the picture {name} must be a file beside the text, named without a folder")
            return
        if not token.content.strip():
            self.note_mistake(f"the picture {name} lacks its alt text: ![what it shows]({name})")
        if not alone:
            self.note_mistake(f"the picture {name} needs a paragraph of its own, with an empty line before and after it")
        token.attrSet("src", name)
        for child in token.children or ():
            if child.type == "text":
                child.content = self.text_with_figures(child.content)
        if caption := token.attrGet("title"):
            token.attrSet("title", self.text_with_figures(str(caption)))
        self.pictures.setdefault(name, self.line)

    def link(self, target: str) -> None:
        if target.startswith("/"):
            self.links.append((page_path(target), self.line))
        elif target.startswith("#"):
            self.own_links.append((unquote(target[1:]), self.line))
        elif not target.startswith(_LINK_PREFIXES):
            self.note_mistake(f"the link {target!r} must begin with one of {', '.join(_LINK_PREFIXES)}")
        elif _NO_ADDRESS.match(target):
            self.note_mistake(f"the link {target!r} names no address")


def _quoted(text: str) -> str:
    return repr(shorten(text, _MAX_QUOTED_LENGTH, placeholder="…"))


def _anchor(words: str, used: Collection[str]) -> str:
    """Returns the heading in small letters of any script and hyphens, with a number if that anchor is used already."""
    anchor = re.sub(r"[^\w\u0e00-\u0e7f]+", "-", words.lower()).strip("-") or "part"
    if anchor in _PAGE_ANCHORS or _NOTE_ANCHOR.fullmatch(anchor):
        anchor = f"part-{anchor}"
    return next(name for name in chain((anchor,), (f"{anchor}-{number}" for number in count(2))) if name not in used)


def _minutes(markdown: str) -> int:
    words = len(re.findall(r"[A-Za-z0-9][\w’'-]*", markdown))
    words += sum(len(script.findall(markdown)) / letters for script, letters in _LETTERS_A_WORD.items())
    return max(1, round(words / WORDS_A_MINUTE))


class _Renderer(HtmlRenderer):
    """Adds pictures and highlighted code to the renderer of legal texts."""

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        token = tokens[idx]
        alt = self.renderInlineAsText(token.children, options, env)
        picture = picture_html(env["folder"] / str(token.attrGet("src")), alt=alt)
        caption = token.attrGet("title")
        return f"{picture}<figcaption>{escape(str(caption))}</figcaption>" if caption else picture

    def paragraph_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        return "<figure>" if _is_picture(tokens[idx + 1]) else self.renderToken(tokens, idx, options, env)

    def paragraph_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        place = idx - 1
        while tokens[place].type == "footnote_anchor":  # of a note that ends here
            place -= 1
        return "</figure>\n" if _is_picture(tokens[place]) else self.renderToken(tokens, idx, options, env)

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: MutableMapping[str, Any]) -> str:
        token = tokens[idx]
        if CHART in token.meta:
            return chart_html(token.meta[CHART])
        language = token.info.split()[0] if token.info.strip() else ""
        label = escape(t("Code: {language}", language=language) if language else t("Code"))
        code = _highlighted(token.content, language)
        return f'<pre class="code" tabindex="0" role="group" aria-label="{label}"><code>{code}</code></pre>\n'

    code_block = fence  # indented code


def _note_number(_: Any, tokens: Sequence[Token], idx: int, *__: Any) -> str:
    """Returns the number of a note, the same for each reference to it; the plugin would number the second one [1:1]."""
    return f"[{tokens[idx].meta['id'] + 1}]"


def _notes_open(*_: Any) -> str:
    label = escape(t("Notes"))
    return f'<section class="footnotes" aria-label="{label}"><ol>\n'


def _notes_close(*_: Any) -> str:
    return "</ol></section>\n"


def _is_picture(inline: Token) -> bool:
    """Returns True for a paragraph that only contains a picture."""
    return [child.type for child in inline.children or ()] == ["image"]


def _highlighted(code: str, language: str) -> str:
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return escape(code, quote=False)
    return _UNSTYLED.sub(r"\2", highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix="c-")))
