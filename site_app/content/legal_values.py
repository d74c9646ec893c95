"""What the placeholders of the legal texts stand for."""

from collections.abc import Mapping

from babel.dates import format_date

from site_app import constants
from site_app.content.money import pounds
from site_app.i18n import ENGLISH, use
from site_app.settings import settings


def legal_values() -> Mapping[str, str]:
    return {**_agency(), **_affiliate_terms(), **_terms_of_work(), **_retention()}


def _agency() -> dict[str, str]:
    agency = settings()
    return {
        "brand_name": agency.brand_name,
        "legal_name": agency.brand_legal_name,
        "email": agency.brand_email,
        "phone": agency.brand_phone,
        "address": agency.brand_address,
        "founder": agency.brand_founder,
        "company_number": agency.brand_company_number,
        "registered_in": agency.brand_registered_in,
        "vat_number": agency.brand_vat_number,
        "ico_number": agency.brand_ico_number,
        "effective": constants.POLICIES_EFFECTIVE.isoformat(),
        "effective_date": format_date(constants.POLICIES_EFFECTIVE, "long", "en_GB"),
    }


def _affiliate_terms() -> dict[str, str]:
    with use(ENGLISH):
        threshold = pounds(constants.PAYOUT_THRESHOLD_POUNDS)
    return {
        "commission": f"{constants.commission_percent()}%",
        "payout_threshold": threshold,
        "payout_time": _count(constants.PAYOUT_DAYS, "day"),
        "conversion_window": _count(constants.CONVERSION_MONTHS, "month"),
        "minimum_subscription": _count(constants.MINIMUM_SUBSCRIPTION_MONTHS, "month"),
        "prior_opportunity": _count(constants.PRIOR_OPPORTUNITY_DAYS, "day"),
        "commission_years": _first(constants.COMMISSION_YEARS, "year"),
        "unpaid_time": _count(constants.UNPAID_DAYS, "day"),
        "termination_notice": _count(constants.TERMINATION_NOTICE_DAYS, "day"),
        "non_solicitation": _count(constants.NON_SOLICITATION_YEARS, "year"),
        "liability_period": _count(constants.LIABILITY_MONTHS, "month"),
    }


def _terms_of_work() -> dict[str, str]:
    return {
        "consultation": _count(constants.consultation_minutes(), "minute"),
        "warranty": _count(constants.WARRANTY_DAYS, "day"),
        "monthly_notice": _count(constants.MONTHLY_NOTICE_DAYS, "day"),
        "invoice_time": _count(constants.INVOICE_DAYS, "day"),
    }


def _retention() -> dict[str, str]:
    return {
        "lead_retention": _count(constants.LEAD_RETENTION_MONTHS, "month"),
        "quarantine": _count(constants.QUARANTINE_DAYS, "day"),
        "page_view_retention": _count(constants.PAGE_VIEW_RETENTION_MONTHS, "month"),
        "unclaimed_files": _count(constants.UNCLAIMED_FILE_HOURS, "hour"),
    }


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def _first(number: int, unit: str) -> str:
    return f"first {unit}" if number == 1 else f"first {number} {unit}s"
