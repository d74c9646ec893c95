"""Joining and leaving the affiliate program, and crediting a lead to the partner whose code it carries."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from sqlmodel import Session, and_, col, delete, func, or_, select

from site_app.contracts.attribution import CODE_LENGTH, REF, partner_code
from site_app.contracts.input import SPOKEN_ALPHABET
from site_app.core import business
from site_app.core.settings import Settings
from site_app.provider.affiliates import mails
from site_app.provider.affiliates.ledger import notice_ends, window_ends
from site_app.provider.http.refusals import EntryNotFound, ProviderRefusal
from site_app.provider.http.tokens import MAX_TOKEN_LENGTH, hash_of
from site_app.provider.outbox.mailboxes import mailbox_of
from site_app.provider.store import advisory_lock, insert_if_new, insert_rows
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.columns import mail_domain
from site_app.provider.store.tables import (
    AffiliateEntry,
    CustomerPayment,
    Lead,
    LeadStatus,
    Meeting,
    NewLead,
    Outbox,
    Partner,
    PartnerLink,
    PartnerState,
    Referral,
    ReferralState,
)

AFFILIATE_KIND = "affiliate"  # the kind of lead that applies
# Actors of the log who are no person of the office: the partner themselves, and the sweep.
PARTNER = "partner"
SITE = "site"
# Actions of the log.
GIVE_NOTICE = "give notice"
MAIL_STATEMENT = "mail statement"  # the subject is the month
_BY_PARTNER = "by the partner"  # the subject of GIVE_NOTICE, if the partner gave the notice
_CHANGE_STATE = "state"
_JUDGE_REFERRAL, _JUDGE_CONTACT = "referral", "earlier contact"
ABOUT_REFERRALS = (_JUDGE_REFERRAL, _JUDGE_CONTACT)  # their subject is the lead
_MAIL_SERVICES = frozenset(
    [
        "gmail.com",
        "googlemail.com",
        "outlook.com",
        "hotmail.com",
        "live.com",
        "msn.com",
        "yahoo.com",
        "yahoo.co.uk",
        "aol.com",
        "icloud.com",
        "me.com",
        "mac.com",
        "proton.me",
        "protonmail.com",
        "gmx.com",
        "gmx.de",
        "gmx.net",
        "mail.com",
        "zoho.com",
        "btinternet.com",
        "sky.com",
        "virginmedia.com",
        "hotmail.co.uk",
        "qq.com",
        "163.com",
        "126.com",
        "sina.com",
        "foxmail.com",
    ]
)


class AlreadyDecided(ProviderRefusal):
    """The application was approved or declined before, or is in quarantine."""


class NoticeDayRefused(ProviderRefusal):
    """A notice cannot have arrived on a day that is still to come, or before the agreement began."""


def credit_all(session: Session, leads: Iterable[NewLead | Meeting], *, settings: Settings) -> None:
    """Credits stored leads or meetings to the partners whose codes came with them. Call it in the transaction that stores them.

    Never raises because of a code. A lead in quarantine is credited when it is released, because it may be spam. All locks are taken
    at once, and after those of mailboxes, so that two transactions cannot deadlock.
    """
    leads_with_code = [
        lead for lead in leads if partner_code(lead.attribution.get(REF)) and lead.status != LeadStatus.QUARANTINED
    ]
    if not leads_with_code:
        return
    advisory_lock(session, *(f"referral {_customer(lead)}" for lead in leads_with_code))
    for lead in leads_with_code:
        credit_locked(session, lead, lead.attribution[REF], settings=settings)


def credit_released(session: Session, lead: Lead, *, settings: Settings) -> None:
    """Credits a lead that leaves quarantine, and notes it as an earlier contact on later referrals of its sender by other partners."""
    code = lead.attribution.get(REF)
    advisory_lock(session, f"referral {_customer(lead)}")
    credit_locked(session, lead, code, settings=settings)
    if lead.kind == AFFILIATE_KIND:
        return
    sent_on = settings.local_day(lead.created_at)
    for referral, other_code in _later_referrals(session, lead, _addresses(session, lead)):
        if other_code != partner_code(code):
            referral.prior_contact_on = max(referral.prior_contact_on or sent_on, sent_on)
            session.add(referral)


def credit_locked(session: Session, lead: NewLead | Meeting, code: object, *, settings: Settings) -> Referral | None:
    """Credits a stored lead or meeting to the partner with this code. The caller has locked the customer, as `credit_all` does.

    Never raises because of the code. Returns None for a code that nobody has, for a partner who is suspended or has left, and for a
    customer whom another referral holds already. A partner's second lead of one customer does not begin a new conversion window, not
    even if it was sent before the first and released from quarantine after it.
    """
    today = settings.local_day(lead.created_at)
    partner = _partner_by_code(session, code, today)
    if partner is None or partner.id is None or lead.kind == AFFILIATE_KIND:
        return None
    addresses = _addresses(session, lead)
    earlier = _earlier_contacts(session, lead, addresses)
    if any(_holds_customer(session, reference, partner.id, today) for reference, _ in earlier):
        return None
    if any(later_code == partner.code for _, later_code in _later_referrals(session, lead, addresses)):
        return None
    row = Referral(
        lead=lead.reference,
        partner_id=partner.id,
        first_submission_on=today,
        prior_contact_on=max((settings.local_day(moment) for _, moment in earlier), default=None),
        resemblance=resemblance(partner, lead.email),
    )
    insert_if_new(session, Referral, row.model_dump(exclude={"id"}))
    referral = session.exec(select(Referral).where(Referral.lead == lead.reference)).one()
    return referral if referral.partner_id == partner.id else None


def _customer(lead: NewLead | Meeting) -> str:
    """Returns the mailbox by which a customer is known. Colleagues are not told from other people: the office shows equal domains."""
    return mailbox_of(lead.email.strip())


def _addresses(session: Session, lead: NewLead | Meeting) -> set[str]:
    """Returns the addresses of the sender in lower case: as sent, as `mailbox_of` spells it, and each with which they were referred.

    Other leads are not searched for further spellings, because no index finds them among millions.
    """
    mailbox = _customer(lead)
    addresses = {lead.email.strip().lower(), mailbox}
    for table in (Lead, Meeting):
        address = func.lower(table.email)
        statement = select(address).join(Referral, col(Referral.lead) == table.reference)
        referred = session.exec(statement.where(address.startswith(mailbox[0], autoescape=True)))
        addresses.update(spelling for spelling in referred if mailbox_of(spelling) == mailbox)
    return addresses


def resemblance(partner: Partner, email: str) -> str:
    """Returns "mail" or "domain" if the sender shares it with the partner, or "". It is shown to the owner, who decides.

    Networks are not compared, because no address of a visitor is stored. A domain that millions share says nothing.
    """
    if mailbox_of(email) in (mailbox_of(partner.email), mailbox_of(partner.paypal)):
        return "mail"
    domain = email.lower().rpartition("@")[2]
    return "domain" if domain == partner.email.lower().rpartition("@")[2] and domain not in _MAIL_SERVICES else ""


def _mark_senders(session: Session, partner: Partner) -> None:
    """Marks the partner's referrals whose sender resembles them by a changed address. Later addresses do not take a mark back."""
    for table in (Lead, Meeting):
        statement = select(Referral, table.email).join(table, col(table.reference) == Referral.lead)
        for referral, email in session.exec(statement.where(Referral.partner_id == partner.id)):
            if (mark := resemblance(partner, email)) and referral.resemblance != "mail":
                referral.resemblance = mark
                session.add(referral)


