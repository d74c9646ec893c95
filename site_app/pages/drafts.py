"""Drafts of the office as the site sees them: checked as the build checks files, and drawn as pages.

A draft is written into a temporary folder, so that the build's own code reads it. Its page takes head, bar and footer from the built list
of its kind, so that they look as visitors see them.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError

from components.art.pictures import BrokenPicture, SizedPicture, measured_by
from site_app.content.faq import faq_categories
from site_app.content.people import people
from site_app.content.publications import PUBLICATION_KINDS, Publication, PublicationKind, PublicationMistake, Text
from site_app.content.publications.files import field_mistakes, read_publication, text_of, with_english
from site_app.content.publications.prose import Prose, check_text, render
from site_app.contracts.drafts import Choice, DraftFiles, Mistake, PageTexts, PreviewOptions
from site_app.contracts.publication import ArticleFacts, ArticleWords, BrokenFrontMatter, FrontMatter, is_picture_name, parse
from site_app.core.i18n import use
from site_app.core.locales import BY_ID, ENGLISH, Locale
from site_app.core.published_pages import BUILT, CLIENT
from site_app.core.service_table import SERVICE_TABLE
from site_app.pages.publications import link_mistakes, name_mistakes, own_parts
from site_app.pages.static_html import html_of
from site_app.pages.translation_coverage import texts_of_pages

_KINDS = {kind.name: kind for kind in PUBLICATION_KINDS}
_NOT_IN_PREVIEW = re.compile(
    r"<script\b.*?</script>|<noscript\b.*?</noscript>|<link\b[^>]*rel=\"(?:canonical|alternate)\"[^>]*>|\bautofocus(?:=\"\")?",
    re.DOTALL | re.IGNORECASE,
)
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_STYLESHEET = re.compile(r'<meta name="stylesheet" content="([^"]*)"/>')
_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_MAIN = re.compile(r"(<main\b[^>]*>)(.*)(</main>)", re.DOTALL)
_HTML = re.compile(r"<html\b([^>]*)>")
_PLACEHOLDERS = {"title": "…", "summary": "…" * 50, "date": "2000-01-01", "authors": ["…"], "client": "…"}
_SHOWN_AS_TYPED = ("title", "summary", "client")  # however long


def built_file(path: str) -> bytes | None:
    """Returns a built page or file by its path on the site, or None."""
    file = BUILT / CLIENT / path.strip("/")
    try:
        return (file / "index.html" if file.is_dir() else file).read_bytes()
    except OSError:
        return None


class DraftPages:
    """Checks and draws drafts for the office; see contracts/drafts.py. `read` returns the files that visitors get."""

    def __init__(self, read: Callable[[str], bytes | None] = built_file) -> None:
        self._read = read

    def choices(self) -> Mapping[str, Sequence[Choice]]:
        with use(ENGLISH):
            return {
                "authors": [(person.slug, person.name) for person in people()],
                "services": [(service.api_slug, service.name()) for service in SERVICE_TABLE],
                "questions": [(entry.slug, entry.question) for category in faq_categories() for entry in category.questions],
            }

    def pages(self, language: str) -> Sequence[PageTexts]:
        return texts_of_pages(language)

    def mistakes(self, draft: DraftFiles, published: Collection[str]) -> Sequence[Mistake]:
        with _written_files(draft) as kind:
            mistakes = [*field_mistakes(kind, draft.slug)]
            publication = None if mistakes else read_publication(kind, draft.slug)
            for locale in map(BY_ID.__getitem__, draft.texts):
                text = publication.texts[locale.id] if publication else _markdown_alone(kind, draft, locale)
                with use(locale):
                    if text:
                        check = check_text(text)
                        mistakes += [*check.mistakes, *link_mistakes(text.file, check.links, further=published)]
                    if publication and locale is ENGLISH:
                        mistakes += [*name_mistakes(publication), *_picture_mistakes(publication)]
        return [_mistake(mistake) for mistake in sorted(mistakes, key=lambda mistake: mistake.line)]

    def preview(self, draft: DraftFiles, options: PreviewOptions) -> str:
        locale = BY_ID[options.language]
        with _written_files(draft, options) as kind, use(locale):
            publication = _publication_without_mistakes(kind, draft, locale)
            text = publication.words()
            try:
                rendered = render(text)
            except PublicationMistake as mistake:
                sentences = "<br>".join(escape(_sentence(part)) for part in mistake.mistakes)
                rendered = Prose(f'<p class="notice notice-warning" data-broken>{sentences}</p>', (), (), 1)
            try:
                parts = html_of(*own_parts(publication, rendered))
            except PublicationMistake:  # of its picture
                parts = html_of(*own_parts(replace(publication, facts=_without_picture(publication.facts)), rendered))
            return self._framed(kind, locale, text.title, parts, is_dark=options.is_dark)

    def _framed(self, kind: PublicationKind, locale: Locale, title: str, parts: str, *, is_dark: bool) -> str:
        """Puts the parts into the page of the kind's list, in place of the list; removes scripts and hides the page from search engines."""
        page = self._read(locale.prefix + kind.path)
        frame = _NOT_IN_PREVIEW.sub("", page.decode()) if page else _FRAME_WITHOUT_BUILD
        main = _MAIN.search(frame)
        assert main is not None
        notice, begin, sections = main[2].partition("<section")
        invitation = f"<section{sections.rpartition('<section')[2]}" if begin else ""
        content = f"{main[1]}{notice}<article>{parts}{invitation}</article>{main[3]}"
        frame = f"{frame[: main.start()]}{content}{frame[main.end() :]}"
        if stylesheet := _STYLESHEET.search(frame):
            style = self._read(stylesheet[1]) or b""
            frame = _STYLE.sub(lambda _: f"<style>{style.decode()}</style>", frame, count=1)
        head = f'<title>{escape(title)}</title><meta name="robots" content="noindex"/>'
        frame = _TITLE.sub(lambda _: head, frame, count=1)
        return _HTML.sub(r'<html\1 class="dark">', frame, count=1) if is_dark else frame


