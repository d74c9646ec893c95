"""Values for the placeholders of the legal texts, and the inventory of what the site stores in a browser.

The cookies policy prints the inventory, and a browser test checks it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fnmatch import fnmatchcase
from math import ceil
from typing import Literal

from babel.dates import format_date

from site_app.content.prices import pounds
from site_app.core import business
from site_app.core.i18n import t, use
from site_app.core.i18n.clocks import lead_time_words
from site_app.core.i18n.names import region_name
from site_app.core.locales import ENGLISH
from site_app.core.settings import settings
from site_app.core.settings.targets import WEBHOOK

_YEAR = timedelta(days=366)
_MONTH = timedelta(days=365.25) / 12


def legal_values() -> Mapping[str, str]:
    return {
        **_agency(),
        **_affiliate_terms(),
        **_terms_of_work(),
        **_retention(),
        **_country_lookup(),
        "team_told": _notified_services(),
    }


def _agency() -> dict[str, str]:
    agency = settings()
    return {
        "brand_name": agency.brand_name,
        "legal_name": agency.brand_legal_name,
        "email": agency.brand_email,
        "phone": agency.brand_phone.replace(" ", "\u00a0"),
        "address": agency.brand_address,
        "founder": agency.brand_founder,
        "company_number": agency.brand_company_number,
        "registered_in": agency.brand_registered_in,
        "vat_number": agency.brand_vat_number,
        "ico_number": agency.brand_ico_number,
        "insurer": agency.brand_insurer,
        "effective": business.POLICIES_EFFECTIVE.isoformat(),
        "effective_date": _date(business.POLICIES_EFFECTIVE),
        "revised_date": _date(business.PRIVACY_REVISED),
        "terms_effective": business.TERMS_EFFECTIVE.isoformat(),
        "terms_effective_date": _date(business.TERMS_EFFECTIVE),
        "affiliate_terms_effective": business.AFFILIATE_TERMS_EFFECTIVE.isoformat(),
        "affiliate_terms_effective_date": _date(business.AFFILIATE_TERMS_EFFECTIVE),
    }


def _date(day: date) -> str:
    return format_date(day, "long", "en_GB")


def _affiliate_terms() -> dict[str, str]:
    with use(ENGLISH):
        threshold = pounds(business.PAYOUT_THRESHOLD_POUNDS)
    return {
        "commission": f"{business.terms_commission_percent()}%",
        "payout_threshold": threshold,
        "payout_time": _count(business.PAYOUT_DAYS, "day"),
        "conversion_window": _count(business.CONVERSION_MONTHS, "month"),
        "minimum_subscription": _count(business.MINIMUM_SUBSCRIPTION_MONTHS, "month"),
        "prior_opportunity": _count(business.PRIOR_OPPORTUNITY_DAYS, "day"),
        "commission_years": _first(business.COMMISSION_YEARS, "year"),
        "unpaid_time": _count(business.UNPAID_DAYS, "day"),
        "termination_notice": _count(business.TERMINATION_NOTICE_DAYS, "day"),
        "non_solicitation": _count(business.NON_SOLICITATION_YEARS, "year"),
        "liability_period": _count(business.LIABILITY_MONTHS, "month"),
    }


def _terms_of_work() -> dict[str, str]:
    with use(ENGLISH):
        indemnity = pounds(business.INDEMNITY_POUNDS)
    return {
        "consultation": _count(business.consultation_minutes(), "minute"),
        "warranty": _count(business.WARRANTY_DAYS, "day"),
        "monthly_notice": _count(business.MONTHLY_NOTICE_DAYS, "day"),
        "invoice_time": _count(business.INVOICE_DAYS, "day"),
        "acceptance_time": _count(business.ACCEPTANCE_DAYS, "working day"),
        "late_time": _count(business.LATE_DAYS, "working day"),
        "reply_time": _count(business.REPLY_DAYS, "working day"),
        "working_days": _working_days(),
        "reminders": _reminders(),
        "indemnity": indemnity,
    }


def _retention() -> dict[str, str]:
    return {
        "lead_retention": _at_most(settings().keep_leads),
        "affiliate_retention": _count(ceil(settings().keep_affiliates / _YEAR), "year"),
        "quarantine": _at_most(settings().keep_quarantine),
        "page_view_retention": _at_most(settings().keep_page_views),
        "unclaimed_files": _at_most(settings().keep_unclaimed_files),
        "mails_a_day": str(business.MAILS_A_DAY),
    }


def _country_lookup() -> dict[str, str]:
    """Returns the privacy policy's sentences about the country lookup and its recipient; in English, like all of the legal text."""
    if not settings().country_lookup_url:
        return {
            "country_lookup": "Phone fields suggest a country, which you can change. To do so, our server looks up your IP address in a "
            "table of its own. No other service is asked, and the answer is not kept. If the address is in no country’s range, a default "
            "country is shown.",
            "country_lookup_recipient": "",
        }
    return {
        "country_lookup": "Phone fields can suggest a country. To do so, our server may ask a lookup service which country your IP address "
        "belongs to. Your browser does not contact that service. The answer is kept for a short time, for a range of addresses rather "
        "than for yours alone. "
        "If no lookup is made, or the service does not answer, a default country is shown.",
        "country_lookup_recipient": " One of them may be told your IP address, so that we learn your country, and nothing else.",
    }


