"""The tables: leads, meetings and their calendar cells, files, the outbox, page views, the office, the affiliate program, drafts and builds.

A column with fixed values has an enum, and is a text in the database all the same: with the enum as its annotation, SQLModel would make
it a type of the database, which each new value would have to migrate.
"""

from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, Index, LargeBinary, column, func
from sqlmodel import Field

from site_app.provider.store.columns import (
    Row,
    amount_column,
    folded_column,
    instant_column,
    mail_domain,
    reference_key_column,
    unfolded_index,
)

MEETING = "meeting"  # the kind of a meeting, beside the kinds of leads


class LeadStatus(StrEnum):
    """The team's progress with a lead or a meeting. A meeting is never quarantined or released."""

    NEW = "new"
    READ = "read"
    ANSWERED = "answered"
    WON = "won"
    LOST = "lost"
    QUARANTINED = "quarantined"  # spam signals: no mails until somebody releases it
    RELEASED = "released"  # from quarantine, and new to the team


TEAM_STATUSES = (LeadStatus.NEW, LeadStatus.READ, LeadStatus.ANSWERED, LeadStatus.WON, LeadStatus.LOST)


class MeetingStage(StrEnum):
    """The stage of a meeting: whether it takes place, or took place. The team marks attendance once it has begun."""

    BOOKED = "booked"
    CANCELLED = "cancelled"
    ATTENDED = "attended"
    NO_SHOW = "no-show"


class EntryDifference(StrEnum):
    """The host's change of a meeting's entry in the calendar."""

    DELETED = "deleted"
    MOVED = "moved"


class OutboxKind(StrEnum):
    MAIL = "mail"
    WEBHOOK = "webhook"
    NOTICE = "notice"
    CALENDAR_WRITE = "calendar"


class OutboxStatus(StrEnum):
    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    DEAD = "dead"  # given up
    WITHHELD = "withheld"  # recorded but never sent: the mailbox has reached its limit of the day


class PartnerState(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"
    FORFEITED = "forfeited"


class ReferralState(StrEnum):
    COUNTED = "counted"
    DECLINED = "declined"


class BuildState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"  # a later request includes it


_SENDER_FIELDS = ("reference", "email", "company", "phone", "phone_e164")


class FromVisitor(Row):
    """The columns that leads and meetings share.

    `status` is a LeadStatus, `status_reason` names the spam signals that led to quarantine, `owner` the person of the team who answers.
    `version` grows with each change by the team. `attribution` says where the visitor came from: see contracts.attribution.
    """

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(unique=True)
    status: str = Field(default=LeadStatus.NEW, index=True)
    status_reason: str = ""
    created_at: datetime = instant_column(index=True)
    language: str = "en"
    source_page: str = ""
    email: str
    phone: str = ""
    phone_e164: str = ""
    phone_extension: str = ""
    company: str = ""
    owner: str = ""
    version: int = 0
    attribution: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)


class NewLead(FromVisitor):
    """A lead before it is inserted; `own_fields` holds the fields of its kind, without empty ones."""

    kind: str = Field(index=True)
    # In the database the column is called `said`: a rename would keep an older release from running on these tables.
    own_fields: dict[str, Any] = Field(
        default_factory=dict, sa_type=JSON, sa_column_kwargs={"name": "said", "key": "own_fields"}
    )


class Lead(NewLead, table=True):
    """A lead as a row of its table. Making one takes ten times as long as a NewLead, which is enough for an insert."""

    __table_args__: Any = (
        # filtered lists are read from an index, newest first
        Index(None, "status", "created_at"),
        Index(None, "kind", "created_at"),
        Index(None, "kind", "status"),  # the gauges count them
        Index("ix_lead_lower_email", func.lower(column("email"))),
        Index("ix_lead_mail_domain", mail_domain(column("email"))),
        unfolded_index("lead"),
    )

    folded: str = folded_column(*_SENDER_FIELDS, "own_fields")


