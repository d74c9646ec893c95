"""Every SITE_* variable in one frozen table: its name, default, meaning and rule."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from site_app.core import ROOT
from site_app.core.locales import ENGLISH
from site_app.core.settings import rules
from site_app.core.settings.targets import (
    LEAD_CREATED,
    LEAD_RELEASED,
    MEETING_BOOKED,
    MIN_KEY_LENGTH,
    WEBHOOK,
    Target,
    readable_targets,
    signing_key,
    targets,
)
from site_app.core.settings.values import BrokenSetting, as_text, masked, variable

LISTED, REFUSED = "listed", "refused"  # on a public site a sample value is listed in a warning, or refused


def setting(
    default: Any,
    meaning: str,
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    greatest: float | None = None,
    rule: rules.Rule | None = None,
    optional: bool = False,
    sample: str = "",
    secret: bool = False,
) -> Any:
    """Returns a field of the table; its variable is SITE_ and the field's name in capitals.

    `least` and `greatest` bound numbers, and durations in seconds. A text may be empty only if its default is, or with `optional`.
    `sample` says how a public site treats an invented default: LISTED or REFUSED. A secret is never printed.
    """
    about = {"choices": choices, "least": least, "greatest": greatest, "rule": rule, "optional": optional or default == ""}
    return field(default=default, repr=not secret, metadata={"help": meaning, "sample": sample, "secret": secret, **about})


social_page = partial(setting, rule=rules.web_url, optional=True, sample=REFUSED)


@dataclass(frozen=True)
class Settings:
    # where the site is
    url: str = setting(
        "http://localhost:3000",
        "Public address of the site: scheme and host, no path. Unset: localhost at SITE_PORT. Build again after a change.",
        rule=rules.origin,
        sample=LISTED,
    )
    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 in a container.", rule=rules.listening_address)
    port: int = setting(3000, "Port to listen on.", least=1, greatest=65535)
    workers: int = setting(1, "Worker processes; more than one needs PostgreSQL and SITE_REDIS_URL.", least=1, greatest=64)
    hosts: tuple[str, ...] = setting(
        (), "Host names that the site answers to, besides that of SITE_URL.", rule=rules.each(rules.host_name)
    )
    trusted_proxies: tuple[str, ...] = setting(
        (), "Addresses of reverse proxies whose X-Forwarded-For header the site trusts.", rule=rules.each(rules.network)
    )
    backend_url: str = setting(
        "",
        "Address of the API and the socket when a static host serves the pages (make export); empty: SITE_URL.",
        rule=rules.origin,
    )
    production: bool = setting(False, "True on the public site: search engines may index it.")
    allow_samples: bool = setting(
        False, "True lets a public site keep the samples of this table; every page then says that it is a demonstration."
    )
    theme: str = setting(
        "light",
        "Theme for visitors who have not chosen one: light, or that of their system. Build again after a change.",
        choices=("light", "system"),
    )
    startup_delay: timedelta = setting(
        timedelta(seconds=2), "Delay before the page loads countries and currencies.", least=0, greatest=60
    )
    var: Path = setting(
        Path("var"), "Directory where the site stores its data: database, mails, attachments, secret.", rule=rules.directory
    )
    # articles and case studies
    content: Path = setting(
        Path("site_app/content"),
        "Folder with the texts and pictures of articles/ and case_studies/, and the office's translations in translations/. A relative path "
        "starts at the checkout.",
        rule=rules.content_folder,
    )
    publish: str = setting(
        "",
        "How the office publishes a text: the site rebuilds its pages (build), or commits the text to SITE_PUBLISH_REMOTE (git); empty: nobody "
        "can write texts in the office.",
        choices=("", "build", "git"),
    )
    publish_remote: str = setting(
        "",
        "Git repository to which SITE_PUBLISH=git pushes, such as https://site:token@git.example.com/site.git or git@example.com:site.git.",
        secret=True,
        rule=rules.git_remote,
    )
    publish_branch: str = setting("main", "Branch to which SITE_PUBLISH=git pushes.", rule=rules.git_branch)
    # storage of the provider
    database_url: str = setting(
        "",
        "Database of the provider, such as postgresql+psycopg://…; empty: a SQLite file in SITE_VAR.",
        secret=True,
        rule=rules.database,
    )
    redis_url: str = setting(
        "",
        "Redis where several processes share rate limits and the states of open pages; empty: each process keeps its own.",
        secret=True,
        rule=rules.redis,
    )
    secret: str = setting(
        "",
        "Key that signs tokens, at least 24 characters; empty: the site creates one in SITE_VAR.",
        secret=True,
        rule=rules.secret_key,
    )
    # the API and its limits
    provider_url: str = setting(
        "", "Address of another provider whose API v1.0 the site uses; empty: the built-in provider.", rule=rules.web_url
    )
    api_key: str = setting("website", "API key that the site sends to the provider; not a secret.", rule=rules.header_word)
    api_callers: tuple[str, ...] = setting(
        (), "API keys that the provider accepts besides SITE_API_KEY; not secrets.", rule=rules.each(rules.header_word)
    )
    limit_submissions: str = setting(
        "10/minute;60/hour",
        "Submissions per person (mail address or form token); six times as many per network (an IPv4 address, an IPv6 /48).",
        rule=rules.rate,
    )
    limit_uploads: str = setting("30/minute;120/hour", "Files uploaded per network.", rule=rules.rate)
    limit_holds: str = setting(
        "12/minute;60/hour", "Requests to hold a slot, or to hold it longer, per network.", rule=rules.rate
    )
    limit_open_holds: int = setting(3, "Slots held at the same time per network.", least=0)
    limit_calls: int = setting(5, "Upcoming meetings booked per network.", least=1)
    limit_reads: str = setting(
        "240/minute", "API requests answered per endpoint and network, besides submissions, files and holds.", rule=rules.rate
    )
    minimum_filling_time: timedelta = setting(
        timedelta(seconds=3), "A form sent sooner than this looks automatic.", least=0, greatest=3600
    )
    refused_email_domains: tuple[str, ...] = setting(
        (), "Domains whose e-mail addresses the forms refuse.", rule=rules.each(rules.mail_domain)
    )
    check_email_domains: bool = setting(
        False,
        "True asks DNS whether the domain of an e-mail address accepts mail; if DNS does not answer, the address is accepted.",
    )
    country_lookup_url: str = setting(
        "",
        "Address of a service that returns a visitor's country, with {address} for the visitor's IP address; empty: a table in the product.",
        rule=rules.country_service,
    )
    keep_unclaimed_files: timedelta = setting(
        timedelta(hours=3), "How long an uploaded file waits for its form to be sent.", least=60, greatest=30 * 86400
    )
    submissions_a_day_mb: int = setting(
        5,
        "Megabytes of long forms (over 4 kB each) accepted per day and network. Shorter forms do not count.",
        least=1,
    )
    uploads_a_day_mb: int = setting(500, "Megabytes of files accepted per day and network.", least=10)
    uploads_in_all_mb: int = setting(
        5000, "Megabytes of files stored in all; beyond that, leads are accepted without files.", least=10
    )
    uploads_reserve_mb: int = setting(
        500, "Megabytes of free disk kept for leads: with less, no file is accepted and no page is built.", least=0
    )
    # limits of the socket
    limit_events: int = setting(20, "Events per second and socket; a burst may have three times as many.", least=1)
    limit_sockets: int = setting(20, "Open sockets per network, in each process.", least=1)
    limit_arrivals: int = setting(
        2, "New sockets per second and network, in each process; a burst may have twenty times as many.", least=1
    )
    limit_all_sockets: int = setting(2000, "Open sockets in all, in each process.", least=1)
    keep_state: timedelta = setting(
        timedelta(minutes=15), "How long the server keeps the state of an idle visitor's page.", least=60, greatest=7 * 86400
    )
    # who the agency is (samples: replace them)
    brand_name: str = setting("Plumbline", "Name of the agency.", sample=LISTED)
    brand_legal_name: str = setting(
        "Plumbline Software Ltd", "Registered name of the company, for the legal pages.", sample=REFUSED
    )
    brand_email: str = setting(
        "hello@plumbline.example.com",
        "Support address, shown on the site; news of leads goes to it unless SITE_MAIL_TEAM is set.",
        rule=rules.mail_address,
        sample=REFUSED,
    )
    brand_phone: str = setting("+44 20 7946 0958", "Phone number, shown on the site.", rule=rules.phone, sample=REFUSED)
    brand_address: str = setting(
        "14 Sample Yard, London EC1V 0AA, United Kingdom", "Postal address, parts separated by commas.", sample=REFUSED
    )
    brand_founder: str = setting("Alex Morgan", "Name of the Founder & CEO, who hosts meetings.", sample=LISTED)
    brand_instagram: str = social_page("https://www.instagram.example.com/plumbline", "Instagram page; empty: none.")
    brand_facebook: str = social_page("https://www.facebook.example.com/plumbline", "Facebook page; empty: none.")
    brand_linkedin: str = social_page("https://www.linkedin.example.com/company/plumbline", "LinkedIn page; empty: none.")
    brand_x: str = social_page("https://x.example.com/plumbline", "X page; empty: none.")
    brand_line: str = setting("", "LINE page where a chat starts, shown on Thai pages; empty: none.", rule=rules.web_url)
    brand_wechat: str = setting("", "WeChat page where a chat starts, shown on Chinese pages; empty: none.", rule=rules.web_url)
    # what British law requires a company to say (samples: replace them)
    brand_company_number: str = setting("00000000", "Number in the company register.", sample=REFUSED)
    brand_registered_in: str = setting("England and Wales", "Part of the United Kingdom where the company is registered.")
    brand_vat_number: str = setting("GB 000 0000 00", "VAT registration number.", sample=REFUSED)
    brand_ico_number: str = setting("ZA000000", "Registration with the Information Commissioner’s Office.", sample=REFUSED)
    brand_insurer: str = setting(
        "Sample Underwriters, 2 Sample Yard, London EC1V 0AA; worldwide except the United States and Canada",
        "Insurer for professional indemnity, its address and the territory covered.",
        sample=REFUSED,
    )
    # meetings
    booking_zone: str = setting("Europe/London", "Time zone of the founder's working hours.", rule=rules.zone)
    booking_days: tuple[str, ...] = setting(("mon", "tue", "wed", "thu", "fri"), "Weekdays with meetings.", rule=rules.weekdays)
    booking_hours: tuple[str, ...] = setting(
        ("09:00-17:00",),
        "Hours for meetings on each of these days, on quarter hours. Several spans, separated by commas, leave breaks. A weekday before a span "
        "gives that day its own hours: 09:00-17:00,fri 09:00-12:30.",
        rule=rules.working_hours,
    )
    booking_languages: tuple[str, ...] = setting(
        (),
        "Languages of meetings besides English, each with its host: th Siriporn Chaiyasit,cn Wei Zhang. The founder hosts a language without a "
        "name. Visitors choose; empty: English only. Build again after a change.",
        rule=rules.call_languages,
    )
    booking_language_hours: tuple[str, ...] = setting(
        (),
        "Hours for meetings in those languages, each after its language: th 07:00-10:00,th fri 08:00-12:00. A language without hours has those "
        "of SITE_BOOKING_HOURS.",
        rule=rules.hours_of_languages,
    )
    booking_days_off: tuple[str, ...] = setting(
        (),
        "Days without meetings: 2026-12-25, or 2026-12-24..2027-01-02. They close the calendar only; replies count them as working days.",
        rule=rules.days_off,
    )
    booking_holidays: str = setting(
        "GB-ENG",
        "Country, or part of one such as GB-ENG, whose public holidays have no meetings and are not working days; empty: none.",
        rule=rules.holiday_region,
        optional=True,
    )
    booking_length: timedelta = setting(
        timedelta(minutes=30),
        "Length of a meeting, in whole quarter hours. Booked meetings keep their length. Build again after a change.",
        least=15 * 60,
        greatest=8 * 3600,
        rule=rules.quarter_hours,
    )
    booking_buffer: timedelta = setting(
        timedelta(minutes=15), "Free time between two meetings.", least=0, greatest=8 * 3600, rule=rules.quarter_hours
    )
    booking_notice: timedelta = setting(
        timedelta(hours=12), "How long before its start a meeting must be booked.", least=0, greatest=366 * 86400
    )
    booking_horizon: timedelta = setting(
        timedelta(days=30), "How far ahead meetings can be booked.", least=86400, greatest=366 * 86400
    )
    booking_hold: timedelta = setting(
        timedelta(minutes=10), "How long a chosen slot is held for a visitor who fills in the form.", least=60, greatest=86400
    )
    booking_reminders: tuple[timedelta, ...] = setting(
        (timedelta(hours=24), timedelta(hours=1)),
        "How long before a meeting each reminder is mailed; empty: none. A meeting booked or moved after that moment gets no such reminder.",
        rule=rules.reminders,
        optional=True,
    )
    booking_room: str = setting(
        "https://meet.plumbline.example.com/{room}",
        "Address of the video room. {room} becomes an unguessable name for each meeting, {secret} a new one each time the meeting moves.",
        rule=rules.meeting_room,
        sample=REFUSED,
    )
    booking_feed_key: str = setting(
        "",
        "Last part of the address of the host's calendar feed, at least 24 characters; empty: no feed.",
        secret=True,
        rule=rules.url_key,
    )
    booking_busy_url: tuple[str, ...] = setting(
        (),
        "Addresses (https) of .ics calendars whose events take slots away, separated by spaces or commas; empty: none.",
        secret=True,
        rule=rules.feed_urls,
    )
    booking_busy_every: timedelta = setting(
        timedelta(minutes=10), "How often the site reads the host's calendars.", least=60, greatest=86400
    )
    caldav_url: tuple[str, ...] = setting(
        (),
        "Addresses of calendars on one CalDAV server, separated by spaces or commas; https, or http on the loopback address. Meetings are "
        "written into the first, events of all take slots away; empty: none.",
        rule=rules.caldav_urls,
    )
    caldav_user: str = setting("", "User name at the CalDAV server; empty: none is sent.")
    caldav_password: str = setting("", "Password at the CalDAV server, preferably one for this site alone.", secret=True)
    # the agency's own pages
    office: tuple[str, ...] = setting(
        (),
        "People who may sign in to /office, each with a role: ada@example.com:owner,bo@example.com:editor,cy@example.com:reader. Owners answer "
        "leads and publish, editors publish and see no leads, readers change nothing; empty: no office.",
        rule=rules.people,
    )
    office_host: str = setting(
        "", "Host name reserved for /office; empty: the office is at the site's own.", rule=rules.host_name
    )
    limit_sign_in: str = setting(
        "5/10minute;20/day",
        "Sign-in links requested for one mail address from one network; six times as many per network in all. Beyond that an address gets one "
        "mail an hour, with a link that works for two hours.",
        rule=rules.rate,
    )
    # mail
    mail_transport: str = setting(
        "folder", "How mail is sent: by SMTP, or written as .eml files to SITE_VAR/mail.", choices=("folder", "smtp")
    )
    mail_from: str = setting(
        "", "Sender of the site's mails; empty: SITE_BRAND_EMAIL.", rule=rules.mail_address, sample=REFUSED
    )
    mail_team: str = setting(
        "", "Recipient of news about leads and meetings; empty: SITE_BRAND_EMAIL.", rule=rules.mail_address, sample=REFUSED
    )
    mail_give_up: timedelta = setting(
        timedelta(hours=48),
        "How long the site keeps trying to deliver a mail or a notification.",
        least=60,
        greatest=30 * 86400,
    )
    smtp_host: str = setting("localhost", "Mail server.", rule=rules.host_name)
    smtp_port: int = setting(587, "Port of the mail server.", least=1, greatest=65535)
    smtp_security: str = setting(
        "starttls", "How the connection to the mail server is secured.", choices=("starttls", "tls", "none")
    )
    smtp_user: str = setting("", "User name at the mail server; empty: none is sent.")
    smtp_password: str = setting("", "Password at the mail server.", secret=True)
    smtp_timeout: timedelta = setting(
        timedelta(seconds=30), "How long the mail server may take for one mail.", least=1, greatest=120
    )
    # notifications besides mail
    notify: str = setting(
        "",
        "Slack, Teams, Discord and Telegram chats and webhooks that receive events, separated by semicolons: "
        "slack=https://… lead.created,meeting.booked; teams:sales=https://… all (see notifications.md); empty: none.",
        rule=readable_targets,
        secret=True,
    )
    notify_names: bool = setting(False, "True names the visitor in messages to Slack, Teams, Discord and Telegram.")
    webhook_url: str = setting(
        "", "Address (https) of a webhook that receives each new lead; empty: none.", rule=rules.https_url
    )
    webhook_secret: str = setting(
        "", "Key that signs webhooks without a key of their own, at least 24 characters.", secret=True
    )
    # retention
    keep_leads: timedelta = setting(
        timedelta(days=730),
        "How long a lead or call is kept after it was sent or booked. A call still ahead then is kept until it is over.",
        least=86400,
    )
    keep_quarantine: timedelta = setting(
        timedelta(days=30), "How long a lead stays in quarantine before it is erased.", least=86400
    )
    keep_page_views: timedelta = setting(timedelta(days=760), "How long counts of page views are kept.", least=86400)
    keep_affiliates: timedelta = setting(
        timedelta(days=2557),  # seven years: the UK's tax and company law wants six after the end of a financial year
        "How long an affiliate's records are kept after the end of the agreement and the last payment, payout or reminder of one.",
        least=86400,
    )
    # metrics
    metrics_port: int = setting(
        0,
        "Separate port where Prometheus reads /metrics of all workers; 0: nothing is measured.",
        least=0,
        greatest=65535,
    )
    metrics_host: str = setting(
        "127.0.0.1", "Address of the metrics port; the public must not reach it.", rule=rules.listening_address
    )
    # log
    log_level: str = setting("info", "Least severe level that is logged.", choices=("debug", "info", "warning", "error"))
    log_format: str = setting(
        "auto", "Log lines as JSON or readable text; auto: JSON with SITE_PRODUCTION.", choices=("auto", "json", "readable")
    )

    def __post_init__(self) -> None:
        if contradictions := list(_contradictions(self)):
            raise BrokenSetting(*contradictions)

    @property
    def content_folder(self) -> Path:
        """The absolute path of SITE_CONTENT."""
        return ROOT / self.content

    def local_day(self, moment: datetime) -> date:
        """Returns the day of a moment by the agency's clock, that of SITE_BOOKING_ZONE."""
        return moment.astimezone(ZoneInfo(self.booking_zone)).date()

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins of the pages, SITE_URL's first."""
        return (self.url, *map(self._origin_at, self.hosts), *([self.backend_url] if self.backend_url else []))

    @property
    def call_languages(self) -> dict[str, str]:
        """The languages of calls, each with its host's name, which is empty for the founder."""
        names = map(rules.language_and_value, self.booking_languages)
        return {ENGLISH.id: ""} | {language: "" if name == self.brand_founder else name for language, name in names}

    @property
    def meeting_hours(self) -> dict[str, tuple[str, ...]]:
        """The hours of calls in each language."""
        own_hours = rules.by_language(self.booking_language_hours)
        return {language: own_hours.get(language, self.booking_hours) for language in self.call_languages}

    @property
    def api_url(self) -> str:
        """The public address of the API: of its calls, and of the pages that its mails link to."""
        return self.backend_url or self.url

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets of events: SITE_WEBHOOK_URL and the targets of SITE_NOTIFY. Webhooks without a key get SITE_WEBHOOK_SECRET.

        SITE_WEBHOOK_URL is older than the other events, so it gets released leads and booked meetings as events of created leads.
        """
        sent_as_created: dict[str, str] = dict.fromkeys((LEAD_CREATED, LEAD_RELEASED, MEETING_BOOKED), LEAD_CREATED)
        first = (Target(WEBHOOK, WEBHOOK, self.webhook_url, sent_as_created),) if self.webhook_url else ()
        return tuple(
            replace(target, key=target.key or self.webhook_secret) if target.service == WEBHOOK else target
            for target in (*first, *targets(self.notify))
        )

    @property
    def office_origins(self) -> tuple[str, ...]:
        """The origins where the office is served and whose forms it accepts; links to its pages begin with the first.

        Excludes a static host's origin: the host only serves pages, and others may be able to change them.
        """
        if self.office_host:
            return (self._origin_at(self.office_host),)
        return (self.backend_url,) if self.backend_url else (self.url, *map(self._origin_at, self.hosts))

    def _origin_at(self, host: str) -> str:
        url = urlsplit(self.url)
        return f"{url.scheme}://{host}{f':{url.port}' if url.port else ''}"

    @property
    def office_hosts(self) -> frozenset[str]:
        """The host name reserved for the office, if one is set."""
        return frozenset({self.office_host} if self.office and self.office_host else ())

    @property
    def host_names(self) -> frozenset[str]:
        """The host names of the site, without ports."""
        return frozenset({urlsplit(self.url).hostname or "", urlsplit(self.api_url).hostname or "", *self.hosts})


def samples(settings: Settings) -> dict[str, str]:
    """Returns the variables that still have invented values, each with its treatment on a public site: LISTED or REFUSED."""
    return {
        variable(setting.name): setting.metadata["sample"]
        for setting in fields(Settings)
        if setting.metadata["sample"] and _is_sample(str(getattr(settings, setting.name)), str(setting.default))
    }


def _contradictions(settings: Settings) -> Iterator[str]:
    """Yields the conflicts between settings that are each valid alone."""
    if settings.workers > 1 and not (
        settings.redis_url and (settings.provider_url or settings.database_url.startswith("postgresql"))
    ):
        yield (
            f"SITE_WORKERS is {settings.workers}; more than 1 needs PostgreSQL in SITE_DATABASE_URL and Redis in SITE_REDIS_URL, "
            "such as postgresql+psycopg://site:password@127.0.0.1/site and redis://127.0.0.1:6379/0"
        )
    if settings.provider_url and _is_here(settings, settings.provider_url):
        yield (
            f"SITE_PROVIDER_URL is {masked(settings.provider_url)!r}, which is this site itself; it must be empty for the built-in "
            "provider, or another address, such as https://provider.example.com"
        )
    if settings.provider_url and settings.office:
        yield "SITE_OFFICE names people, but the leads are kept at SITE_PROVIDER_URL; it must be set there"
    if settings.office_host in settings.host_names:
        yield f"SITE_OFFICE_HOST is {settings.office_host!r}, where the site is; it must be another name, such as office.example.com"
    if settings.metrics_port == settings.port:
        yield f"SITE_METRICS_PORT is {settings.port}, which is SITE_PORT; it must be another one, such as 9100"
    if settings.booking_notice >= settings.booking_horizon:
        yield (
            f"SITE_BOOKING_NOTICE is {as_text(settings.booking_notice)}, as long as SITE_BOOKING_HORIZON, so that no call could be "
            "booked; it must be shorter, such as 12h"
        )
    yield from _problems_of_hours(settings)
    if len({urlsplit(url)._replace(path="", query="", fragment="") for url in settings.caldav_url}) > 1:
        yield (
            "SITE_CALDAV_URL names several servers, and all would get SITE_CALDAV_PASSWORD; it must be calendars of one server, "
            "such as https://dav.example.com/ada/calls/ https://dav.example.com/ada/home/"
        )
    yield from _problems_of_publishing(settings)
    if settings.smtp_password and settings.smtp_security == "none":
        yield "SITE_SMTP_SECURITY is 'none', so SITE_SMTP_PASSWORD would travel in the clear; it must be like starttls or tls"
    if settings.provider_url and settings.notify:
        yield "SITE_NOTIFY names targets, but the leads are kept at SITE_PROVIDER_URL; it must be set there"
    names = [target.name for target in settings.targets]
    if names.count(WEBHOOK) > 1:
        yield "SITE_NOTIFY has a webhook without a name beside SITE_WEBHOOK_URL; it must have one, such as webhook:crm=https://…"
    if any(target.service == WEBHOOK and target.key == settings.webhook_secret for target in settings.targets):
        yield from _problems_of_key(settings.webhook_secret)


def _problems_of_hours(settings: Settings) -> Iterator[str]:
    own_hours = rules.by_language(settings.booking_language_hours)
    if unused := own_hours.keys() - settings.call_languages.keys() | own_hours.keys() & {ENGLISH.id}:
        yield (
            f"SITE_BOOKING_LANGUAGE_HOURS has hours of {min(unused)}; they must be of a language that SITE_BOOKING_LANGUAGES names, "
            "such as th 07:00-10:00"
        )
    open_days = {"", *map(str.lower, settings.booking_days)}
    minutes = settings.booking_length // timedelta(minutes=1)
    hours_by_variable = [
        ("SITE_BOOKING_HOURS", settings.booking_hours),
        *(("SITE_BOOKING_LANGUAGE_HOURS", hours) for hours in own_hours.values()),
    ]
    for name, hours in hours_by_variable:
        spans_of_days = rules.spans_of_days(hours)
        if closed := [day for day in spans_of_days if day not in open_days]:
            yield (
                f"{name} is {as_text(hours)}, but SITE_BOOKING_DAYS lacks {closed[0]}; the hours must be of days such as "
                f"{settings.booking_days[0]}"
            )
        if all(closes - opens < minutes for spans in spans_of_days.values() for opens, closes in spans):
            yield (
                f"SITE_BOOKING_LENGTH is {as_text(settings.booking_length)}, longer than any hours of {name}, so that no call could "
                "be booked; it must be shorter, such as 30m"
            )


def _problems_of_publishing(settings: Settings) -> Iterator[str]:
    if settings.publish and settings.provider_url:
        yield f"SITE_PUBLISH is {settings.publish!r}, but the office is at SITE_PROVIDER_URL; it must be set there"
    if settings.publish == "build" and settings.backend_url:
        yield "SITE_PUBLISH is 'build', but a static host has the pages (SITE_BACKEND_URL); it must be git, or be left out"
    if settings.publish == "git" and not settings.publish_remote:
        yield (
            "SITE_PUBLISH is 'git', and SITE_PUBLISH_REMOTE is missing; it must name a repository, such as "
            "https://site:token@git.example.com/site.git"
        )


def _problems_of_key(secret: str) -> Iterator[str]:
    if len(secret) < MIN_KEY_LENGTH:
        yield (
            f"SITE_WEBHOOK_SECRET is too short; a webhook is signed with {MIN_KEY_LENGTH} characters or more, "
            "like those of: openssl rand -hex 24"
        )
    try:
        signing_key(secret)
    except ValueError:
        yield "SITE_WEBHOOK_SECRET begins with whsec_, but what follows is not base64; it must be like whsec_MfKQ…"


def _is_here(settings: Settings, url: str) -> bool:
    """Returns True if this address is the site itself: one of its origins, or the port it listens on."""
    parsed = urlsplit(url.lower())
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    this_machine = {"localhost", "127.0.0.1", "::1", "0.0.0.0", "::", settings.host}  # noqa: S104  nothing is bound here
    if parsed.hostname in this_machine and port == settings.port:
        return True
    return (
        not parsed.path.strip("/") and rules.origin(f"{parsed.scheme}://{parsed.netloc.rpartition('@')[2]}") in settings.origins
    )


def _is_sample(text: str, default: str) -> bool:
    """Returns True for the default and for values that cannot be real: an example domain, a number of zeros."""
    plain = re.sub(r"[^a-z0-9]", "", text.lower())
    digits = re.sub(r"[^0-9]", "", text)
    is_example = re.search(r"[@/.](?:example\.(?:com|net|org)|[a-z0-9-]+\.(?:example|invalid|test))(?:[/:?#]|$)", text.lower())
    is_default = default != "" and plain == re.sub(r"[^a-z0-9]", "", default.lower())
    is_default = is_default or text.startswith("http://localhost")
    return is_default or bool(is_example) or (len(digits) >= 6 and set(digits) == {"0"})
