"""Pages of the site's articles and case studies: their list and how a new one begins, the revisions of a text, and previews of drafts."""

import asyncio
from functools import partial
from typing import Any
from urllib.parse import urlencode

from sqlmodel import Session
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from site_app.contracts.drafts import ContentSite, PreviewOptions
from site_app.contracts.publication import (
    FOLDERS,
    MAX_TITLE_LENGTH,
    PUBLICATION_MODELS,
    file_text,
    is_picture_name,
    without_control_characters,
)
from site_app.core.http.pages import PAGE_HEADERS
from site_app.core.http.policy import inline_style_hashes
from site_app.core.settings import Settings
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.office.access import OfficeRequest, SetAsideText, signed_in
from site_app.provider.office.content.desk import KIND_WORDS, LANGUAGES, ContentDesk
from site_app.provider.office.content.editor import Editor, sent_text, set_text_aside
from site_app.provider.office.frame import redirect_in_office
from site_app.provider.office.typed_values import parse_number
from site_app.provider.publishing import builds, drafts, stages
from site_app.provider.publishing.drafts import MAX_DRAFT_BYTES
from site_app.provider.publishing.files import ContentFiles
from site_app.provider.publishing.merging import compare_lines
from site_app.provider.publishing.revisions import newest_revision
from site_app.provider.store.tables import Revision

_TEXTS_SHOWN = 200
_FILTERS = ("words", "state", "kind")
_UNDER_WAY = ("publish", "withdraw")  # changes whose message is true until their build ends
_TEXT = SetAsideText("text", lambda form: form.get("text", ""), set_text_aside)


def content_routes(settings: Settings, site: ContentSite) -> list[Route]:
    """Returns the routes of the office's texts. With SITE_PUBLISH unset, they show texts and change none."""
    desk = ContentDesk(site, ContentFiles(settings))
    listing = Listing(desk)
    editor = Editor(desk)
    history = History(desk)
    previews = Previews(desk)
    get = ["GET"]
    both = ["GET", "POST"]
    text_path = "/office/content/{kind}/{slug}/{language}"

    def page(path: str, handler: Any, methods: list[str] = get) -> Route:
        return Route(path, signed_in(handler, area="texts", set_aside_text=_TEXT), methods=methods)

    return [
        page("/office/content", listing.show, both),
        page("/office/content/pictures/{kind}/{name}", previews.picture),
        page("/office/content/{kind}/{slug}", editor.show_english),
        page(text_path, editor.show, both),
        page(f"{text_path}/history", history.show, both),
        page(f"{text_path}/compare", history.compare),
        page(f"{text_path}/preview", previews.show, both),
    ]


