"""/meetings/<token>: a call as it stands, moved and cancelled by buttons; looking at it changes nothing."""

from zoneinfo import ZoneInfo

from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from site_app.api.host_calendar import FEED_ROUTE
from site_app.api.office import Office
from site_app.booking import meeting as meetings
from site_app.booking.availability import Availability
from site_app.booking.calendar_file import calendar_file, web_links
from site_app.booking.invitation import ManagedCall
from site_app.booking.rules import CallClosed, SlotTaken
from site_app.business import consultation_minutes
from site_app.contracts.meeting import Slot
from site_app.contracts.problems import problem
from site_app.http.pages import ASSET_ROUTES, PlainPage, form_of, plain, routes_for, show
from site_app.http.pages.times import keep_choice, times_page, zone_of
from site_app.i18n import href, t
from site_app.i18n.clocks import both_clocks, day_words, moment_words
from site_app.services.refusals import NotFound
from site_app.store.tables import Meeting
from site_app.store.tables.booking import BOOKED, CANCELLED


@plain("submissions")
async def manage(office: Office, request: Request) -> Response:
    """GET shows the call, POST cancels it."""
    token, now = request.path_params["token"], office.clock()
    try:
        if request.method == "POST" and (await form_of(request)).get("do") == "cancel":
            await office.store.write(lambda session: meetings.cancel_meeting(session, token, settings=office.settings, now=now))
            office.wake()
            return RedirectResponse(href(f"/meetings/{token}") + "?done=cancelled", 303)
        call = await _call(office, token)
    except NotFound:
        return _unknown(office, request)
    except CallClosed:
        return _shown(office, request, await _call(office, token), trouble=_closed(), status=409)
    return _shown(office, request, call, news=request.query_params.get("done", ""))


@plain("submissions", switched=keep_choice)
async def move(office: Office, request: Request) -> Response:
    """GET shows free times, POST moves the call to the chosen one."""
    token, now = request.path_params["token"], office.clock()
    try:
        call = await _call(office, token)
    except NotFound:
        return _unknown(office, request)
    if not _is_open(call.meeting, office):
        return _shown(office, request, call, trouble=_closed(), status=409)
    if request.method != "POST":
        return await _times(office, request, call, {})
    slot = (await form_of(request)).get("slot")
    if not slot:
        return await _times(office, request, call, {"slot": t("Please choose a time")}, status=422)
    try:
        await office.store.write(lambda session: meetings.move_meeting(session, token, slot, settings=office.settings, now=now))
    except CallClosed:
        return _shown(office, request, await _call(office, token), trouble=_closed(), status=409)
    except SlotTaken:
        return await _times(office, request, call, {"slot": problem("slot_gone", "slot")}, status=409)
    office.wake()
    return RedirectResponse(href(f"/meetings/{token}") + "?done=moved", 303)