def first_of_domain(session: Session, partner_id: int) -> dict[str, str]:
    """Returns, for leads of a partner's referrals, the lead with which any partner first referred somebody of the same mail domain.

    The terms count a company as one customer of the partner who referred it first, but only the owner can tell whether two people are
    of one company.
    """
    domains: dict[str, str] = {}
    for table in (Lead, Meeting):
        statement: Any = select(Referral.lead, mail_domain(table.email)).join(table, col(table.reference) == Referral.lead)
        domains.update(session.exec(statement.where(Referral.partner_id == partner_id)).all())
    domains = {lead: domain for lead, domain in domains.items() if domain.removeprefix("@") not in _MAIL_SERVICES}
    first: dict[str, tuple[date, int, str]] = {}
    for table in (Lead, Meeting):
        columns: Any = mail_domain(table.email), Referral.first_submission_on, Referral.id, Referral.lead
        statement = select(*columns).join(table, col(table.reference) == Referral.lead)
        for domain, *candidate in session.exec(statement.where(mail_domain(table.email).in_(set(domains.values())))):
            first[domain] = min(tuple(candidate), first.get(domain, tuple(candidate)))
    return {lead: first[domain][-1] for lead, domain in domains.items() if first[domain][-1] != lead}


def _partner_by_code(session: Session, code: object, today: date) -> Partner | None:
    checked_code = partner_code(code)
    partner = session.exec(select(Partner).where(Partner.code == checked_code)).first() if checked_code else None
    if partner is None or partner.state != PartnerState.ACTIVE or has_ended(partner, today):
        return None
    return partner


