"""Previews of drafts in the site's own layout, for an iframe of the editor or alone, and the pictures of drafts. Never public, never kept."""

import base64
import hashlib
import re

from starlette.responses import HTMLResponse, Response

from site_app.contracts.drafts import Look
from site_app.contracts.publication import FOLDERS, is_picture_name
from site_app.core.http.pages import PAGE_HEADERS
from site_app.provider.endpoints.refusals import EntryNotFound
from site_app.provider.office.access import Visit
from site_app.provider.office.content_desk import ContentDesk
from site_app.provider.office.content_editor import sent_text
from site_app.provider.publishing import drafts
from site_app.provider.publishing.drafts import LARGEST_TEXT

_TYPES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "avif": "image/avif"}
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_STYLE_ATTRIBUTE = re.compile(r'<[a-z][^<>]*? style="([^"]*)"')
_PICTURE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


class Previews:
    def __init__(self, desk: ContentDesk) -> None:
        self._desk = desk

    async def show(self, visit: Visit) -> Response:
        """GET draws the newest state of a text; POST draws what stands in the editor's form, and saves nothing."""
        edited = await self._desk.edited(visit)
        changed = {}
        if visit.request.method == "POST":
            text = sent_text(edited.key, visit.pairs)
            if len(text.encode()) > LARGEST_TEXT:
                raise EntryNotFound("text")
            changed = {edited.key.language: text}
            edited = await self._desk.edited_text(visit, edited.key, text)
        elif edited.current is None:
            raise EntryNotFound("text")
        theme = visit.form.get("theme", "") or visit.request.query_params.get("theme", "")
        address = f"/office/content/pictures/{edited.key.kind}/{{name}}"
        html = await self._desk.preview(edited, Look(edited.key.language, theme == "dark", address), **changed)
        return HTMLResponse(html, headers=PAGE_HEADERS | _preview_headers(html))

    async def picture(self, visit: Visit) -> Response:
        """Serves a picture that was uploaded for a draft, or one that is published."""
        kind, name = visit.request.path_params["kind"], visit.request.path_params["name"]
        if kind not in FOLDERS or not is_picture_name(name):
            raise EntryNotFound(name)
        row = await visit.context.store.read(lambda session: drafts.picture(session, kind, name))
        content = row.content if row else self._desk.files.picture(kind, name)
        if content is None:
            raise EntryNotFound(name)
        return Response(content, media_type=_TYPES[name.rpartition(".")[2].lower()], headers=_PICTURE_HEADERS)


def _preview_headers(html: str) -> dict[str, str]:
    """Allows the page its style and pictures, and nothing else; the office alone may frame it."""
    styles = [*_STYLE.findall(html)]
    attributes = [*dict.fromkeys(_STYLE_ATTRIBUTE.findall(html))]
    hashes = " ".join(f"'sha256-{_digest(text)}'" for text in (*styles, *attributes))
    policy = (
        f"default-src 'none'; style-src {hashes}{' ' + repr('unsafe-hashes') if attributes else ''}; img-src 'self' data:; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
    )
    return {"Content-Security-Policy": policy, "X-Frame-Options": "SAMEORIGIN"}


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
