"""Reads case studies and articles: one file of Markdown per language, with front matter that a pydantic model checks."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from site_app.content.people import people
from site_app.content.publications.measurements import measured_on, names_figures, unknown_figure
from site_app.contracts.publication import (
    ARTICLE,
    CASE,
    DAY_FORMAT_PROBLEM,
    FOLDERS,
    MAX_SLUG_LENGTH,
    MAX_SUMMARY_LENGTH,
    PATHS,
    PICTURE_ENDINGS,
    RESERVED_SLUGS,
    ArticleFacts,
    ArticleWords,
    BrokenFrontMatter,
    CaseFacts,
    CaseWords,
    FrontMatter,
    ResultFigure,
    is_slug,
    parse,
)
from site_app.core import ROOT
from site_app.core.i18n import current, note_english
from site_app.core.i18n.markdown import BrokenText
from site_app.core.locales import ENGLISH, LOCALES, Locale
from site_app.core.service_table import SERVICE_TABLE
from site_app.core.settings import Settings, settings

_OTHER_ENDINGS = frozenset((".markdown", ".mdown", ".mdx", ".txt"))  # refused, because such a file would be ignored silently
_WHOLE_NUMBER = "must be a whole number, such as 6"
_REASONS = {  # by the type of pydantic's error
    "missing": "it is missing",
    "string_type": "must be text; quote it if it begins with { or [",
    "string_pattern_mismatch": "may have letters, digits, dots, hyphens and underscores, and no spaces",
    "tuple_type": "must be a list in square brackets: [first, second]",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "int_parsing": _WHOLE_NUMBER,
    "int_parsing_size": _WHOLE_NUMBER,
    "int_type": _WHOLE_NUMBER,
    "date_type": DAY_FORMAT_PROBLEM,
    "date_from_datetime_parsing": DAY_FORMAT_PROBLEM,
    "model_type": "must have its fields in braces, such as {file: board.png, alt: What it shows}",
}
_REASONS_WITH_VALUES = {  # by the type, with values of pydantic's error
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length}, and has {actual_length}",
    "too_long": "must have at most {max_length}, and has {actual_length}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
}
_TRANSLATED = [locale.id for locale in LOCALES if locale is not ENGLISH]


class PublicationMistake(BrokenText):
    """A mistake for which a file cannot become a page. The message names file, line and field; the office reads them as attributes.

    `sentence` is the message without them; `mistakes` are all mistakes of the file, of which this is the first.
    """

    def __init__(self, message: str, *, file: Path | None = None, line: int = 1, field: str = "", sentence: str = "") -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.field = field
        self.sentence = sentence or message
        self.mistakes: tuple[PublicationMistake, ...] = (self,)


@dataclass(frozen=True)
class PublicationKind:
    """A kind of publication: where its files and its pages are, and what their front matter says."""

    name: str
    subfolder: Path
    path: str
    facts: type[ArticleFacts]
    words: type[ArticleWords]

    @property
    def folder(self) -> Path:
        """The folder of its files, in SITE_CONTENT."""
        return settings().content_folder / self.subfolder


ARTICLES = PublicationKind(ARTICLE, Path(FOLDERS[ARTICLE]), PATHS[ARTICLE], ArticleFacts, ArticleWords)
CASES = PublicationKind(CASE, Path(FOLDERS[CASE]), PATHS[CASE], CaseFacts, CaseWords)
PUBLICATION_KINDS = (CASES, ARTICLES)


@dataclass(frozen=True)
class Text:
    """A publication in one language; `first_line` is the line of the file in which the Markdown begins."""

    locale: Locale
    file: Path
    title: str
    summary: str
    tags: tuple[str, ...]
    alt: str  # of its picture; empty if it has none
    markdown: str
    first_line: int
    client: str = ""
    team: tuple[str, ...] = ()
    results: tuple[ResultFigure, ...] = ()


@dataclass(frozen=True)
class Publication:
    """A case study or an article in all its languages."""

    kind: PublicationKind
    slug: str
    facts: ArticleFacts
    texts: Mapping[str, Text]  # by the id of the language

    @property
    def path(self) -> str:
        return f"{self.kind.path}/{self.slug}"

    @property
    def case(self) -> CaseFacts | None:
        """The facts that only a case study has."""
        return self.facts if isinstance(self.facts, CaseFacts) else None

    @property
    def updated(self) -> date | None:
        """The day of the last change after publication; a new measurement changes a text that quotes measured figures."""
        facts = self.facts
        quotes_figures = names_figures(self.texts[ENGLISH.id].markdown)
        days = [day for day in (facts.updated, measured_on() if quotes_figures else None) if day and day >= facts.date]
        return max(days, default=None)

    @property
    def changed(self) -> date:
        return self.updated or self.facts.date

    @property
    def picture(self) -> Path | None:
        return self.kind.folder / self.facts.picture.file if self.facts.picture else None

    def is_in(self, locale: Locale) -> bool:
        return locale.id in self.texts

    def words(self) -> Text:
        """Returns the text in the current language, or in English where it is not translated."""
        text = self.texts.get(current().id)
        if text is None:
            text = self.texts[ENGLISH.id]
            note_english(text.title, text.summary, text.alt, text.client, *(figure.text for figure in text.results))
        return text


def publications(kind: PublicationKind) -> tuple[Publication, ...]:
    """Returns the published texts of a kind, the newest first; in development drafts and texts of a later day as well.

    A text becomes public when its day begins in the agency's time zone.
    """
    return _read(kind) if _shows_drafts() else _public_on(settings().local_day(datetime.now(UTC)), kind)


@cache
def _public_on(day: date, kind: PublicationKind) -> tuple[Publication, ...]:
    return tuple(text for text in _read(kind) if not text.facts.draft and text.facts.date <= day)


def all_publications() -> tuple[Publication, ...]:
    return tuple(publication for kind in PUBLICATION_KINDS for publication in publications(kind))


def _shows_drafts() -> bool:
    return os.environ.get("REFLEX_ENV_MODE") == "dev"  # which Reflex sets for `reflex run` and `make dev`


@cache
def _read(kind: PublicationKind) -> tuple[Publication, ...]:
    """Reads every file of a kind, once per process: a build starts one, and development starts another when a file changes."""
    files = [file for file in kind.folder.glob("*") if not file.name.startswith(".")]
    for file in files:
        ending = file.suffix.lower()
        if ending in _OTHER_ENDINGS or (ending == ".md" and file.suffix != ending):
            raise PublicationMistake(f"{path_in_project(file)}: the name of a text ends in .md, in small letters.")
    names = sorted(file.name.removesuffix(".md") for file in files if file.suffix == ".md")
    slugs = [name for name in names if "." not in name]
    for name in names:
        slug, _, language = name.partition(".")
        file = kind.folder / f"{name}.md"
        if language and (language not in _TRANSLATED or slug not in slugs):
            endings = " or ".join(f".{translated}.md" for translated in _TRANSLATED)
            raise PublicationMistake(
                f"{path_in_project(file)}: a translation is called like its English file and ends in {endings}."
            )
    texts = [read_publication(kind, slug) for slug in slugs]
    return tuple(sorted(texts, key=lambda text: (text.facts.date, text.slug), reverse=True))


def read_publication(kind: PublicationKind, slug: str) -> Publication:
    """Reads the files of a case study or an article; raises PublicationMistake with the first mistake."""
    file = kind.folder / f"{slug}.md"
    if not is_slug(slug):
        raise PublicationMistake(
            f"{path_in_project(file)}: call it by at most {MAX_SLUG_LENGTH} small letters, digits and hyphens, "
            f"and not {' or '.join(sorted(RESERVED_SLUGS))}."
        )
    page = _parsed(file, kind.facts)
    facts = page.front
    assert isinstance(facts, ArticleFacts)
    _check_names(page, facts)
    english = page.text(ENGLISH)
    texts = {ENGLISH.id: english}
    for locale in LOCALES:
        translation = kind.folder / f"{slug}.{locale.id}.md"
        if locale is not ENGLISH and translation.exists():
            texts[locale.id] = _translation(_parsed(translation, kind.words), locale, english)
    return Publication(kind, slug, facts, texts)


def text_of(locale: Locale, file: Path, front: ArticleFacts | ArticleWords, *, markdown: str, first_line: int) -> Text:
    """Returns the text that a file's checked front matter and its Markdown make."""
    return Text(
        locale=locale,
        file=file,
        title=front.title,
        summary=front.summary,
        tags=front.tags,
        alt=front.picture.alt if front.picture else "",
        markdown=markdown,
        first_line=first_line,
        client=getattr(front, "client", None) or "",
        team=getattr(front, "team", ()),
        results=getattr(front, "results", ()),
    )