class Meeting(FromVisitor, table=True):
    """A meeting. `uid` stays and `sequence` grows with each change, so that calendars recognise it.

    It has two states: `state` is a MeetingStage and says whether the meeting takes place, `status` is a LeadStatus, as for every lead, and
    says what the team has done about it. A meeting can be attended and still lost.
    """

    __table_args__: Any = (
        Index("ix_meeting_lower_email", func.lower(column("email"))),
        Index("ix_meeting_mail_domain", mail_domain(column("email"))),
        unfolded_index("meeting"),
    )

    kind: ClassVar[str] = MEETING
    state: str = Field(default=MeetingStage.BOOKED)
    full_name: str
    starts_at: datetime = instant_column(index=True)
    ends_at: datetime = instant_column(index=True)
    time_zone: str
    call_language: str = "en"
    host: str = ""  # their name, as the settings had it; empty for the founder
    project_information: str = ""
    additional_notes: str = ""
    guest_email: str = ""  # of somebody whom the visitor wants to join; empty if our invitation was withheld
    conferencing_url: str
    moved_from: datetime | None = instant_column(default=None)  # the start before the last move
    uid: str = Field(unique=True)
    sequence: int = 0
    changed_at: datetime = instant_column()
    remind_at: datetime | None = instant_column(default=None, index=True)  # emptied when the reminder is written
    folded: str = folded_column(*_SENDER_FIELDS, "full_name", "project_information", "additional_notes", "guest_email")

    @property
    def minutes(self) -> int:
        """The length: that of the setting when the meeting was booked or last moved."""
        return (self.ends_at - self.starts_at) // timedelta(minutes=1)


class ManageLink(Row, table=True):
    """A link to a meeting's page, stored as the hash of its token. Each mail has its own link, and all of them stay valid."""

    token_hash: str = Field(primary_key=True)
    meeting_id: int = Field(foreign_key="meeting.id", ondelete="CASCADE", index=True)
    mailed: bool = False  # the token was sent by mail only, so its user can read that mailbox


class Hold(Row, table=True):
    """A slot reserved for the visitor who knows the id, while they fill in the form."""

    id: str = Field(primary_key=True)
    starts_at: datetime = instant_column()
    ends_at: datetime = instant_column()
    created_at: datetime = instant_column()
    expires_at: datetime = instant_column(index=True)
    call_language: str = "en"


class BookingCell(Row, table=True):
    """A quarter hour of a host, taken by a meeting, a hold, or the buffer after it. Its primary key makes overlaps impossible.

    A hold's cell carries its expiry, so the next booking may delete it without waiting for a clean-up job.
    """

    __table_args__: Any = (
        CheckConstraint("(meeting_id IS NULL) <> (hold_id IS NULL)", name="one_owner"),
        CheckConstraint("(hold_id IS NULL) = (expires_at IS NULL)", name="only_holds_expire"),
    )

    starts_at: datetime = instant_column(primary_key=True)
    host: str = Field(default="", primary_key=True)  # as in the meeting
    meeting_id: int | None = Field(default=None, foreign_key="meeting.id", ondelete="CASCADE", index=True)
    hold_id: str | None = Field(default=None, foreign_key="hold.id", ondelete="CASCADE", index=True)
    expires_at: datetime | None = instant_column(default=None)
    network: str = ""  # of the visitor who booked, as a keyed hash; emptied when the meeting is over


class BusyTime(Row, table=True):
    """Time in which nothing can be booked: blocked by the host, or read from one of the host's own calendars, whose key is `calendar`."""

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(index=True)
    calendar: str = Field(default="")
    starts_at: datetime = instant_column(index=True)
    ends_at: datetime = instant_column()
    note: str = ""


# The source of busy times that come from the host's calendars, and the row of calendar_reading that a process claims before it
# reads all of them.
CALENDAR_SOURCE = "calendar"


class CalendarReading(Row, table=True):
    """The last attempt to read a calendar of the host, and the last success. `problem` says why reading fails.

    The row CALENDAR_SOURCE is claimed by the process that reads all of them; the others are named by the keys of the calendars.
    """

    source: str = Field(primary_key=True)
    tried_at: datetime = instant_column()
    read_at: datetime | None = instant_column(default=None)
    problem: str = ""


class CalendarEntry(Row, table=True):
    """The entry of a meeting in the host's calendar: where it was last written, and how the host has changed it since.

    `difference` is "deleted" or "moved" if the host did that in the calendar, and `host_starts_at` the start there.
    """

    uid: str = Field(primary_key=True)
    meeting_id: int = Field(foreign_key="meeting.id", ondelete="CASCADE", index=True)
    href: str
    etag: str = ""
    sequence: int
    written_at: datetime = instant_column()
    difference: str = ""
    host_starts_at: datetime | None = instant_column(default=None)


class Attachment(Row, table=True):
    __table_args__: Any = (unfolded_index("attachment"),)

    id: str = Field(primary_key=True)  # unguessable: it permits claiming and deleting the file
    claimed_by: str | None = Field(default=None, index=True)  # the lead's reference
    stored_name: str = Field(unique=True)
    original_name: str
    kind: str  # the file extension that fits both content and name
    size: int
    sha256: str
    created_at: datetime = instant_column(index=True)
    folded: str = folded_column("original_name")


