"""Who calls: the booking page's form for a held time, and its buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from site_app.business import consultation_minutes
from site_app.content.form_words import honeypot_label, optional
from site_app.contracts.days import days_of
from site_app.contracts.meeting import Slot
from site_app.contracts.phones import example_of
from site_app.forms.view import CONSULTATION, view_of
from site_app.http.context import AppContext
from site_app.http.pages import PlainPage
from site_app.i18n import current, sentence_separator, t
from site_app.i18n.clocks import both_clocks, city, day_words, time_words
from site_app.serving.plain_fields import in_order, plain_fields


def details_page(
    context: AppContext,
    chosen: Slot | None,
    until: datetime | None,
    free: Sequence[Slot],
    values: Mapping[str, str],
    zone: ZoneInfo,
    errors: Mapping[str, str],
) -> PlainPage:
    """The form as it was filled in so far, with other free times beside it; `until` is when the chosen one's hold ends."""
    now, settings, view = context.clock(), context.settings, view_of(CONSULTATION)
    host = ZoneInfo(settings.booking_zone)
    facts = [(t("Duration"), "", t("{minutes} minutes, by video, free of charge", minutes=consultation_minutes()))]
    if chosen and "slot" not in errors:
        facts.insert(0, (t("When"), day_words(chosen.start, zone), both_clocks(chosen.start, zone, host)))
    held = (
        t("Held for you until {time}, {place} time.", time=time_words(until, zone), place=city(zone))
        if until and until > now
        else ""
    )
    phone = t("With the country code, such as {number}", number=example_of(current().country))
    fields = [replace(one, help=phone) if one.name == "phone" else one for one in view.fields]
    words = {
        "facts": facts,
        "errors": in_order(errors, [one.name for one in fields]),
        "held": held,
        "hidden": {name: values.get(name, "") for name in ("key", "token", "until")},
        "days": days_of(free, zone, host),
        "chosen": values.get("slot", ""),
        "fields": plain_fields(CONSULTATION, fields, values, errors),
        "words": {
            "check": t("Please check the marked fields") if any(errors) else t("This has not been sent yet"),
            "keep": t("Hold it for {minutes} more minutes", minutes=settings.booking_hold // timedelta(minutes=1)),
            "another": t("Choose another time"),
            "all": t("See all times"),
            "about": t("About you"),
            "optional": optional(),
            "honeypot": honeypot_label(),
            "consent": t("We use these details only to arrange your call and prepare for it.") + sentence_separator(),
            "submit": view.send,
        },
    }
    return PlainPage("booking.html", view.title, words, "call")