class Listing:
    """The list of all texts, from which a new one begins, a scheduled build is cancelled and a failed one dismissed."""

    def __init__(self, desk: ContentDesk) -> None:
        self._desk = desk
        self._stages = stages.SharedStages(desk.files)

    async def show(self, request: OfficeRequest) -> Response:
        if request.method != "POST":
            return await self._page(request)
        if not request.context.settings.publish:
            return await self._page(request, status=403)
        if request.form.get("do") == "new":
            return await self._begin(request)
        if request.form.get("do") == "cancel-build":
            build_id = parse_number(request.form.get("number", ""))
            await request.context.store.write(lambda session: builds.cancel(session, build_id, request.actor))
            return redirect_in_office("/content?done=cancel-build")
        if request.form.get("do") == "dismiss-failure":
            build_id = parse_number(request.form.get("number", ""))
            await request.context.store.write(lambda session: builds.dismiss(session, build_id, request.actor))
            return redirect_in_office("/content?done=dismiss-failure")
        return redirect_in_office("/content")

    async def _page(self, request: OfficeRequest, *, status: int = 200, **values: Any) -> Response:
        now = request.context.clock()
        today = request.context.settings.local_day(now)
        query = request.query_params

        def read_rows(session: Session) -> dict[str, Any]:
            failures = stages.unretried_failures(session, now=now)
            return {
                "entries": self._stages.read(session, now, today),
                "active": builds.active(session, now=now),
                "failures": failures,
                "done": None if failures else builds.last_done(session),
                "scheduled": builds.scheduled(session, now=now),
            }

        rows = await request.context.store.read(read_rows)
        shown_entries = [entry for entry in rows["entries"] if _matches(entry, query)]
        first = max(0, parse_number(query.get("after", "")))
        template_values = {
            "entries": shown_entries[first : first + _TEXTS_SHOWN],
            "is_first": not first,
            "next_page": _page_url(query, first + _TEXTS_SHOWN) if len(shown_entries) > first + _TEXTS_SHOWN else "",
            "count": len(rows["entries"]),
            "active": rows["active"],
            "failures": rows["failures"],
            "done": rows["done"],
            "scheduled": rows["scheduled"],
            "stages": [(stage, stage) for stage in stages.PUBLICATION_STAGES],
            "kinds": list(KIND_WORDS.items()),
            "kind_words": KIND_WORDS,
            "languages": LANGUAGES,
            "typed": {name: query.get(name, "") for name in _FILTERS},
            "may_write": request.person.writes and bool(request.context.settings.publish),
            "publishes": bool(request.context.settings.publish),
            "by_git": request.context.settings.publish == "git",
            "problem": "",
            "new": {"kind": "article", "title": ""},
            "longest_title": MAX_TITLE_LENGTH,
        }
        if query.get("done") in _UNDER_WAY and not rows["active"]:
            template_values["message"] = ""  # the build has ended, and the page shows the outcome
        response = request.render("content.html", "Content", status=status, **(template_values | values))
        response.headers["Content-Security-Policy"] += "; connect-src 'self'"  # the script follows the progress of a build
        return response

    async def _begin(self, request: OfficeRequest) -> Response:
        kind = request.form.get("kind", "")
        title = " ".join(without_control_characters(request.form.get("title", "")).split())
        if kind not in PUBLICATION_MODELS or not title or len(title) > MAX_TITLE_LENGTH:
            problem = f"Give it a title of at most {MAX_TITLE_LENGTH} characters."
            return await self._page(request, status=422, problem=problem, new={"kind": kind, "title": title})
        used_slugs = list(await asyncio.to_thread(self._desk.files.texts, kind))
        today = request.context.settings.local_day(request.context.clock())
        text = file_text({"title": title, "date": today.isoformat()}, "")
        begin = partial(drafts.begin, kind=kind, title=title, text=text, actor=request.actor, used_slugs=used_slugs)
        key = await request.context.store.write(begin)
        if key is None:
            problem = "The title needs a Latin letter or a digit: the address of the page is made from it."
            return await self._page(request, status=422, problem=problem, new={"kind": kind, "title": title})
        return redirect_in_office(f"/content/{kind}/{key.slug}/{key.language}")


def _page_url(query: Any, first: int) -> str:
    """Returns the query of the page that begins after so many texts."""
    return "?" + urlencode({**{name: query[name] for name in _FILTERS if query.get(name)}, "after": first})


def _matches(entry: stages.PublicationStage, query: Any) -> bool:
    words = query.get("words", "").casefold().split()
    text = f"{entry.title} {entry.slug}".casefold()
    has_stage_and_kind = query.get("state", "") in ("", entry.stage) and query.get("kind", "") in ("", entry.kind)
    return has_stage_and_kind and all(word in text for word in words)