class IdempotencyKey(Row, table=True):
    """A submission's key, the hash of its content, and the result it got."""

    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    body_hash: str
    reference: str = Field(unique=True)
    quarantined: bool = False
    created_at: datetime = instant_column(index=True)


class NewOutbox(Row):
    """A mail, webhook request, notice to a chat or write to the host's calendar before it is inserted.

    `message_id` is the same for every attempt. `recipient` is a mail address, "the team", the name of a target in the settings, or "calendar".
    """

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    message_id: str = Field(unique=True)
    reference: str = Field(index=True)
    template: str
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    language: str = "en"
    recipient: str
    # The visitor's, normalised by `mailbox_of`; empty for mails to the team and for webhooks.
    mailbox: str = Field(default="", index=True)
    status: str = Field(default=OutboxStatus.WAITING)
    attempts: int = 0
    next_attempt_at: datetime = instant_column()
    claimed_until: datetime | None = instant_column(default=None)
    last_error: str = ""
    created_at: datetime = instant_column()
    sent_at: datetime | None = instant_column(default=None)


class Outbox(NewOutbox, table=True):
    """A mail, webhook request, notice or write to the host's calendar as a row of its table."""

    # The sweep looks for old rows of some templates.
    __table_args__: Any = (Index(None, "status", "next_attempt_at"), Index(None, "template", "created_at"))


class PageView(Row, table=True):
    """The views of a path on a day, or with an empty path those from a referring host. Route, tag and language follow from the path.

    A row for each pair of both would make a hundred times as many. Rows of releases before 0014 are of pairs: a path with its referrer.
    """

    day: date = Field(primary_key=True)
    path: str = Field(primary_key=True)
    referrer: str = Field(primary_key=True)
    route: str = Field(sa_column_kwargs={"name": "pattern", "key": "route"})  # as the first release named the column
    tag: str
    language: str
    count: int


class ClockReading(Row, table=True):
    """The time of the last sweep, in a single row with the id 1."""

    id: int = Field(primary_key=True)
    seen_at: datetime = instant_column()


class SignInLink(Row, table=True):
    """A mailed sign-in link, stored as the hash of its token. Using it deletes the row."""

    token_hash: str = Field(primary_key=True)
    person: str
    expires_at: datetime = instant_column(index=True)


class OfficeSession(Row, table=True):
    """A session of the office, stored as the hash of its cookie. The row outlives the session for a while."""

    token_hash: str = Field(primary_key=True)
    person: str = Field(index=True)
    created_at: datetime = instant_column(index=True)
    seen_at: datetime = instant_column()
    browser: str = ""


class Note(Row, table=True):
    """A note of the team about a lead or meeting. A note sent after its session had expired is `held`: stored, but not shown yet."""

    __table_args__: Any = (unfolded_index("note"),)

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(index=True)
    person: str
    written_at: datetime = instant_column(index=True)
    text: str
    held: bool = False
    folded: str = folded_column("text")


class OpenedLead(Row, table=True):
    """Records that a person of the office has opened the page of a lead or meeting."""

    reference: str = Field(primary_key=True)
    person: str = Field(primary_key=True)
    opened_at: datetime = instant_column()


class AuditEntry(Row, table=True):
    """Records who changed what and when, without any words of visitors or notes."""

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = instant_column(index=True)
    person: str
    action: str
    reference: str = Field(default="", index=True)
    before: str = ""
    after: str = ""


class Partner(Row, table=True):
    """An affiliate. `code` is part of their links, `application` is the reference of the lead with which they applied.

    The agreement is in force from `approved_on` until the day before `ends_on`. A suspended partner's code makes no referrals
    until the suspension ends.
    The state is forfeited if we ended the agreement because of a breach, and with it all commission that was not paid out.
    """

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(unique=True)
    application: str = Field(unique=True)  # so that it is approved once
    name: str
    email: str
    paypal: str
    language: str = "en"
    state: str = Field(default=PartnerState.ACTIVE)
    terms_version: str
    applied_at: datetime = instant_column()
    approved_on: date
    notice_on: date | None = None
    ends_on: date | None = None


class PartnerLink(Row, table=True):
    """A mailed link to a partner's own page, stored as the hash of its token. A new link replaces the older ones."""

    token_hash: str = Field(primary_key=True)
    partner_id: int = Field(foreign_key="partner.id", ondelete="CASCADE", index=True)


