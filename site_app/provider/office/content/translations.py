"""The office's pages of translations: what is missing, page by page, and the page that translates the texts of one."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from site_app.contracts.drafts import ContentSite
from site_app.core.http.pages import FormPairs
from site_app.core.i18n.catalogs import CatalogText, catalog_texts, plural_forms
from site_app.core.i18n.office_catalogs import mistakes_of
from site_app.core.locales import BY_ID, ENGLISH, LOCALES
from site_app.core.settings import Settings
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.office.access import OfficeRequest, SetAsideText, signed_in
from site_app.provider.office.frame import redirect_in_office
from site_app.provider.office.typed_values import parse_number
from site_app.provider.publishing import stages, translations
from site_app.provider.publishing.files import ContentFiles, translations_path
from site_app.provider.publishing.stages import Stage
from site_app.provider.publishing.translations import (
    MAX_FORM_LENGTH,
    TranslatedText,
    Wording,
    text_id,
)
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import OfficeSession

TRANSLATED_LANGUAGES = {locale.id: locale.title for locale in LOCALES if locale is not ENGLISH}
_TEXTS_AT_ONCE = 20  # on a page, so that its form has no more fields than the office accepts
_OPEN, _CHANGED, _ALL = "open", "changed", "all"
_STAGES_BY_FILTER = {_OPEN: (Stage.MISSING, Stage.REVIEW), _CHANGED: (Stage.CHANGED,), _ALL: ()}
_FILTER_LABELS = ((_OPEN, "what is left to do"), (_CHANGED, "what is not published yet"), (_ALL, "all texts"))
_GROUPS = (  # of texts that are on no page of the site, by the modules that have them
    (
        "forms",
        "Forms and their messages",
        re.compile(r"site_app/(forms|contracts|times_page|states|serving|content/form_words)"),
    ),
    ("mails", "Emails, calls and partners", re.compile(r"site_app/(provider|core/http)")),
    ("around", "On every page", re.compile("")),
)
_FORM = re.compile(r"t\.([0-9a-f]{20})\.([0-9])")
_BASE = re.compile(r"([0-9a-f]{20}):([0-9a-f]{64})")


@dataclass(frozen=True)
class SentWording:
    """A translation as a form sends it, with the digest of the wording that the person began from."""

    slug: str
    forms: tuple[str, ...]
    base: str
    is_confirmed: bool  # the translator says that the earlier translation fits the new English

    @property
    def is_untouched(self) -> bool:
        forms = self.forms if any(self.forms) else ()
        return not self.is_confirmed and self.base in (Wording(forms).digest, Wording(forms, needs_review=True).digest)


@dataclass(frozen=True)
class ShownText:
    """A text in the form: the values of its fields, its mistakes, and what somebody else saved meanwhile."""

    text: TranslatedText
    forms: tuple[str, ...]
    base: str
    mistakes: Sequence[str] = ()
    saved_meanwhile: TranslatedText | None = None
    is_set_aside: bool = False


@dataclass
class Outcome:
    """The result of a sent form: the number of saved texts, and the texts that were refused."""

    saved: int = 0
    refused: dict[str, ShownText] = field(default_factory=dict)


@dataclass(frozen=True)
class TextGroup:
    """A page of the site with its texts, or a group of texts that are on no page."""

    key: str
    title: str
    texts: Sequence[TranslatedText]

    def count(self, stage: str) -> int:
        return sum(text.stage == stage for text in self.texts)


def translation_routes(settings: Settings, site: ContentSite) -> list[Route]:
    """Returns the routes of the translations. With SITE_PUBLISH unset, they show translations and change none."""
    pages = TranslationPages(site, ContentFiles(settings))
    both = ["GET", "POST"]
    return [
        Route("/office/translations", signed_in(pages.listing, area="texts", set_aside_text=_TRANSLATION), methods=both),
        Route(
            "/office/translations/{language}", signed_in(pages.texts, area="texts", set_aside_text=_TRANSLATION), methods=both
        ),
    ]


class TranslationPages:
    def __init__(self, site: ContentSite, files: ContentFiles) -> None:
        self._site = site
        self._files = files

    async def listing(self, request: OfficeRequest) -> Response:
        """GET lists the pages with what they lack; POST publishes all that was translated into a language."""
        is_post = request.method == "POST"
        publishes = bool(request.context.settings.publish)
        if is_post and publishes:
            return await self._publish(request, request.form.get("language", ""))
        texts = {language: await self._all_texts(request, language) for language in TRANSLATED_LANGUAGES}
        groups = {language: await self._groups(language, texts[language]) for language in TRANSLATED_LANGUAGES}
        rows: dict[str, dict[str, Any]] = {}
        for language, of_language in groups.items():
            for group in of_language:
                row = rows.setdefault(group.key, {"title": group.title, "groups": {}})
                row["groups"][language] = group
        pending_paths = await request.context.store.read(partial(stages.find_pending_paths, now=request.context.clock()))
        template_values = {
            "languages": TRANSLATED_LANGUAGES,
            "totals": {language: TextGroup("", "", texts[language]) for language in TRANSLATED_LANGUAGES},
            "changed": {language: sum(text.is_changed for text in texts[language]) for language in TRANSLATED_LANGUAGES},
            "rows": rows,
            "is_publishing": {language: translations_path(language) in pending_paths.due for language in TRANSLATED_LANGUAGES},
            "publishes": publishes,
            "may_write": request.person.writes and publishes,
        }
        return request.render("translations.html", "Translations", status=403 if is_post else 200, **template_values)

    async def texts(self, request: OfficeRequest) -> Response:
        """GET shows the texts of a page; POST saves what was translated, and publishes it if that was pressed."""
        language = request.path_params["language"]
        if language not in TRANSLATED_LANGUAGES:
            raise EntryNotFound
        if request.method != "POST":
            return await self._page(request, language, Outcome())
        if not request.context.settings.publish:
            return await self._page(request, language, Outcome(), status=403)
        outcome = await self._save(request, language)
        if outcome.refused:
            return await self._page(request, language, outcome, status=422)
        if request.form.get("do") == "publish":
            return await self._publish(request, language)
        query = dict(request.query_params) | {"done": "saved" if outcome.saved else "unchanged"}
        return redirect_in_office(f"/translations/{language}?{urlencode(query)}")

    async def _save(self, request: OfficeRequest, language: str) -> Outcome:
        """Saves each changed text, except those with mistakes and those that somebody else has changed meanwhile."""
        published = await asyncio.to_thread(self._files.translations, language)
        catalog = await asyncio.to_thread(catalog_texts, language)
        sources = {text_id(source.key): source for source in catalog}
        form_count = plural_forms(language)
        sent = [
            _in_one_line(wording, sources[wording.slug]) for wording in sent_wordings(request.pairs) if wording.slug in sources
        ]

        def save(session: Session) -> Outcome:
            outcome = Outcome()
            texts = {text.slug: text for text in translations.translated_texts(session, language, published)}
            translations.drop_aside(session, language, [wording.slug for wording in sent], request.actor.name)
            for wording in sent:
                if wording.is_untouched:
                    continue
                text = texts[wording.slug]
                if mistakes := _mistakes(text.source, wording.forms, form_count):
                    outcome.refused[text.slug] = ShownText(text, wording.forms, wording.base, mistakes)
                    continue
                wording_to_save = Wording(wording.forms) if any(wording.forms) else text.shipped
                saved_meanwhile = translations.save(session, language, text, wording_to_save, request.actor, base=wording.base)
                if saved_meanwhile:
                    outcome.refused[text.slug] = ShownText(
                        text, wording.forms, saved_meanwhile.current.digest, saved_meanwhile=saved_meanwhile
                    )
                else:
                    outcome.saved += 1
            return outcome

        return await request.context.store.write(save)

    async def _publish(self, request: OfficeRequest, language: str) -> Response:
        if language not in TRANSLATED_LANGUAGES:
            raise EntryNotFound
        published = await asyncio.to_thread(self._files.translations, language)
        is_pushed = request.context.settings.publish == "git"
        publish = partial(
            translations.publish, language=language, published=published, actor=request.actor, is_pushed=is_pushed
        )
        if not await request.context.store.write(publish):
            return redirect_in_office("/translations?done=nothing-new")
        request.context.wake()
        return redirect_in_office("/content?done=publish")

    async def _page(self, request: OfficeRequest, language: str, outcome: Outcome, *, status: int = 200) -> Response:
        query = request.query_params
        texts = await self._all_texts(request, language)
        groups = await self._groups(language, texts)
        group = next((group for group in groups if group.key == query.get("page", "")), TextGroup("", "All texts", texts))
        shown_stages = query.get("show", "") if query.get("show", "") in _STAGES_BY_FILTER else _OPEN
        words = query.get("words", "").casefold().split()
        matching = [text for text in group.texts if _matches(text, _STAGES_BY_FILTER[shown_stages], words)]
        last_page = max(0, len(matching) - 1) // _TEXTS_AT_ONCE * _TEXTS_AT_ONCE
        first = min(max(0, parse_number(query.get("from", ""))), last_page)
        aside = await request.context.store.read(
            partial(translations.aside_wordings_for, language=language, person=request.person.address)
        )
        parameters = {name: query[name] for name in ("page", "show", "words") if query.get(name)}
        template_values = {
            "language": language,
            "lang": BY_ID[language].tag,
            "languages": TRANSLATED_LANGUAGES,
            "group": group,
            "groups": [(entry.key, entry.title) for entry in groups],
            "shown_words": _FILTER_LABELS,
            "typed": {"page": group.key, "show": shown_stages, "words": query.get("words", "")},
            "shown": _texts_on_page(matching, first, aside, outcome.refused),
            "first": first,
            "count": len(matching),
            **_page_queries(parameters, first, len(matching)),
            "plural_forms": plural_forms(language),
            "longest": MAX_FORM_LENGTH,
            "saved": outcome.saved,
            "refused": len(outcome.refused),
            "publishes": bool(request.context.settings.publish),
            "may_write": request.person.writes and bool(request.context.settings.publish),
        }
        title = f"{group.title}: {TRANSLATED_LANGUAGES[language]}"
        return request.render("translation_edit.html", title, status=status, **template_values)

    async def _all_texts(self, request: OfficeRequest, language: str) -> list[TranslatedText]:
        published = await asyncio.to_thread(self._files.translations, language)
        await asyncio.to_thread(catalog_texts, language)  # the first call reads a large file; later ones find it cached
        return await request.context.store.read(partial(translations.translated_texts, language=language, published=published))

    async def _groups(self, language: str, texts: Sequence[TranslatedText]) -> list[TextGroup]:
        """Returns the pages of the site with their texts, then the texts that are on none."""
        pages = await asyncio.to_thread(self._site.pages, language)
        on_pages = {english for page in pages for english in page.texts}
        groups = [
            TextGroup(page.path, page.title, [text for text in texts if not page.texts.isdisjoint(text.source.english)])
            for page in pages
        ]
        elsewhere = {key: list[TranslatedText]() for key, _, _ in _GROUPS}
        for text in texts:
            if on_pages.isdisjoint(text.source.english):
                elsewhere[_group_of(text.source)].append(text)
        return [*groups, *(TextGroup(key, title, elsewhere[key]) for key, title, _ in _GROUPS)]


def sent_wordings(pairs: FormPairs) -> list[SentWording]:
    """Returns the translations in a form."""
    forms: dict[str, dict[int, str]] = {}
    bases: dict[str, str] = {}
    confirmed: set[str] = set()
    for name, value in pairs:
        if match := _FORM.fullmatch(name):
            forms.setdefault(match[1], {})[int(match[2])] = value.replace("\r\n", "\n").replace("\r", "\n")
        elif name == "bases":
            bases = dict(_BASE.findall(value))
        elif name.startswith("right."):
            confirmed.add(name.removeprefix("right."))
    return [
        SentWording(slug, tuple(values[place] for place in sorted(values)), bases[slug], slug in confirmed)
        for slug, values in forms.items()
        if slug in bases
    ]


def _in_one_line(wording: SentWording, source: CatalogText) -> SentWording:
    """Removes line breaks if the English has one line, and spaces around the text if the English has none."""
    has_lines = any("\n" in english for english in source.english)
    has_margin = any(english != english.strip() for english in source.english)
    forms = wording.forms if has_lines else tuple(re.sub(r"[ \t]*\n[ \t]*", " ", form.strip("\n")) for form in wording.forms)
    forms = forms if has_margin else tuple(form.strip() for form in forms)
    return SentWording(wording.slug, forms, wording.base, wording.is_confirmed)


def _mistakes(source: CatalogText, forms: Sequence[str], form_count: int) -> list[str]:
    """Returns why these forms cannot be published. An empty translation removes the earlier one, which is no mistake."""
    if not any(forms):
        return []
    if len(forms) != (form_count if len(source.english) > 1 else 1) or not all(forms):
        return ["Fill in every form of this text."]
    if max(map(len, forms)) > MAX_FORM_LENGTH:
        return [f"Shorten it to at most {MAX_FORM_LENGTH} characters."]
    return mistakes_of(source.english, forms)


def _texts_on_page(
    matching: Sequence[TranslatedText], first: int, aside: Mapping[str, Wording], refused: Mapping[str, ShownText]
) -> list[ShownText]:
    """Returns the refused texts, those of the page that begins with the text `first`, and others that the person has begun."""
    on_page = matching[first : first + _TEXTS_AT_ONCE]
    begun = [text for text in matching if text.slug in aside and text.slug not in refused]
    return [
        *refused.values(),
        *(_shown_text(text, aside.get(text.slug)) for text in on_page if text.slug not in refused),
        *(_shown_text(text, aside[text.slug]) for text in begun[:_TEXTS_AT_ONCE] if text not in on_page),
    ]


def _page_queries(parameters: Mapping[str, Any], first: int, count: int) -> dict[str, str]:
    """Returns the queries of the first page, of the pages before and after the one that begins with the text `first`, and of that one."""
    parameters = dict(parameters)
    next_first = first + _TEXTS_AT_ONCE
    return {
        "query": urlencode(parameters),
        "earlier": urlencode(parameters | {"from": max(0, first - _TEXTS_AT_ONCE)}) if first else "",
        "later": urlencode(parameters | {"from": next_first}) if next_first < count else "",
        "action": urlencode(parameters | ({"from": first} if first else {})),
    }


def _shown_text(text: TranslatedText, aside: Wording | None) -> ShownText:
    wording = aside or text.current
    return ShownText(text, wording.forms, text.current.digest, is_set_aside=aside is not None)


def _matches(text: TranslatedText, of_stages: Sequence[str], words: Sequence[str]) -> bool:
    content = " ".join((*text.source.english, *text.current.forms)).casefold()
    has_stage = not of_stages or text.stage in of_stages or (of_stages == (Stage.CHANGED,) and text.is_changed)
    return has_stage and all(word in content for word in words)


def _group_of(source: CatalogText) -> str:
    return next(key for key, _, pattern in _GROUPS if any(pattern.match(file) for file in source.files or ("",)))


def _typed(form: Mapping[str, str]) -> str:
    """Returns the translations that were changed in a form, to be shown for copying if they cannot be stored."""
    touched = [wording for wording in sent_wordings([*form.items()]) if not wording.is_untouched]
    return "\n\n".join("\n".join(wording.forms) for wording in touched)


def _set_aside(session: Session, office_session: OfficeSession, request: Request, pairs: FormPairs, now: datetime) -> bool:
    """Sets aside translations whose writer's session has ended. Returns False if there are none, or one is too long."""
    language = request.path_params.get("language", "")
    touched = [wording for wording in sent_wordings(pairs) if not wording.is_untouched]
    if language not in TRANSLATED_LANGUAGES or any(
        len(form) > MAX_FORM_LENGTH for wording in touched for form in wording.forms
    ):
        return False
    for wording in touched:
        translations.set_aside(session, language, wording.slug, Wording(wording.forms), Actor(office_session.person, now))
    return bool(touched)


_TRANSLATION = SetAsideText("translation", _typed, _set_aside)