def has_ended(partner: Partner, today: date) -> bool:
    return partner.ends_on is not None and partner.ends_on <= today


def _earlier_contacts(session: Session, lead: NewLead | Meeting, addresses: set[str]) -> list[tuple[str, datetime]]:
    contacts: list[tuple[str, datetime]] = []
    for table in (Lead, Meeting):
        statement = select(table.reference, table.created_at).where(
            func.lower(table.email).in_(addresses),
            table.reference != lead.reference,
            table.created_at <= lead.created_at,
            table.status != LeadStatus.QUARANTINED,
        )
        contacts += session.exec(statement if table is Meeting else statement.where(Lead.kind != AFFILIATE_KIND)).all()
    return contacts


def _later_referrals(session: Session, lead: NewLead | Meeting, addresses: set[str]) -> list[tuple[Referral, str]]:
    """Returns the referrals of leads and meetings that the same sender sent later, each with its partner's code."""
    referrals: list[tuple[Referral, str]] = []
    for table in (Lead, Meeting):
        statement = select(Referral, Partner.code).join(Partner).join(table, col(table.reference) == Referral.lead)
        is_later = col(table.created_at) > lead.created_at
        referrals += session.exec(statement.where(func.lower(table.email).in_(addresses), is_later)).all()
    return referrals


def _holds_customer(session: Session, reference: str, partner_id: int, today: date) -> bool:
    """Returns True if the referral of an earlier lead keeps its customer from being referred anew."""
    referral = session.exec(select(Referral).where(Referral.lead == reference)).first()
    if referral is None:
        return False
    received = select(CustomerPayment.id).where(
        CustomerPayment.lead == reference, col(CustomerPayment.received_on).is_not(None)
    )
    is_open = window_ends(referral.first_submission_on) >= today
    return referral.partner_id == partner_id or is_open or session.exec(received).first() is not None


def approve(session: Session, reference: str, actor: Actor, *, name: str, settings: Settings) -> Partner:
    """Makes the sender of an application a partner, and mails them their links. Raises AlreadyDecided after any decision."""
    lead = _application(session, reference)
    row = Partner(
        code=new_code(),
        application=lead.reference,
        name=name,
        email=lead.email,
        paypal=lead.email,
        language=lead.language,
        terms_version=_agreed_version(lead),
        applied_at=lead.created_at,
        approved_on=settings.local_day(actor.now),
    )
    if not insert_if_new(session, Partner, row.model_dump(exclude={"id"})):
        raise AlreadyDecided
    partner = session.exec(select(Partner).where(Partner.application == reference)).one()
    lead.status = LeadStatus.WON
    lead.version += 1
    session.add(lead)
    log_change(session, partner, actor, "approve")
    token = new_link(session, partner)
    insert_rows(session, Outbox, [mails.approved_row(partner, token, settings=settings, now=actor.now)])
    return partner


