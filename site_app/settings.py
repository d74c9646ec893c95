"""Every SITE_* variable: its name, default and meaning, in one frozen table."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from limits import parse_many

from site_app.values import value_of


class BrokenSetting(Exception):
    """A variable says something the site cannot run with; the text names the variable."""


def setting(
    default: Any, meaning: str, *, choices: tuple[str, ...] = (), least: float | None = None, secret: bool = False
) -> Any:
    """A field of the table; its variable is SITE_ and the field's name in capitals. A secret is never printed."""
    return field(
        default=default, repr=not secret, metadata={"help": meaning, "choices": choices, "least": least, "secret": secret}
    )


@dataclass(frozen=True)
class Settings:
    # where the site is
    url: str = setting("http://localhost:3000", "Public address of the site: scheme and host, no path. Baked in by the build.")
    host: str = setting("127.0.0.1", "Address to listen on. In a container: 0.0.0.0.")
    port: int = setting(3000, "Port to listen on.", least=1)
    workers: int = setting(1, "Processes that serve; more than one needs SITE_REDIS_URL.", least=1)
    hosts: tuple[str, ...] = setting((), "Further host names the site answers to, besides the one of SITE_URL.")
    trusted_proxies: tuple[str, ...] = setting((), "Addresses of reverse proxies whose X-Forwarded-For is believed.")
    backend_url: str = setting(
        "", "Address of API and socket where a static host has the pages (make export); empty: SITE_URL."
    )
    production: bool = setting(False, "Set on the public site: search engines may index it.")
    boot: str = setting("idle", "When pages load React: when idle, or only at the first touch.", choices=("idle", "touch"))
    startup_delay: timedelta = setting(timedelta(seconds=2), "Wait before countries and currencies are loaded.", least=0)
    var: Path = setting(Path("var"), "Directory of what the site keeps: database, mails, attachments, secret.")
    # what the provider keeps
    database_url: str = setting(
        "", "Database of the provider; empty: a SQLite file in SITE_VAR. Or postgresql+psycopg://…", secret=True
    )
    redis_url: str = setting(
        "",
        "Redis in which several processes count their limits and keep what visitors have open; empty: each alone.",
        secret=True,
    )
    secret: str = setting("", "Key that tokens are signed with, 24 characters or more; empty: made in SITE_VAR.", secret=True)
    # how the provider is called
    provider_url: str = setting("", "Provider elsewhere whose API v1.0 the site calls; empty: the one built in.")
    api_key: str = setting("website", "Name the site goes by when it calls the provider; no secret.")
    api_callers: tuple[str, ...] = setting((), "Keys the provider answers to, besides SITE_API_KEY; no secrets.")
    limit_submissions: str = setting("10/minute;60/hour", "Submissions of one form taken from one address.")
    limit_uploads: str = setting("30/minute;120/hour", "Files taken from one address.")
    limit_holds: str = setting("12/minute;60/hour", "Slots held for a visitor of one address, and kept longer.")
    limit_reads: str = setting("240/minute", "Other calls of one kind answered to one address.")
    minimum_filling_time: timedelta = setting(timedelta(seconds=3), "A form sent sooner looks automatic.", least=0)
    refused_email_domains: tuple[str, ...] = setting((), "Domains of e-mail addresses that are not taken.")
    check_email_domains: bool = setting(
        False, "Ask DNS whether the domain of an e-mail address takes mail; without an answer the address is taken."
    )
    country_lookup_url: str = setting("", "Service that tells an address's country, with {address} in it; empty: none.")
    keep_unclaimed_files: timedelta = setting(timedelta(hours=24), "How long a file waits for its quote request.", least=60)
    # how much the socket takes
    limit_events: int = setting(20, "Events a second taken from one socket; three times as many at once.", least=1)
    limit_sockets: int = setting(20, "Sockets open at once to one address in one process.", least=1)
    limit_arrivals: int = setting(
        2, "New sockets a second to one address in one process; twenty times as many at once.", least=1
    )
    limit_all_sockets: int = setting(2000, "Sockets open at once in one process.", least=1)
    keep_state: timedelta = setting(
        timedelta(minutes=15), "How long the server remembers what an idle visitor had open.", least=60
    )
    # who the agency is (samples: replace them)
    brand_name: str = setting("Plumbline", "Name of the agency.")
    brand_legal_name: str = setting("Plumbline Software Ltd", "Registered name, for the legal pages.")
    brand_email: str = setting("hello@plumbline.example.com", "Support address, shown on the site; leads are mailed to it.")
    brand_phone: str = setting("+44 20 7946 0958", "Phone number, shown on the site.")
    brand_address: str = setting(
        "14 Sample Yard, London EC1V 0AA, United Kingdom", "Postal address, parts separated by commas."
    )
    brand_founder: str = setting("Alex Morgan", "Name of the Founder & CEO, host of the consultation call.")
    brand_instagram: str = setting("https://www.instagram.example.com/plumbline", "Instagram page.")
    brand_facebook: str = setting("https://www.facebook.example.com/plumbline", "Facebook page.")
    brand_linkedin: str = setting("https://www.linkedin.example.com/company/plumbline", "LinkedIn page.")
    brand_x: str = setting("https://x.example.com/plumbline", "X page.")
    # what the law wants a British company to say (samples: replace them)
    brand_company_number: str = setting("00000000", "Number in the company register.")
    brand_registered_in: str = setting("England and Wales", "Part of the United Kingdom the company is registered in.")
    brand_vat_number: str = setting("GB 000 0000 00", "VAT registration number.")
    brand_ico_number: str = setting("ZA000000", "Registration with the Information Commissioner’s Office.")
    # the founder's calendar
    booking_zone: str = setting("Europe/London", "Time zone of the founder's working hours.")
    booking_days: tuple[str, ...] = setting(("mon", "tue", "wed", "thu", "fri"), "Days of the week on which calls are taken.")
    booking_hours: tuple[str, ...] = setting(
        ("09:00-17:00",), "Hours of calls on each of these days, on quarter hours; several leave breaks."
    )
    booking_days_off: tuple[str, ...] = setting((), "Days without calls: 2026-12-25, or 2026-12-24..2027-01-02.")
    booking_buffer: timedelta = setting(timedelta(minutes=15), "Free time kept between two calls.", least=0)
    booking_notice: timedelta = setting(timedelta(hours=12), "How long before a call it must be booked.", least=0)
    booking_horizon: timedelta = setting(timedelta(days=30), "How far ahead calls can be booked.", least=86400)
    booking_hold: timedelta = setting(
        timedelta(minutes=10), "How long a chosen slot is kept for a visitor who fills in the form.", least=60
    )
    booking_room: str = setting(
        "https://meet.plumbline.example.com/{room}",
        "Address of the video call; {room} becomes a name of its own for each call.",
    )
    booking_feed_key: str = setting(
        "", "Last part of the address of the host's calendar feed, at least 24 characters; empty: no feed.", secret=True
    )
    booking_busy_url: str = setting(
        "", "Address of an .ics calendar whose events take slots away, https only; empty: none.", secret=True
    )
    booking_busy_every: timedelta = setting(timedelta(minutes=10), "How often that calendar is read.", least=60)
    # mail
    mail_transport: str = setting(
        "folder", "How mail leaves: by SMTP, or as .eml files in SITE_VAR/mail.", choices=("folder", "smtp")
    )
    mail_from: str = setting("", "Sender of the site's mails; empty: SITE_BRAND_EMAIL.")
    mail_team: str = setting("", "Where news of leads and meetings goes; empty: SITE_BRAND_EMAIL.")
    mail_give_up: timedelta = setting(
        timedelta(hours=48), "How long a mail or webhook is tried before it is given up.", least=60
    )
    smtp_host: str = setting("localhost", "Mail server.")
    smtp_port: int = setting(587, "Port of the mail server.", least=1)
    smtp_security: str = setting("starttls", "How the line to the mail server is secured.", choices=("starttls", "tls", "none"))
    smtp_user: str = setting("", "User name at the mail server; empty: none is given.")
    smtp_password: str = setting("", "Password at the mail server.", secret=True)
    smtp_timeout: timedelta = setting(timedelta(seconds=30), "How long the mail server may take for one mail.", least=1)
    # webhook
    webhook_url: str = setting("", "Address called for each new lead, https only; empty: none.")
    webhook_secret: str = setting("", "Key the webhook is signed with, at least 24 characters.", secret=True)
    # how long things are kept
    keep_leads: timedelta = setting(timedelta(days=730), "How long a lead is kept.", least=86400)
    keep_quarantine: timedelta = setting(
        timedelta(days=30), "How long a lead stays in quarantine before it is erased.", least=86400
    )
    keep_page_views: timedelta = setting(timedelta(days=760), "How long page views are kept.", least=86400)
    # what is measured
    metrics_port: int = setting(
        0, "Port of its own on which Prometheus finds /metrics, for all workers; 0: nothing is measured.", least=0
    )
    metrics_host: str = setting("127.0.0.1", "Address of that port; never one that the public reaches.")
    # log
    log_level: str = setting(
        "info", "What is logged: this and everything graver.", choices=("debug", "info", "warning", "error")
    )
    log_format: str = setting(
        "auto", "Log lines as JSON or readable; auto: JSON with SITE_PRODUCTION.", choices=("auto", "json", "readable")
    )

    def __post_init__(self) -> None:
        _refuse_no_origin("SITE_URL", self.url)
        if self.backend_url:
            _refuse_no_origin("SITE_BACKEND_URL", self.backend_url)
        if self.secret and len(self.secret) < 24:
            raise BrokenSetting("SITE_SECRET is too short; it must have 24 characters or more")
        if self.redis_url:
            _refuse_open_redis(self.redis_url)
        for proxy in self.trusted_proxies:
            _refuse_no_network("SITE_TRUSTED_PROXIES", proxy)
        for name in ("limit_submissions", "limit_uploads", "limit_holds", "limit_reads"):
            _refuse_no_limit(variable(name), getattr(self, name))
        if self.country_lookup_url and "{address}" not in self.country_lookup_url:
            raise BrokenSetting(f"SITE_COUNTRY_LOOKUP_URL is {self.country_lookup_url!r}; {{address}} must be in it")
        for name in ("brand_email", "mail_from", "mail_team"):
            text = getattr(self, name)
            if text and not re.fullmatch(r"[!-?A-~]+@[!-?A-~]+", text):
                raise BrokenSetting(
                    f"{variable(name)} is {text!r}; it must be one address in plain letters, such as hello@example.com"
                )
        if self.smtp_password and self.smtp_security == "none":
            raise BrokenSetting("SITE_SMTP_SECURITY is 'none'; SITE_SMTP_PASSWORD would travel in the clear")
        if self.webhook_url and urlsplit(self.webhook_url).scheme != "https":
            raise BrokenSetting(f"SITE_WEBHOOK_URL is {self.webhook_url!r}; it must begin with https://")
        if self.booking_busy_url and urlsplit(self.booking_busy_url).scheme != "https":
            raise BrokenSetting("SITE_BOOKING_BUSY_URL must begin with https://")
        if self.booking_feed_key and len(self.booking_feed_key) < 24:
            raise BrokenSetting("SITE_BOOKING_FEED_KEY is too short; it needs at least 24 characters to be a secret")
        if self.webhook_url and len(self.webhook_secret) < 24:
            raise BrokenSetting("SITE_WEBHOOK_SECRET is too short; a webhook needs at least 24 characters to be signed with")

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins pages may come from, SITE_URL's first."""
        address = urlsplit(self.url)
        port = f":{address.port}" if address.port else ""
        further = [f"{address.scheme}://{host}{port}" for host in self.hosts]
        return (self.url, *further, *([self.backend_url] if self.backend_url else []))

    @property
    def api_address(self) -> str:
        """Where what the API answers is reached from outside: its calls, and the pages its mails lead to."""
        return self.backend_url or self.url

    @property
    def host_names(self) -> frozenset[str]:
        """The names the site answers to, without ports."""
        return frozenset({urlsplit(self.url).hostname or "", urlsplit(self.api_address).hostname or "", *self.hosts})


