"""The page that edits a text in one language: its fields, its Markdown, its pictures, and the buttons that publish it."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from site_app.contracts.drafts import Mistake
from site_app.contracts.publication import (
    MAX_ALT_LENGTH,
    PATHS,
    PUBLICATION_MODELS,
    BrokenFrontMatter,
    file_text,
    parse_leniently,
    without_control_characters,
)
from site_app.core.http.pages import FormPairs
from site_app.core.locales import ENGLISH
from site_app.provider.office.access import OfficeRequest
from site_app.provider.office.content.desk import KIND_WORDS, LANGUAGES, ContentDesk, EditedText
from site_app.provider.office.content.form import PREFIX, fill_form, sent_fields
from site_app.provider.office.content.pictures import PictureRefused, examined_picture, with_picture
from site_app.provider.office.frame import EDITOR_SCRIPT_ROUTE, redirect_in_office
from site_app.provider.office.typed_values import parse_local_time
from site_app.provider.publishing import builds, drafts, stages
from site_app.provider.publishing.drafts import (
    MAX_DRAFT_BYTES,
    SaveConflict,
    SaveResult,
    TextKey,
    set_draft_mark,
    summary_of,
    text_key,
)
from site_app.provider.publishing.files import picture_path, text_path
from site_app.provider.publishing.merging import unresolved_line
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.tables import Build, DraftPicture, OfficeSession, Revision

_UNRESOLVED = "This text contains two versions, between marks. Keep one and remove the marks."
_BEING_PUBLISHED = "It is being published, and cannot be deleted now. Wait until that has ended; then withdraw it."
_IN_REPOSITORY = "It is in the repository, and cannot be deleted. Withdraw it: then no deployment shows it."
_NOT_YET = "It cannot be published yet. Correct the marked places in: {languages}."
_OVERTAKEN = "Someone else has saved {languages} in the meantime. Nothing was published: read the text again, then publish it."


class _TextsOvertaken(Exception):
    """Somebody else has saved newer texts in these languages. To publish the older ones could supersede their publication."""

    def __init__(self, languages: Sequence[str]) -> None:
        super().__init__(*languages)
        self.languages = languages


class Editor:
    """The page of a text in one language: shows it, saves it, publishes it, takes it off the site, deletes it, and adds pictures."""

    def __init__(self, desk: ContentDesk) -> None:
        self._desk = desk

    async def show_english(self, request: OfficeRequest) -> Response:
        edited = await self._desk.requested_text(request)
        return redirect_in_office(f"/content/{edited.key.reference}")

    async def show(self, request: OfficeRequest) -> Response:
        if request.method != "POST":
            return await self._page(request, await self._desk.requested_text(request))
        if not request.context.settings.publish:
            return await self._page(request, await self._desk.requested_text(request), status=403)
        do = request.form.get("do", "")
        edited = await self._desk.requested_text(request)
        if do == "withdraw":
            return await self._withdraw(request, edited)
        if do == "discard":
            return await self._discard(request, edited)
        if do not in ("save", "picture", "publish", "schedule"):
            return redirect_in_office(f"/content/{edited.key.reference}")
        text = sent_text(edited.key, request.pairs)
        if len(text.encode()) > MAX_DRAFT_BYTES:
            sentence = (
                f"Nothing was saved, because the text is longer than {MAX_DRAFT_BYTES // 1000} kB. Shorten it and save again."
            )
            return await self._page(request, edited, status=413, text=text, sentences=[sentence])
        if do == "picture":
            return await self._add_picture(request, edited, text)
        return await self._save(request, edited, text, next_step=do)

    async def _save(
        self, request: OfficeRequest, edited: EditedText, text: str, *, next_step: str, message_name: str = ""
    ) -> Response:
        save = partial(drafts.save, key=edited.key, text=text, actor=request.actor, published_text=edited.file)
        outcome = await request.context.store.write(lambda session: save(session, base=request.form.get("base", "")))
        if isinstance(outcome, SaveConflict):
            return await self._collision(request, edited.key, outcome)
        if next_step in ("publish", "schedule"):
            return await self._publish(request, edited.key, is_later=next_step == "schedule")
        other_revision = outcome.other if isinstance(outcome, SaveResult) else None
        message_name = "merged" if other_revision else message_name or ("saved" if outcome else "unchanged")
        return redirect_in_office(
            f"/content/{edited.key.reference}?done={message_name}" + (f"&other={other_revision.id}" if other_revision else "")
        )

    async def _collision(self, request: OfficeRequest, key: TextKey, outcome: SaveConflict) -> Response:
        edited = await self._desk.read_text(request, key, outcome.text)
        template_values = {"other": outcome.other, "base": outcome.other.digest, "their_fields": outcome.fields}
        return await self._page(request, edited, status=409, text=outcome.text, is_collision=True, **template_values)

    async def _publish(self, request: OfficeRequest, key: TextKey, *, is_later: bool) -> Response:
        edited = await self._desk.read_text(request, key)
        languages = [language for name, language in request.pairs if name == "languages" and language in edited.texts]
        now = request.context.clock()
        zone = request.context.settings.booking_zone
        not_before = parse_local_time(request.form.get("moment", ""), zone) if is_later else None
        sentences = []
        if is_later and (not_before is None or not_before <= now):
            sentences.append("Choose a time in the future.")
        if not languages:
            sentences.append("Choose a language to publish.")
        elif ENGLISH.id not in languages and not stages.is_public(edited.files.get(ENGLISH.id)):
            sentences.append("Publish the English text first, or with it: a translation needs its English page.")
        if not sentences and (mistakes := await self._mistakes_to_publish(edited, languages)):
            places = ", ".join(LANGUAGES[language] for language in dict.fromkeys(mistake.language for mistake in mistakes))
            sentences.append(_NOT_YET.format(languages=places))
        public_english = (edited.texts if ENGLISH.id in languages else edited.files).get(ENGLISH.id, "")
        publication_day = request.context.settings.local_day(not_before or now)
        sentences += _date_sentences(public_english, publication_day)
        if sentences:
            return await self._page(request, edited, status=422, sentences=sentences)
        request_build = partial(
            self._request_build,
            edited=edited,
            languages=languages,
            request=request,
            not_before=not_before,
            public_pictures=await asyncio.to_thread(self._desk.files.pictures, key.kind),
        )
        try:
            message_name = await request.context.store.write(request_build)
        except _TextsOvertaken as overtaken:
            edited = await self._desk.read_text(request, key)
            places = ", ".join(LANGUAGES[language] for language in overtaken.languages)
            return await self._page(request, edited, status=409, sentences=[_OVERTAKEN.format(languages=places)])
        if not message_name:
            return await self._page(
                request, edited, status=422, sentences=["There is nothing to publish: it is already public as it is."]
            )
        request.context.wake()
        return redirect_in_office(f"/content?done={message_name}")

    async def _mistakes_to_publish(self, edited: EditedText, languages: Sequence[str]) -> Sequence[Mistake]:
        """Returns the mistakes in what would be public: the chosen drafts, and the files of the other languages."""
        texts = {language: edited.texts[language] if language in languages else file for language, file in edited.files.items()}
        texts |= {language: edited.texts[language] for language in languages}
        public = EditedText(edited.key, edited.files, texts, None, edited.sizes, None)
        return [*_unresolved_mistakes(texts), *await self._desk.mistakes(public)]

    def _request_build(
        self,
        session: Session,
        *,
        edited: EditedText,
        languages: Sequence[str],
        request: OfficeRequest,
        not_before: datetime | None,
        public_pictures: Collection[str],
    ) -> str:
        """Requests the build. Returns what was done, a name among DONE_MESSAGES, or "" if the build would change nothing.

        Raises _TextsOvertaken if somebody else has saved one of the texts since they were read and checked.

        Pictures that are public already are left as they are: someone may have replaced their files outside the office.

        A text that equals its file is written again if another build is about to change that file. With SITE_PUBLISH=git any text may
        differ from the one in the repository; a push without changes makes no commit.
        """
        key = edited.key
        builds.take_turn(session)
        if overtaken := [language for language in languages if _is_overtaken(session, edited, language)]:
            raise _TextsOvertaken(overtaken)
        pending_paths = stages.find_pending_paths(session, now=request.actor.now)
        to_be_written = pending_paths.due | (pending_paths.scheduled if not_before else frozenset())
        is_pushed = request.context.settings.publish == "git"
        changes = dict[str, bytes | None]()
        for language in languages:
            path = text_path(key.kind, key.slug, language)
            text = set_draft_mark(edited.texts[language])
            if is_pushed or path in to_be_written or edited.files.get(language) != text:
                changes[path] = text.encode()
        if not changes:
            return ""
        is_unscheduled = not_before is None and not pending_paths.scheduled.isdisjoint(changes)
        picture_names = [name for language in languages for name in drafts.picture_names(edited.texts[language])]
        names = [name for name in picture_names if name not in public_pictures]
        for name, content in drafts.contents_of(session, key.kind, names).items():
            changes[picture_path(key.kind, name)] = content
        builds.request(session, changes, request.actor, not_before=not_before)
        return "schedule" if not_before else "publish-unscheduled" if is_unscheduled else "publish"

    async def _withdraw(self, request: OfficeRequest, edited: EditedText) -> Response:
        """Takes a publication, or one translation of it, off the site. The text stays here, and is in no schedule any more."""
        key = edited.key
        file = edited.file
        text = edited.text if file is None else file
        is_on_site = file is not None and (not key.is_english or stages.is_public(file))
        if not text or not (is_on_site or text_path(*key) in await _pushed_texts(request)):
            return redirect_in_office(f"/content/{key.reference}")
        changes = _changes_to_withdraw(edited, text)
        languages = LANGUAGES if key.is_english else (key.language,)
        paths = {text_path(key.kind, key.slug, language) for language in languages}
        actor = request.actor

        def withdraw(session: Session) -> str:
            """Requests the build. Returns what was done, a name among DONE_MESSAGES."""
            for language, file in edited.files.items():
                if text_path(key.kind, key.slug, language) in changes:
                    drafts.take_over(session, TextKey(key.kind, key.slug, language), file, now=actor.now)
            unscheduled = builds.unschedule(session, paths, actor)
            builds.request(session, changes, actor)
            record(session, actor, "withdraw", key.reference)
            return "withdraw-unscheduled" if unscheduled else "withdraw"

        message_name = await request.context.store.write(withdraw)
        request.context.wake()
        return redirect_in_office(f"/content?done={message_name}")

    async def _discard(self, request: OfficeRequest, edited: EditedText) -> Response:
        key = edited.key
        if edited.files or request.form.get("sure") != key.slug:
            return await self._page(request, edited, status=422, sentences=[f"Type {key.slug} into the field to delete it."])
        paths = _paths_of(key)
        pushed_texts = await _pushed_texts(request)
        actor = request.actor

        def discard(session: Session) -> str:
            """Deletes the draft and whatever would publish it, or returns why it cannot be deleted."""
            builds.take_turn(session)
            if paths & stages.find_pending_paths(session, now=actor.now).due:
                return _BEING_PUBLISHED
            if paths & pushed_texts:
                return _IN_REPOSITORY
            builds.unschedule(session, paths, actor)
            for build in builds.failures(session):
                if build.id is not None and paths & {*build.paths}:
                    builds.dismiss(session, build.id, actor)
            drafts.discard(session, key.kind, key.slug, actor)
            return ""

        if sentence := await request.context.store.write(discard):
            return await self._page(request, edited, status=422, sentences=[sentence])
        return redirect_in_office("/content?done=discard")

    async def _add_picture(self, request: OfficeRequest, edited: EditedText, text: str) -> Response:
        """Stores the sent picture, places it in the text, and saves that."""
        alt = " ".join(without_control_characters(request.form.get("picture_alt", "")).split())
        try:
            row = await examined_picture(request, edited.key, alt)
            name = await self._stored_picture(request, edited.key, row)
        except PictureRefused as refused:
            return await self._page(request, edited, status=refused.status, text=text, picture_problem=str(refused))
        placed, is_placed = with_picture(text, name, alt, request.form.get("place", ""))
        return await self._save(
            request, edited, placed, next_step="", message_name="picture-placed" if is_placed else "picture"
        )

    async def _stored_picture(self, request: OfficeRequest, key: TextKey, row: DraftPicture) -> str:
        """Stores a picture and returns its name."""
        used_names = await asyncio.to_thread(self._desk.files.pictures, key.kind)
        add = partial(drafts.add_picture, kind=key.kind, slug=key.slug, row=row, used_names=used_names)
        name = await request.context.store.write(add)
        if name is None:
            raise PictureRefused(f"A text has at most {drafts.MAX_PICTURES} pictures.")
        return name

    async def _page(
        self,
        request: OfficeRequest,
        edited: EditedText,
        *,
        status: int = 200,
        text: str | None = None,
        sentences: Sequence[str] = (),
        **values: Any,
    ) -> Response:
        """Shows the form with the stored text, or with `text` if that was not saved, and the mistakes in all languages."""
        shown_text = edited.text if text is None else text
        mistakes = await self._mistakes_of_draft(edited, shown_text)
        template_values = {
            "key": edited.key,
            "edited": edited,
            "kind_word": KIND_WORDS[edited.key.kind],
            "languages": LANGUAGES,
            "tabs": [_tab(edited, language, mistakes) for language in LANGUAGES],
            "sentences": list(sentences),
            "is_collision": False,
            "their_fields": {},
            "other": None,
            "other_number": request.query_params.get("other", ""),
            "picture_problem": "",
            "picture_alt": request.form.get("picture_alt", "") if text is not None else "",
            "longest_alt": MAX_ALT_LENGTH,
            "longest_text": MAX_DRAFT_BYTES,
            "editor_script": EDITOR_SCRIPT_ROUTE.path,
            **self._form_values(edited, shown_text, mistakes),
            **await _publishing_values(request, edited),
        }
        title = " ".join(str(parse_leniently(shown_text).fields.get("title", "")).split()) or edited.key.slug
        response = request.render("content_edit.html", title, status=status, **(template_values | values))
        response.headers["Content-Security-Policy"] += "; connect-src 'self'; frame-src 'self'"
        return response

    async def _mistakes_of_draft(self, edited: EditedText, shown_text: str) -> Sequence[Mistake]:
        """Returns the mistakes in the drafts of all languages, with `shown_text` in place of the shown one."""
        texts = {edited.key.language: shown_text}
        return [*await self._desk.mistakes(edited, **texts), *_unresolved_mistakes(texts)]

    def _form_values(self, edited: EditedText, shown_text: str, mistakes: Sequence[Mistake]) -> dict[str, Any]:
        """Returns the fields and the Markdown of the shown text, each with its mistakes."""
        own_mistakes = [mistake for mistake in mistakes if mistake.language == edited.key.language]
        by_field: dict[str, list[str]] = {}
        for mistake in own_mistakes:
            by_field.setdefault(mistake.field, []).append(mistake.sentence)
        parts = parse_leniently(shown_text)
        choices = {**self._desk.site.choices(), "file": [(name, name) for name in edited.sizes]}
        form = fill_form(edited.model, parts.fields, choices, by_field)
        field_names = {item.field.name for item in form}
        return {
            "form": form,
            "markdown": parts.markdown,
            "first_line": parts.first_line,
            "count": len(own_mistakes),
            "text_mistakes": [
                mistake for mistake in own_mistakes if mistake.field not in field_names and "." not in mistake.field
            ],
            "base": edited.current.digest if edited.current else "",
            "pictures": edited.sizes,
        }


async def _publishing_values(request: OfficeRequest, edited: EditedText) -> dict[str, Any]:
    """Returns the publication's stage, and what this person may do with it."""
    key = edited.key
    now = request.context.clock()
    settings = request.context.settings

    def read_rows(session: Session) -> tuple[stages.PendingPaths, Sequence[Build], Sequence[Revision]]:
        failures = stages.unretried_failures(session, now=now)
        return stages.find_pending_paths(session, now=now), failures, drafts.history(session, key)[:1]

    pending_paths, failures, newest = await request.context.store.read(read_rows)
    paths = _paths_of(key)
    pushed_texts = await _pushed_texts(request)
    is_public = stages.is_public(edited.files.get(ENGLISH.id))
    return {
        "last": newest[0] if newest else None,
        "is_public": is_public,
        "is_publishing": bool(paths & pending_paths.due),
        "is_scheduled": bool(paths & pending_paths.scheduled),
        "may_be_withdrawn": (edited.file is not None and is_public) or text_path(*key) in pushed_texts,
        "may_be_deleted": not edited.files and not paths & (pending_paths.due | pushed_texts),
        "failures": [build for build in failures if paths & {*build.paths}],
        "page_url": _page_url(request, key),
        "zone_words": settings.booking_zone,
        "moment": request.form.get("moment", ""),
        "publishes": bool(settings.publish),
        "may_write": request.person.writes and bool(settings.publish),
    }


