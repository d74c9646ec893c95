"""A wrong setting is refused with the variable's name, its value, and a valid example."""

from dataclasses import MISSING, Field, fields
from pathlib import Path

import pytest

from site_app.core.settings import BrokenSetting, Settings, load, variable

MISTAKES = {
    "SITE_URL": [
        "HTTPS//example.com", "ftp://example.com", "https://", "https://example.com/site", "https://example.com:99999",
        "https://example.com:port", "https://example.com:0", "https://me@example.com", "https://exa mple.com", "example.com",
        "https://example.com?x", "https://example.com#x", "https://[::1", "https://münchen.example", "https://256.1.1.1", "https://*",
    ],
    "SITE_BACKEND_URL": ["https://api.example.com:99999", "https://api.example.com/v1.0", "api", "ftp://api.example.com"],
    "SITE_HOST": ["", "http://127.0.0.1", "127.0.0.1:3000", "0.0.0.0/0", "300.1.1.1", "www.example.com"],
    "SITE_PORT": ["0", "-1", "99999", "65536", "http", "", "3000.5", "１２", "nan", "--5", "1" * 5000, "1_000"],
    "SITE_METRICS_PORT": ["-1", "99999", "3000"],  # 3000 is the site's own port
    "SITE_SMTP_PORT": ["0", "99999", "smtp"],
    "SITE_WORKERS": ["0", "-1", "1000000", "many", "1.5"],
    "SITE_HOSTS": ["https://www.example.com", "example.com:8080", "a b", "example.com/"],
    "SITE_TRUSTED_PROXIES": ["proxy.local", "127.0.0.1, proxy.local", "127.0.0.1:80", "10.0.0.0/40"],
    "SITE_PRODUCTION": ["perhaps", "2", ""],
    "SITE_VAR": ["", "   ", ".", "/", "./", "assets", "site_app/var", ".web/var", "/dev/null", "/dev/null/var"],
    "SITE_CONTENT": ["", "/", ".", "site_app", "site_app/provider", "locales", "components/content", "/dev/null/content"],
    "SITE_PUBLISH": ["yes", "git", "BUILD"],  # git needs a repository
    "SITE_PUBLISH_REMOTE": [
        "origin", "git.internal/site.git", "http://git.internal/site.git", "ext::sh -c id", "file:///srv/git", "https:///site.git",
        "-oProxyCommand=id@example.com:site.git", "git@example.com:-x", "git@-example.com:site.git", "ssh://-oProxyCommand=id/site.git",
    ],
    "SITE_PUBLISH_BRANCH": ["", "-f", "a b", "a..b", "main.lock", "refs/", "a//b", ".hidden", "a:b", "+main", "a~1"],
    "SITE_DATABASE_URL": [
        "garbage", "postgresql://site:hunter2@localhost/site", "postgresql+asyncpg://site:hunter2@localhost/site",
        "mysql://localhost/site", "sqlite://", "sqlite:///:memory:", "sqlite:///site.db?foo=1", "sqlite:////",
        "postgresql+psycopg://site:hunter2@localhost:port/site", "postgresql+psycopg://site:hunter2@localhost:99999/site",
        "postgresql+psycopg://site:hunter2@localhost", "https://example.com",
    ],
    "SITE_REDIS_URL": [
        "garbage", "redis://localhost:99999/0", "redis://localhost:port/0", "redis://localhost/zero", "http://localhost", "unix://",
        "redis://:hunter2@/0",
        "redis://db.internal:6379/1", "rediss://db.internal", "redis://user@db.internal",  # no password: whoever writes there runs code here
    ],
    "SITE_SECRET": ["short"],
    "SITE_PROVIDER_URL": [
        "provider", "ftp://provider.example.org", "http://provider:99999", "http://localhost:3000", "http://127.0.0.1:3000/",
        "HTTP://LOCALHOST:3000",
    ],
    "SITE_API_KEY": ["", "schlüssel", "two words", "кey"],
    "SITE_API_CALLERS": ["partner,schlüssel", "two words"],
    "SITE_COUNTRY_LOOKUP_URL": ["https://geo.example.com/", "geo/{address}", "ftp://geo.example.com/{address}", "http://geo:x/{address}"],
    **{f"SITE_LIMIT_{name}": ["", "many", "10", "10/fortnight", "10/minute;", "0/minute", "10/minute;0/hour"]
       for name in ("SUBMISSIONS", "UPLOADS", "HOLDS", "READS", "SIGN_IN")},
    "SITE_LIMIT_EVENTS": ["0", "-5", "nan"],
    "SITE_MINIMUM_FILLING_TIME": ["3", "-3s", "1000000000d", "nans", "infs", "1e3s", "", "three seconds", "10d"],
    "SITE_BRAND_NAME": ["", "   ", "Plumb\nline", "\"Plumbline\""],
    "SITE_BRAND_LEGAL_NAME": [""],
    "SITE_BRAND_EMAIL": ["", "hello", "hello@", "@example.com", "The team <hello@example.com>", "<hello@example.com>",
        "hello@example..com", "a@b@example.com", "hello@exa_mple.com,", "hello@münchen.example", "=?utf-8?q?x?=@example.com"],
    "SITE_BRAND_PHONE": ["", "call us", "12", "https://example.com"],
    "SITE_BRAND_ADDRESS": [""],
    "SITE_BRAND_FOUNDER": [""],
    "SITE_BRAND_X": ["@plumbline", "x.com/plumbline", "javascript:alert(1)", "https://"],
    "SITE_BRAND_COMPANY_NUMBER": [""],
    "SITE_BOOKING_ZONE": ["", "London", "Europe/Atlantis", "../../etc/passwd", "UTC+1"],
    "SITE_BOOKING_DAYS": ["", ",", " , ", "mon,funday", "1,2"],
    "SITE_BOOKING_HOURS": ["", ",", "9-17", "09:00-25:00", "17:00-09:00", "09:10-17:00", "09:00-12:00,11:00-13:00", "09:00", "-1:00-05:00", "²:00-10:00", "fri", "someday 09:00-10:00", "mon tue 09:00-10:00", "mon 09:00-12:00,Mon 11:00-13:00", "sat 09:00-10:00"],
    "SITE_BOOKING_DAYS_OFF": ["2026-02-30", "christmas", "2027-01-02..2026-12-24", "0001-01-01..9999-12-31", "2026-12-25.."],
    "SITE_BOOKING_LENGTH": ["0s", "10m", "20m", "9h", "half an hour", "-30m", "8h15m"],
    "SITE_BOOKING_BUFFER": ["10m", "-15m", "1000000000d"],
    "SITE_BOOKING_NOTICE": ["1000000000d", "40d"],  # longer than the horizon: no meeting could ever be booked
    "SITE_BOOKING_HORIZON": ["1000000d", "1h", "30"],
    "SITE_BOOKING_HOLD": ["1000000000d", "1s"],
    "SITE_BOOKING_ROOM": [
        "", "https://meet.example.com/", "meet.example.com/{room}", "https://meet.example.com/{name}/{room}", "https://{room}",
        "https://meet.example.com:port/{room}", "https://{secret}.example.com/{room}", "https://meet.example.com/{secret",
    ],
    "SITE_BOOKING_FEED_KEY": ["short", "ü" * 30, "a/b" * 10, "a b" * 10],
    "SITE_BOOKING_BUSY_URL": ["http://calendar.example.com/a.ics", "https://calendar.example.com:99999/a.ics", "https://", "webcal://x/a.ics", "https://a.example.com/a.ics http://b.example.com/b.ics"],
    "SITE_CALDAV_URL": [
        "http://dav.example.com/ada/calls/", "https://dav.example.com", "https://ada:secret@dav.example.com/ada/calls/", "http://localhost/ada/",
        "https://dav.example.com/ada/calls/?a=b", "https://a.example.com/calls/ https://b.example.com/calls/", "dav.example.com/ada/calls/",
    ],
    "SITE_MAIL_TRANSPORT": ["pigeon", ""],
    "SITE_MAIL_FROM": ["Team <team@example.com>", "team", "=?utf-8?q?x?=@example.com"],
    "SITE_MAIL_TEAM": ["a@example.com,b@example.com", "=?utf-8?q?x?=@example.com"],
    "SITE_OFFICE": [
        "ada@example.com", "ada@example.com:admin", "ada:owner", "ada@example.com:owner,Ada@example.com:reader",
    ],
    "SITE_OFFICE_HOST": ["https://office.example.com", "localhost"],
    "SITE_REFUSED_EMAIL_DOMAINS": ["*.gmail.com", "gmail com", "http://gmail.com", "gmail..com", "@"],
    "SITE_SMTP_HOST": ["", "smtp://mail.example.com", "mail.example.com:587", "mail example"],
    "SITE_SMTP_SECURITY": ["perhaps"],
    "SITE_SMTP_TIMEOUT": ["0s", "1000000000d"],
    "SITE_WEBHOOK_URL": ["http://crm.example.com", "https://crm.example.com:port", "https://"],
    "SITE_KEEP_LEADS": ["1h", "1000000000d", "-1d", "forever"],
    "SITE_KEEP_AFFILIATES": ["1h", "7y", "-1d", "forever"],
    "SITE_LOG_LEVEL": ["loud", "", "nan"],
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_by_name_with_what_was_read_and_an_example(name: str) -> None:
    (field,) = [field for field in fields(Settings) if variable(field.name) == name]
    for text in MISTAKES[name]:
        with pytest.raises(BrokenSetting) as refused:
            load({name: text})

        message = str(refused.value)
        assert message.startswith(name), text
        assert "such as" in message or "like" in message or "one of" in message or "true or false" in message, text
        assert len(message) < 400, text
        assert "hunter2" not in message
        if field.metadata["secret"] and not name.endswith("URL"):
            assert not text or text not in message
        elif not name.endswith("URL") and len(text) < 100:
            assert text.strip() in message or repr(text)[1:-1] in message or ascii(text)[1:-1] in message


ODD = (*"'%{\n\x00\udcff", "a\x07b", "  ", "nan", "-1", "9" * 400, "[]", "://", "http://[", "1" + "0" * 30 + "d")


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_every_invalid_text_is_refused_with_a_sentence(text: str) -> None:
    refusals: dict[str, str] = {}
    for name in (variable(field.name) for field in fields(Settings)):
        try:
            load({name: text})
        except BrokenSetting as error:
            refusals[name] = str(error)

    assert refusals
    assert {name: sentence for name, sentence in refusals.items() if name not in sentence or not sentence.isprintable()} == {}


@pytest.mark.parametrize("setting", fields(Settings), ids=lambda setting: setting.name)
def test_an_empty_setting_is_none_or_refused_but_never_the_default(setting: Field[object]) -> None:
    name = variable(setting.name)

    try:
        value = getattr(load({name: ""}), setting.name)
    except BrokenSetting as error:
        value, complaint = None, str(error)
    else:
        complaint = ""

    assert value in ("", ()) or name in complaint


def test_without_variables_every_setting_has_its_default(tmp_path: Path) -> None:
    assert load({}) == Settings()
    assert all(field.default is not MISSING for field in fields(Settings))


@pytest.mark.parametrize(
    ("name", "nearest"), [("SITE_PROT", "SITE_PORT"), ("SITE_BRAND_MAIL", "SITE_BRAND_EMAIL"), ("SITE_Url", "SITE_URL")]
)
def test_a_name_with_a_typo_is_refused_with_the_nearest_one(name: str, nearest: str) -> None:
    with pytest.raises(BrokenSetting, match=f"{name} .*{nearest}"):
        load({name: "1"})


def test_several_mistakes_are_reported_at_once() -> None:
    with pytest.raises(BrokenSetting) as refused:
        load({"SITE_PORT": "99999", "SITE_PROT": "1", "SITE_BOOKING_ROOM": "nowhere"})

    assert all(name in str(refused.value) for name in ("SITE_PORT", "SITE_PROT", "SITE_BOOKING_ROOM"))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://WWW.Example.COM", "https://www.example.com"),
        ("https://www.example.com:443", "https://www.example.com"),
        ("http://www.example.com:80", "http://www.example.com"),
        ("https://www.example.com/", "https://www.example.com"),
        ("http://[0:0::1]:3000", "http://[::1]:3000"),
    ],
)
def test_an_address_is_kept_as_browsers_write_it(url: str, expected: str) -> None:
    assert load({"SITE_URL": url}).url == expected