def with_english(translation: Text, english: Text) -> Text:
    """Returns the translation with what it leaves out, such as the client's name, taken from the English text."""
    left_out = {
        name: getattr(english, name) for name in ("tags", "client", "team", "results") if not getattr(translation, name)
    }
    return replace(translation, **left_out)


def _translation(page: "_ParsedFile", locale: Locale, english: Text) -> Text:
    """Returns the text of a translation, checked against the English one."""
    words = page.front
    assert isinstance(words, ArticleWords)
    if english.alt and not words.picture:
        raise page.mistake("picture", "the picture needs its alt text in this language: picture: {alt: …}")
    if words.picture and not english.alt:
        raise page.mistake("picture", "the English file has no picture")
    for name in ("tags", "team", "results"):
        expected = len(getattr(english, name))
        count = len(getattr(words, name, ()))
        if count not in (0, expected):
            raise page.mistake(name, f"there are {count} here and {expected} in the English file")
    _check_repeated(page, "tags", words.tags)
    if len(words.summary) < locale.min_summary:
        raise page.mistake(
            "summary", f"has {len(words.summary)} characters and must have {locale.min_summary} to {MAX_SUMMARY_LENGTH}"
        )
    if isinstance(words, CaseWords):
        _check_figures(page, words.results)
    return with_english(page.text(locale), english)


