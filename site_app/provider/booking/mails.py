"""Mails about a meeting to the visitor, to the host and to the visitor's guest: booked, moved, cancelled, and the reminder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from zoneinfo import ZoneInfo

from site_app.core.i18n import href, t, use
from site_app.core.i18n.clocks import date_words, day_words, moment_words, time_words
from site_app.core.locales import ENGLISH
from site_app.core.settings import Settings
from site_app.core.settings.targets import MEETING_BOOKED, MEETING_CANCELLED, MEETING_MOVED, MEETING_NO_SHOW
from site_app.provider.booking.calendar_file import host_with_role, language_fact
from site_app.provider.leads.mails import facts_of, name_of, sender_label
from site_app.provider.outbox.mail import CalendarFile, Fact, Fields, MailAddress, MailLink, MailText
from site_app.provider.outbox.mailboxes import mailbox_of
from site_app.provider.outbox.notices import Event, event_rows
from site_app.provider.outbox.rows import Template, fields_of, mail_row, row_to_team, row_to_visitor, safe_fields
from site_app.provider.store.tables import MEETING, Meeting, NewOutbox


class Occasion(StrEnum):
    """The occasion of mails about a meeting. The names of their templates contain it."""

    BOOKED = "booked"
    MOVED = "moved"
    CANCELLED = "cancelled"
    REMINDER = "reminder"


_EVENTS = {  # a reminder is no event
    Occasion.BOOKED: MEETING_BOOKED,
    Occasion.MOVED: MEETING_MOVED,
    Occasion.CANCELLED: MEETING_CANCELLED,
}
_NO_SHOW = "call-no-show-visitor"
_TO_VISITOR = "call-{}-visitor"
_TO_HOST = "call-{}-host"
_TO_GUEST = "call-{}-guest"
# Whether the guest is mailed, too: values of the field `guest` of the visitor's mail. Waiting rows of the outbox hold them.
GUEST_MAILED = "told"
GUEST_NOT_MAILED = "not told"
REMINDER_TEMPLATES = tuple(template.format(Occasion.REMINDER) for template in (_TO_VISITOR, _TO_HOST))
GUEST_TEMPLATES = tuple(_TO_GUEST.format(occasion) for occasion in (Occasion.BOOKED, Occasion.MOVED, Occasion.CANCELLED))
# Mails that tell the state of a meeting; a later change makes them untrue.
STATE_TEMPLATES = tuple(
    template.format(occasion)
    for template in (_TO_VISITOR, _TO_HOST, _TO_GUEST)
    for occasion in (Occasion.BOOKED, Occasion.MOVED)
)
_CONFIRMATION = _TO_VISITOR.format(Occasion.BOOKED)
_MOVE = _TO_VISITOR.format(Occasion.MOVED)
_INVITATION = _TO_GUEST.format(Occasion.BOOKED)
_ABOUT_THE_VISITOR = (
    "full_name",
    "email",
    "phone",
    "company",
    "project_information",
    "additional_notes",
    "guest_email",
    "attribution",
)


@dataclass(frozen=True)
class WithdrawnMails:
    """A meeting's mails that were deleted before they left: their payloads by template. The next mail says what they would have said."""

    payloads: Mapping[str, Fields] = field(default_factory=dict)

    @property
    def has_confirmation(self) -> bool:
        """True if none of the visitor's mails about the meeting has left."""
        return _CONFIRMATION in self.payloads or bool(self.payloads.get(_MOVE, {}).get("is_first"))

    @property
    def has_invitation(self) -> bool:
        """True if none of the guest's mails about the meeting has left."""
        return _INVITATION in self.payloads

    @property
    def has_mail_to_guest(self) -> bool:
        return not self.payloads.keys().isdisjoint(GUEST_TEMPLATES)

    @property
    def guest(self) -> str:
        """GUEST_NOT_MAILED if the visitor was to learn it from a confirmation among them, or empty."""
        payload = self.payloads.get(_CONFIRMATION) or self.payloads.get(_MOVE, {})
        return GUEST_NOT_MAILED if self.has_confirmation and payload.get("guest") == GUEST_NOT_MAILED else ""