def test_hosts_are_kept_as_browsers_write_them() -> None:
    assert load({"SITE_HOSTS": "Example.COM, b.example"}).hosts == ("example.com", "b.example")


@pytest.mark.parametrize(
    ("environment", "origin"),
    [
        ({}, "http://localhost:3000"),
        ({"SITE_OFFICE_HOST": "office.localhost"}, "http://office.localhost:3000"),
        ({"SITE_URL": "https://www.example.com", "SITE_OFFICE_HOST": "office.example.com"}, "https://office.example.com"),
        ({"SITE_URL": "https://www.example.com", "SITE_BACKEND_URL": "https://api.example.com"}, "https://api.example.com"),
    ],
)
def test_links_lead_to_where_the_office_answers(environment: dict[str, str], origin: str) -> None:
    assert load({"SITE_OFFICE": "Ada@Example.com:owner"} | environment).office_origins[0] == origin


def test_a_static_host_sends_no_form_of_the_office() -> None:
    environment = {"SITE_OFFICE": "a@example.com:owner", "SITE_URL": "https://www.example.com", "SITE_HOSTS": "example.com"}

    beside_static_host = load(environment | {"SITE_BACKEND_URL": "https://api.example.com"})

    assert load(environment).office_origins == ("https://www.example.com", "https://example.com")
    assert beside_static_host.office_origins == ("https://api.example.com",)


