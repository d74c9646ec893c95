"""The rules of single settings. A rule takes a value, returns it as the site uses it, or raises ValueError with what it must be.

Also parses the entries of lists that other code needs in parts: hours, days and languages. A docstring says what a rule wants.
"""

import os
import re
from collections.abc import Callable
from datetime import date, timedelta
from ipaddress import ip_address, ip_network
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo

from email_validator import EmailNotValidError, validate_email
from limits import parse_many
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from site_app.core import ROOT
from site_app.core.locales import BY_ID, ENGLISH
from site_app.core.public_holidays import UnknownRegion, prepare_holidays

ROLES = OWNER, EDITOR, READER = ("owner", "editor", "reader")
WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Rule = Callable[[Any], Any]
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65535
_DAY_MINUTES = 24 * 60
_MAX_HOLIDAY_DAYS = 3660
_MIN_REMINDER, _MAX_REMINDER = timedelta(minutes=5), timedelta(days=30)
_NOT_FOR_DATA = {".git", ".venv", ".web", "alembic", "assets", "components", "deploy", "locales", "site_app", "tests"}
_CONTENT = ("site_app", "content")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_MAILBOX = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_MAIL = re.compile(rf"(?P<name>{_MAILBOX}(?:\.{_MAILBOX})*)@(?P<host>[^@]+)")


def matching(pattern: str, must: str) -> Callable[[str], str]:
    """Returns a rule that the whole text must match this pattern."""

    def rule(text: str) -> str:
        if not re.fullmatch(pattern, text, re.DOTALL):
            raise ValueError(must)
        return text

    return rule


secret_key = matching(".{24,}", "it must have 24 characters or more, like those of: openssl rand -hex 24")
# a secret that is part of an address
url_key = matching("[A-Za-z0-9_-]{24,}", "it must be 24 letters and digits or more, like those of: openssl rand -hex 24")
# a word that is valid in an HTTP header
header_word = matching("[!-~]+", "it must be of plain letters, digits and signs without a space, such as website")
phone = matching(
    r"[+(]?[0-9][0-9 ()./-]{3,30}(?: ?(?:ext\.?|x) ?[0-9]{1,10})?", "it must be a phone number, such as +44 20 7946 0958"
)


def rate(text: str) -> str:
    """A rate limit in the notation of the library `limits`; it must allow at least one request."""
    try:
        allowed_requests = min(limit.amount for limit in parse_many(text))
    except ValueError:
        allowed_requests = 0
    if allowed_requests < 1:
        raise ValueError("it must be like 10/minute;60/hour")
    return text


def each(rule: Callable[[str], str]) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    """Returns a rule that applies `rule` to every part of a list."""
    return lambda parts: tuple(rule(part) for part in parts)


def host_name(text: str) -> str:
    """A host's name or address, without scheme, port and path, as browsers write it."""
    name = text.strip().lower()
    with_brackets = name.startswith("[") and name.endswith("]")
    try:
        return str(ip_address(name[1:-1] if with_brackets else name))
    except ValueError:
        is_number = name.rpartition(".")[2].isdecimal()  # browsers parse such a name as an IPv4 address
        if len(name) <= 253 and _HOST.fullmatch(name) and not is_number:
            return name
    raise ValueError("it must be host names or addresses alone, in plain letters, without scheme and port, such as example.com")


def listening_address(text: str) -> str:
    """An address to which a socket can be bound; names are not resolved."""
    try:
        return str(ip_address("127.0.0.1" if text.lower() == "localhost" else text))
    except ValueError:
        raise ValueError("it must be an address of this machine, such as 127.0.0.1 or 0.0.0.0") from None


def origin(text: str) -> str:
    """Scheme, host and port, as a browser sends them in its Origin header."""
    must = "it must be scheme and host in plain letters, without a path, such as https://www.example.com"
    url = _split_url(text, must, ("https", "http"))
    if url.path not in ("", "/") or set("@?#") & set(text):
        raise ValueError(must)
    host = host_name(url.hostname or "")
    port = "" if url.port in (None, _DEFAULT_PORTS[url.scheme]) else f":{url.port}"
    return f"{url.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def web_url(text: str, *, schemes: tuple[str, ...] = ("https", "http"), such_as: str = "https://www.example.com/page") -> str:
    """An address that a browser or HTTP client can request."""
    _split_url(text, f"it must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}, such as {such_as}", schemes)
    return text


