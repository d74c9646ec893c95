"""Mails to partners: approved, declined, a new link to their page, a changed address, a notice, and the agreement's end.

A partner's own notice is mailed to the team, too.
"""

import secrets
from datetime import date, datetime
from typing import NamedTuple

from site_app.core.business import commission_percent
from site_app.core.i18n import href, in_english, t, use
from site_app.core.i18n.clocks import date_words
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.settings import Settings
from site_app.provider.outbox.mail import Fact, Fields, MailAddress, MailLink, MailText
from site_app.provider.outbox.mailboxes import mailbox_of
from site_app.provider.outbox.rows import Template, mail_row, row_to_team
from site_app.provider.store.tables import Lead, NewOutbox, Partner, PartnerState

TERMS_PATH = "/legals/affiliate-program-terms-conditions"
APPROVED = "partner-approved"
DECLINED = "partner-declined"
_LINK = "partner-link"
_EMAIL = "partner-email"
_PAYPAL = "partner-paypal"
_NOTICE = "partner-notice"
_NOTICE_TO_TEAM = "partner-notice-to-team"
_ENDED = "partner-ended"
_ENDED_BY_PARTNER = "partner-ended-by-partner"


def page_url(token: str, language: str, settings: Settings) -> str:
    """Returns the URL of a partner's page in their language."""
    with use(BY_ID.get(language, ENGLISH)):
        return settings.api_url + href(f"/partners/{token}")


class ShareUrls(NamedTuple):
    """A partner's links: to the front page, also where another server has the pages; the same, short; to a form."""

    long: str
    short: str
    form: str


def share_urls(code: str, settings: Settings) -> ShareUrls:
    short = f"{settings.url}/r/{code}"
    return ShareUrls(f"{settings.url}/?ref={code}", short, f"{short}/contact-us")


def link_hint(short_link: str) -> str:
    """Says how to link to any page, and that a visitor without JavaScript keeps the code in the links of our pages."""
    return t(
        "To link to any other page, add its path to your short link, for example {example}. "
        "This also works for visitors without JavaScript, as long as they reach our forms through links on our pages.",
        example=f"{short_link}/faq",
    )


def approved_row(partner: Partner, token: str, *, settings: Settings, now: datetime) -> NewOutbox:
    urls = share_urls(partner.code, settings)
    links = {"link": urls.long, "short_link": urls.short, "page_url": page_url(token, partner.language, settings)}
    return row_to_partner(APPROVED, partner.application, partner, links, settings=settings, now=now)


def declined_row(lead: Lead, *, settings: Settings, now: datetime) -> NewOutbox:
    return row_to_partner(DECLINED, lead.reference, lead, {}, settings=settings, now=now)


def link_row(partner: Partner, token: str, *, settings: Settings, now: datetime) -> NewOutbox:
    fields = {"page_url": page_url(token, partner.language, settings)}
    return row_to_partner(_LINK, f"partner-{secrets.token_hex(8)}", partner, fields, settings=settings, now=now)


