"""The file of a case study or an article: front matter between two lines of hyphens, then Markdown.

The front matter is described by models: the facts in the English file, the words in a translation. The office's form follows from them:
a field's description is beside it. Files are parsed and written without the models, so that a draft may have mistakes.
"""

import datetime as dt
import re
import unicodedata
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from site_app.core.locales import ENGLISH, LOCALES
from site_app.core.published_pages import PUBLICATION_FOLDERS

MAX_TITLE_LENGTH = 70  # characters, like the next two
MAX_SUMMARY_LENGTH = 160
MAX_ALT_LENGTH = 200
# The kinds of publications.
ARTICLE = "article"
CASE = "case"
FOLDERS: dict[str, str] = dict(zip((CASE, ARTICLE), PUBLICATION_FOLDERS, strict=True))  # of each kind, below SITE_CONTENT
# Of each kind's list on the site; its pages are below it.
PATHS: dict[str, str] = {CASE: "/case-studies", ARTICLE: "/articles"}
MAX_SLUG_LENGTH = 80
RESERVED_SLUGS = frozenset(("page", "services", "years"))  # parts of the addresses of lists
# Of pictures, as in components.art.pictures, which knows nothing of this site; a test compares both.
PICTURE_ENDINGS = frozenset((".png", ".jpg", ".jpeg", ".webp", ".avif"))
MAX_MEGAPIXELS = 20
MAX_PICTURE_HEIGHT = 16_383  # pixels
MAX_PICTURE_NAME_LENGTH = 100
_PICTURE_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
_MAX_MADE_SLUG_LENGTH = 60
_FENCE = "---"
# Signs beside a field's name that only look like a space or a colon.
_ODD_SIGN = re.compile(r"^(?:[\u00a0\u200b\u200e\ufeff]+\w+:|\w+(?::\u00a0|：)|-\u00a0)", re.MULTILINE)
_LOST_WORDS = re.compile(r"[ \t]+#[^\s#]")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<front>.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_UNFIT_FOR_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_TO_LINE_BREAK = str.maketrans("\x0b\x0c", "\n\n")  # how word processors write a line break and a page break
_TRUE = frozenset(("true", "yes", "on", "1", "t", "y"))  # as pydantic reads them
_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))


def is_slug(text: str) -> bool:
    """Returns True for the last part of a publication's address, by which its files are called."""
    is_plain = re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) is not None
    return is_plain and len(text) <= MAX_SLUG_LENGTH and text not in RESERVED_SLUGS


def is_picture_name(name: str) -> bool:
    """Returns True for the name of a file that may be beside a text as its picture."""
    ending = f".{name.rpartition('.')[2].lower()}"
    return len(name) <= MAX_PICTURE_NAME_LENGTH and re.fullmatch(_PICTURE_NAME, name) is not None and ending in PICTURE_ENDINGS


def _in_one_line(value: object) -> object:
    return " ".join(value.split()) if isinstance(value, str) else value


def _day(value: object) -> object:
    """Lets pydantic parse only days written like 2026-05-01: it would also take a bare number, as seconds since 1970."""
    if isinstance(value, str) and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value.strip()):
        raise ValueError(DAY_FORMAT_PROBLEM)
    return value


DAY_FORMAT_PROBLEM = "must be a day such as 2026-05-01"
_InOneLine = BeforeValidator(_in_one_line)
PublicationDay = Annotated[dt.date, BeforeValidator(_day)]
_DAY = TypeAdapter(PublicationDay)
ShortText = Annotated[str, StringConstraints(min_length=1, max_length=200), _InOneLine]
PublicationTitle = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TITLE_LENGTH), _InOneLine]
Slug = Annotated[str, StringConstraints(min_length=1, max_length=60)]  # checked against the slugs that there are
Tag = Annotated[str, StringConstraints(min_length=1, max_length=40), _InOneLine]
PriceBand = Literal["under-10", "10-30", "30-60", "over-60"]  # thousand pounds


