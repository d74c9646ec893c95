"""The list of the site's articles and case studies, and how a new one begins."""

import asyncio
from functools import partial
from typing import Any

from sqlmodel import Session
from starlette.responses import Response
from starlette.routing import Route

from site_app.contracts.drafts import ContentSite
from site_app.contracts.front_matter import written
from site_app.contracts.publication import PUBLICATION_MODELS, TITLE_LENGTH
from site_app.core.settings import Settings
from site_app.provider.office.access import KeptText, Visit, number, redirected, signed_in
from site_app.provider.office.content_desk import KIND_WORDS, LANGUAGES, ContentDesk
from site_app.provider.office.content_editor import Editor, hold_text
from site_app.provider.office.content_history import History
from site_app.provider.office.content_preview import Previews
from site_app.provider.publishing import builds, drafts, states
from site_app.provider.publishing.files import ContentFiles
from site_app.provider.store.tables import Build

_BUILDS_SHOWN = 5
_TEXT = KeptText("text", lambda form: form.get("text", ""), hold_text)


def content_routes(settings: Settings, site: ContentSite) -> list[Route]:
    """Returns the routes of the office's texts. With SITE_PUBLISH unset, they show texts and change none."""
    desk = ContentDesk(site, ContentFiles(settings))
    listing, editor, history, previews = Listing(desk), Editor(desk), History(desk), Previews(desk)
    get, both, one = ["GET"], ["GET", "POST"], "/office/content/{kind}/{slug}/{language}"

    def page(path: str, handler: Any, methods: list[str] = get) -> Route:
        return Route(path, signed_in(handler, content=True, keeps=_TEXT), methods=methods)

    return [
        page("/office/content", listing.show, both),
        page("/office/content/pictures/{kind}/{name}", previews.picture),
        page("/office/content/{kind}/{slug}", editor.show_english),
        page(one, editor.show, both),
        page(f"{one}/history", history.show, both),
        page(f"{one}/compare", history.compare),
        page(f"{one}/preview", previews.show, both),
    ]


class Listing:
    def __init__(self, desk: ContentDesk) -> None:
        self._desk = desk

    async def show(self, visit: Visit) -> Response:
        if visit.request.method != "POST":
            return await self._page(visit)
        if not visit.context.settings.publish:
            return await self._page(visit, status=403)
        if visit.form.get("do") == "new":
            return await self._begin(visit)
        if visit.form.get("do") == "cancel-build":
            cancel = partial(builds.cancel, build_id=number(visit.form.get("number", "")))
            await visit.context.store.write(lambda session: cancel(session, person=visit.actor.name, now=visit.actor.now))
            return redirected("/content?done=cancel-build")
        return redirected("/content")

    async def _page(self, visit: Visit, *, status: int = 200, **words: Any) -> Response:
        now, query = visit.context.clock(), visit.request.query_params
        files = await asyncio.to_thread(states.summaries, self._desk.files)

        def look(session: Session) -> dict[str, Any]:
            newest = builds.latest(session, _BUILDS_SHOWN)
            return {
                "entries": states.listed_states(session, files, now),
                "build": next((build for build in newest if _is_shown(build)), None),
                "scheduled": builds.scheduled(session, now=now),
            }

        found = await visit.context.store.read(look)
        shown = [entry for entry in found["entries"] if _matches(entry, query)]
        page_words = {
            "entries": shown,
            "count": len(found["entries"]),
            "build": found["build"],
            "is_active": states.is_active(found["build"]),
            "scheduled": found["scheduled"],
            "states": [(state, state) for state in states.STATES],
            "kinds": list(KIND_WORDS.items()),
            "kind_words": KIND_WORDS,
            "languages": LANGUAGES,
            "typed": {name: query.get(name, "") for name in ("words", "state", "kind")},
            "may_write": visit.person.writes and bool(visit.context.settings.publish),
            "publishes": bool(visit.context.settings.publish),
            "by_git": visit.context.settings.publish == "git",
            "problem": "",
            "new": {"kind": "article", "title": ""},
            "longest_title": TITLE_LENGTH,
        }
        return visit.show("content.html", "Content", status=status, **(page_words | words))

    async def _begin(self, visit: Visit) -> Response:
        kind, title = visit.form.get("kind", ""), " ".join(visit.form.get("title", "").split())
        if kind not in PUBLICATION_MODELS or not title or len(title) > TITLE_LENGTH:
            problem = f"Give it a title of at most {TITLE_LENGTH} characters."
            return await self._page(visit, status=422, problem=problem, new={"kind": kind, "title": title})
        taken = list(await asyncio.to_thread(self._desk.files.texts, kind))
        text = written({"title": title, "date": f"{visit.context.clock():%Y-%m-%d}"}, "")
        begin = partial(drafts.begin, kind=kind, title=title, text=text, actor=visit.actor, taken=taken)
        key = await visit.context.store.write(begin)
        if key is None:
            problem = "The title needs a letter or a digit of the Latin alphabet: the address of the page is made of it."
            return await self._page(visit, status=422, problem=problem, new={"kind": kind, "title": title})
        return redirected(f"/content/{kind}/{key.slug}/{key.language}")


def _is_shown(build: Build) -> bool:
    return build.state not in ("cancelled", "superseded") and not (build.state == "waiting" and build.not_before)


def _matches(entry: states.PublicationState, query: Any) -> bool:
    words = query.get("words", "").casefold().split()
    text = f"{entry.title} {entry.slug}".casefold()
    is_wanted = query.get("state", "") in ("", entry.state) and query.get("kind", "") in ("", entry.kind)
    return is_wanted and all(word in text for word in words)
