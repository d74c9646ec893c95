"""Who calls: the words of the form for a held time, and of its buttons."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from site_app.api.office import Office
from site_app.api.pages import PlainPage, fields_of, in_order
from site_app.api.pages.days import days_of
from site_app.constants import consultation_minutes
from site_app.contracts.meeting import MeetingRequest
from site_app.i18n import current, gap, t
from site_app.i18n.clocks import both_clocks, city, day_words, time_words
from site_app.services.booking.slots import Slot
from site_app.store.tables import Hold

FIELDS = ("full_name", "email", "phone", "company", "project_information", "additional_notes")
_SOME_NUMBER = {"en": "+44 20 7946 0000", "th": "+66 2 123 4567", "cn": "+86 10 1234 5678"}


def details_page(
    office: Office,
    row: Hold | None,
    free: Sequence[Slot],
    values: Mapping[str, str],
    zone: ZoneInfo,
    errors: dict[str, str],
) -> PlainPage:
    """The form as it was filled in so far, with other free times beside it; without a hold it says nothing of one."""
    now, settings = office.clock(), office.settings
    host = ZoneInfo(settings.booking_zone)
    facts = [(t("Duration"), "", t("{minutes} minutes, by video, free of charge", minutes=consultation_minutes()))]
    if row:
        facts.insert(0, (t("When"), day_words(row.starts_at, zone), both_clocks(row.starts_at, zone, host)))
    held = (
        t("Held for you until {time}, {place} time.", time=time_words(row.expires_at, zone), place=city(zone))
        if row and row.expires_at > now
        else ""
    )
    hints = {"phone": t("With the country's code, such as {number}", number=_SOME_NUMBER[current().id])}
    words = {
        "facts": facts,
        "errors": in_order(errors, FIELDS),
        "held": held,
        "hidden": {name: values.get(name, "") for name in ("key", "token")},
        "days": days_of(free, zone, host, now),
        "chosen": values.get("slot", ""),
        "fields": fields_of(MeetingRequest, FIELDS, values, errors, hints),
        "words": {
            "check": t("Please check the marked fields") if any(errors) else t("This has not been sent yet"),
            "keep": t("Keep it {minutes} more minutes", minutes=settings.booking_hold // timedelta(minutes=1)),
            "another": t("Choose another time"),
            "all": t("See all times"),
            "about": t("About you"),
            "optional": t("optional"),
            "trap": t("Leave this field empty"),
            "consent": t("What you enter here is used to prepare and hold the call.") + gap(),
            "submit": t("Book the call"),
        },
    }
    return PlainPage("booking.html", t("Free Consultation Call: {minutes} min", minutes=consultation_minutes()), words, "call")