def _agreed_version(lead: Lead) -> str:
    """Returns the version of the terms that the applicant agreed to, or "" if their program sent one that does not exist."""
    try:
        version = date.fromisoformat(str(lead.own_fields.get("agreed_terms_version", "")))
    except ValueError:
        return ""
    return version.isoformat() if version <= business.AFFILIATE_TERMS_EFFECTIVE else ""


def decline(session: Session, reference: str, actor: Actor, *, settings: Settings) -> Lead:
    """Declines an application, and mails it to the sender. Raises AlreadyDecided after any decision, whatever its status is by then."""
    lead = _application(session, reference)
    insert_rows(session, Outbox, [mails.declined_row(lead, settings=settings, now=actor.now)])
    lead.status = LeadStatus.LOST
    lead.version += 1
    session.add(lead)
    return lead


def _application(session: Session, reference: str) -> Lead:
    """Returns an application that can be decided. Raises EntryNotFound or AlreadyDecided."""
    statement = select(Lead).where(Lead.reference == reference, Lead.kind == AFFILIATE_KIND).with_for_update()
    lead = session.exec(statement).first()
    if lead is None:
        raise EntryNotFound
    approval = select(Partner.id).where(Partner.application == reference)
    decline_mail = select(Outbox.id).where(Outbox.reference == reference, Outbox.template == mails.DECLINED)
    is_decided = any(session.exec(decision).first() for decision in (approval, decline_mail))
    if is_decided or lead.status == LeadStatus.QUARANTINED:
        raise AlreadyDecided
    return lead


def new_code() -> str:
    return "".join(secrets.choice(SPOKEN_ALPHABET) for _ in range(CODE_LENGTH))


def new_link(session: Session, partner: Partner) -> str:
    """Creates a link to the partner's page, which replaces earlier ones, and returns its token. The token must be sent by mail only."""
    session.connection().execute(delete(PartnerLink).where(col(PartnerLink.partner_id) == partner.id))
    return add_link(session, partner)


def add_link(session: Session, partner: Partner) -> str:
    """Creates another link to the partner's page, and returns its token. The token must be sent by mail only."""
    token = secrets.token_urlsafe()
    session.add(PartnerLink(token_hash=hash_of(token), partner_id=partner.id or 0))
    session.flush()
    return token


def mail_link(session: Session, partner_id: int, actor: Actor, *, settings: Settings) -> None:
    """Mails the partner a new link to their page."""
    partner = partner_by_id(session, partner_id, lock=True)
    insert_rows(session, Outbox, [mails.link_row(partner, new_link(session, partner), settings=settings, now=actor.now)])
    log_change(session, partner, actor, "mail link")


def partner_by_token(session: Session, token: str, *, lock: bool = False) -> Partner:
    """Returns the partner of this token; `lock` as in `partner_by_id`. Raises EntryNotFound."""
    statement = select(Partner).join(PartnerLink).where(PartnerLink.token_hash == hash_of(token[: MAX_TOKEN_LENGTH + 1]))
    partner = session.exec(statement.with_for_update(of=Partner, key_share=True) if lock else statement).first()
    if partner is None:
        raise EntryNotFound
    return partner


def partner_by_id(session: Session, partner_id: int, *, lock: bool = False) -> Partner:
    """Returns the partner with this id. Raises EntryNotFound.

    `lock` keeps others from changing the partner until the transaction ends (PostgreSQL). They may still add rows that refer to the partner:
    otherwise visitors' leads would wait, and a payment and the judgement of its referral would deadlock.
    """
    partner = session.get(Partner, partner_id, with_for_update={"key_share": True} if lock else None)
    if partner is None:
        raise EntryNotFound
    return partner