class Referral(Row, table=True):
    """A customer's first submission under a partner's code. It outlives the lead, and holds nothing that the customer wrote.

    `prior_contact_on` is the day of the last contact before it, whatever it was about. If the owner said that contacts were about no
    project, `no_project_until` is the day of the last one that they judged. `resemblance` is what the sender shares with the partner:
    mail or domain.
    """

    id: int | None = Field(default=None, primary_key=True)
    lead: str = Field(unique=True)  # the reference: the first partner keeps the lead
    partner_id: int = Field(foreign_key="partner.id", index=True)
    first_submission_on: date
    state: str = Field(default=ReferralState.COUNTED)
    prior_contact_on: date | None = None
    no_project_until: date | None = None
    resemblance: str = ""


class CustomerPayment(Row, table=True):
    """A payment of a referred customer, entered by the team; the fields are those of `ledger.PaymentFacts`."""

    __table_args__: Any = (CheckConstraint("(repaid_on IS NULL) = (repaid = '0')", name="repaid_on_a_day"),)

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(unique=True)  # the invoice's number, as it was typed first
    reference_key: str = reference_key_column()  # two spellings of a number have one key
    lead: str = Field(foreign_key="referral.lead", index=True)
    net: Decimal = amount_column()
    currency: str
    billing: str
    due_on: date
    contract_on: date
    term_months: int | None = None
    received_on: date | None = None
    reversed_on: date | None = None
    repaid_on: date | None = None
    repaid: Decimal = amount_column(default=Decimal(0))


class Payout(Row, table=True):
    """An amount paid to a partner for a month, in one currency, or, if negative, one that came back.

    Its primary key keeps two owners from marking one payout each.

    `month` is the month's first day. If entries or corrections made more due after that, the next payout for the month has its second
    day, and so on. A number of its own in the primary key would mislead the previous release: it would read such rows as one payout.
    """

    month: date = Field(primary_key=True)
    partner_id: int = Field(foreign_key="partner.id", primary_key=True)
    currency: str = Field(primary_key=True)
    rate: Decimal | None = amount_column(default=None)  # units for a pound, where the threshold was compared at it
    amount: Decimal = amount_column()
    paid_on: date


class AffiliateEntry(Row, table=True):
    """Records who changed what of the affiliate program and when. It is erased with its partner, and holds no personal data."""

    __table_args__: Any = (Index(None, "action", "subject"),)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = instant_column(index=True)
    person: str
    action: str
    partner_id: int = Field(foreign_key="partner.id", index=True)
    subject: str = ""
    before: str = ""
    after: str = ""


class Build(Row, table=True):
    """A request to make changed texts and pictures public, and its outcome.

    `paths` are the changed files, below SITE_CONTENT. `phase` is the step of a running build, `problem` a sentence that says why it failed.
    `attempts` grows each time a process takes the build, so a process whose lease has expired notices that another one has taken it.
    """

    id: int | None = Field(default=None, primary_key=True)
    requested_at: datetime = instant_column(index=True)
    requested_by: str
    not_before: datetime | None = instant_column(default=None)
    paths: list[str] = Field(default_factory=list, sa_type=JSON)
    state: str = Field(default=BuildState.WAITING, index=True)
    phase: str = ""
    problem: str = ""
    attempts: int = 0
    started_at: datetime | None = instant_column(default=None)
    claimed_until: datetime | None = instant_column(default=None)
    finished_at: datetime | None = instant_column(default=None)


class BuildFile(Row, table=True):
    """A file that a build changes: its path below SITE_CONTENT and its new content, or none if it is removed. Deleted when the build ends."""

    build_id: int = Field(foreign_key="build.id", ondelete="CASCADE", primary_key=True)
    path: str = Field(primary_key=True)
    content: bytes | None = Field(default=None, sa_type=LargeBinary)


class Revision(Row, table=True):
    """A revision of a text: its file as it would be published, in one language. The newest that is not `aside` is the draft.

    The kind `translation` is for one text of the catalogs: `slug` is a hash of its English, and `text` the wording in one language.

    A text is set aside if its writer's session had ended, or if it collided with what somebody else had saved meanwhile. `digest` is the
    same for texts that say the same; `person` is empty for a file that was written outside the office.
    """

    __table_args__: Any = (Index(None, "kind", "slug", "language", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    slug: str
    language: str
    title: str
    text: str
    digest: str
    person: str
    written_at: datetime = instant_column()
    aside: bool = False


class DraftPicture(Row, table=True):
    """A picture that was uploaded for a publication. The content of a name never changes: another picture gets another name."""

    kind: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    slug: str = Field(index=True)
    content: bytes = Field(sa_type=LargeBinary)
    sha256: str
    width: int
    height: int
    person: str
    added_at: datetime = instant_column()
