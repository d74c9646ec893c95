"""Changed affiliate terms: one mail to each partner who agreed to an older version, as the terms promise; the office shows who has which."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

import httpx
import pytest
from sqlmodel import Session, col, delete, update

from site_app.core import business
from site_app.provider.affiliates import program, terms
from site_app.provider.affiliates.terms import announce_terms, terms_of
from site_app.provider.api.tasks import write_due_mails
from site_app.provider.http.call import ApiContext
from site_app.provider.office.affiliate_words import EXCLUSIONS
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import AffiliateEntry, Outbox, Partner
from tests.support.clock import Clock
from tests.support.office_browser import text_of
from tests.support.records import an_application
from tests.support.stored_rows import mail_text, rows_in

pytestmark = pytest.mark.anyio
NOW = datetime(2030, 1, 11, 9, tzinfo=UTC)
OWNER = Actor("o@agency.example", NOW)
OLD, NEW = date(2029, 6, 1), date(2030, 4, 1)
SIXTY_DAYS = timedelta(days=business.TERMINATION_NOTICE_DAYS)


@pytest.fixture
def new_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", NEW)


@pytest.fixture
async def partner(context: ApiContext) -> Partner:
    """A partner who agreed to the old version, and one who has agreed to the new one."""

    def joined(session: Session) -> None:
        for number, version in enumerate((OLD, NEW), start=1):
            reference, email = f"A-7F3K-2{number}", f"pat{number}@partner{number}.example"
            agreed = {"agreed_terms_version": str(version), "language": "cn"}
            session.add(an_application(reference=reference, email=email, created_at=NOW, **agreed))
            session.flush()
            program.approve(session, reference, OWNER, name="Pat", settings=context.settings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", NEW)
        await context.store.write(joined)
    return (await rows_in(context.store, Partner))[0]


async def announcements(context: ApiContext) -> list[Outbox]:
    return [row for row in await rows_in(context.store, Outbox) if row.template == "partner-terms"]


def token_in(mail: Outbox) -> str:
    """Returns the token of the link to the partner's page."""
    return mail.payload["page_url"].rpartition("/")[2]


@pytest.mark.usefixtures("new_version")
async def test_each_partner_of_an_older_version_gets_one_mail(context: ApiContext, partner: Partner) -> None:
    await asyncio.gather(*(announce_terms(context.store, context.settings, NOW) for _ in range(4)))
    await announce_terms(context.store, context.settings, NOW + timedelta(days=100))

    [mail] = await announcements(context)
    assert (mail.recipient, mail.language) == (partner.email, "cn")
    assert "2030年4月1日" in mail_text(mail, context)
    assert "2029年6月1日" in mail_text(mail, context)
    assert mail.payload["page_url"] in mail_text(mail, context)


@pytest.mark.usefixtures("new_version")
async def test_the_partners_page_names_the_terms_in_force_and_the_new_ones(
    client: httpx.AsyncClient, context: ApiContext, partner: Partner
) -> None:
    await announce_terms(context.store, context.settings, NOW)
    [mail] = await announcements(context)

    page = text_of(await client.get(f"/partners/{token_in(mail)}"))

    assert "Terms that apply now version of 1 June 2029 New terms apply from 1 April 2030" in page


