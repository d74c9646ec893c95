"""/meetings/<token>: shows a meeting, with buttons to move and cancel it. GET changes nothing.

/calendar/<key>.ics: the host's feed of meetings and blocked times.
"""

import hmac
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial, wraps
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from site_app.contracts.fields import time_zones
from site_app.contracts.free_times import visitor_zone
from site_app.contracts.problems import problem
from site_app.core.http.pages import ASSET_ROUTES, PAGE_HEADERS, form_of, plain_endpoint, render_notice, render_page, routes_for
from site_app.core.i18n import href, t
from site_app.core.i18n.clocks import both_clocks, day_words, moment_words
from site_app.provider.booking.busy import BLOCKED
from site_app.provider.booking.calendar_file import calendar_file, feed, host_with_role, language_fact, web_links
from site_app.provider.booking.meeting import ManagedMeeting, cancel_by_link, find_by_link, move_by_link, upcoming_meetings
from site_app.provider.booking.refusals import MailedLinkNeeded, MeetingClosed, SlotTaken
from site_app.provider.booking.slots import Availability
from site_app.provider.http.call import ApiContext, api_context_of
from site_app.provider.http.refusals import EntryNotFound
from site_app.provider.store.tables import BusyTime, Meeting, MeetingStage
from site_app.times_page import TIMES_SCRIPT_ROUTE, TimesPage, keep_choice

_KEPT_IN_FEED = timedelta(days=30)
MeetingPageHandler = Callable[[ApiContext, Request, ManagedMeeting], Awaitable[Response]]


def _with_managed_meeting(handler: MeetingPageHandler) -> Callable[[ApiContext, Request], Awaitable[Response]]:
    """Passes the link's meeting to the handler. Responds with a page if the link is unknown, or the meeting can no longer be changed."""

    @wraps(handler)
    async def respond(context: ApiContext, request: Request) -> Response:
        try:
            return await handler(context, request, await _managed_meeting(context, request))
        except EntryNotFound:
            return _unknown_link(context, request)
        except MeetingClosed:
            closed = t("This call is over or cancelled and can no longer be changed. Please book a new one.")
            return _meeting_page(context, request, await _managed_meeting(context, request), fault=closed, status=409)
        except MailedLinkNeeded:
            often = t("This call can’t be moved again from this page. Please use the link in our latest email.")
            return _meeting_page(context, request, await _managed_meeting(context, request), fault=often, status=409)

    return respond


@plain_endpoint("submissions")
@_with_managed_meeting
async def manage(context: ApiContext, request: Request, managed: ManagedMeeting) -> Response:
    """GET shows the meeting, POST cancels it."""
    if request.method == "POST" and (await form_of(request)).get("do") == "cancel":
        return await _change_and_redirect(context, cancel_by_link, managed.token, notice="cancelled")
    return _meeting_page(context, request, managed, notice=request.query_params.get("done", ""))


@plain_endpoint("submissions", show_again=keep_choice)
@_with_managed_meeting
async def move(context: ApiContext, request: Request, managed: ManagedMeeting) -> Response:
    """GET shows free times, POST moves the meeting to the chosen time."""
    if not _is_open(managed.meeting, context):
        raise MeetingClosed
    if request.method != "POST":
        return await _times_page(context, request, managed)
    sent = await form_of(request)
    slot = sent.get("slot")
    if not slot:
        return await _times_page(context, request, managed, t("Please choose a time"), status=422)
    await context.refresh_day_of(slot)
    try:
        zone = sent.get("zone", "")
        move_in_zone = partial(move_by_link, time_zone=zone if zone in time_zones() else "")
        return await _change_and_redirect(context, move_in_zone, managed.token, slot, notice="moved")
    except SlotTaken:
        return await _times_page(context, request, managed, problem("slot_gone", "slot"), status=409)


@plain_endpoint()
@_with_managed_meeting
async def show_file(context: ApiContext, request: Request, managed: ManagedMeeting) -> Response:
    """Returns the meeting's current calendar file. The file of a cancelled meeting removes it from the calendar."""
    file = calendar_file(managed.meeting, context.settings)
    headers = PAGE_HEADERS | {"Content-Disposition": 'attachment; filename="call.ics"'}
    return Response(file.content, media_type=f"text/calendar; method={file.method}", headers=headers)


async def show_feed(request: Request) -> Response:
    """Serves the host's calendar feed: upcoming meetings, those of the last 30 days, blocked times. The key in the URL is the permission."""
    context = api_context_of(request)
    key = context.settings.booking_feed_key
    if not key or not hmac.compare_digest(request.path_params["key"].encode(), key.encode()):
        raise HTTPException(404)
    now = context.clock()

    def feed_file(session: Session) -> bytes:
        upcoming = upcoming_meetings(session, now=now, back=_KEPT_IN_FEED)
        blocked = session.exec(select(BusyTime).where(BusyTime.source == BLOCKED, BusyTime.ends_at > now - _KEPT_IN_FEED))
        return feed(upcoming, blocked, context.settings)

    content = await context.store.read(feed_file)
    return Response(content, media_type="text/calendar", headers={"Cache-Control": "no-store", "X-Robots-Tag": "noindex"})


