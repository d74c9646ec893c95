"""Reads publications as their editors see them, and has the site check and draw drafts. Shared by the office's pages of texts."""

import asyncio
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlmodel import Session

from site_app.contracts.drafts import ContentSite, DraftFiles, Mistake, PreviewOptions
from site_app.contracts.publication import FOLDERS, PATHS, PUBLICATION_MODELS, is_picture_name
from site_app.core.locales import LOCALES
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.office.access import OfficeRequest
from site_app.provider.publishing import drafts
from site_app.provider.publishing.drafts import CurrentText, TextKey, text_key
from site_app.provider.publishing.files import ContentFiles
from site_app.provider.store.tables import Revision

KIND_WORDS = {"case": "case study", "article": "article"}
LANGUAGES = {locale.id: locale.title for locale in LOCALES}
_CHECKS_AT_ONCE = 2  # drafts checked or drawn at a time, so that typing never holds up visitors
_MAX_HEAD_PIXELS = 25_000_000
T = TypeVar("T")


@dataclass(frozen=True)
class EditedText:
    """A text with its publication, by language: `files` are published, `texts` are the newest; `sizes` are those of its pictures."""

    key: TextKey
    files: Mapping[str, str]
    texts: Mapping[str, str]
    current: CurrentText | None
    sizes: Mapping[str, tuple[int, int]]
    aside: Revision | None

    @property
    def model(self) -> type[BaseModel]:
        return PUBLICATION_MODELS[self.key.kind][0 if self.key.is_english else 1]

    @property
    def text(self) -> str:
        return self.current.text if self.current else ""

    @property
    def file(self) -> str | None:
        return self.files.get(self.key.language)

    def draft(self, **changed: str) -> DraftFiles:
        """Returns the files of the publication as its editors have them; `changed` replaces texts by language."""
        texts = {**self.texts, **changed}
        ordered = {language: texts[language] for language in LANGUAGES if language in texts}
        return DraftFiles(self.key.kind, self.key.slug, ordered, self.sizes)


class ContentDesk:
    """Reads publications for the pages of the office, and has the site check and draw drafts, two at a time."""

    def __init__(self, site: ContentSite, files: ContentFiles) -> None:
        self.site = site
        self.files = files
        self._turns = asyncio.Semaphore(_CHECKS_AT_ONCE)
        self._sizes: dict[tuple[str, str, int], tuple[int, int]] = {}

    async def requested_text(self, request: OfficeRequest) -> EditedText:
        """Returns the text that the address names. Raises EntryNotFound."""
        params = request.path_params
        key = text_key(params["kind"], params["slug"], params.get("language", "en"))
        if key is None:
            raise EntryNotFound
        return await self.read_text(request, key)

    async def read_text(self, request: OfficeRequest, key: TextKey, *unsaved_texts: str) -> EditedText:
        """Returns the text with this key. The pictures in `unsaved_texts` are measured as well."""
        files = await asyncio.to_thread(self._files_of, key)

        def read_rows(session: Session) -> dict[str, Any]:
            currents = {
                language: drafts.current(session, TextKey(key.kind, key.slug, language), files.get(language))
                for language in LANGUAGES
            }
            return {
                "currents": currents,
                "uploaded": drafts.pictures(session, key.kind, key.slug),
                "aside": drafts.aside_text_for(session, key, request.person.address),
            }

        rows = await request.context.store.read(read_rows)
        texts = {language: current.text for language, current in rows["currents"].items() if current}
        if not texts:
            raise EntryNotFound
        picture_names = dict.fromkeys(name for text in (*texts.values(), *unsaved_texts) for name in drafts.picture_names(text))
        published = await asyncio.to_thread(
            self._sizes_of, key.kind, [name for name in picture_names if name not in rows["uploaded"]]
        )
        return EditedText(key, files, texts, rows["currents"][key.language], {**rows["uploaded"], **published}, rows["aside"])

    async def mistakes(self, edited: EditedText, **changed: str) -> Sequence[Mistake]:
        return await self._in_turn(partial(self._mistakes, edited.draft(**changed)))

    async def preview(self, edited: EditedText, options: PreviewOptions, **changed: str) -> str:
        return await self._in_turn(partial(self.site.preview, edited.draft(**changed), options))

    def _mistakes(self, draft: DraftFiles) -> Sequence[Mistake]:
        published = {f"{PATHS[kind]}/{slug}" for kind in FOLDERS for slug in self.files.texts(kind)}
        return self.site.mistakes(draft, published)

    async def _in_turn(self, job: Any) -> Any:
        async with self._turns:
            return await asyncio.to_thread(job)

    def _files_of(self, key: TextKey) -> Mapping[str, str]:
        texts = {language: self.files.text(key.kind, key.slug, language) for language in LANGUAGES}
        return {language: text for language, text in texts.items() if text is not None}

    def _sizes_of(self, kind: str, names: Sequence[str]) -> Mapping[str, tuple[int, int]]:
        """Returns the sizes of published pictures, in pixels; names that no picture has are left out."""
        sizes = {}
        for name in names:
            content = self.files.picture(kind, name) if is_picture_name(name) else None
            if content is not None and (size := self._size(kind, name, content)):
                sizes[name] = size
        return sizes

    def _size(self, kind: str, name: str, content: bytes) -> tuple[int, int] | None:
        key = (kind, name, hash(content))
        if key not in self._sizes:
            from PIL import Image  # takes 3 MB, which a server needs only once somebody opens a text with pictures

            try:
                with Image.open(io.BytesIO(content)) as picture:
                    self._sizes[key] = picture.size
            except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
                return None
        return self._sizes[key]
