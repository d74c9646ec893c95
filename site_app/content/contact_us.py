"""The agency's contact details from the settings; the contact page: the free call, working hours in the clients' time zones."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from components.records import ContactDetail, Hours, PlaceHours, PointList, PointLists, Section, SocialLink, Span, Step
from site_app.content.form_words import spoken_languages
from site_app.content.legal_values import holiday_exception
from site_app.content.records import book_call, get_quote
from site_app.core import business
from site_app.core.business import consultation_minutes
from site_app.core.i18n import current, in_local_words, sentence_separator, t
from site_app.core.i18n.clocks import city
from site_app.core.settings import settings
from site_app.core.settings.rules import spans_of_days


def contact_details() -> tuple[ContactDetail, ...]:
    """Returns mail, phone, a chat if there is one, and the postal address, with one value per line."""
    agency = settings()
    lines = tuple(part.strip() for part in re.split("[,，]", in_local_words(agency.brand_address)))
    return (
        ContactDetail("email_address", "email-outline", t("Email"), (agency.brand_email,), f"mailto:{agency.brand_email}"),
        ContactDetail("phone_number", "phone-outline", t("Phone"), (agency.brand_phone,), _dial(agency.brand_phone)),
        *chats(),
        ContactDetail("address", "map-marker-outline", t("Address"), lines, _map(agency.brand_address)),
    )


def chats() -> tuple[ContactDetail, ...]:
    """Returns the chat that is common in the current language, if the agency uses it."""
    chats = {"th": ("line", "LINE", settings().brand_line), "cn": ("wechat", "微信", settings().brand_wechat)}
    slug, name, link = chats.get(current().id, ("", "", ""))
    return (ContactDetail(slug, "message-text-outline", name, (name,), link),) if link else ()


def social_links() -> tuple[SocialLink, ...]:
    """Returns the agency's pages in social networks, those whose address is set."""
    agency = settings()
    links = (
        SocialLink("Instagram", "instagram", agency.brand_instagram, "instagram"),
        SocialLink("Facebook", "facebook", agency.brand_facebook, "facebook"),
        SocialLink("LinkedIn", "linkedin", agency.brand_linkedin, "linkedin"),
        SocialLink("X", "x", agency.brand_x, "x"),
    )
    return tuple(link for link in links if link.link)


def _dial(number: str) -> str:
    return "tel:" + "".join(sign for sign in number if sign in "+0123456789")


def _map(address: str) -> str:
    return f"https://www.openstreetmap.org/search?query={quote(address)}"


@dataclass(frozen=True)
class ContactUs:
    headline: str
    intro: str
    availability: str
    form_heading: str
    form_intro: str
    next_steps: Section[Step]
    details: Section[ContactDetail]
    social_title: str
    social: tuple[SocialLink, ...]
    hours: Hours
    call: PointLists

    def direct_details(self) -> list[ContactDetail]:
        """Returns the email address and the phone number."""
        return [detail for detail in self.details.items if detail.slug in ("email_address", "phone_number")]


def contact_us_words() -> ContactUs:
    return ContactUs(
        headline=t("Contact us: a real person replies"),
        intro=t("A question, an idea, a bug in something we built: it reaches someone who can help."),
        availability=t(
            "Available 24/7 for messages and bookings: send a message or choose a time for a call at any hour. We reply within one working day; first calls take place between {first} and {last} {place} time.",
            **_first_calls(),
        ),
        form_heading=t("Your message"),
        form_intro=t("Your name, email address, a subject and a few lines are enough."),
        next_steps=_next_steps(),
        details=Section(
            t("Other ways to reach us"),
            t(
                "Whichever suits you best: they all reach the same people. Social networks are for following us; messages sent there can get lost."
            ),
            contact_details(),
        ),
        social_title=t("Follow us"),
        social=social_links(),
        hours=hours(),
        call=free_call(),
    )


def _next_steps() -> Section[Step]:
    return Section(
        t("What happens next"),
        t("No newsletter, no string of sales emails."),
        (
            Step(
                1,
                "confirmation",
                t("Straight away"),
                t("You’ll see a reference number, and as a rule get an email with it and what happens next."),
            ),
            Step(
                2,
                "reply",
                t("Within one working day"),
                t("You’ll get a reply, with an answer or the question we need to ask first."),
            ),
            Step(
                3,
                "your_choice",
                t("After that"),
                t("You decide: a call, a quote, or nothing at all. If we don’t hear from you, we won’t chase you."),
            ),
        ),
    )