def _check_names(page: "_ParsedFile", facts: ArticleFacts) -> None:
    """Refuses people, services and pictures that do not exist, names listed twice, and impossible days."""
    authors = {person.slug for person in people()}
    services = {service.api_slug for service in SERVICE_TABLE}
    for field, names, existing in (("authors", facts.authors, authors), ("services", facts.services, services)):
        for name in names:
            if name not in existing:
                raise page.mistake(field, f"{name!r} is unknown; use one of {', '.join(sorted(existing))}")
    for field, names in (("authors", facts.authors), ("services", facts.services), ("tags", facts.tags)):
        _check_repeated(page, field, names)
    if isinstance(facts, CaseFacts):
        _check_figures(page, facts.results)
    if facts.picture and Path(facts.picture.file).suffix.lower() not in PICTURE_ENDINGS:
        raise page.mistake("picture", f"the name of a picture ends in {', '.join(sorted(PICTURE_ENDINGS))}")
    if facts.picture and not (page.file.parent / facts.picture.file).is_file():
        raise page.mistake("picture", f"there is no {facts.picture.file} beside it")
    if facts.updated and facts.updated < facts.date:
        raise page.mistake("updated", "it is before the date")
    # A text of a later day is measured by that day, so that it does not become a mistake when its day begins.
    if facts.updated and facts.updated > max(facts.date, settings().local_day(datetime.now(UTC))):
        raise page.mistake("updated", "it is after today and after the date")