def https_url(text: str) -> str:
    return web_url(text, schemes=("https",), such_as="https://www.example.com/page")


def feed_urls(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses of .ics calendars, which may also be separated by spaces; each once."""
    return tuple(dict.fromkeys(https_url(url) for text in texts for url in text.split()))


def caldav_urls(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses of CalDAV calendars, each with a slash at its end and once. Only this machine may be called without TLS."""
    must = "it must be https:// addresses of calendars without user and query, such as https://dav.example.com/ada/calls/"
    urls: dict[str, None] = {}
    for text in " ".join(texts).split():
        url = _split_url(text, must, ("https", "http"))
        is_plain = url.scheme == "http" and not is_loopback(url.hostname or "")
        if is_plain or "@" in url.netloc or set("?#") & set(text) or url.path in ("", "/"):
            raise ValueError(must)
        urls[text.rstrip("/") + "/"] = None
    return tuple(urls)


def is_loopback(host: str) -> bool:
    """Returns True if an address's host is a number of this machine. Names never count: they could lead anywhere."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def country_service(text: str) -> str:
    must = "it must be an address with {address} in it, such as https://geo.example.com/{address}"
    if "{address}" not in text:
        raise ValueError(must)
    _split_url(text.replace("{address}", "192.0.2.1"), must, ("https", "http"))
    return text


def meeting_room(text: str) -> str:
    must = "it must be an address with {room} or {secret} behind its host, such as https://meet.example.com/{room}"
    one_room = text.replace("{room}", "a").replace("{secret}", "a")
    if one_room == text or set("{}") & set(one_room + "".join(text.split("/")[2:3])):
        raise ValueError(must)
    _split_url(one_room, must, ("https", "http"))
    return text


def network(text: str) -> str:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise ValueError("it must be addresses or networks, such as 10.0.0.1 or 10.0.0.0/8") from None
    return text


def directory(path: Path) -> Path:
    """A directory for leads and secrets: must not contain the program, be served, or be a file."""
    path = path.expanduser()
    absolute = path.absolute().resolve()
    inside = absolute.relative_to(ROOT).parts if absolute.is_relative_to(ROOT) else ("elsewhere",)
    if not inside or inside[0] in _NOT_FOR_DATA or absolute == Path(absolute.anchor):
        raise ValueError("the program itself is there; it must be a directory of its own, such as var or /var/lib/site")
    nearest = next(ancestor for ancestor in (absolute, *absolute.parents) if os.path.lexists(ancestor))
    if not nearest.is_dir():
        raise ValueError(f"{nearest} is no directory; it must be one, such as var or /var/lib/site")
    return path


def content_folder(path: Path) -> Path:
    """A folder of texts and pictures: not the program itself, and not a file."""
    path = path.expanduser()
    absolute = (ROOT / path).absolute()
    inside = absolute.relative_to(ROOT).parts if absolute.is_relative_to(ROOT) else ("elsewhere",)
    if absolute == Path(absolute.anchor) or not inside or (inside[0] in _NOT_FOR_DATA and inside != _CONTENT):
        raise ValueError("the program itself is there; it must be a folder of its own, such as /var/lib/site/content")
    nearest = next(ancestor for ancestor in (absolute, *absolute.parents) if os.path.lexists(ancestor))
    if not nearest.is_dir():
        raise ValueError(f"{nearest} is no folder; it must be one, such as /var/lib/site/content")
    return path


def git_remote(text: str) -> str:
    """The address of a git repository: by https or ssh, or a folder of this machine. Other forms could start a program."""
    must = "it must be such as https://git.example.com/site.git, git@example.com:site.git or /srv/git/site.git"
    is_address = re.match(r"(https|ssh)://([^/@\s]+@)?[A-Za-z0-9]", text)
    is_ssh = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^:\s-][^:\s]*", text)
    if re.search(r"\s", text) or not (is_address or is_ssh or text.startswith("/")):
        raise ValueError(must)
    return text


git_branch = matching(
    r"(?!.*(?:\.\.|//|\.lock$|/$|\.$))[A-Za-z0-9][A-Za-z0-9._/-]{0,99}", "it must be the name of a branch, such as main"
)


def database(text: str) -> str:
    must = "it must be such as postgresql+psycopg://site:password@127.0.0.1/site or sqlite:////var/lib/site/site.db"
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(must) from None
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        if not url.database or url.database == ":memory:" or url.query or _is_directory(url.database):
            raise ValueError(f"SQLite needs the name of a file and takes no options here; {must}")
    elif url.drivername != "postgresql+psycopg" or not url.database or not 0 <= (url.port or 0) <= _MAX_PORT:
        raise ValueError(must)
    return text


def _is_directory(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # an invalid file name; opening it later reports that
        return False


def redis(text: str) -> str:
    """The address of a Redis. Must be protected, because Reflex unpickles its data: whoever can write to it can run code here."""
    must = "it must be such as redis://:password@127.0.0.1:6379/0 or unix:///run/redis.sock"
    if re.match("unix:(//[^/]*)?/[^/]", text):
        return text
    url = _split_url(text, must, ("redis", "rediss"))
    if not re.fullmatch(r"/?[0-9]{0,4}", url.path):
        raise ValueError(must)
    if host_name(url.hostname or "") not in ("localhost", "127.0.0.1", "::1") and not url.password:
        raise ValueError(f"a Redis on another machine must ask for a password; {must}")
    return text


def mail_address(text: str) -> str:
    must = "it must be one address in plain letters and without a name, such as hello@example.com"
    parts = _MAIL.fullmatch(text)
    if not parts or len(text) > 254 or "=?" in text:  # a mail program would decode "=?"
        raise ValueError(must)
    try:
        host_name(parts["host"])
    except ValueError:
        raise ValueError(must) from None
    return text


def people(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Mail addresses with a role each, converted to lower case; each address only once."""
    people_by_address: dict[str, str] = {}
    for text in texts:
        address, _, role = text.lower().rpartition(":")
        if role not in ROLES or address in people_by_address:
            raise ValueError(
                "it must be people, each once and as owner, editor or reader, such as ada@example.com:owner,bo@example.com:reader"
            )
        people_by_address[mail_address(address)] = role
    return tuple(f"{address}:{role}" for address, role in people_by_address.items())


def mail_domain(text: str) -> str:
    """Returns the domain in lower-case ASCII, as validated mail addresses contain it: the same library parses both."""
    try:
        address = validate_email(f"name@{text.strip().removeprefix('@').rstrip('.')}", check_deliverability=False)
    except EmailNotValidError:
        raise ValueError("it must be domains, such as example.com") from None
    return address.ascii_domain


def zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise ValueError("it must be a time zone such as Europe/London") from None
    return name


def weekdays(names: tuple[str, ...]) -> tuple[str, ...]:
    if unknown := [name for name in names if name.lower() not in WEEK]:
        raise ValueError(f"{unknown[0]!r} is no day; it must be days such as mon,tue; they are: {', '.join(WEEK)}")
    return names


def working_hours(texts: tuple[str, ...]) -> tuple[str, ...]:
    for spans in spans_of_days(texts).values():
        if any(opens < closes for (_, closes), (opens, _) in pairwise(spans)):
            raise ValueError("hours overlap; give each hour once, such as 09:00-12:30,13:30-17:00")
    return texts


def spans_of_days(texts: tuple[str, ...]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Returns the time spans of each day of the week that is named, in order, and under "" those of all other days."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for text in texts:
        first_word, _, remainder = text.strip().partition(" ")
        day, span = (first_word, remainder) if remainder and first_word.isalpha() else ("", text)
        weekdays((day,) if day else ())
        spans.setdefault(day.lower(), []).append(span_of(span))
    return {day: tuple(sorted(of_day)) for day, of_day in spans.items()}


def call_languages(texts: tuple[str, ...]) -> tuple[str, ...]:
    languages = [text.partition(" ")[0].lower() for text in texts]
    if ENGLISH.id in languages or len({*languages}) < len(languages):
        raise ValueError("it must be languages besides English, each once, such as th Siriporn Chaiyasit,cn Wei Zhang")
    for text in texts:
        language_and_value(text)
    return texts


def hours_of_languages(texts: tuple[str, ...]) -> tuple[str, ...]:
    for hours in by_language(texts).values():
        working_hours(hours)
    return texts


def by_language(texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Returns what follows each language, in order."""
    values: dict[str, tuple[str, ...]] = {}
    for text in texts:
        language, value = language_and_value(text)
        values[language] = (*values.get(language, ()), value)
    return values


def language_and_value(text: str) -> tuple[str, str]:
    """Splits an entry that begins with a language of the site."""
    language, _, value = text.strip().partition(" ")
    if language.lower() not in BY_ID:
        raise ValueError(f"{text!r} must begin with a language of the site; they are: {', '.join(BY_ID)}")
    return language.lower(), value.strip()


def span_of(text: str) -> tuple[int, int]:
    """Parses a time span into its start and end in minutes since midnight."""
    match = re.fullmatch(r"([0-9]{1,2}):([0-9]{2}) *- *([0-9]{1,2}):([0-9]{2})", text.strip())
    opens, closes = (int(match[1]) * 60 + int(match[2]), int(match[3]) * 60 + int(match[4])) if match else (0, 0)
    is_whole = match and int(match[2]) % 15 == int(match[4]) % 15 == 0 and max(int(match[2]), int(match[4])) < 60
    if not is_whole or not opens < closes <= _DAY_MINUTES:
        raise ValueError(f"{text!r} must go from one quarter hour of a day to a later one, such as 09:00-17:00")
    return opens, closes


def days_off(texts: tuple[str, ...]) -> tuple[str, ...]:
    for text in texts:
        dates_of(text)
    return texts


def dates_of(text: str) -> tuple[date, ...]:
    """Returns all days of one entry, which is a day or a range from the first to the last."""
    first, dots, last = text.partition("..")
    try:
        begin, end = date.fromisoformat(first.strip()), date.fromisoformat((last if dots else first).strip())
    except ValueError:
        begin, end = date.max, date.min
    if not 0 <= (end - begin).days < _MAX_HOLIDAY_DAYS:
        raise ValueError(f"{text!r} must be a day or a first and a last one, such as 2026-12-25 or 2026-12-24..2027-01-02")
    return tuple(begin + timedelta(days=count) for count in range((end - begin).days + 1))


def reminders(lead_times: tuple[timedelta, ...]) -> tuple[timedelta, ...]:
    """Times before a call, the longest first, each once."""
    if any(not _MIN_REMINDER <= lead_time <= _MAX_REMINDER for lead_time in lead_times):
        raise ValueError("each must be 5m or more and at most 30d before the call, such as 24h,1h")
    return tuple(sorted(set(lead_times), reverse=True))


def holiday_region(text: str) -> str:
    """A country whose public holidays are known, or a part of it."""
    region = text.upper()
    is_known = bool(re.fullmatch(r"[A-Z]{2}(-[A-Z0-9]{1,3})?", region))
    try:
        if is_known:
            prepare_holidays(region)
    except UnknownRegion:
        is_known = False
    if not is_known:
        raise ValueError("it must be a country whose public holidays are known, or a part of it, such as GB or GB-ENG")
    return region


def quarter_hours(duration: timedelta) -> timedelta:
    if duration % timedelta(minutes=15):
        raise ValueError("it must be whole quarter hours, such as 15m")
    return duration


def _split_url(text: str, must: str, schemes: tuple[str, ...]) -> SplitResult:
    """Parses a URL that can be requested: one of these schemes, a host, and optionally a port."""
    try:
        url = urlsplit(text)
        host_name(url.hostname or "")
        is_whole = url.port != 0 and not url.netloc.endswith(":")
    except ValueError:
        raise ValueError(must) from None
    without_password = text.replace(url.netloc.rpartition("@")[0], "", 1)
    if not is_whole or url.scheme not in schemes or re.search(r"[\s\"<>\\]", without_password):
        raise ValueError(must)
    return url