def partners_of(session: Session, email: str) -> Sequence[Partner]:
    """Returns the partners who have this email address, which is in lower case, or applied with it."""
    applications = select(Lead.reference).where(Lead.kind == AFFILIATE_KIND, func.lower(Lead.email) == email)
    is_theirs = or_(func.lower(Partner.email) == email, col(Partner.application).in_(applications))
    return session.exec(select(Partner).where(is_theirs).order_by(col(Partner.id))).all()


def change_paypal(session: Session, token: str, address: str, *, settings: Settings, now: datetime) -> bool:
    """Changes the address that payouts go to. Returns False if it is the same. A mail says so, because somebody else may have the link."""
    partner = partner_by_token(session, token, lock=True)
    return _set_paypal(session, partner, address, Actor(PARTNER, now), settings=settings)


def correct_paypal(session: Session, partner_id: int, address: str, actor: Actor, *, settings: Settings) -> bool:
    """Changes the address for the partner, such as back to theirs after somebody else had their link. Otherwise like `change_paypal`."""
    partner = partner_by_id(session, partner_id, lock=True)
    return _set_paypal(session, partner, address, actor, settings=settings)


def _set_paypal(session: Session, partner: Partner, address: str, actor: Actor, *, settings: Settings) -> bool:
    if address == partner.paypal:
        return False
    partner.paypal = address
    session.add(partner)
    _mark_senders(session, partner)
    log_change(session, partner, actor, "change PayPal address")
    insert_rows(session, Outbox, [mails.paypal_row(partner, settings=settings, now=actor.now)])
    return True


def correct_email(session: Session, partner_id: int, address: str, actor: Actor, *, settings: Settings) -> bool:
    """Changes the address that mails go to. Returns False if it is the same. The new one gets a new link, the old one a mail about it."""
    partner = partner_by_id(session, partner_id, lock=True)
    if address == partner.email:
        return False
    to_old_address = mails.email_row(partner, settings=settings, now=actor.now)
    partner.email = address
    session.add(partner)
    _mark_senders(session, partner)
    log_change(session, partner, actor, "change email address")
    to_new_address = mails.link_row(partner, new_link(session, partner), settings=settings, now=actor.now)
    insert_rows(session, Outbox, [to_old_address, to_new_address])
    return True


def leave(session: Session, token: str, *, settings: Settings, now: datetime) -> None:
    """Gives notice on the partner's behalf, with a mail to them and one to the team. A second notice of theirs changes nothing."""
    partner = partner_by_token(session, token, lock=True)
    if _may_give_notice(session, partner, by_partner=True, today=settings.local_day(now)):
        _give_notice(session, partner, Actor(PARTNER, now), by_partner=True, settings=settings)
        insert_rows(session, Outbox, mails.notice_rows(partner, settings=settings, now=now))


def give_notice(
    session: Session,
    partner_id: int,
    actor: Actor,
    *,
    by_partner: bool = False,
    received_on: date | None = None,
    settings: Settings,
) -> bool:
    """Gives notice on our behalf, or `by_partner` on theirs, if they mailed it to us. A mail says so. Returns False for a second notice.

    The partner may still give notice after we did, because only their own notice keeps new terms from applying to them. The
    partner's notice runs from the day on which we received it, by default today. Raises NoticeDayRefused.
    """
    partner = partner_by_id(session, partner_id, lock=True)
    if by_partner and received_on and not partner.approved_on <= received_on <= settings.local_day(actor.now):
        raise NoticeDayRefused
    if not _may_give_notice(session, partner, by_partner=by_partner, today=settings.local_day(actor.now)):
        return False
    notice_on = received_on if by_partner else None
    _give_notice(session, partner, actor, by_partner=by_partner, notice_on=notice_on, settings=settings)
    mail = mails.notice_row if by_partner else mails.ended_row
    insert_rows(session, Outbox, [mail(partner, settings=settings, now=actor.now)])
    return True