def _paths_of(key: TextKey) -> set[str]:
    """Returns the paths of the publication's texts in all languages."""
    return {text_path(key.kind, key.slug, language) for language in LANGUAGES}


async def _pushed_texts(request: OfficeRequest) -> set[str]:
    """Returns the paths of texts that SITE_PUBLISH=git has pushed: some of their files come with the next deployment."""
    if request.context.settings.publish != "git":
        return set()
    return await request.context.store.read(builds.written_texts)


def sent_text(key: TextKey, pairs: FormPairs) -> str:
    """Returns the file, front matter and Markdown, that a posted form of the editor describes."""
    model = PUBLICATION_MODELS[key.kind][0 if key.is_english else 1]
    # A control character, such as one pasted from a PDF, would make the file unreadable.
    pairs = [(name, without_control_characters(value)) for name, value in pairs]
    markdown = dict(pairs).get("text", "").replace("\r\n", "\n").replace("\r", "\n")
    fields = sent_fields(model, [pair for pair in pairs if pair[0].startswith(PREFIX)])
    return file_text(fields, markdown if not markdown or markdown.endswith("\n") else f"{markdown}\n")


def set_text_aside(session: Session, office_session: OfficeSession, request: Request, pairs: FormPairs, now: datetime) -> bool:
    """Sets aside the text of a form whose writer's session has ended. Returns False if it cannot be kept."""
    params = request.path_params
    key = text_key(params.get("kind", ""), params.get("slug", ""), params.get("language", ""))
    if key is None:
        return False
    text = sent_text(key, pairs)
    return len(text.encode()) <= MAX_DRAFT_BYTES and drafts.set_aside(session, key, text, Actor(office_session.person, now))