@pytest.mark.parametrize(
    "environment",
    [
        {"SITE_DATABASE_URL": "postgresql+psycopg://site:a%40b@db.internal:5432/site?sslmode=require"},
        {"SITE_DATABASE_URL": "postgresql+psycopg:///site"},
        {"SITE_DATABASE_URL": "sqlite:////tmp/elsewhere/site.db"},
        {"SITE_PROVIDER_URL": "http://127.0.0.1:9000/provider"},
        {"SITE_HOST": "0.0.0.0"},
        {"SITE_HOST": "::"},
        {"SITE_BRAND_X": ""},
        {"SITE_PORT": "65535"},
        {"SITE_KEEP_LEADS": "3650d"},
        {"SITE_BOOKING_HORIZON": "365d"},
        {"SITE_BOOKING_HOURS": "00:00-24:00"},
        {"SITE_BOOKING_LENGTH": "45m"},
        {"SITE_CALDAV_URL": "https://dav.example.com/user/ada@example.com/calls/"},
        {"SITE_BOOKING_LENGTH": "1h", "SITE_BOOKING_HOURS": "09:00-09:30,fri 09:00-10:00"},
        {"SITE_BOOKING_HOURS": "09:00-17:00, fri 09:00-12:30,Fri 13:30-15:00"},
        {"SITE_BRAND_PHONE": "+1 (212) 555-2368 ext. 12"},
        {"SITE_BRAND_EMAIL": "o'neill+sales@mail.example-agency.co.uk"},
        {"SITE_REDIS_URL": "rediss://user:secret@cache.internal:6380/3"},
        {"SITE_REDIS_URL": "redis://:<secret>@db.internal/1"},
        {"SITE_REDIS_URL": "redis://[0:0:0:0:0:0:0:1]/0"},
        {"SITE_REDIS_URL": "unix://:secret@/run/redis.sock?db=1"},
        {"SITE_DATABASE_URL": f"sqlite:///{'a' * 300}"},
        {"SITE_VAR": "var/elsewhere"},
        {"SITE_CONTENT": "/var/lib/site/content"},
        {"SITE_CONTENT": "site_app/content/"},
        *(
            {"SITE_PUBLISH": "git", "SITE_PUBLISH_REMOTE": remote, "SITE_PUBLISH_BRANCH": "content/office"}
            for remote in (
                "https://site:key@git.internal:8443/a/b.git",
                "git@git.internal:a/b.git",
                "ssh://git@git.internal/b",
                "/srv/b",
            )
        ),
        *({"SITE_TRUSTED_PROXIES": proxies} for proxies in ("", "127.0.0.1", "10.0.0.1/8, ::1, 2001:db8::/32")),
        *(
            {"SITE_REDIS_URL": url}
            for url in ("", "redis://localhost:6379/1", "redis://:secret@db.internal/1", "unix:///run/redis.sock")
        ),
        {"SITE_LIMIT_READS": "10/minute;60/hour"},
    ],
    ids=str,
)
def test_valid_settings_are_accepted(environment: dict[str, str]) -> None:
    load(environment)