def end_at_once(
    session: Session, partner_id: int, actor: Actor, *, is_forfeited: bool, by_partner: bool = False, settings: Settings
) -> bool:
    """Ends an agreement today because of the partner's breach, by mail. Returns False if it has ended already.

    `by_partner` says that the partner ended it because of our breach: then nothing is forfeited. `is_forfeited` takes all
    commission that is not paid out. Otherwise only referrals that do not count lose theirs.
    """
    partner = partner_by_id(session, partner_id, lock=True)
    today = settings.local_day(actor.now)
    if has_ended(partner, today):
        return False
    partner.notice_on = partner.notice_on or today
    partner.ends_on = today
    if is_forfeited and not by_partner:
        partner.state = PartnerState.FORFEITED
    session.add(partner)
    consequence = "forfeited" if partner.state == PartnerState.FORFEITED else ""
    log_change(session, partner, actor, "end for a breach", _BY_PARTNER if by_partner else "", after=consequence)
    mail = mails.ended_by_partner_row if by_partner else partial(mails.ended_row, is_breach=True)
    insert_rows(session, Outbox, [mail(partner, settings=settings, now=actor.now)])
    return True


def _give_notice(
    session: Session, partner: Partner, actor: Actor, *, by_partner: bool, notice_on: date | None = None, settings: Settings
) -> None:
    notice_on = notice_on or settings.local_day(actor.now)
    partner.notice_on = min(notice_on, partner.notice_on or notice_on)
    partner.ends_on = notice_ends(partner.notice_on)
    session.add(partner)
    log_change(session, partner, actor, GIVE_NOTICE, _BY_PARTNER if by_partner else "", str(notice_on), str(partner.ends_on))


def _may_give_notice(session: Session, partner: Partner, *, by_partner: bool, today: date) -> bool:
    if not by_partner or partner.notice_on is None:
        return partner.notice_on is None
    return not has_ended(partner, today) and partners_notice_on(session, partner) is None


def partners_notice_on(session: Session, partner: Partner) -> date | None:
    """Returns the day of the partner's own notice, or None. Ours may have come before it."""
    log = select(AffiliateEntry).where(AffiliateEntry.partner_id == partner.id, AffiliateEntry.action == GIVE_NOTICE)
    notice = next(filter(is_by_partner, session.exec(log)), None)
    if notice is None:
        return None
    return date.fromisoformat(notice.before) if notice.before else partner.notice_on  # earlier releases stored no day


def is_by_partner(notice: AffiliateEntry) -> bool:
    """Returns True if this entry of the log is of a notice that the partner gave. Earlier releases stored it with no subject."""
    return notice.subject == _BY_PARTNER or notice.person == PARTNER


def suspend(session: Session, partner_id: int, actor: Actor) -> None:
    """Suspends a partner's link while a suspicion is examined. Earlier referrals stay; later ones wait for `resume`."""
    _set_state(session, partner_id, PartnerState.SUSPENDED, actor)


def resume(session: Session, partner_id: int, actor: Actor, *, settings: Settings) -> None:
    """Lets a suspended partner's link count again, and credits what came through it in the meantime.

    Otherwise such a message would only be an earlier contact, which keeps the customer from ever counting.
    """
    partner = partner_by_id(session, partner_id, lock=True)
    suspensions = select(func.max(AffiliateEntry.at)).where(
        AffiliateEntry.partner_id == partner_id,
        AffiliateEntry.action == _CHANGE_STATE,
        AffiliateEntry.after == PartnerState.SUSPENDED,
    )
    suspended_at = session.exec(suspensions).one()
    if _set_state(session, partner_id, PartnerState.ACTIVE, actor) and suspended_at:
        leads = _leads_with_code(session, partner.code, since=suspended_at, keep_quarantine=settings.keep_quarantine)
        credit_all(session, leads, settings=settings)


