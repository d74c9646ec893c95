"""Calendar files of a meeting (RFC 5545 and 5546), and links that add it to web calendars."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import icalendar
from icalendar import STATUS, Alarm, Event, vCalAddress

from site_app.core.i18n import t, use
from site_app.core.i18n.clocks import both_clocks
from site_app.core.i18n.names import language_name
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.settings import Settings
from site_app.provider.outbox.mail import CalendarFile
from site_app.provider.store.tables import BusyTime, Meeting, MeetingStage

_ALARM = timedelta(minutes=10)  # before the call


def calendar_file(meeting: Meeting, settings: Settings, *, attendee: str = "") -> CalendarFile:
    """Returns the meeting's current file: method REQUEST adds it to a calendar or updates it there, CANCEL removes it.

    It invites the visitor, or this other attendee. It never names two of them, because the file goes to unverified addresses.
    """
    method = "CANCEL" if meeting.state == MeetingStage.CANCELLED else "REQUEST"
    calendar = _calendar(method, settings)
    event = _event(meeting, settings, attendee=attendee)
    event.add("summary", _title(settings))
    calendar.add_component(event)
    return CalendarFile(calendar.to_ical(), method)


def calendar_entry(meeting: Meeting, settings: Settings, *, host_starts_at: datetime | None = None) -> bytes:
    """Returns the meeting as an entry of the host's own calendar, with the UID of its calendar file and an alarm.

    It names neither organizer nor attendees: a CalDAV server would send them invitations of its own (RFC 6638).
    `host_starts_at` is the time to which the host has moved the entry, where it stays.
    """
    with use(ENGLISH):
        calendar = _calendar("", settings)
        event = _event(meeting, settings, for_host=True)
        title = t("Call with {name}", name=meeting.full_name)
    if host_starts_at:
        event.start, event.end = host_starts_at, host_starts_at + (meeting.ends_at - meeting.starts_at)
    del event["organizer"], event["attendee"]
    event.add("summary", title)
    if settings.office:
        event.add("url", f"{settings.office_origins[0]}/office/leads/{meeting.reference}")
    alarm = Alarm()
    for name, value in (("action", "DISPLAY"), ("trigger", -_ALARM), ("description", title)):
        alarm.add(name, value)
    event.add_component(alarm)
    calendar.add_component(event)
    return calendar.to_ical()


def feed(meetings: Iterable[Meeting], blocked: Iterable[BusyTime], settings: Settings) -> bytes:
    """Returns the host's calendar of meetings and blocked times. Cancelled meetings are included with status CANCELLED.

    Its events have an organizer and no attendees, as the method PUBLISH demands (RFC 5546, 3.2.1).
    """
    calendar = _calendar("PUBLISH", settings)
    calendar.add("x-wr-calname", t("Calls with {brand}", brand=settings.brand_name))
    for meeting in meetings:
        event = _event(meeting, settings, for_host=True)
        del event["attendee"]
        event.add("summary", t("Call with {name}", name=meeting.full_name))
        calendar.add_component(event)
    domain = settings.brand_email.rpartition("@")[2]
    for busy_time in blocked:
        event = Event.new(
            uid=f"blocked-{busy_time.id}@{domain}",
            start=busy_time.starts_at,
            end=busy_time.ends_at,
            stamp=busy_time.starts_at,
            organizer=_organizer(settings.brand_founder, settings),
        )
        event.add("summary", busy_time.note or t("No calls"))
        calendar.add_component(event)
    return calendar.to_ical()


def host_with_role(host: str, settings: Settings) -> str:
    """Returns how visitors read the name of a call's host; `host` is as the meeting has it, empty for the founder."""
    return host or t("{name}, Founder & CEO", name=settings.brand_founder)


def language_fact(call_language: str, settings: Settings) -> str:
    """Returns the name of the call's language if calls are held in several, else an empty text."""
    return language_name(call_language) if len(settings.call_languages) > 1 and call_language in BY_ID else ""


