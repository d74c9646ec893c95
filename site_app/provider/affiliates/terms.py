"""Changed affiliate terms: each partner gets one mail, and the office sees which version applies to whom.

The terms promise a mail TERMINATION_NOTICE_DAYS before a change takes effect, so the new version applies later to a partner who is mailed later.
"""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import partial

from sqlmodel import Session, col, select

from site_app.core import business
from site_app.core.i18n import href, t
from site_app.core.i18n.clocks import date_words
from site_app.core.settings import Settings
from site_app.provider.affiliates.ledger import notice_ends
from site_app.provider.affiliates.mails import TERMS_PATH, page_url, row_to_partner
from site_app.provider.affiliates.program import (
    SITE,
    add_link,
    has_ended,
    log_change,
    partner_by_id,
    partners_notice_on,
)
from site_app.provider.outbox.mail import Fact, Fields, MailLink, MailText
from site_app.provider.outbox.rows import Template
from site_app.provider.store import Store, insert_if_new
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import AffiliateEntry, Outbox, Partner

_TERMS_CHANGED = "partner-terms"
_ANNOUNCED = "announce terms"


class Exclusion(StrEnum):
    """Why a version that was announced does not apply."""

    NOTICE = "notice"  # the partner gave notice before its day
    END = "end"  # the agreement ends on its day, or before


@dataclass(frozen=True)
class Terms:
    """The version that a partner agreed to, the one in force, and the newest that was announced to them, which applies from `applies_on`.

    A partner who goes on after an announced version's day is bound by it without agreeing to it, unless there is an `exclusion`. Our own
    notice is none: the terms give only the partner a choice.
    """

    agreed: str
    in_force: str
    announced: str = ""
    announced_on: date | None = None
    applies_on: date | None = None
    exclusion: Exclusion | None = None

    def can_be_refused(self, today: date) -> bool:
        """Returns True if an announced version is still to come, and the partner has not refused it by giving notice."""
        return self.applies_on is not None and self.applies_on > today and self.exclusion is None


def current_version() -> str:
    return business.AFFILIATE_TERMS_EFFECTIVE.isoformat()


def terms_of(session: Session, partner: Partner, today: date, *, settings: Settings) -> Terms:
    """Returns which versions of the terms concern a partner on a day."""
    announcements = select(AffiliateEntry).where(AffiliateEntry.partner_id == partner.id, AffiliateEntry.action == _ANNOUNCED)
    notice_on = partners_notice_on(session, partner)
    terms = Terms(partner.terms_version, partner.terms_version)
    for entry in session.exec(announcements.order_by(col(AffiliateEntry.id))):
        applies_on = date.fromisoformat(entry.after)
        exclusion = _exclusion(partner, applies_on, notice_on)
        in_force = terms.in_force if exclusion or applies_on > today else entry.subject
        terms = Terms(terms.agreed, in_force, entry.subject, settings.local_day(entry.at), applies_on, exclusion)
    return terms


def _exclusion(partner: Partner, applies_on: date, notice_on: date | None) -> Exclusion | None:
    """Returns why a version does not apply; `notice_on` is the day of the partner's own notice."""
    if notice_on and notice_on < applies_on:
        return Exclusion.NOTICE
    return Exclusion.END if has_ended(partner, applies_on) else None


async def announce_terms(store: Store, settings: Settings, now: datetime) -> None:
    """Adds the mails about a changed version that were not written yet to the outbox, each in a transaction of its own."""
    for partner_id in await store.read(partial(_partners_to_announce, applies_on=_applies_on(now, settings))):
        await store.write(lambda session, partner_id=partner_id: announce_to(session, partner_id, settings=settings, now=now))


def announce_to(session: Session, partner_id: int, *, settings: Settings, now: datetime) -> bool:
    """Adds the mail about the current version to the outbox. Returns False if the partner has agreed to it, was mailed, or leaves before."""
    partner = partner_by_id(session, partner_id, lock=True)
    terms = terms_of(session, partner, settings.local_day(now), settings=settings)
    applies_on = _applies_on(now, settings)
    if not _needs_announcement(partner, terms, applies_on):
        return False
    version = current_version()
    fields = {
        "in_force": terms.in_force,
        "applies_on": str(applies_on),
        # Links mailed before stay valid: a partner may have bookmarked their page.
        "page_url": page_url(add_link(session, partner), partner.language, settings),
    }
    row = row_to_partner(_TERMS_CHANGED, f"partner-{partner_id}-terms-{version}", partner, fields, settings=settings, now=now)
    if not insert_if_new(session, Outbox, row.model_dump(exclude={"id"})):
        return False
    log_change(session, partner, Actor(SITE, now), _ANNOUNCED, version, partner.terms_version, str(applies_on))
    return True


def _partners_to_announce(session: Session, *, applies_on: date) -> list[int]:
    announced = select(AffiliateEntry.partner_id).where(
        AffiliateEntry.action == _ANNOUNCED, AffiliateEntry.subject == current_version()
    )
    statement = select(Partner).where(col(Partner.terms_version) < current_version(), col(Partner.id).not_in(announced))
    partners = session.exec(statement.order_by(col(Partner.id))).all()
    return [partner.id for partner in partners if partner.id and not has_ended(partner, applies_on)]


def _needs_announcement(partner: Partner, terms: Terms, applies_on: date) -> bool:
    if terms.agreed >= current_version() or has_ended(partner, applies_on):
        return False
    return terms.announced != current_version()


def _applies_on(now: datetime, settings: Settings) -> date:
    return max(business.AFFILIATE_TERMS_EFFECTIVE, notice_ends(settings.local_day(now)))


def version_words(version: str) -> str:
    """Returns a version in words of the current language. Earlier releases stored none, or any text that an application brought."""
    try:
        return t("version of {date}", date=date_words(date.fromisoformat(version)))
    except ValueError:
        return t("an earlier version")


def terms_text(fields: Fields, settings: Settings) -> MailText:
    day = date_words(date.fromisoformat(fields["applies_on"]))
    in_force = fields.get("in_force", fields.get("agreed", ""))  # rows of earlier releases name the version agreed to
    return MailText(
        subject=t("Our affiliate terms will change on {date}", date=day),
        heading=t("Our affiliate terms are changing"),
        greeting=t("Hello,"),
        opening=(
            t(
                "There is a new version of our affiliate programme terms. It applies to you from {date}, unless you give notice before then.",
                date=day,
            ),
        ),
        facts=(
            Fact(t("Terms that apply now"), version_words(in_force)),
            Fact(t("Your affiliate page"), fields["page_url"], is_link=True),
        ),
        action=MailLink(t("Read the new terms"), settings.url + href(TERMS_PATH)),
        steps=(
            t("If you agree, you don’t need to do anything."),
            t(
                "If you don’t agree, give notice on your affiliate page, or by replying to this email, before that day. The version that applies now will then apply until your agreement ends."
            ),
        ),
        steps_title=t("What happens next"),
        closing=(t("Commission that has already accrued is not affected."),),
        is_reply=True,
    )


TEMPLATES = {_TERMS_CHANGED: Template(terms_text, has_lead=False)}