def load(environment: Mapping[str, str]) -> Settings:
    """The table as this environment sets it; raises BrokenSetting on an unknown or nonsensical SITE_* variable."""
    known = {variable(one.name): one for one in fields(Settings)}
    unknown = sorted(name for name in environment if name.startswith("SITE_") and name not in known)
    if unknown:
        raise BrokenSetting(f"{unknown[0]} is not a setting of this site; README lists those there are")
    return Settings(
        **{known[name].name: _parse(name, text, known[name]) for name, text in environment.items() if name in known}
    )


@cache
def settings() -> Settings:
    """The table as the process's environment sets it, read once."""
    return load(os.environ)


def variable(name: str) -> str:
    return f"SITE_{name.upper()}"


def _refuse_no_origin(name: str, url: str) -> None:
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname or address.path or address.query:
        raise BrokenSetting(f"{name} is {url!r}; it must be like https://www.example.com, without a path")


def _refuse_open_redis(url: str) -> None:
    """Reflex unpickles what it finds there: whoever may write to that Redis runs code here."""
    address = urlsplit(url)
    if address.scheme not in ("redis", "rediss", "unix"):
        raise BrokenSetting("SITE_REDIS_URL must begin with redis://, rediss:// or unix://")
    is_local = address.scheme == "unix" or address.hostname in ("localhost", "127.0.0.1", "::1")
    if not is_local and not address.password:
        raise BrokenSetting("SITE_REDIS_URL has no password; a Redis on another machine must ask for one")


def _refuse_no_network(name: str, text: str) -> None:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise BrokenSetting(
            f"{name} names {text!r}; it must be an address like 10.0.0.1 or a network like 10.0.0.0/8"
        ) from None


def _refuse_no_limit(name: str, text: str) -> None:
    try:
        lets_through = min(limit.amount for limit in parse_many(text))
    except ValueError:
        lets_through = 0
    if lets_through < 1:
        raise BrokenSetting(f"{name} is {text!r}; it must be like 10/minute;60/hour")


def _parse(name: str, text: str, one: Any) -> Any:
    text = text.strip()
    try:
        value = value_of(text, one.type)
    except ValueError as error:
        raise BrokenSetting(f"{name} is {text!r}; {error}") from None
    choices, least = one.metadata["choices"], one.metadata["least"]
    if choices and value not in choices:
        raise BrokenSetting(f"{name} is {text!r}; it must be one of: {', '.join(choices)}")
    number = value.total_seconds() if isinstance(value, timedelta) else value
    if least is not None and number < least:
        raise BrokenSetting(f"{name} is {text!r}; it must be at least {least}")
    return value