@dataclass(frozen=True)
class _OccasionWords:
    """The texts of one occasion's mails, as functions that are called in the reader's language.

    Subjects and the opening receive the meeting's time. `by_team` is the opening if someone in the office changed the meeting.
    """

    subject: Callable[[str], str]
    heading: Callable[[], str]
    opening: Callable[[str], str]
    host_subject: Callable[[str, str], str]
    by_team: Callable[[], str] | None = None


_WORDS = {
    Occasion.BOOKED: _OccasionWords(
        lambda when: t("Your call is booked: {when}", when=when),
        lambda: t("Your call is booked"),
        lambda when: t("Thank you for booking a free consultation call. Here are the time, the link and what to have ready."),
        lambda name, when: t("Call with {name} booked: {when}", name=name, when=when),
    ),
    Occasion.MOVED: _OccasionWords(
        lambda when: t("Your call has been moved: {when}", when=when),
        lambda: t("Your call has been moved"),
        lambda when: t("You’ve moved your consultation call. The new time is below."),
        lambda name, when: t("Call with {name} moved: {when}", name=name, when=when),
        lambda: t(
            "We’re sorry: we’ve had to move your consultation call. The new time is below. If it doesn’t suit you, choose another with the link below."
        ),
    ),
    Occasion.CANCELLED: _OccasionWords(
        lambda when: t("Your call has been cancelled: {when}", when=when),
        lambda: t("Your call has been cancelled"),
        lambda when: t("You’ve cancelled your consultation call. To remove it from your calendar, open the attached file."),
        lambda name, when: t("Call with {name} cancelled: {when}", name=name, when=when),
        lambda: t(
            "We’re sorry: we’ve had to cancel your consultation call. You can choose another time below. To remove this one from your calendar, open the attached file."
        ),
    ),
    Occasion.REMINDER: _OccasionWords(
        lambda when: t("Reminder of your call: {when}", when=when),
        lambda: t("Your call is coming up"),
        lambda when: t(
            "Your consultation call is on {time}. If it no longer suits you, you can move or cancel it below.", time=when
        ),
        lambda name, when: t("Reminder of the call with {name}: {when}", name=name, when=when),
    ),
}


@dataclass(frozen=True)
class _GuestWords:
    """The texts of one occasion's mail to a guest; the opening is called with our name."""

    subject: Callable[[str], str]
    heading: Callable[[], str]
    opening: Callable[[str], str]


_GUEST_WORDS = {
    Occasion.BOOKED: _GuestWords(
        lambda when: t("You’re invited to a call: {when}", when=when),
        lambda: t("You’re invited to a call"),
        lambda brand: t(
            "Someone named you as a guest on a call with {brand}. To protect that person’s privacy, we can’t say who. If you weren’t expecting this email, ignore it.",
            brand=brand,
        ),
    ),
    Occasion.MOVED: _GuestWords(
        lambda when: t("The call has been moved: {when}", when=when),
        lambda: t("The call has been moved"),
        lambda brand: t("The call with {brand} that you’re invited to has a new time.", brand=brand),
    ),
    Occasion.CANCELLED: _GuestWords(
        lambda when: t("The call has been cancelled: {when}", when=when),
        lambda: t("The call has been cancelled"),
        lambda brand: t(
            "The call with {brand} that you were invited to won’t take place. To remove it from your calendar, open the attached file.",
            brand=brand,
        ),
    ),
}