@plain()
async def show_file(office: Office, request: Request) -> Response:
    """The call as it stands, as a file for a calendar; that of a cancelled call takes it out again."""
    try:
        call = await _call(office, request.path_params["token"])
    except NotFound:
        return _unknown(office, request)
    file = calendar_file(call.meeting, office.settings)
    headers = {
        "Content-Disposition": 'attachment; filename="call.ics"',
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(file.content, media_type=f"text/calendar; method={file.method}", headers=headers)


async def _call(office: Office, token: str) -> ManagedCall:
    return await office.store.read(lambda session: meetings.call_of(session, token))


def _shown(
    office: Office, request: Request, call: ManagedCall, *, news: str = "", trouble: str = "", status: int = 200
) -> Response:
    meeting, settings = call.meeting, office.settings
    zone, host = ZoneInfo(meeting.time_zone), ZoneInfo(settings.booking_zone)
    address = f"/meetings/{call.token}"
    is_open = _is_open(meeting, office)
    title, text = _state(meeting, is_open)
    when = (t("When"), day_words(meeting.starts_at, zone), both_clocks(meeting.starts_at, zone, host))
    facts = [
        when,
        (t("Duration"), "", t("{minutes} minutes", minutes=consultation_minutes())),
        (t("Host"), "", t("{name}, Founder & CEO", name=settings.brand_founder)),
        *([(t("Video call"), "", meeting.conferencing_url)] if is_open else []),
        (t("Reference"), "", meeting.reference),
    ]
    if meeting.moved_from:
        facts.insert(1, (t("Before"), "", moment_words(meeting.moved_from, zone, host)))
    words = {
        "news": _NEWS[news]() if news in _NEWS and _fits(news, meeting) else "",
        "trouble": trouble,
        "text": text,
        "facts": facts,
        "open": is_open,
        "ics": href(f"{address}/call.ics"),
        "calendars": web_links(meeting, settings),
        "move": href(f"{address}/move"),
        "again": href("/book"),
        "words": {
            "calendar": t("Add to your calendar"),
            "file": t("Calendar file (.ics)"),
            "change": t("Plans changed?"),
            "move": t("Move the call"),
            "cancel": t("Cancel the call"),
            "sure": t("The time becomes available to others. We’ll email you a file that removes the call from your calendar."),
            "yes": t("Yes, cancel the call"),
            "again": t("Book a new call"),
        },
    }
    return show(office, request, PlainPage("meeting.html", title, words), status=status)


def _state(meeting: Meeting, is_open: bool) -> tuple[str, str]:
    if meeting.state == CANCELLED:
        return t("This call has been cancelled"), t("It won’t take place. You can book another one at any time.")
    if not is_open:
        return t("This call has already started or is over"), ""
    return t("Your consultation call"), t(
        "This page always shows the latest details of your call, whichever email brought you here."
    )


async def _times(office: Office, request: Request, call: ManagedCall, errors: dict[str, str], *, status: int = 200) -> Response:
    meeting, settings, now = call.meeting, office.settings, office.clock()
    address = f"/meetings/{call.token}"

    def free(session: Session) -> list[Slot]:
        return [
            one for one in Availability(session, settings, now, own_call=meeting.id).slots() if one.start != meeting.starts_at
        ]

    asked = {"zone": meeting.time_zone} | dict(request.query_params)
    zone, host = zone_of(asked, office), ZoneInfo(settings.booking_zone)
    slots = await office.store.read(free)
    words = times_page(office, slots, zone, asked, address=href(f"{address}/move"), errors=errors)
    words["intro"] = (t("Now: {when}", when=moment_words(meeting.starts_at, zone, host)),)
    words["words"] = {**words["words"], "submit": t("Move the call to this time")}  # pyright: ignore[reportGeneralTypeIssues]
    words["back"] = (t("Keep the current time"), href(address))
    page = PlainPage("times.html", t("Move the call"), words, "slot" if words["days"] else "")
    return show(office, request, page, status=status)


def _unknown(office: Office, request: Request) -> Response:
    text = t("The link is incomplete, or the call it belonged to has been deleted. Please use the link in your latest email.")
    words = {"text": text, "action": (t("Book a call"), href("/book"))}
    return show(office, request, PlainPage("notice.html", t("This link no longer works"), words), status=404)


def _is_open(meeting: Meeting, office: Office) -> bool:
    return meeting.state == BOOKED and meeting.starts_at > office.clock()


def _fits(news: str, meeting: Meeting) -> bool:
    # An address with ?done=booked may be kept and come back when the call is long cancelled.
    return (news == "cancelled") == (meeting.state == CANCELLED) and (news != "moved" or meeting.moved_from is not None)


def _closed() -> str:
    return t("This call is over or cancelled and can no longer be changed. Please book a new one")


_NEWS = {
    "booked": lambda: t("Your call is booked. We’ve emailed you all the details."),
    "moved": lambda: t("Your call has been moved. We’ve emailed you the new time."),
    "cancelled": lambda: t("Your call has been cancelled. We’ve emailed you a confirmation."),
}

MEETING_PAGE_ROUTES = [
    *ASSET_ROUTES,
    FEED_ROUTE,
    *routes_for("/meetings/{token}", manage, "GET", "POST"),
    *routes_for("/meetings/{token}/move", move, "GET", "POST"),
    *routes_for("/meetings/{token}/call.ics", show_file),
]