async def _managed_meeting(context: ApiContext, request: Request) -> ManagedMeeting:
    return await context.store.read(lambda session: find_by_link(session, request.path_params["token"]))


async def _change_and_redirect(
    context: ApiContext, change: Callable[..., Any], token: str, *arguments: str, notice: str
) -> Response:
    now = context.clock()
    await context.store.write(lambda session: change(session, token, *arguments, settings=context.settings, now=now))
    context.wake()
    return RedirectResponse(href(f"/meetings/{token}") + f"?done={notice}", 303)


def _meeting_page(
    context: ApiContext, request: Request, managed: ManagedMeeting, *, notice: str = "", fault: str = "", status: int = 200
) -> Response:
    meeting = managed.meeting
    settings = context.settings
    zone = ZoneInfo(meeting.time_zone)
    host_zone = ZoneInfo(settings.booking_zone)
    path = f"/meetings/{managed.token}"
    is_open = _is_open(meeting, context)
    has_room = meeting.state == MeetingStage.BOOKED and meeting.ends_at > context.clock()  # also for who comes late
    title, text = _title_and_text(meeting, is_open)
    language = language_fact(meeting.call_language, settings)
    when = (t("When"), day_words(meeting.starts_at, zone), both_clocks(meeting.starts_at, zone, host_zone))
    facts = [
        when,
        (t("Duration"), "", t("{minutes} minutes", minutes=meeting.minutes)),
        (t("Host"), "", host_with_role(meeting.host, settings)),
        *([(t("Language of the call"), "", language)] if language else []),
        *([(t("Video call"), "", meeting.conferencing_url)] if has_room else []),
        *([(t("Guest"), "", meeting.guest_email)] if meeting.guest_email else []),
        (t("Reference"), "", meeting.reference),
    ]
    if meeting.moved_from:
        facts.insert(1, (t("Previous time"), "", moment_words(meeting.moved_from, zone, host_zone)))
    template_values = {
        "notice": _NOTICES[notice]() if notice in _NOTICES and _still_applies(notice, meeting) else "",
        "fault": fault,
        "text": text,
        "facts": facts,
        "open": is_open,
        "ics": href(f"{path}/call.ics"),
        "calendars": web_links(meeting, settings),
        "move": href(f"{path}/move"),
        "again": href("/book"),
    }
    return render_page(
        context, request, "meeting.html", title, package="site_app.provider.booking", status=status, **template_values
    )


def _title_and_text(meeting: Meeting, is_open: bool) -> tuple[str, str]:
    if meeting.state == MeetingStage.CANCELLED:
        return t("This call has been cancelled"), t("It won’t take place. You can book another one at any time.")
    if not is_open:
        return t("This call has already started or is over"), ""
    return t("Your consultation call"), t(
        "This page always shows the latest details of your call, whichever email brought you here."
    )


async def _times_page(
    context: ApiContext, request: Request, managed: ManagedMeeting, fault: str = "", *, status: int = 200
) -> Response:
    meeting = managed.meeting
    settings = context.settings
    now = context.clock()
    path = f"/meetings/{managed.token}"
    query = {"zone": meeting.time_zone} | dict(request.query_params)
    host_zone = ZoneInfo(settings.booking_zone)
    zone = visitor_zone(query["zone"], host_zone)
    when = moment_words(meeting.starts_at, zone, host_zone)
    free = await context.store.read(lambda session: Availability(session, settings, now, own_meeting=meeting).slots())
    page = TimesPage(
        title=t("Move the call"),
        intro=(t("Booked for: {when}", when=when),),
        slots=[slot for slot in free if slot.start != meeting.starts_at],
        zone=zone,
        path=href(f"{path}/move"),
        query=query,
        submit=t("Move the call to this time"),
        back=(t("Keep the current time"), href(path)),
        fault=fault,
    )
    return page.response(context, request, status=status)


def _unknown_link(context: ApiContext, request: Request) -> Response:
    text = t("The link is incomplete, or the call it belonged to has been deleted. Please use the link in our latest email.")
    return render_notice(context, request, t("This link no longer works"), text, (t("Book a call"), href("/book")), status=404)


def _is_open(meeting: Meeting, context: ApiContext) -> bool:
    return meeting.state == MeetingStage.BOOKED and meeting.starts_at > context.clock()


def _still_applies(notice: str, meeting: Meeting) -> bool:
    # A bookmarked URL with ?done=booked may be opened again after the meeting was cancelled.
    return (notice == "cancelled") == (meeting.state == MeetingStage.CANCELLED) and (
        notice != "moved" or meeting.moved_from is not None
    )


_NOTICES = {
    "booked": lambda: t("Your call is booked. We’ve emailed you all the details."),
    "moved": lambda: t("Your call has been moved. We’ve emailed you the new time."),
    "cancelled": lambda: t("Your call has been cancelled. We’ve emailed you a confirmation."),
}

MEETING_PAGE_ROUTES = [
    *ASSET_ROUTES,
    TIMES_SCRIPT_ROUTE,
    Route("/calendar/{key}.ics", show_feed),
    *routes_for("/meetings/{token}", manage, "GET", "POST"),
    *routes_for("/meetings/{token}/move", move, "GET", "POST"),
    *routes_for("/meetings/{token}/call.ics", show_file),
]