class _FrontMatterModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


_MIN_SUMMARY_LENGTH = min(locale.min_summary for locale in LOCALES)  # of any language; a file is checked by its own
_ONE_EACH = "one per line"
_AS_IN_LISTS = "for lists and search engines: what a reader gets from it, in 50 to 160 characters"
_TITLE = Field(description=f"up to {MAX_TITLE_LENGTH} characters")


class Picture(_FrontMatterModel):
    file: Annotated[str, StringConstraints(pattern=_PICTURE_NAME, max_length=MAX_PICTURE_NAME_LENGTH)]
    alt: Annotated[
        str,
        StringConstraints(min_length=5, max_length=MAX_ALT_LENGTH),
        _InOneLine,
        Field(description="what it shows, for those who cannot see it"),
    ]
    lists_only: Annotated[bool, Field(description="for lists and shared links; the page itself leaves it out")] = False


class PictureWords(_FrontMatterModel):
    alt: Annotated[
        str,
        StringConstraints(min_length=2, max_length=MAX_ALT_LENGTH),
        _InOneLine,
        Field(description="what the picture shows, in this language"),
    ]


class ResultFigure(_FrontMatterModel):
    """A figure of a result, short enough for large letters, and the text below it, which says what it counts."""

    value: Annotated[str, StringConstraints(min_length=1, max_length=40), _InOneLine]
    text: ShortText


class ArticleFacts(_FrontMatterModel):
    """The front matter of an article in English."""

    title: Annotated[PublicationTitle, _TITLE]
    summary: Annotated[
        str,
        StringConstraints(min_length=ENGLISH.min_summary, max_length=MAX_SUMMARY_LENGTH),
        _InOneLine,
        Field(description=_AS_IN_LISTS),
    ]
    date: Annotated[PublicationDay, Field(description="lists show the newest first; a future date hides the text until then")]
    updated: Annotated[PublicationDay | None, Field(description="shown beside the date")] = None
    authors: Annotated[tuple[Slug, ...], Field(min_length=1, max_length=6)]
    services: Annotated[tuple[Slug, ...], Field(max_length=7, description="the text is listed under these")] = ()
    tags: Annotated[tuple[Tag, ...], Field(max_length=8, description=f"a few words, {_ONE_EACH}")] = ()
    questions: Annotated[tuple[str, ...], Field(max_length=8, description="questions of the FAQ whose answers lead here")] = ()
    picture: Annotated[Picture | None, Field(description="for lists and the head of the page, 480 pixels wide or more")] = None
    draft: bool = False
    sample: Annotated[bool, Field(description="an invented text, marked as one")] = False


class CaseFacts(ArticleFacts):
    """The front matter of a case study in English."""

    client: ShortText
    weeks: Annotated[int, Field(ge=1, le=520)] | None = None
    price: Annotated[PriceBand | None, Field(description="in thousands of pounds")] = None
    team: Annotated[tuple[ShortText, ...], Field(max_length=8, description=f"such as 2 engineers, {_ONE_EACH}")] = ()
    results: Annotated[
        tuple[ResultFigure, ...], Field(max_length=6, description="a figure, such as 9 in 10, and what it counts")
    ] = ()


class ArticleWords(_FrontMatterModel):
    """The front matter of a translation: words alone, since the facts are those of the English file."""

    title: Annotated[PublicationTitle, _TITLE]
    summary: Annotated[
        str,
        StringConstraints(min_length=_MIN_SUMMARY_LENGTH, max_length=MAX_SUMMARY_LENGTH),
        _InOneLine,
        Field(description=_AS_IN_LISTS),
    ]
    tags: Annotated[tuple[Tag, ...], Field(max_length=8, description=f"as many as in English, {_ONE_EACH}")] = ()
    picture: PictureWords | None = None


