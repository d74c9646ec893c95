"""The front matter of case studies and articles: the facts of one in English, and the words that a translation brings."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

TITLE_LENGTH, SUMMARY_LENGTH, ALT_LENGTH = 70, 160, 200  # characters at most
SHORTEST_SUMMARY, SHORTEST_CHINESE_SUMMARY = 50, 25  # a Chinese character says about twice as much

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\n]*$")]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TITLE_LENGTH)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
PriceBand = Literal["under-10", "10-30", "30-60", "over-60"]  # thousand pounds


class _FrontMatter(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Picture(_FrontMatter):
    file: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]
    alt: Annotated[str, StringConstraints(strip_whitespace=True, min_length=5, max_length=ALT_LENGTH)]


class PictureWords(_FrontMatter):
    alt: Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=ALT_LENGTH)]


class ResultFigure(_FrontMatter):
    """A figure of a result: short enough to be set large, and what it counts."""

    value: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
    text: Line


class ArticleFacts(_FrontMatter):
    """The front matter of an article in English."""

    title: Title
    summary: Annotated[str, StringConstraints(min_length=SHORTEST_SUMMARY, max_length=SUMMARY_LENGTH)]
    date: dt.date
    updated: dt.date | None = None
    authors: Annotated[tuple[Slug, ...], Field(min_length=1, max_length=6)]
    services: Annotated[tuple[Slug, ...], Field(max_length=7)] = ()
    tags: Annotated[tuple[Tag, ...], Field(max_length=8)] = ()
    questions: Annotated[tuple[str, ...], Field(max_length=8)] = ()  # of the FAQ, whose answers lead here
    picture: Picture | None = None
    draft: bool = False
    sample: bool = False


class CaseFacts(ArticleFacts):
    """The front matter of a case study in English."""

    client: Line
    weeks: Annotated[int, Field(ge=1, le=520)] | None = None
    price: PriceBand | None = None
    team: Annotated[tuple[Line, ...], Field(max_length=8)] = ()
    results: Annotated[tuple[ResultFigure, ...], Field(max_length=6)] = ()


class ArticleWords(_FrontMatter):
    """The front matter of a translation: words alone, since the facts are those of the English file."""

    title: Title
    summary: Annotated[str, StringConstraints(min_length=SHORTEST_CHINESE_SUMMARY, max_length=SUMMARY_LENGTH)]
    tags: Annotated[tuple[Tag, ...], Field(max_length=8)] = ()
    picture: PictureWords | None = None


class CaseWords(ArticleWords):
    client: Line | None = None
    team: Annotated[tuple[Line, ...], Field(max_length=8)] = ()
    results: Annotated[tuple[ResultFigure, ...], Field(max_length=6)] = ()