_FRAME_WITHOUT_BUILD = (
    "<!DOCTYPE html><html><head><title></title><style></style></head><body><main>"
    "<p>This site has not been built yet, so its layout is missing here.</p></main></body></html>"
)


@contextmanager
def _written_files(draft: DraftFiles, options: PreviewOptions | None = None) -> Iterator[PublicationKind]:
    """Writes the draft's texts into a folder and yields a kind with that folder. Its pictures are known by their sizes alone."""
    with TemporaryDirectory(prefix="draft-") as name:
        folder = Path(name)
        for language, text in draft.texts.items():
            _draft_file(folder, draft.slug, BY_ID[language]).write_text(text, encoding="utf-8")
        for picture in filter(is_picture_name, draft.pictures):
            (folder / picture).touch()
        picture_url = options.picture_url if options else "{name}"

        def measure(file: Path) -> SizedPicture:
            if file.name not in draft.pictures:
                raise BrokenPicture(f"There is no picture {file.name}.")
            width, height = draft.pictures[file.name]
            return _OfficePicture(file.name, width, height, (width,), "ground-222", picture_url)

        with measured_by(measure):
            yield replace(_KINDS[draft.kind], subfolder=folder)


@dataclass(frozen=True)
class _OfficePicture(SizedPicture):
    """A picture that the office serves, in the one size that was uploaded."""

    url_pattern: str  # with {name} for the file's name

    def file_url(self, kind: str, width: int) -> str:
        return self.url_pattern.replace("{name}", self.name)


def _draft_file(folder: Path, slug: str, locale: Locale) -> Path:
    return folder / (f"{slug}.md" if locale is ENGLISH else f"{slug}.{locale.id}.md")


def _mistake(mistake: PublicationMistake) -> Mistake:
    language = mistake.file.name.removesuffix(".md").partition(".")[2] if mistake.file else ""
    return Mistake(language or ENGLISH.id, mistake.field, mistake.line, mistake.sentence)


def _picture_mistakes(publication: Publication) -> Sequence[PublicationMistake]:
    """Returns the mistakes of the picture at the head of the page."""
    try:
        own_parts(publication, Prose("", (), (), 1))
    except PublicationMistake as mistake:
        return mistake.mistakes
    return ()


def _sentence(mistake: PublicationMistake) -> str:
    return f"Line {mistake.line}: {mistake.sentence}"


def _markdown_alone(kind: PublicationKind, draft: DraftFiles, locale: Locale) -> Text | None:
    """Returns the Markdown of a draft whose front matter has mistakes, or None if the file cannot be parsed."""
    try:
        parts = parse(draft.texts[locale.id])
    except BrokenFrontMatter:
        return None
    return Text(locale, _draft_file(kind.folder, draft.slug, locale), "", "", (), "", parts.markdown, parts.first_line)


def _publication_without_mistakes(kind: PublicationKind, draft: DraftFiles, locale: Locale) -> Publication:
    """Returns the publication without the fields that have mistakes."""
    try:
        return read_publication(kind, draft.slug)
    except PublicationMistake:
        pass
    english_parts = _parts(draft.texts.get(ENGLISH.id, ""))
    facts = _valid_fields(kind.facts, english_parts.fields)
    if facts.picture and facts.picture.file not in draft.pictures:
        facts = _without_picture(facts)
    texts = {ENGLISH.id: _text(kind, draft, ENGLISH, english_parts, facts)}
    if locale is not ENGLISH and locale.id in draft.texts:
        parts = _parts(draft.texts[locale.id])
        words = _text(kind, draft, locale, parts, _valid_fields(kind.words, parts.fields))
        texts[locale.id] = with_english(words, texts[ENGLISH.id])
    if facts.picture:  # each language has its words for it, or none yet
        texts = {language: replace(text, alt=text.alt or "…") for language, text in texts.items()}
    return Publication(kind, draft.slug, facts, texts)


def _parts(text: str) -> FrontMatter:
    """Parses a file; if that fails, the preview shows the reason as the text."""
    try:
        return parse(text)
    except BrokenFrontMatter as error:
        return FrontMatter({}, {}, error.problem, error.line)


def _valid_fields(model: type[Any], fields: Mapping[str, Any]) -> Any:
    """Returns the model with the valid fields, placeholders for required ones that are not valid, and long texts as typed."""
    fitting = dict(fields)
    for _ in range(len(model.model_fields) + len(fitting)):
        try:
            facts = model.model_validate(fitting)
        except ValidationError as invalid:
            for error in invalid.errors():
                name = str(error["loc"][0])
                fitting.pop(name, None)
                if name in _PLACEHOLDERS and name in model.model_fields:
                    fitting[name] = _PLACEHOLDERS[name]
        else:
            typed = {
                name: fields[name]
                for name in _SHOWN_AS_TYPED
                if isinstance(fields.get(name), str) and name in model.model_fields
            }
            return facts.model_copy(update={"summary": ""} | typed)
    raise AssertionError(model)


def _text(
    kind: PublicationKind, draft: DraftFiles, locale: Locale, parts: FrontMatter, front: ArticleFacts | ArticleWords
) -> Text:
    file = _draft_file(kind.folder, draft.slug, locale)
    return text_of(locale, file, front, markdown=parts.markdown, first_line=parts.first_line)


def _without_picture(facts: ArticleFacts) -> ArticleFacts:
    return facts.model_copy(update={"picture": None})