class CaseWords(ArticleWords):
    client: ShortText | None = None
    team: Annotated[tuple[ShortText, ...], Field(max_length=8, description=f"as many as in English, {_ONE_EACH}")] = ()
    results: Annotated[tuple[ResultFigure, ...], Field(max_length=6, description="as many as in English")] = ()


PUBLICATION_MODELS: Mapping[str, tuple[type[ArticleFacts], type[ArticleWords]]] = {  # of the English file and of a translation
    CASE: (CaseFacts, CaseWords),
    ARTICLE: (ArticleFacts, ArticleWords),
}


def slug_of_title(title: str) -> str:
    """Returns the title as the last part of an address: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain.replace("’", "").replace("'", "")).strip("-")
    return words[:_MAX_MADE_SLUG_LENGTH].rstrip("-")


class BrokenFrontMatter(Exception):
    """The file has no valid front matter; `line` is the line of the file to look at."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line
        self.problem = problem


@dataclass(frozen=True)
class FrontMatter:
    """A parsed file: `lines` has the line number of each field, `first_line` that of the first line of the Markdown."""

    fields: Mapping[str, Any]
    lines: Mapping[str, int]
    markdown: str
    first_line: int


def parse(content: str) -> FrontMatter:
    """Returns the fields as texts, lists and mappings of texts, unchecked, and the Markdown. Raises BrokenFrontMatter."""
    if unfit := _UNFIT_FOR_XML.search(content):
        line = content.count("\n", 0, unfit.start()) + 1
        raise BrokenFrontMatter(line, _unfit_for_xml(unfit[0]))
    parts = _FRONT_MATTER.match(content)
    if not parts:
        raise BrokenFrontMatter(1, f"it must begin with its front matter between two lines {_FENCE}")
    if odd := _ODD_SIGN.search(parts["front"]):
        line = parts["front"].count("\n", 0, odd.start()) + 2
        raise BrokenFrontMatter(line, "a space or a colon in this line is not a plain one: type it again")
    try:
        node, fields = _loaded(parts["front"], _FastLoader)
    except yaml.YAMLError:
        node = None
        fields = None
    try:
        if node is None:  # the loader in Python words its problems more plainly
            node, fields = _loaded(parts["front"], _Loader)
    except yaml.YAMLError as error:
        line, reason = _reason(error)
        raise BrokenFrontMatter(line, f"the front matter is not valid YAML: {reason}") from None
    if not isinstance(fields, dict) or not isinstance(node, yaml.MappingNode):
        raise BrokenFrontMatter(2, "the front matter must be lines of “field: value”")
    if line := _line_with_lost_words(parts["front"], node):
        raise BrokenFrontMatter(line, "the words from # on would be left out: quote the whole text")
    lines = {str(key.value): key.start_mark.line + 2 for key, _ in node.value}
    return FrontMatter(fields, lines, content[parts.end() :], parts[0].count("\n") + 1)


def parse_leniently(content: str) -> FrontMatter:
    """Parses like `parse`, but removes control characters and takes a file without valid front matter as Markdown only."""
    content = without_control_characters(content)
    try:
        return parse(content)
    except BrokenFrontMatter:
        return FrontMatter({}, {}, content, first_line=1)


def without_control_characters(text: str) -> str:
    """Returns the text without the characters that feeds cannot contain. A page break becomes a line break."""
    return _UNFIT_FOR_XML.sub("", text.translate(_TO_LINE_BREAK))


def has_draft_mark(fields: Mapping[str, Any]) -> bool:
    """Returns True if the unchecked fields mark the text as a draft, in any of the words that the models take for true."""
    return str(fields.get("draft", "")).strip().lower() in _TRUE


def parse_day(text: str) -> dt.date | None:
    """Returns the day of an unchecked date, or None if the models refuse it."""
    try:
        return _DAY.validate_python(text)
    except ValidationError:
        return None