def _changes_to_withdraw(edited: EditedText, text: str) -> Mapping[str, bytes | None]:
    """Marks the English text as a draft, or removes that of a translation.

    An English text whose front matter cannot be parsed takes no mark: it is removed, and its translations with it.
    """
    key = edited.key
    if key.is_english:
        with suppress(BrokenFrontMatter):
            marked = set_draft_mark(text, is_draft=True)
            return {text_path(key.kind, key.slug): marked.encode()}
    languages = edited.files if key.is_english else (key.language,)
    return {text_path(key.kind, key.slug, language): None for language in languages}


def _is_overtaken(session: Session, edited: EditedText, language: str) -> bool:
    """Returns True if the newest revision in this language is no longer the text that was read."""
    key = TextKey(edited.key.kind, edited.key.slug, language)
    newest = drafts.current(session, key, edited.files.get(language))
    return newest is None or newest.digest != summary_of(edited.texts[language]).digest


def _unresolved_mistakes(texts: Mapping[str, str]) -> list[Mistake]:
    """Returns a mistake for each text that still holds both versions of a collision."""
    return [Mistake(language, "", line, _UNRESOLVED) for language, text in texts.items() if (line := unresolved_line(text))]


def _tab(edited: EditedText, language: str, mistakes: Sequence[Mistake]) -> dict[str, Any]:
    """Returns the tab of one language: its name, its stage, and its number of mistakes."""
    return {
        "language": language,
        "name": LANGUAGES[language],
        "stage": stages.language_stage(edited.files.get(language), edited.files.get(ENGLISH.id), edited.texts.get(language)),
        "mistakes": sum(mistake.language == language for mistake in mistakes),
    }


def _date_sentences(english_text: str, publication_day: date) -> list[str]:
    day = drafts.summary_of(english_text).date
    if day > publication_day.isoformat():
        return [f"Its date is {day}: until then the page would be left out. Change the date, or schedule it for that day."]
    return []


def _page_url(request: OfficeRequest, key: TextKey) -> str:
    prefix = "" if key.is_english else f"/{key.language}"
    return f"{request.context.settings.url}{prefix}{PATHS[key.kind]}/{key.slug}"