def _leads_with_code(session: Session, code: str, *, since: datetime, keep_quarantine: timedelta) -> list[Lead | Meeting]:
    """Returns the leads and meetings with this code since a moment, oldest first, and earlier ones that may have left quarantine since."""
    leads: list[Lead | Meeting] = []
    for table in (Lead, Meeting):
        sent_code: Any = col(table.attribution)[REF].as_string()
        may_be_released = and_(col(table.created_at) >= since - keep_quarantine, table.status_reason != "")
        is_recent = or_(col(table.created_at) >= since, may_be_released)
        statement = select(table).where(is_recent, func.upper(sent_code) == code)
        leads += session.exec(statement).all()
    return sorted(leads, key=lambda lead: lead.created_at)


def _set_state(session: Session, partner_id: int, state: PartnerState, actor: Actor) -> bool:
    """Changes a partner's state. Returns False if they are in it, or if the agreement was ended for a breach."""
    partner = partner_by_id(session, partner_id, lock=True)
    if partner.state in (state, PartnerState.FORFEITED):
        return False
    log_change(session, partner, actor, _CHANGE_STATE, before=partner.state, after=state)
    partner.state = state
    session.add(partner)
    session.flush()
    return True


def decline_referral(session: Session, lead: str, actor: Actor) -> None:
    """Declines the referral of a lead. Raises EntryNotFound."""
    _set_referral_state(session, lead, ReferralState.DECLINED, actor)


def count_referral(session: Session, lead: str, actor: Actor) -> None:
    """Counts a declined referral again. Raises EntryNotFound."""
    _set_referral_state(session, lead, ReferralState.COUNTED, actor)


def _set_referral_state(session: Session, lead: str, state: ReferralState, actor: Actor) -> None:
    referral = _locked_referral(session, lead)
    if referral.state != state:
        partner = partner_by_id(session, referral.partner_id)
        log_change(session, partner, actor, _JUDGE_REFERRAL, lead, referral.state, state)
        referral.state = state
        session.add(referral)


def ignore_prior_contact(session: Session, lead: str, actor: Actor) -> None:
    """Counts the referral of a lead although we were in contact before, because that was about no project. Raises EntryNotFound.

    It holds for the contacts known now. A later one, such as a message that leaves quarantine, excludes the referral again.
    """
    referral = _locked_referral(session, lead)
    _judge_contact(session, referral, referral.prior_contact_on, actor)


def respect_prior_contact(session: Session, lead: str, actor: Actor) -> None:
    """Takes `ignore_prior_contact` back. Raises EntryNotFound."""
    _judge_contact(session, _locked_referral(session, lead), None, actor)


def _judge_contact(session: Session, referral: Referral, no_project_until: date | None, actor: Actor) -> None:
    if referral.no_project_until != no_project_until:
        judgements = "about a project", "about no project"
        before, after = judgements if no_project_until else reversed(judgements)
        partner = partner_by_id(session, referral.partner_id)
        log_change(session, partner, actor, _JUDGE_CONTACT, referral.lead, before, after)
        referral.no_project_until = no_project_until
        session.add(referral)


def _locked_referral(session: Session, lead: str) -> Referral:
    referral = session.exec(select(Referral).where(Referral.lead == lead).with_for_update(key_share=True)).first()
    if referral is None:
        raise EntryNotFound
    return referral


def log_change(
    session: Session, partner: Partner, actor: Actor, action: str, subject: str = "", before: str = "", after: str = ""
) -> None:
    """Adds an entry to the program's log, in the transaction of the change. It must contain no personal data."""
    session.add(
        AffiliateEntry(
            at=actor.now,
            person=actor.name,
            action=action,
            partner_id=partner.id or 0,
            subject=subject,
            before=before,
            after=after,
        )
    )
