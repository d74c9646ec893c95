"""Who calls: the words of the form for a held time, and of its buttons."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from site_app.business import consultation_minutes
from site_app.contracts.days import days_of
from site_app.contracts.meeting import MeetingRequest, Slot
from site_app.contracts.phones import example_of
from site_app.http.context import AppContext
from site_app.http.pages import PlainPage, fields_of, in_order
from site_app.i18n import current, gap, t
from site_app.i18n.clocks import both_clocks, city, day_words, time_words

FIELDS = ("full_name", "email", "phone", "company", "project_information", "additional_notes")


def details_page(
    context: AppContext,
    title: str,
    chosen: Slot | None,
    until: datetime | None,
    free: Sequence[Slot],
    values: Mapping[str, str],
    zone: ZoneInfo,
    errors: dict[str, str],
) -> PlainPage:
    """The form as it was filled in so far, with other free times beside it; `until` is when the chosen one's hold ends."""
    now, settings = context.clock(), context.settings
    host = ZoneInfo(settings.booking_zone)
    facts = [(t("Duration"), "", t("{minutes} minutes, by video, free of charge", minutes=consultation_minutes()))]
    if chosen and "slot" not in errors:
        facts.insert(0, (t("When"), day_words(chosen.start, zone), both_clocks(chosen.start, zone, host)))
    held = (
        t("Held for you until {time}, {place} time.", time=time_words(until, zone), place=city(zone))
        if until and until > now
        else ""
    )
    hints = {"phone": t("With the country code, such as {number}", number=example_of(current().country))}
    words = {
        "facts": facts,
        "errors": in_order(errors, FIELDS),
        "held": held,
        "hidden": {name: values.get(name, "") for name in ("key", "token", "until")},
        "days": days_of(free, zone, host),
        "chosen": values.get("slot", ""),
        "fields": fields_of(MeetingRequest, FIELDS, values, errors, hints),
        "words": {
            "check": t("Please check the marked fields") if any(errors) else t("This has not been sent yet"),
            "keep": t("Hold it for {minutes} more minutes", minutes=settings.booking_hold // timedelta(minutes=1)),
            "another": t("Choose another time"),
            "all": t("See all times"),
            "about": t("About you"),
            "optional": t("optional"),
            "trap": t("Leave this field empty"),
            "consent": t("We use these details only to prepare and hold the call.") + gap(),
            "submit": t("Book the call"),
        },
    }
    return PlainPage("booking.html", title, words, "call")