def _check_repeated(page: "_ParsedFile", field: str, names: tuple[str, ...]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise page.mistake(field, f"{name!r} is listed twice")


def _check_figures(page: "_ParsedFile", results: tuple[ResultFigure, ...]) -> None:
    for result in results:
        if name := unknown_figure(f"{result.value} {result.text}"):
            raise page.mistake("results", f"there is no figure called {{{name}}}")


@dataclass(frozen=True)
class _ParsedFile:
    """A parsed file; `lines` has the line of each field of the front matter."""

    file: Path
    front: BaseModel
    lines: Mapping[str, int]
    markdown: str
    first_line: int

    def text(self, locale: Locale) -> Text:
        assert isinstance(self.front, ArticleFacts | ArticleWords)
        return text_of(locale, self.file, self.front, markdown=self.markdown, first_line=self.first_line)

    def mistake(self, field: str, reason: str) -> PublicationMistake:
        return mistake_in(self.file, self.lines.get(field, 1), reason, field)


def mistake_in_field(publication: Publication, field: str, reason: str) -> PublicationMistake:
    """Returns a mistake of a field, found after its file was read; looks up the line in which the field begins."""
    file = publication.texts[ENGLISH.id].file
    lines = enumerate(file.read_text(encoding="utf-8-sig").splitlines(), start=1)
    line = next((number for number, line in lines if line.startswith(f"{field}:")), 1)
    return mistake_in(file, line, reason, field)


def field_mistakes(kind: PublicationKind, slug: str) -> list[PublicationMistake]:
    """Returns the mistakes in the front matter of all languages: all that pydantic finds, or else the first of the other checks."""
    mistakes = []
    for locale in LOCALES:
        file = kind.folder / (f"{slug}.md" if locale is ENGLISH else f"{slug}.{locale.id}.md")
        if file.exists():
            try:
                parts = _front_matter(file)
            except PublicationMistake as mistake:
                mistakes.append(mistake)
            else:
                mistakes += _mistakes(file, parts, kind.facts if locale is ENGLISH else kind.words)
    if not mistakes:
        try:
            read_publication(kind, slug)
        except PublicationMistake as mistake:
            mistakes.append(mistake)
    return mistakes


def _parsed(file: Path, model: type[BaseModel]) -> _ParsedFile:
    parts = _front_matter(file)
    for mistake in _mistakes(file, parts, model):
        raise mistake
    return _ParsedFile(file, model.model_validate(parts.fields), parts.lines, parts.markdown, parts.first_line)


def _front_matter(file: Path) -> FrontMatter:
    try:
        content = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise mistake_in(file, 1, "it is not written in UTF-8: save it as UTF-8") from None
    try:
        return parse(content)
    except BrokenFrontMatter as error:
        raise mistake_in(file, error.line, error.problem) from None


def _mistakes(file: Path, parts: FrontMatter, model: type[BaseModel]) -> Iterator[PublicationMistake]:
    try:
        model.model_validate(parts.fields)
    except ValidationError as invalid:
        for error in invalid.errors():
            field = str(error["loc"][0])
            place = ".".join(str(part) for part in error["loc"])
            yield mistake_in(file, parts.lines.get(field, 1), _reason(error, model), place)
    if not parts.markdown.strip():
        yield mistake_in(file, parts.first_line, "the text below the front matter is missing")


def _reason(error: Any, model: type[BaseModel]) -> str:
    """Returns pydantic's error as a reason that authors understand."""
    kind = str(error["type"])
    if kind == "extra_forbidden":
        if len(error["loc"]) > 1:
            return "unknown field; quote a text that has a comma or a colon"
        fields = ", ".join(model.model_fields)
        of_english = " (the facts are in the English file)" if issubclass(model, ArticleWords) else ""
        return f"unknown field{of_english}; the fields are {fields}"
    if kind in _REASONS_WITH_VALUES:
        return _REASONS_WITH_VALUES[kind].format(**error["ctx"])
    if kind == "value_error":
        return str(error["ctx"]["error"])
    message = str(error["msg"])
    return _REASONS.get(kind) or message[0].lower() + message[1:]


def mistake_in(file: Path, line: int, reason: str, field: str = "") -> PublicationMistake:
    """Returns a mistake in a line of a file; `reason` has neither a capital letter nor a full stop."""
    place = f"{field}: " if field else ""
    message = f"{path_in_project(file)}, line {line}: {place}{reason}."
    return PublicationMistake(message, file=file, line=line, field=field, sentence=f"{reason[:1].upper()}{reason[1:]}.")


def raise_mistakes(mistakes: Iterable[PublicationMistake]) -> None:
    """Raises the first of the mistakes with the sentences of all, a line for each; returns if there is none."""
    ordered = sorted(mistakes, key=lambda mistake: mistake.line)
    if ordered:
        first = ordered[0]
        message = "\n".join(map(str, ordered))
        mistake = PublicationMistake(message, file=first.file, line=first.line, field=first.field, sentence=first.sentence)
        mistake.mistakes = tuple(ordered)
        raise mistake


def path_in_project(file: Path) -> str:
    """Returns the path for messages: relative to SITE_CONTENT if that is not the default folder, else to the checkout."""
    content = settings().content_folder
    is_elsewhere = settings().content != Settings.content
    if is_elsewhere and file.is_relative_to(content):
        return str(file.relative_to(content))
    return str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else str(file)