def email_row(partner: Partner, *, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the mail to the address that the partner has, before it is changed."""
    return row_to_partner(_EMAIL, f"partner-{secrets.token_hex(8)}", partner, {}, settings=settings, now=now)


def paypal_row(partner: Partner, *, settings: Settings, now: datetime) -> NewOutbox:
    return row_to_partner(_PAYPAL, f"partner-{secrets.token_hex(8)}", partner, {}, settings=settings, now=now)


def notice_row(partner: Partner, *, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the confirmation of a notice that the partner has given."""
    fields = {"ends_on": str(partner.ends_on)}
    return row_to_partner(_NOTICE, f"partner-{secrets.token_hex(8)}", partner, fields, settings=settings, now=now)


def notice_rows(partner: Partner, *, settings: Settings, now: datetime) -> list[NewOutbox]:
    """Returns the mails about a notice given on the partner's page: the confirmation to them, and the one to the team."""
    to_partner = notice_row(partner, settings=settings, now=now)
    about_partner = {"number": partner.id, "name": partner.name or partner.code, "email": partner.email}
    fields = {"reference": to_partner.reference, "ends_on": str(partner.ends_on)} | about_partner
    return [to_partner, row_to_team(_NOTICE_TO_TEAM, fields, settings=settings, now=now)]


def ended_row(partner: Partner, *, is_breach: bool = False, settings: Settings, now: datetime) -> NewOutbox:
    fields = {"ends_on": str(partner.ends_on), "is_breach": is_breach, "is_forfeited": partner.state == PartnerState.FORFEITED}
    return row_to_partner(_ENDED, f"partner-{secrets.token_hex(8)}", partner, fields, settings=settings, now=now)


def ended_by_partner_row(partner: Partner, *, settings: Settings, now: datetime) -> NewOutbox:
    """Returns the confirmation that the partner has ended the agreement at once."""
    fields = {"ends_on": str(partner.ends_on)}
    return row_to_partner(_ENDED_BY_PARTNER, f"partner-{secrets.token_hex(8)}", partner, fields, settings=settings, now=now)


def row_to_partner(
    template: str, reference: str, reader: Partner | Lead, fields: Fields, *, settings: Settings, now: datetime
) -> NewOutbox:
    row = mail_row(template, {"reference": reference} | dict(fields), reader.email, reader.language, settings=settings, now=now)
    row.mailbox = mailbox_of(reader.email)
    return row


def approved_text(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=t("Welcome to our affiliate programme ({reference})", reference=fields["reference"]),
        heading=t("You’re approved"),
        greeting=t("Hello,"),
        opening=(
            t(
                "You’re now an affiliate of {brand}. You earn {percent}% of the net payments of each customer you refer, under the terms you agreed to.",
                brand=settings.brand_name,
                percent=commission_percent(),
            ),
        ),
        facts=(
            Fact(t("Your referral link"), fields["link"], is_link=True),
            Fact(t("The same link, short"), fields["short_link"], is_link=True),
            Fact(t("Link to the contact form"), f"{fields['short_link']}/contact-us", is_link=True),
            Fact(in_english(t("Affiliate programme terms and conditions")), settings.url + href(TERMS_PATH), is_link=True),
        ),
        facts_title=t("Your links"),
        action=MailLink(t("Open your affiliate page"), fields["page_url"]),
        steps=(
            t("Check the PayPal address on your affiliate page: we pay your commission to it."),
            t("Share your link. Please say clearly that you may receive a commission."),
            link_hint(fields["short_link"]),
            t("See your referrals and your commission on your affiliate page, month by month."),
        ),
        steps_title=t("What to do next"),
        closing=(
            t(
                "Keep this email private: anyone who has the link to your affiliate page can open it, change your PayPal address and give notice in your name."
            ),
        ),
        is_reply=True,
    )


def declined_text(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=t("Your affiliate application ({reference})", reference=fields["reference"]),
        heading=t("About your application"),
        greeting=t("Hello,"),
        opening=(
            t(
                "Thank you for your interest in our affiliate programme. We’ve decided not to accept your application this time."
            ),
        ),
        closing=(t("If you think we’ve missed something, reply to this email."),),
        is_reply=True,
    )


def link_text(fields: Fields, settings: Settings) -> MailText:
    return MailText(
        subject=t("Your affiliate page"),
        heading=t("Your affiliate page"),
        greeting=t("Hello,"),
        opening=(t("Here is a new link to your affiliate page. Earlier links no longer work."),),
        action=MailLink(t("Open your affiliate page"), fields["page_url"]),
    )


def email_text(fields: Fields, settings: Settings) -> MailText:
    return _change_text(
        t("Your email address has been changed"),
        t("From now on we’ll write to your new email address. We’ve sent a new link to your affiliate page there."),
    )


def paypal_text(fields: Fields, settings: Settings) -> MailText:
    return _change_text(
        t("Your PayPal address has been changed"),
        t("From now on we’ll pay your commission to the PayPal address now shown on your affiliate page."),
    )


def _change_text(title: str, opening: str) -> MailText:
    return MailText(
        subject=title,
        heading=title,
        greeting=t("Hello,"),
        opening=(opening,),
        closing=(
            t(
                "If you didn’t want this change, reply to this email at once with the right address: we’ll enter it and send you a new link to your page."
            ),
        ),
    )


def notice_text(fields: Fields, settings: Settings) -> MailText:
    day = date_words(date.fromisoformat(fields["ends_on"]))
    return _end_text(
        t("You’ve given notice: our affiliate agreement ends on {date}.", date=day),
        _usual_commission(),
        t("If you didn’t give notice, reply to this email at once."),
    )


def notice_text_to_team(fields: Fields, settings: Settings) -> MailText:
    title = f"{fields['name']} has given notice"
    return MailText(
        subject=title,
        heading=title,
        opening=("They did so on their affiliate page, and have been sent a confirmation.",),
        facts=(
            Fact("Affiliate", f"{fields['name']}, {fields['email']}"),
            Fact("Agreement ends", date_words(date.fromisoformat(fields["ends_on"]))),
        ),
        action=MailLink("Open the partner in the office", f"{settings.office_origins[0]}/office/affiliates/{fields['number']}")
        if settings.office
        else None,
        closing=("Commission on payments received before that day is paid as usual, even below the threshold.",),
        reply_to=MailAddress(fields["name"], fields["email"]),
    )


def ended_text(fields: Fields, settings: Settings) -> MailText:
    day = date_words(date.fromisoformat(fields["ends_on"]))
    if fields["is_breach"]:
        opening = t(
            "We ended our affiliate agreement without notice on {date}, because you seriously breached it, or did not remedy a breach after our warning.",
            date=day,
        )
    else:
        opening = t("We’re giving you notice: our affiliate agreement ends on {date}.", date=day)
    if fields["is_forfeited"]:
        commission_words = t("The commission we haven’t paid out yet results from that breach, so it is forfeited.")
    elif fields["is_breach"]:
        commission_words = t(
            "Commission on payments received before that day is paid, even below the threshold, except for referrals that result from the breach: your affiliate page shows which do not count."
        )
    else:
        commission_words = _usual_commission()
    return _end_text(
        opening,
        commission_words,
        t("If you disagree, or want to know what the breach was, reply to this email.")
        if fields["is_breach"]
        else t("If you have a question, reply to this email."),
    )


def ended_by_partner_text(fields: Fields, settings: Settings) -> MailText:
    day = date_words(date.fromisoformat(fields["ends_on"]))
    return _end_text(
        t("You ended our affiliate agreement without notice. It ended on {date}.", date=day),
        _usual_commission(),
        t("If you have a question, reply to this email."),
    )


def _usual_commission() -> str:
    return t("Commission on payments received before that day is paid as usual, even below the threshold.")


def _end_text(opening: str, commission_words: str, when_to_reply: str) -> MailText:
    return MailText(
        subject=t("The end of our affiliate agreement"),
        heading=t("The end of our affiliate agreement"),
        greeting=t("Hello,"),
        opening=(opening,),
        closing=(
            commission_words,
            t("From that day, please stop using your referral link, our name and our materials."),
            when_to_reply,
        ),
    )


TEMPLATES = {
    APPROVED: Template(approved_text),
    DECLINED: Template(declined_text),
    _LINK: Template(link_text, has_lead=False),
    _EMAIL: Template(email_text, has_lead=False),
    _PAYPAL: Template(paypal_text, has_lead=False),
    _NOTICE: Template(notice_text, has_lead=False),
    _NOTICE_TO_TEAM: Template(notice_text_to_team, to_team=True, has_lead=False),
    _ENDED: Template(ended_text, has_lead=False),
    _ENDED_BY_PARTNER: Template(ended_by_partner_text, has_lead=False),
}
