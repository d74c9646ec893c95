"""Requests to a CalDAV calendar of the host (RFC 4791).

The library `caldav` brings an HTTP client of its own, which resolves host names itself. These requests go through PublicTransport, follow
no redirect, and trust no address that the server names.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, unquote, urlsplit
from xml.sax.saxutils import escape

import httpx

from site_app.core.http.bodies import reply_body
from site_app.core.settings import Settings
from site_app.core.settings.rules import is_loopback
from site_app.provider.outbox.public_addresses import PublicTransport

MAX_REPLY_BYTES = 16 * 1024 * 1024  # 10,000 ordinary entries take 6 MB
_TIMEOUT = httpx.Timeout(10.0, connect=3.0)
_ZONE_MARGIN = timedelta(days=1)
_TIME_FORMAT = "%Y%m%dT%H%M%SZ"
_XML_HEADERS = {"Content-Type": "application/xml; charset=utf-8", "Accept-Encoding": "identity"}
_QUERY = (
    '<?xml version="1.0" encoding="utf-8"?>'
    '<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
    "<D:prop><D:getetag/><C:calendar-data/></D:prop>"
    '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">{filter}</C:comp-filter></C:comp-filter></C:filter>'
    "</C:calendar-query>"
)


class CalendarRefused(Exception):
    """The server answered, but not as expected. The message may be logged and shown to the owner."""


def transport_to(url: str) -> httpx.AsyncBaseTransport:
    """Returns the transport to a host of the settings: public addresses only, except a loopback address that the operator wrote as such."""
    if is_loopback(urlsplit(url).hostname or ""):
        return httpx.AsyncHTTPTransport(trust_env=False)
    return PublicTransport()


class CalDavCalendar:
    """A calendar of a CalDAV server. Its methods raise httpx.HTTPError, OSError or CalendarRefused; callers limit the time."""

    def __init__(self, url: str, settings: Settings, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = httpx.URL(url)
        self._transport = transport
        self._auth = (settings.caldav_user, settings.caldav_password) if settings.caldav_user else None

    async def events(self, first: datetime, last: datetime) -> str:
        """Returns the multistatus of all events that overlap this time, and of some a day away. Recurring events are not expanded.

        The server searches times without a zone as if they were in UTC, or in a zone of its own.
        """
        begin, end = (first - _ZONE_MARGIN).astimezone(UTC), (last + _ZONE_MARGIN).astimezone(UTC)
        span = f'start="{begin:{_TIME_FORMAT}}" end="{end:{_TIME_FORMAT}}"'
        return await self._report(f"<C:time-range {span}/>")

    async def events_with_uid(self, uid: str) -> str:
        """Returns the multistatus of the event with this UID, which may have any name in the calendar."""
        match = f'<C:text-match collation="i;octet">{escape(uid)}</C:text-match>'
        return await self._report(f'<C:prop-filter name="UID">{match}</C:prop-filter>')

    def href_for(self, uid: str) -> str:
        """Returns the path of a new entry in this calendar."""
        return f"{self._url.path}{quote(uid.partition('@')[0], safe='')}.ics"

    def own_path(self, href: str) -> str:
        """Returns the path of an address that the server named, or "" if it leads out of this calendar, whatever its host."""
        path = unquote(urlsplit(href).path)
        inside = path.startswith(self._url.path) and "/" not in path[len(self._url.path) :] and path != self._url.path
        return path if inside else ""

    async def put(self, href: str, ics: bytes, etag: str | None) -> tuple[int, str]:
        """Writes an entry and returns the status and the new ETag.

        Writes only if the entry still has this `etag`; with None, only if there is no entry; with "", always.
        """
        condition = {"If-None-Match": "*"} if etag is None else {"If-Match": etag} if etag else {}
        headers = {"Content-Type": "text/calendar; charset=utf-8", **condition}
        response = await self._request("PUT", href, headers, ics)
        return response.status_code, _strong(response.headers.get("ETag", ""))

    async def etag(self, href: str) -> str | None:
        """Returns the current ETag of an entry, "" if the server gives none, or None if there is no such entry."""
        response = await self._request("HEAD", href, {})
        if response.status_code in (404, 410):
            return None
        if response.status_code != 200:
            raise CalendarRefused(f"HTTP {response.status_code}")
        return _strong(response.headers.get("ETag", ""))

    async def delete(self, href: str) -> bool:
        """Deletes an entry. Returns False if there is none of this name."""
        response = await self._request("DELETE", href, {})
        if response.status_code not in (200, 202, 204, 404, 410):
            raise CalendarRefused(f"HTTP {response.status_code}")
        return response.status_code < 300

    async def _report(self, condition: str) -> str:
        content = _QUERY.format(filter=condition).encode()
        async with (
            self._client() as client,
            client.stream("REPORT", self._url, content=content, headers=_XML_HEADERS | {"Depth": "1"}) as response,
        ):
            if response.status_code != 207:
                raise CalendarRefused(f"it answered {response.status_code}")
            return (await reply_body(response, largest=MAX_REPLY_BYTES, refusal=CalendarRefused)).decode("utf-8", "replace")

    async def _request(self, method: str, href: str, headers: Mapping[str, str], content: bytes = b"") -> httpx.Response:
        """Returns status and headers; the body is not read."""
        url = self._url.copy_with(path=href)
        async with self._client() as client, client.stream(method, url, content=content, headers=dict(headers)) as response:
            return response

    def _client(self) -> httpx.AsyncClient:
        # Do not follow redirects: the server could lead us, with the password, to an address inside our own network.
        transport = self._transport or transport_to(str(self._url))
        return httpx.AsyncClient(transport=transport, auth=self._auth, timeout=_TIMEOUT, follow_redirects=False)


def _strong(etag: str) -> str:
    # A weak ETag matches nothing in If-Match (RFC 9110, 13.1.1), so it is treated as missing.
    return "" if etag.startswith("W/") else etag