def free_call() -> PointLists:
    return PointLists(
        heading=t("The free call: {minutes} minutes", minutes=consultation_minutes()),
        intro=t("A working conversation about your project, whether or not you hire us."),
        items=(
            PointList(
                "plus",
                t("What to bring"),
                (
                    t("The problem in your own words; no slides needed"),
                    t("What you have tried so far, and what you use today"),
                    t("Your budget or your deadline, if there is one"),
                ),
            ),
            PointList(
                "check",
                t("What you get"),
                (
                    t("What we would do first, and what we would leave out"),
                    t("A rough idea of cost and time, or what it depends on"),
                    t("Our notes by email within one working day"),
                ),
            ),
            PointList(
                "check",
                t("What you can rely on"),
                (
                    t("No sales pitch, and nothing to sign"),
                    t("We take notes, and record nothing without your consent"),
                    t("After our notes, no follow-up unless you ask for it"),
                ),
            ),
        ),
        note=_note(),
        actions=(book_call(), get_quote()),
    )


def _note() -> str:
    video = t(
        "We meet by video at {host}. The link is in your confirmation email and opens in the browser, with nothing to install. If video doesn’t work where you are, leave a number and we’ll phone you.",
        host=urlsplit(settings().booking_room).hostname or "",
    )
    if languages := spoken_languages():
        language = t("Choose the language of the call when you book: {languages}.", languages=languages)
    else:
        language = t(
            "The call is with our founder, in English; if you prefer Thai or Chinese, say so when you book and a colleague who speaks it will join."
        )
    return sentence_separator().join((video, language))


ZONES = ("Asia/Bangkok", "Asia/Shanghai")  # in addition to the host's
# days of one year, so that the same sources always build the same page
_WINTER = date(2026, 1, 15)
_SUMMER = date(2026, 7, 15)


def hours() -> Hours:
    host_zone = ZoneInfo(settings().booking_zone)
    opens, closes = business.TEAM_HOURS
    own_times = t("Calls in another language have their own times: you see them when you choose the language.")
    intro = t(
        "We work Monday to Friday, {opens} to {closes} {place} time{exceptions}. If call times are too late in your day, ask for an earlier one. We write in English, Thai or Chinese; contracts are in English, with a Thai or Chinese version beside them if you want one.",
        exceptions=holiday_exception(),
        opens=_clock(_hour(opens)),
        closes=_clock(_hour(closes)),
        place=city(host_zone),
    )
    return Hours(
        heading=t("Working hours and languages"),
        intro=sentence_separator().join((intro, own_times)) if settings().booking_language_hours else intro,
        heads=(t("City"), t("Hours on your clock"), t("Overlap in winter"), t("Overlap in summer")),
        legend=(
            ("office", t("Your office hours, {span}", span=_span_words(_client_hours()))),
            ("ours", t("Our working hours")),
            ("shared", t("Both at work")),
            ("summer", t("Only in summer")),
        ),
        office=_client_hours(),
        items=tuple(place_hours(ZoneInfo(zone), host_zone) for zone in dict.fromkeys((host_zone.key, *ZONES))),
    )


def _first_calls() -> dict[str, str]:
    """Returns the first and last time of day that can be booked in any language, and the city whose clock they are on."""
    hours = settings().meeting_hours.values()
    spans = [span for days in map(spans_of_days, hours) for day in days.values() for span in day]
    first, last = (f"{minute // 60:02}:{minute % 60:02}" for minute in (min(spans)[0], max(end for _, end in spans)))
    return {"first": first, "last": last, "place": city(ZoneInfo(settings().booking_zone))}


def place_hours(zone: ZoneInfo, host_zone: ZoneInfo) -> PlaceHours:
    winter = _team_hours(zone, host_zone, _WINTER)
    summer = _team_hours(zone, host_zone, _SUMMER)
    shared = (_overlap(winter), _overlap(summer))
    return PlaceHours(_place(zone), winter, shared, (_span_words(shared[0]), _span_words(shared[1])))


def _team_hours(zone: ZoneInfo, host_zone: ZoneInfo, day: date) -> Span:
    midnight = datetime.combine(day, time(), zone)
    opens, closes = ((datetime.combine(day, hour, host_zone) - midnight) / timedelta(hours=1) for hour in business.TEAM_HOURS)
    return opens, closes


def _overlap(team: Span) -> Span:
    opens, closes = _client_hours()
    return max(opens, team[0]), max(opens, team[0], min(closes, team[1]))


def _client_hours() -> Span:
    opens, closes = business.CLIENT_HOURS
    return _hour(opens), _hour(closes)


def _hour(moment: time) -> float:
    return moment.hour + moment.minute / 60


def _span_words(span: Span) -> str:
    return f"{_clock(span[0])}–{_clock(span[1])}" if span[0] < span[1] else "–"


def _clock(hour: float) -> str:
    return f"{int(hour) % 24:02}:{round(hour % 1 * 60):02}"


def _place(zone: ZoneInfo) -> str:
    return t("Beijing") if zone.key == "Asia/Shanghai" else city(zone)