def _notified_services() -> str:
    """Returns the privacy policy's sentences about services that are told of a lead or call; English, like all of the legal text."""
    services = {target.service for target in settings().targets}
    sender = "your name and country" if settings().notify_names else "your country"
    withheld = "not your words" if settings().notify_names else "neither your name nor your words"
    chats = (
        " A chat service of our team may be told that you have written, or have booked, moved, cancelled or missed a call, with the reference "
        f"number, the time of the call, {sender}, the services and the state of our reply, but {withheld}."
    )
    webhooks = " The system in which we manage our work receives what you send."
    return (chats if services - {WEBHOOK} else "") + (webhooks if WEBHOOK in services else "")


def _at_most(duration: timedelta) -> str:
    """Formats a retention period in the largest suitable unit, rounded up: 3 hours, 30 days, 24 months."""
    if duration < timedelta(days=2):
        return _count(ceil(duration / timedelta(hours=1)), "hour")
    if duration < timedelta(days=90):
        return _count(ceil(duration / timedelta(days=1)), "day")
    return _count(months_at_most(duration), "month")


def months_at_most(duration: timedelta) -> int:
    return ceil(duration / _MONTH)


def _count(number: int, unit: str) -> str:
    return f"one {unit}" if number == 1 else f"{number} {unit}s"


def holiday_exception() -> str:
    """Returns the days among Monday to Friday that are no working days, as the end of a sentence's clause; "" if there are none."""
    region = settings().booking_holidays
    return t(", except public holidays in {place}", place=region_name(region)) if region else ""


def _reminders() -> str:
    """Returns what the privacy policy says of reminders; English, like all of the legal text."""
    with use(ENGLISH):
        lead_times = lead_time_words(settings().booking_reminders)
    if not lead_times:
        return ""
    reminders = "reminders" if len(settings().booking_reminders) > 1 else "a reminder"
    return f", and {reminders} {lead_times} before it, where you booked that far ahead"


def _working_days() -> str:
    with use(ENGLISH):
        return f"Monday to Friday{holiday_exception()}"


def _first(number: int, unit: str) -> str:
    return f"first {unit}" if number == 1 else f"first {number} {unit}s"


StoredItemKind = Literal["cookie", "localStorage", "sessionStorage"]


@dataclass(frozen=True)
class StoredItem:
    """An item in browser storage; `name` may end in * to match several. Its texts are English, like all of the legal text."""

    name: str
    kind: StoredItemKind
    purpose: str
    lifetime: str


INVENTORY = (
    StoredItem(
        "lang",
        "cookie",
        "Remembers the language you chose. Set only when you choose one, cleared when you choose English.",
        "Until you close the browser",
    ),
    StoredItem("theme", "localStorage", "Remembers whether you chose the light or the dark theme.", "Until you delete it"),
    StoredItem(
        "draft:*",
        "sessionStorage",
        "Keeps what you have typed into a form, so that closing the form or losing the connection does not cost you the text.",
        "Until you send or clear the form, or close the tab",
    ),
    StoredItem(
        "token",
        "sessionStorage",
        "A random number that tells our server which open tab it is answering. It says nothing about you.",
        "Until you close the tab",
    ),
    StoredItem(
        "scroll:*",
        "sessionStorage",
        "Remembers how far you had read, so that Back and Forward bring you to the same place.",
        "Until you close the tab",
    ),
    StoredItem(
        "open:*",
        "sessionStorage",
        "Remembers which form or answer you opened or closed last, so that reloading the page does not reopen what you closed.",
        "Until you close the tab",
    ),
    StoredItem(
        "offer:refused",
        "sessionStorage",
        "Remembers that you did not want this site in your browser’s language, so that you are asked only once.",
        "Until you close the tab",
    ),
    StoredItem(
        "attribution",
        "sessionStorage",
        "Notes how you found us: the website, campaign or affiliate’s link that led you here, and the page you arrived at. It goes to us only with a form you send.",
        "Until you close the tab",
    ),
    StoredItem(
        "reloaded:*",
        "sessionStorage",
        "Notes that a page did not load completely, so that it is reloaded once and not over and over.",
        "Until the page loads, or you close the tab",
    ),
    StoredItem(
        "reflex_last_reloaded_on_error",
        "sessionStorage",
        "Notes when the page was last reloaded because this website had changed while you were reading it.",
        "Until you close the tab",
    ),
)


def stored_item(kind: StoredItemKind, name: str) -> StoredItem | None:
    """Returns the inventory entry for a stored item, or None if there is none."""
    return next((item for item in INVENTORY if item.kind == kind and fnmatchcase(name, item.name)), None)