@pytest.mark.usefixtures("new_version")
async def test_a_version_that_has_come_into_force_is_the_one_that_applies(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, partner: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    await announce_terms(context.store, context.settings, NOW)
    clock.now = datetime(2030, 4, 1, 9, tzinfo=UTC)
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", date(2030, 9, 1))
    await announce_terms(context.store, context.settings, clock())

    mail = next(mail for mail in await announcements(context) if mail.payload["applies_on"] == "2030-09-01")
    mail.language = "en"
    page = text_of(await client.get(f"/partners/{token_in(mail)}"))

    for text in (page, mail_text(mail, context).replace(":", "")):
        assert "Terms that apply now version of 1 April 2030" in text
        assert "1 June 2029" not in text
    assert "New terms apply from 1 September 2030" in page


@pytest.mark.usefixtures("partner", "new_version")
async def test_a_mail_that_an_earlier_release_wrote_is_sent(context: ApiContext) -> None:
    await announce_terms(context.store, context.settings, NOW)
    [mail] = await announcements(context)
    mail.payload = {name: value for name, value in mail.payload.items() if name != "in_force"} | {"agreed": str(OLD)}
    mail.language = "en"

    assert "Terms that apply now: version of 1 June 2029" in mail_text(mail, context)


@pytest.mark.usefixtures("new_version")
async def test_new_terms_apply_later_to_a_partner_who_is_notified_late(context: ApiContext, partner: Partner) -> None:
    announced_at = datetime(2030, 3, 20, 9, tzinfo=UTC)
    await announce_terms(context.store, context.settings, announced_at)

    state = await context.store.read(lambda session: terms_of(session, partner, announced_at.date(), settings=context.settings))

    assert state == terms.Terms(str(OLD), str(OLD), str(NEW), announced_at.date(), announced_at.date() + SIXTY_DAYS)


@pytest.mark.usefixtures("new_version")
async def test_the_day_of_the_mail_is_by_the_agencys_clock(context: ApiContext, partner: Partner) -> None:
    in_bangkok = replace(context.settings, booking_zone="Asia/Bangkok")
    await announce_terms(context.store, in_bangkok, datetime(2030, 3, 20, 18, tzinfo=UTC))  # the 21st there

    state = await context.store.read(lambda session: terms_of(session, partner, date(2030, 3, 21), settings=in_bangkok))

    assert (state.announced_on, state.applies_on) == (date(2030, 3, 21), date(2030, 3, 21) + SIXTY_DAYS)


@pytest.mark.usefixtures("new_version")
async def test_a_partner_who_leaves_before_new_terms_is_not_notified(context: ApiContext, partner: Partner) -> None:
    def leaving(session: Session) -> None:
        program.give_notice(session, partner.id or 0, OWNER, settings=context.settings)

    await context.store.write(leaving)
    await announce_terms(context.store, context.settings, NOW)

    assert await announcements(context) == []


@pytest.mark.usefixtures("new_version")
@pytest.mark.parametrize(
    ("giver", "on_page", "in_office", "in_force"),
    [
        ("page", "do not apply to you: you gave notice in time", "the partner gave notice before their day", OLD),
        ("mail", "do not apply to you: you gave notice in time", "the partner gave notice before their day", OLD),
        ("earlier release", "do not apply to you: you gave notice in time", "the partner gave notice before their day", OLD),
        ("us", "New terms apply from 1 April 2030", "which apply from 2030-04-01", NEW),
        ("breach", "do not apply to you: your agreement ends first", "the agreement ends before their day", OLD),
    ],
)
async def test_only_a_partner_who_gave_notice_in_time_or_has_left_is_not_bound_by_new_terms(
    client: httpx.AsyncClient,
    context: ApiContext,
    clock: Clock,
    partner: Partner,
    giver: str,
    on_page: str,
    in_office: str,
    in_force: date,
) -> None:
    await announce_terms(context.store, context.settings, NOW)
    [mail] = await announcements(context)
    clock.now = datetime(2030, 3, 31, 9, tzinfo=UTC)  # the agreement ends after the new terms' day
    token, number, settings = token_in(mail), partner.id or 0, context.settings

    def end(session: Session) -> None:
        if giver in ("page", "earlier release"):
            program.leave(session, token, settings=settings, now=clock())
        elif giver == "breach":
            program.end_at_once(session, number, Actor("o", clock()), is_forfeited=False, settings=settings)
        else:
            program.give_notice(session, number, Actor("o", clock()), by_partner=giver == "mail", settings=settings)
        if giver == "earlier release":
            session.connection().execute(
                update(AffiliateEntry).values(subject="").where(col(AffiliateEntry.action) == "give notice")
            )

    await context.store.write(end)
    page = text_of(await client.get(f"/partners/{token}"))
    later = await context.store.read(
        lambda session: terms_of(session, program.partner_by_id(session, number), date(2030, 4, 2), settings=settings)
    )

    assert on_page in page
    assert later.in_force == str(in_force)
    words = EXCLUSIONS[later.exclusion] if later.exclusion else f"which apply from {later.applies_on}"
    assert in_office in words


@pytest.mark.usefixtures("new_version")
async def test_a_partner_whom_we_gave_notice_can_still_refuse_new_terms(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, partner: Partner
) -> None:
    await announce_terms(context.store, context.settings, NOW)
    clock.now = datetime(2030, 3, 1, 9, tzinfo=UTC)  # the agreement ends after the new terms' day
    owner = Actor("o", clock())
    path = f"/partners/{token_in((await announcements(context))[0])}"
    await context.store.write(lambda session: program.give_notice(session, 1, owner, settings=context.settings))
    before = await client.get(path)

    for _ in range(2):
        leave = partial(program.leave, token=path.rpartition("/")[2], settings=context.settings, now=clock())
        await context.store.write(leave)
    after = await client.get(path)

    button = 'value="leave"'
    assert (button in before.text, button in after.text) == (True, False)
    [row, _] = await rows_in(context.store, Partner)
    ends_on = clock().date() + SIXTY_DAYS
    assert (row.notice_on, row.ends_on) == (clock().date(), ends_on)
    result = await context.store.read(lambda session: terms_of(session, row, NEW, settings=context.settings))
    assert (result.in_force, result.exclusion) == (str(OLD), terms.Exclusion.NOTICE)
    mails = [mail for mail in await rows_in(context.store, Outbox) if mail.template.startswith("partner-notice")]
    assert [(mail.template, mail.payload["ends_on"]) for mail in mails] == [
        ("partner-notice", str(ends_on)),
        ("partner-notice-to-team", str(ends_on)),
    ]


@pytest.mark.usefixtures("new_version")
async def test_a_refusal_that_was_mailed_to_us_is_entered_with_its_day(context: ApiContext, partner: Partner) -> None:
    await announce_terms(context.store, context.settings, NOW)
    ours, late = (OWNER._replace(now=NOW + timedelta(days=days)) for days in (40, 85))
    await context.store.write(lambda session: program.give_notice(session, 1, ours, settings=context.settings))
    received_on = NEW - timedelta(days=1)
    for _ in range(2):
        await context.store.write(
            lambda session: program.give_notice(
                session, 1, late, by_partner=True, received_on=received_on, settings=context.settings
            )
        )

    row = (await rows_in(context.store, Partner))[0]
    result = await context.store.read(lambda session: terms_of(session, row, late.now.date(), settings=context.settings))
    assert (row.notice_on, result.in_force) == (ours.now.date(), str(OLD))
    notices = [entry.subject for entry in await rows_in(context.store, AffiliateEntry) if entry.action == "give notice"]
    assert notices == ["", "by the partner"]


@pytest.mark.usefixtures("new_version")
async def test_a_notice_after_the_day_of_new_terms_comes_too_late(
    client: httpx.AsyncClient, context: ApiContext, clock: Clock, partner: Partner
) -> None:
    await announce_terms(context.store, context.settings, NOW)
    [mail] = await announcements(context)
    clock.now = datetime(2030, 4, 1, 0, tzinfo=UTC)
    await context.store.write(lambda session: program.leave(session, token_in(mail), settings=context.settings, now=clock()))

    page = text_of(await client.get(f"/partners/{token_in(mail)}"))

    assert "Terms that apply now version of 1 April 2030" in page
    assert "New terms" not in page


async def test_without_a_new_version_no_partner_is_notified(
    context: ApiContext, partner: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", OLD)
    await announce_terms(context.store, context.settings, NOW)

    assert await announcements(context) == []


@pytest.mark.usefixtures("new_version")
async def test_changed_terms_are_mailed_once_even_if_the_outbox_was_emptied(context: ApiContext, partner: Partner) -> None:
    await write_due_mails(context.store, context.settings, NOW)
    announcement_count = len(await announcements(context))
    await context.store.write(lambda session: session.connection().execute(delete(Outbox)))
    await write_due_mails(context.store, context.settings, NOW + timedelta(hours=1))

    assert (announcement_count, len(await announcements(context))) == (1, 0)


@pytest.mark.usefixtures("new_version")
async def test_a_second_change_is_announced_again(
    context: ApiContext, partner: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    await announce_terms(context.store, context.settings, NOW)
    monkeypatch.setattr(business, "AFFILIATE_TERMS_EFFECTIVE", NEW + timedelta(days=365))
    await announce_terms(context.store, context.settings, NOW + timedelta(days=200))

    assert len([mail for mail in await announcements(context) if mail.recipient == partner.email]) == 2


@pytest.mark.usefixtures("new_version")
@pytest.mark.parametrize("version", ["x", "v1.2", "2026-02-30", "9999-12-31"])
async def test_an_agreement_to_a_version_that_does_not_exist_is_none(
    client: httpx.AsyncClient, context: ApiContext, version: str
) -> None:
    def join(session: Session) -> str:
        session.add(an_application(created_at=NOW, agreed_terms_version=version))
        session.flush()
        partner = program.approve(session, "A-7F3K-29", OWNER, name="Pat", settings=context.settings)
        return program.new_link(session, partner)

    token = await context.store.write(join)
    await announce_terms(context.store, context.settings, NOW)

    page = await client.get(f"/partners/{token}")
    [mail] = await announcements(context)
    assert page.status_code == 200
    for text in (page.text, mail_text(mail, context)):
        assert "an earlier version" in text


async def test_a_version_that_an_earlier_release_stored_unchecked_is_shown(
    client: httpx.AsyncClient, context: ApiContext, partner: Partner
) -> None:
    def change(session: Session) -> str:
        row = program.partner_by_id(session, 1)
        row.terms_version = "v1.2"
        session.add(row)
        return program.new_link(session, row)

    page = await client.get(f"/partners/{await context.store.write(change)}")

    assert "an earlier version" in page.text