def web_links(meeting: Meeting, settings: Settings) -> tuple[tuple[str, str], ...]:
    """Returns names of web calendars, each with a URL that opens a form filled in with the meeting."""
    title = _title(settings)
    text = _description(meeting, settings)
    room = meeting.conferencing_url
    start, end = (moment.astimezone(UTC) for moment in (meeting.starts_at, meeting.ends_at))
    google = {
        "action": "TEMPLATE",
        "text": title,
        "dates": f"{start:%Y%m%dT%H%M%SZ}/{end:%Y%m%dT%H%M%SZ}",
        "details": text,
        "location": room,
    }
    outlook = {
        "path": "/calendar/action/compose",
        "rru": "addevent",
        "subject": title,
        "startdt": f"{start:%Y-%m-%dT%H:%M:%SZ}",
        "enddt": f"{end:%Y-%m-%dT%H:%M:%SZ}",
        "body": text,
        "location": room,
    }
    return (
        ("Google Calendar", f"https://calendar.google.com/calendar/render?{urlencode(google)}"),
        ("Outlook", f"https://outlook.live.com/calendar/0/deeplink/compose?{urlencode(outlook)}"),
    )


def _calendar(method: str, settings: Settings) -> icalendar.Calendar:
    # Not Calendar.new, which adds a random id: the same meeting must give the same file.
    calendar = icalendar.Calendar()
    for name, value in (
        ("version", "2.0"),
        ("prodid", f"-//{settings.brand_name}//Consultation calls//EN"),
        *([("method", method)] if method else []),
    ):
        calendar.add(name, value)
    return calendar


def _event(meeting: Meeting, settings: Settings, *, attendee: str = "", for_host: bool = False) -> Event:
    host_name = meeting.host or settings.brand_founder
    # Times are in UTC: every program reads them the same way, and the file needs no VTIMEZONE.
    event = Event.new(
        uid=meeting.uid,
        sequence=meeting.sequence,
        start=meeting.starts_at,
        end=meeting.ends_at,
        stamp=meeting.changed_at,
        created=meeting.created_at,
        last_modified=meeting.changed_at,
        description=_description(meeting, settings, for_host=for_host),
        location=meeting.conferencing_url,
        status=STATUS.CANCELLED if meeting.state == MeetingStage.CANCELLED else STATUS.CONFIRMED,
        organizer=_organizer(host_name, settings),
        attendees=[
            vCalAddress.new(settings.brand_email, cn=host_name, role="CHAIR", partstat="ACCEPTED", rsvp=False),
            # The visitor has accepted by booking. No name, because the file goes to an unverified address.
            vCalAddress.new(
                attendee or meeting.email,
                role="REQ-PARTICIPANT",
                partstat="NEEDS-ACTION" if attendee else "ACCEPTED",
                rsvp=False,
            ),
        ],
    )
    event.add("class", "PRIVATE")
    return event


def _organizer(host_name: str, settings: Settings) -> vCalAddress:
    return vCalAddress.new(settings.brand_email, cn=host_name)


def _title(settings: Settings) -> str:
    return t("Free consultation call with {brand}", brand=settings.brand_name)


def _description(meeting: Meeting, settings: Settings, *, for_host: bool = False) -> str:
    # No manage link here: calendars are shared with others, and the link permits cancelling the meeting.
    host_zone = ZoneInfo(settings.booking_zone)
    language = language_fact(meeting.call_language, settings)
    guest = [t("Guest: {email}", email=meeting.guest_email)] if for_host and meeting.guest_email else []
    return "\n".join(
        (
            both_clocks(meeting.starts_at, ZoneInfo(meeting.time_zone), host_zone),
            t("With {name}, {minutes} minutes", name=meeting.host, minutes=meeting.minutes)
            if meeting.host
            else t("With {name}, Founder & CEO, {minutes} minutes", name=settings.brand_founder, minutes=meeting.minutes),
            *([t("Language of the call: {language}", language=language)] if language else []),
            t("Video call: {address}", address=meeting.conferencing_url),
            t("Reference: {reference}", reference=meeting.reference),
            *guest,
        )
    )