def test_a_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(BrokenSetting, match="SITE_VAR"):
        load({"SITE_VAR": str(tmp_path / "file")})


@pytest.mark.parametrize("url", ["https://www.example.com", "https://API.example.com:443/", "https://shop.example.com"])
def test_a_provider_that_is_this_site_itself_is_refused(url: str) -> None:
    environment = {
        "SITE_URL": "https://www.example.com",
        "SITE_BACKEND_URL": "https://api.example.com",
        "SITE_HOSTS": "shop.example.com",
    }

    with pytest.raises(BrokenSetting, match="SITE_PROVIDER_URL"):
        load(environment | {"SITE_PROVIDER_URL": url})


@pytest.mark.parametrize(
    ("environment", "setting"),
    [
        ({"SITE_SMTP_SECURITY": "none", "SITE_SMTP_PASSWORD": "secret"}, "SITE_SMTP_PASSWORD"),
        ({"SITE_OFFICE": "ada@example.com:owner", "SITE_PROVIDER_URL": "https://provider.example.com"}, "SITE_OFFICE"),
        ({"SITE_WEBHOOK_URL": "https://crm.example.com/", "SITE_WEBHOOK_SECRET": "short"}, "SITE_WEBHOOK_SECRET"),
    ],
)
def test_settings_that_cannot_work_together_are_refused(environment: dict[str, str], setting: str) -> None:
    with pytest.raises(BrokenSetting, match=setting):
        load(environment)


def test_a_secret_is_not_in_the_text_of_the_settings() -> None:
    assert "hunter2" not in repr(load({"SITE_SMTP_PASSWORD": "hunter2"}))


POSTGRES, REDIS = "postgresql+psycopg://site@localhost/site", "redis://localhost:6379/1"


@pytest.mark.parametrize("environment", [{}, {"SITE_REDIS_URL": REDIS}, {"SITE_DATABASE_URL": POSTGRES}])
def test_several_workers_need_postgresql_and_redis(environment: dict[str, str]) -> None:
    with pytest.raises(BrokenSetting, match=r"SITE_WORKERS is 2.*PostgreSQL.*Redis"):
        load(environment | {"SITE_WORKERS": "2"})


@pytest.mark.parametrize("environment", [{"SITE_DATABASE_URL": POSTGRES}, {"SITE_PROVIDER_URL": "http://provider.internal"}])
def test_several_workers_with_postgresql_and_redis_are_accepted(environment: dict[str, str]) -> None:
    load(environment | {"SITE_WORKERS": "2", "SITE_REDIS_URL": REDIS})
