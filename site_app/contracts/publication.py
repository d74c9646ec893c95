"""The front matter of case studies and articles: the facts of one in English, and the words that a translation brings.

The office's form follows from these models: a field's description stands beside it.
"""

import datetime as dt
import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from site_app.core.published_pages import PUBLICATION_FOLDERS

TITLE_LENGTH = 70  # characters at most, as the next two
SUMMARY_LENGTH = 160
ALT_LENGTH = 200
SHORTEST_SUMMARY = 50
SHORTEST_CHINESE_SUMMARY = 25  # a Chinese character says about twice as much
# The kinds of publications.
ARTICLE = "article"
CASE = "case"
FOLDERS: dict[str, str] = dict(zip((CASE, ARTICLE), PUBLICATION_FOLDERS, strict=True))  # of each kind, below SITE_CONTENT
PATHS: dict[str, str] = {
    CASE: "/case-studies",
    ARTICLE: "/articles",
}  # of each kind's list on the site; its pages stand below it
LONGEST_SLUG = 80
RESERVED_SLUGS = frozenset(("page", "services", "years"))  # parts of the addresses of lists
PICTURE_ENDINGS = frozenset((".png", ".jpg", ".jpeg", ".webp", ".avif"))
LONGEST_PICTURE_NAME = 100
_PICTURE_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
_LONGEST_MADE_SLUG = 60


def is_slug(text: str) -> bool:
    """Returns True for the last part of a publication's address, by which its files are called."""
    is_plain = re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", text) is not None
    return is_plain and len(text) <= LONGEST_SLUG and text not in RESERVED_SLUGS


def is_picture_name(name: str) -> bool:
    """Returns True for the name of a file that may stand beside a text as its picture."""
    ending = f".{name.rpartition('.')[2].lower()}"
    return len(name) <= LONGEST_PICTURE_NAME and re.fullmatch(_PICTURE_NAME, name) is not None and ending in PICTURE_ENDINGS


def _in_one_line(value: object) -> object:
    return " ".join(value.split()) if isinstance(value, str) else value


def _day(value: object) -> object:
    """Let pydantic read days written like 2026-05-01 only: it would also take a bare number, as seconds since 1970."""
    if isinstance(value, str) and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value.strip()):
        raise ValueError(NO_DAY)
    return value


NO_DAY = "a day such as 2026-05-01 is wanted"
_InOneLine = BeforeValidator(_in_one_line)
Day = Annotated[dt.date, BeforeValidator(_day)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=200), _InOneLine]
Title = Annotated[str, StringConstraints(min_length=1, max_length=TITLE_LENGTH), _InOneLine]
Slug = Annotated[str, StringConstraints(min_length=1, max_length=60)]  # checked against the slugs that there are
Tag = Annotated[str, StringConstraints(min_length=1, max_length=40), _InOneLine]
PriceBand = Literal["under-10", "10-30", "30-60", "over-60"]  # thousand pounds


class _FrontMatter(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


_ONE_EACH = "one to a line"
_AS_IN_LISTS = "for lists and search engines: what a reader gets from it, in 50 to 160 characters"
_TITLE = Field(description=f"up to {TITLE_LENGTH} characters")


class Picture(_FrontMatter):
    file: Annotated[str, StringConstraints(pattern=_PICTURE_NAME, max_length=LONGEST_PICTURE_NAME)]
    alt: Annotated[
        str,
        StringConstraints(min_length=5, max_length=ALT_LENGTH),
        _InOneLine,
        Field(description="what it shows, for those who do not see it"),
    ]


class PictureWords(_FrontMatter):
    alt: Annotated[
        str,
        StringConstraints(min_length=2, max_length=ALT_LENGTH),
        _InOneLine,
        Field(description="what the picture shows, in this language"),
    ]


class ResultFigure(_FrontMatter):
    """A figure of a result: short enough to be set large, and what it counts."""

    value: Annotated[str, StringConstraints(min_length=1, max_length=40), _InOneLine]
    text: Line


class ArticleFacts(_FrontMatter):
    """The front matter of an article in English."""

    title: Annotated[Title, _TITLE]
    summary: Annotated[
        str,
        StringConstraints(min_length=SHORTEST_SUMMARY, max_length=SUMMARY_LENGTH),
        _InOneLine,
        Field(description=_AS_IN_LISTS),
    ]
    date: Annotated[Day, Field(description="the newest text stands first; a day to come keeps it from the site until then")]
    updated: Annotated[Day | None, Field(description="shown beside the date")] = None
    authors: Annotated[tuple[Slug, ...], Field(min_length=1, max_length=6)]
    services: Annotated[tuple[Slug, ...], Field(max_length=7, description="it is listed with them")] = ()
    tags: Annotated[tuple[Tag, ...], Field(max_length=8, description=f"a few words, {_ONE_EACH}")] = ()
    questions: Annotated[tuple[str, ...], Field(max_length=8, description="questions of the FAQ whose answers lead here")] = ()
    picture: Annotated[Picture | None, Field(description="for lists and the head of the page, 480 pixels wide or more")] = None
    draft: bool = False
    sample: Annotated[bool, Field(description="an invented text, marked as one")] = False


class CaseFacts(ArticleFacts):
    """The front matter of a case study in English."""

    client: Line
    weeks: Annotated[int, Field(ge=1, le=520)] | None = None
    price: Annotated[PriceBand | None, Field(description="thousand pounds")] = None
    team: Annotated[tuple[Line, ...], Field(max_length=8, description=f"such as 2 engineers, {_ONE_EACH}")] = ()
    results: Annotated[
        tuple[ResultFigure, ...], Field(max_length=6, description="a figure, such as 9 in 10, and what it counts")
    ] = ()


class ArticleWords(_FrontMatter):
    """The front matter of a translation: words alone, since the facts are those of the English file."""

    title: Annotated[Title, _TITLE]
    summary: Annotated[
        str,
        StringConstraints(min_length=SHORTEST_CHINESE_SUMMARY, max_length=SUMMARY_LENGTH),
        _InOneLine,
        Field(description=_AS_IN_LISTS),
    ]
    tags: Annotated[tuple[Tag, ...], Field(max_length=8, description=f"as many as in English, {_ONE_EACH}")] = ()
    picture: PictureWords | None = None


class CaseWords(ArticleWords):
    client: Line | None = None
    team: Annotated[tuple[Line, ...], Field(max_length=8, description=f"as many as in English, {_ONE_EACH}")] = ()
    results: Annotated[tuple[ResultFigure, ...], Field(max_length=6, description="as many as in English")] = ()


PUBLICATION_MODELS: Mapping[str, tuple[type[ArticleFacts], type[ArticleWords]]] = {  # of the English file and of a translation
    CASE: (CaseFacts, CaseWords),
    ARTICLE: (ArticleFacts, ArticleWords),
}


def slug_of(title: str) -> str:
    """Returns the title as the last part of an address: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain.replace("’", "").replace("'", "")).strip("-")
    return words[:_LONGEST_MADE_SLUG].rstrip("-")