def meeting_rows(
    occasion: Occasion,
    meeting: Meeting,
    *,
    manage_url: str,
    calendar_file: CalendarFile,
    to_host: bool = True,
    guest: str = "",
    is_first: bool = False,
    settings: Settings,
    now: datetime,
    by_team: bool = False,
) -> list[NewOutbox]:
    """Returns the outbox rows of an occasion, without the guest's.

    They are a mail to the visitor, with `to_host` one to the host, and one for each target that receives the event.
    `guest` is GUEST_MAILED or GUEST_NOT_MAILED, or empty if the meeting has no guest.
    With `is_first` the visitor's mail about a move also says what the confirmation would have said, because that never left.
    `by_team` is true if someone in the office changed the meeting; the mail then apologises.
    """
    file = {"calendar": calendar_file.content.decode(), "calendar_method": calendar_file.method}
    host_fields = fields_of(meeting) | file
    # The link that moves or cancels the meeting is for the visitor alone.
    own_fields = {"manage_url": manage_url, "by_team": by_team, "guest": guest, "is_first": is_first}
    visitor_fields = safe_fields(host_fields) | file | own_fields
    # A meeting has several reminders between two changes, so the time that is left tells them apart.
    minutes = (meeting.starts_at - now) // timedelta(minutes=1)
    edition = f"{meeting.sequence}.{minutes}" if occasion == Occasion.REMINDER else meeting.sequence
    rows = [row_to_visitor(_TO_VISITOR.format(occasion), visitor_fields, meeting, settings=settings, now=now, edition=edition)]
    if to_host:
        rows.append(row_to_team(_TO_HOST.format(occasion), host_fields, settings=settings, now=now, edition=edition))
    if occasion not in _EVENTS:
        return rows
    line = _notice_line(occasion, host_fields, settings)
    event = Event(_EVENTS[occasion], meeting.reference, line, host_fields | {"kind": MEETING}, edition=meeting.sequence)
    return [*rows, *event_rows(event, settings=settings, now=now)]


def guest_row(
    occasion: Occasion, meeting: Meeting, *, calendar_file: CalendarFile, settings: Settings, now: datetime
) -> NewOutbox:
    """Returns the mail to the visitor's guest.

    The guest did not ask for it, so it has none of the visitor's words, and no link that changes the meeting.
    """
    fields = safe_fields(fields_of(meeting))
    fields |= {"calendar": calendar_file.content.decode(), "calendar_method": calendar_file.method}
    template = _TO_GUEST.format(occasion)
    edition = meeting.sequence
    row = mail_row(template, fields, meeting.guest_email, meeting.language, settings=settings, now=now, edition=edition)
    row.mailbox = mailbox_of(meeting.guest_email)
    return row


def no_show_rows(meeting: Meeting, *, settings: Settings, now: datetime, with_mail: bool) -> list[NewOutbox]:
    """Returns the rows about a visitor who did not come: one for each target of the event, and `with_mail` a mail to the visitor."""
    fields = fields_of(meeting)
    rows = (
        [row_to_visitor(_NO_SHOW, safe_fields(fields), meeting, settings=settings, now=now, edition=meeting.sequence)]
        if with_mail
        else []
    )
    when = f"{_day_and_time(fields['starts_at'], settings.booking_zone)} ({settings.booking_zone})"
    line = f"No-show of {sender_label(fields, settings)}: {when}, {meeting.reference}"
    event = Event(MEETING_NO_SHOW, meeting.reference, line, fields | {"kind": MEETING}, edition=meeting.sequence)
    return [*rows, *event_rows(event, settings=settings, now=now)]


def _no_show_text(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=t("We missed you: {when}", when=_day_and_time(fields["starts_at"], fields["time_zone"])),
        heading=t("We missed you at the call"),
        greeting=t("Hello,"),
        opening=(
            t("We’re sorry we missed you in the video call. If something came up, no problem."),
            t("If you’d still like to talk, choose another time that suits you."),
        ),
        facts=(
            Fact(t("When"), _both_clocks(fields["starts_at"], fields["time_zone"], settings.booking_zone)),
            Fact(t("Reference"), fields["reference"]),
        ),
        facts_title=t("The call"),
        action=_book_again(settings),
    )


def _book_again(settings: Settings) -> MailLink:
    return MailLink(t("Choose another time"), settings.url + href("/") + "?open=consultation")