class History:
    """The revisions of a text: who saved them and when, two of them compared, and an earlier one restored."""

    def __init__(self, desk: ContentDesk) -> None:
        self._desk = desk

    async def show(self, request: OfficeRequest) -> Response:
        """GET lists the revisions of a text; POST restores one, which becomes a new revision."""
        edited = await self._desk.requested_text(request)
        if request.method == "POST" and request.context.settings.publish:
            return await self._restore(request)
        history = await request.context.store.read(lambda session: drafts.history(session, edited.key))
        published = drafts.summary_of(edited.file).digest if edited.file is not None else ""
        template_values = {
            "key": edited.key,
            "history": history,
            "published": published,
            "language": LANGUAGES[edited.key.language],
            "may_write": request.person.writes and bool(request.context.settings.publish),
        }
        return request.render("content_history.html", f"History of {edited.key.slug}", **template_values)

    async def compare(self, request: OfficeRequest) -> Response:
        """Shows the changes from one revision to another. Without `from` that is the revision before; `from=0` is the published file."""
        edited = await self._desk.requested_text(request)
        query = request.query_params

        def read_rows(session: Session) -> tuple[Revision | None, Revision | None]:
            second = drafts.revision(session, edited.key, parse_number(query.get("to", ""))) or newest_revision(
                session, edited.key
            )
            if "from" in query or second is None:
                return drafts.revision(session, edited.key, parse_number(query.get("from", ""))), second
            return drafts.revision_before(session, edited.key, second), second

        before, after = await request.context.store.read(read_rows)
        if after is None:
            raise EntryNotFound
        earlier = before.text if before else edited.file or ""
        lines = compare_lines(*(drafts.ordered_text(edited.key, text) for text in (earlier, after.text)))
        template_values = {
            "key": edited.key,
            "before": before,
            "after": after,
            "lines": lines,
            "may_write": request.person.writes and bool(request.context.settings.publish),
        }
        return request.render("content_compare.html", f"Changes to {edited.key.slug}", **template_values)

    async def _restore(self, request: OfficeRequest) -> Response:
        edited = await self._desk.requested_text(request)
        revision_number = parse_number(request.form.get("number", ""))

        def restore(session: Session) -> None:
            revision = drafts.revision(session, edited.key, revision_number)
            if revision is None:
                raise EntryNotFound
            base = edited.current.digest if edited.current else ""
            drafts.save(session, edited.key, revision.text, request.actor, base=base, published_text=edited.file)

        await request.context.store.write(restore)
        return redirect_in_office(f"/content/{edited.key.reference}?done=restore")


_TYPES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "avif": "image/avif"}
_PICTURE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


class Previews:
    """Drafts in the site's own layout, for an iframe of the editor or alone, and their pictures. Never public, never kept."""

    def __init__(self, desk: ContentDesk) -> None:
        self._desk = desk

    async def show(self, request: OfficeRequest) -> Response:
        """GET draws the newest revision of a text; POST draws the contents of the editor's form, and saves nothing."""
        edited = await self._desk.requested_text(request)
        changed = {}
        if request.method == "POST":
            text = sent_text(edited.key, request.pairs)
            if len(text.encode()) > MAX_DRAFT_BYTES:
                raise EntryNotFound
            changed = {edited.key.language: text}
            edited = await self._desk.read_text(request, edited.key, text)
        elif edited.current is None:
            raise EntryNotFound
        theme = request.form.get("theme", "") or request.query_params.get("theme", "")
        picture_url = f"/office/content/pictures/{edited.key.kind}/{{name}}"
        html = await self._desk.preview(edited, PreviewOptions(edited.key.language, theme == "dark", picture_url), **changed)
        return HTMLResponse(html, headers=PAGE_HEADERS | preview_headers(html))

    async def picture(self, request: OfficeRequest) -> Response:
        """Serves a picture that was uploaded for a draft, or one that is published."""
        kind = request.path_params["kind"]
        name = request.path_params["name"]
        if kind not in FOLDERS or not is_picture_name(name):
            raise EntryNotFound
        row = await request.context.store.read(lambda session: drafts.picture(session, kind, name))
        content = row.content if row else self._desk.files.picture(kind, name)
        if content is None:
            raise EntryNotFound
        return Response(content, media_type=_TYPES[name.rpartition(".")[2].lower()], headers=_PICTURE_HEADERS)


def preview_headers(html: str) -> dict[str, str]:
    """Allows the page its style and pictures, and nothing else; the office alone may frame it."""
    policy = (
        f"default-src 'none'; style-src {inline_style_hashes(html)}; img-src 'self' data:; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
    )
    return {"Content-Security-Policy": policy, "X-Frame-Options": "SAMEORIGIN"}