def file_text(fields: Mapping[str, Any], markdown: str) -> str:
    """Returns the text of a file with these fields and this Markdown; the inverse of `parse`."""
    front = yaml.dump(
        _FieldPerLine(fields), Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=None, width=float("inf")
    )
    return f"{_FENCE}\n{front}{_FENCE}\n{markdown}"


def _unfit_for_xml(character: str) -> str:
    return f"the character U+{ord(character):04X} is not allowed: feeds cannot contain it"


def _line_with_lost_words(front: str, root: yaml.Node) -> int:
    """Returns the line of the file in which a text ends at a # that begins a word, such as “the #1 team”; or 0."""
    nodes = [root] if " #" in front else []
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.ScalarNode):
            if not node.style and _LOST_WORDS.match(front, node.end_mark.index):
                return node.end_mark.line + 2
        else:
            nodes += chain.from_iterable(node.value) if isinstance(node, yaml.MappingNode) else node.value
    return 0


def _loaded(front: str, loader: Any) -> tuple[yaml.Node | None, Any]:
    return yaml.compose(front, Loader=loader), yaml.load(front, Loader=loader)  # noqa: S506 (makes texts, lists and mappings only)


class _Loader(yaml.BaseLoader):
    """Reads every value as text, so that a title may be 2026 or “yes”; refuses a field that is listed twice, and tags."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if node.tag not in _PLAIN_TAGS:
            raise yaml.constructor.ConstructorError(None, None, "quote a text that begins with !", node.start_mark)
        # A quoted text may hold such a character as an escape: "\0".
        if isinstance(node, yaml.ScalarNode) and (unfit := _UNFIT_FOR_XML.search(node.value)):
            raise yaml.constructor.ConstructorError(None, None, _unfit_for_xml(unfit[0]), node.start_mark)
        return yaml.BaseLoader.construct_object(self, node, deep)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        names = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in names:
                problem = (
                    f"{key.value} is listed twice" if isinstance(key, yaml.ScalarNode) else "a field’s name must be a word"
                )
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            names.add(key.value)
        return yaml.BaseLoader.construct_mapping(self, node, deep)


class _FastLoader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # pyright: ignore
    """The same rules on libyaml, ten times as fast, where PyYAML was built with it."""

    construct_object = _Loader.construct_object
    construct_mapping = _Loader.construct_mapping


class _FieldPerLine(dict[str, Any]):
    """A mapping that is written with a line for each field, however short the fields are."""


class _Dumper(yaml.SafeDumper):
    """Writes texts without quotation marks where the loader above needs none: it reads dates and “yes” as texts, too."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (as the base class has it)

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(
    _FieldPerLine, lambda dumper, fields: dumper.represent_mapping("tag:yaml.org,2002:map", fields, flow_style=False)
)


_OF_UNQUOTED_TEXTS = (  # parts of the reasons that a text without quotation marks causes, or one with more after them
    "mapping values",
    "cannot start any token",
    "alphabetic or numeric",
    "found '<scalar>'",
    "got '<scalar>'",
    "not allowed here",
    "undefined alias",
    "expected a comment or a line break",
)


def _reason(error: yaml.YAMLError) -> tuple[int, str]:
    """Returns the line of the file with the mistake in its YAML, and the reason in one line."""
    mark = getattr(error, "problem_mark", None)
    reason = str(getattr(error, "problem", None) or error).splitlines()[0]
    if "<stream end>" in reason:  # something was opened and not closed: its beginning is the line to look at
        mark = getattr(error, "context_mark", None) or mark
        reason = "a bracket or a quotation mark that opens here is not closed"
    hint = ""
    if any(words in reason for words in _OF_UNQUOTED_TEXTS):
        tab = "'\\t'" in reason
        hint = "; indent with spaces, not tabs" if tab else "; quote a text that has a colon or begins with a sign"
    return (mark.line + 2 if mark else 1), reason + hint