def visitor_text(occasion: Occasion, fields: Fields, settings: Settings) -> MailText:
    """Returns the visitor's mail, with times in the visitor's time zone first."""
    words = _WORDS[occasion]
    when = _day_and_time(fields["starts_at"], fields["time_zone"])
    return MailText(
        subject=words.subject(when),
        heading=words.heading(),
        greeting=t("Hello,"),
        opening=(words.by_team() if words.by_team and fields.get("by_team") else words.opening(when),),
        facts=_facts(occasion, fields, settings, first=fields["time_zone"], second=settings.booking_zone),
        facts_title=t("The call"),
        action=_book_again(settings)
        if occasion == Occasion.CANCELLED
        else MailLink(t("Move or cancel the call"), fields["manage_url"]),
        # Mails written by an earlier release lack `is_first`.
        steps=_steps(Occasion.BOOKED if occasion == Occasion.MOVED and fields.get("is_first") else occasion, fields, settings),
        steps_title=t("Before the call"),
        is_reply=occasion != Occasion.REMINDER,
        calendar_file=_calendar_file(fields),
    )


def guest_text(occasion: Occasion, fields: Fields, settings: Settings) -> MailText:
    """Returns the guest's mail, with times in the visitor's time zone first: the guest's is not known."""
    words = _GUEST_WORDS[occasion]
    deleted_at = datetime.fromisoformat(fields["created_at"]) + settings.keep_leads
    if occasion != Occasion.CANCELLED:  # a call that is still to come is not deleted before it
        deleted_at = max(deleted_at, datetime.fromisoformat(fields["ends_at"]))
    return MailText(
        # With both clocks: the guest cannot know in which time zone the visitor is.
        subject=words.subject(_both_clocks(fields["starts_at"], fields["time_zone"], settings.booking_zone)),
        heading=words.heading(),
        greeting=t("Hello,"),
        opening=(words.opening(settings.brand_name),),
        facts=_facts(occasion, fields, settings, first=fields["time_zone"], second=settings.booking_zone),
        facts_title=t("The call"),
        closing=(
            t(
                "The person who booked the call gave us your address. We use it only for this call, and delete it with the booking on {date}.",
                date=date_words(deleted_at.date()),
            ),
            *([] if occasion == Occasion.CANCELLED else [t("If you don’t want to come, you don’t need to do anything.")]),
            t("To have your address deleted now, reply to this email."),
        ),
        calendar_file=_calendar_file(fields),
    )


def host_text(occasion: Occasion, fields: Fields, settings: Settings) -> MailText:
    """Returns the host's mail, with times in the host's time zone first, and the visitor's text. A reply goes to the visitor."""
    words = _WORDS[occasion]
    name = name_of(fields)
    subject = words.host_subject(name, _day_and_time(fields["starts_at"], settings.booking_zone))
    about = facts_of(fields, _ABOUT_THE_VISITOR)
    return MailText(
        subject=subject,
        heading=subject,
        opening=(t("Reply to this email and your answer goes to {name}.", name=name),),
        facts=_facts(occasion, fields, settings, first=settings.booking_zone, second=fields["time_zone"]) + about,
        facts_title=t("The call"),
        reply_to=MailAddress(name, fields["email"]),
        calendar_file=_calendar_file(fields),
    )


def _notice_line(occasion: Occasion, fields: Fields, settings: Settings) -> str:
    """Returns the line of a notice, in English like the mails to the host."""
    with use(ENGLISH):
        when = f"{_day_and_time(fields['starts_at'], settings.booking_zone)} ({settings.booking_zone})"
        return f"{_WORDS[occasion].host_subject(sender_label(fields, settings), when)}, {fields['reference']}"


def _facts(occasion: Occasion, fields: Fields, settings: Settings, *, first: str, second: str) -> tuple[Fact, ...]:
    facts = [Fact(t("When"), _both_clocks(fields["starts_at"], first, second))]
    if occasion == Occasion.MOVED and fields.get("moved_from"):
        facts.append(Fact(t("Previous time"), _both_clocks(fields["moved_from"], first, second)))
    facts.append(Fact(t("Duration"), t("{minutes} minutes", minutes=_minutes(fields, settings))))
    facts.append(Fact(t("Host"), host_with_role(fields.get("host", ""), settings)))
    if language := language_fact(fields.get("call_language", ""), settings):
        facts.append(Fact(t("Language of the call"), language))
    if occasion != Occasion.CANCELLED:
        facts.append(Fact(t("Video call"), fields["conferencing_url"], is_link=True))
    return (*facts, Fact(t("Reference"), fields["reference"]))


def _minutes(fields: Fields, settings: Settings) -> int:
    # Mails written by a release that did not store the end: their meetings have the length of the setting.
    start = fields["starts_at"]
    end = fields.get("ends_at")
    length = datetime.fromisoformat(end) - datetime.fromisoformat(start) if end else settings.booking_length
    return length // timedelta(minutes=1)


def _day_and_time(moment: str, zone: str) -> str:
    instant = datetime.fromisoformat(moment)
    clock = ZoneInfo(zone)
    return t("{day}, {time}", day=day_words(instant, clock), time=time_words(instant, clock))


def _both_clocks(moment: str, first: str, second: str) -> str:
    return moment_words(datetime.fromisoformat(moment), ZoneInfo(first), ZoneInfo(second))


def _steps(occasion: Occasion, fields: Fields, settings: Settings) -> tuple[str, ...]:
    if occasion == Occasion.CANCELLED:
        return ()
    calendar = {
        Occasion.MOVED: (t("Open the attached file to update the call in your calendar."),),
        Occasion.REMINDER: (),
    }.get(occasion, (t("Open the attached file to add the call to your calendar."),))
    guest = {
        (Occasion.BOOKED, GUEST_MAILED): (t("We’ve emailed the invitation to your guest, too."),),
        (Occasion.MOVED, GUEST_MAILED): (t("We’ve emailed the new time to your guest, too."),),
        (Occasion.BOOKED, GUEST_NOT_MAILED): (
            t("We can’t email your guest today. Please send them the time and the link to the video call."),
        ),
        (Occasion.MOVED, GUEST_NOT_MAILED): (t("Please tell your guest the new time: we haven’t emailed it to them."),),
    }.get((occasion, fields.get("guest", "")), ())
    join = t("When it’s time, open the video call link in your browser. There is nothing to install.")
    return (*calendar, *guest, *_reminders(occasion, fields, settings), *_preparation(occasion), join)


def _reminders(occasion: Occasion, fields: Fields, settings: Settings) -> tuple[str, ...]:
    """Returns a sentence about the reminders to come. A meeting booked shortly before its start has fewer, or none."""
    if occasion == Occasion.REMINDER or not fields.get("remind_at"):
        return ()
    first, starts = (datetime.fromisoformat(fields[name]) for name in ("remind_at", "starts_at"))
    when = _day_and_time(fields["remind_at"], fields["time_zone"])
    if sum(first <= starts - lead for lead in settings.booking_reminders) > 1:
        return (t("We’ll email you reminders, the first on {when}.", when=when),)
    return (t("We’ll email you a reminder on {when}.", when=when),)


def _preparation(occasion: Occasion) -> tuple[str, ...]:
    if occasion not in (Occasion.BOOKED, Occasion.REMINDER):
        return ()
    return (
        t(
            "Have three things ready: the problem in your own words, what you have tried so far, and your budget or deadline, if there is one."
        ),
    )


def _calendar_file(fields: Fields) -> CalendarFile | None:
    return CalendarFile(fields["calendar"].encode(), fields["calendar_method"]) if fields.get("calendar") else None


TEMPLATES = {
    _NO_SHOW: Template(_no_show_text),
    **{_TO_VISITOR.format(occasion): Template(partial(visitor_text, occasion)) for occasion in Occasion},
    **{_TO_GUEST.format(occasion): Template(partial(guest_text, occasion)) for occasion in _GUEST_WORDS},
    **{_TO_HOST.format(occasion): Template(partial(host_text, occasion), to_team=True) for occasion in Occasion},
}
