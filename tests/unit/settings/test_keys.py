"""An address may contain a key; no command and no error message repeats it."""

from dataclasses import fields, replace

import pytest
from typer.testing import CliRunner

from site_app.cli.main import make
from site_app.core.settings import BrokenSetting, Settings, load, masked, variable

CANARY = "canary7f3k"
ADDRESSES = (
    f"https://{CANARY}:{CANARY}@host.example.org/path?key={CANARY}#{CANARY}",
    f"https://{CANARY}@host.example.org/{{address}}?{CANARY}",
    f"redis://:{CANARY}@host.example.org:6379/0",
    f"postgresql+psycopg://site:p@/{CANARY}@host.example.org/site?password={CANARY}",
    f"ftp://site:{CANARY}@host.example.org",
    f"name:{CANARY}@host.example.org:25",
)
TEXTS = [
    setting.name for setting in fields(Settings) if isinstance(setting.default, str) and not setting.name.startswith("brand_")
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_neither_the_list_of_settings_nor_a_complaint_shows_a_key(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    complaints, values = "", {}
    for name in TEXTS:
        try:
            values[name] = getattr(load({"SITE_WEBHOOK_SECRET": "w" * 24, variable(name): address}), name)
        except BrokenSetting as error:
            complaints += str(error)
    monkeypatch.setattr("site_app.cli.settings.settings", lambda: replace(Settings(), **values))

    output = CliRunner().invoke(make(), ["settings", "--json"]).output

    assert "SITE_PORT" in output
    assert CANARY not in complaints + output


def test_other_settings_stay_readable() -> None:
    assert masked("https://www.example.com/path") == "https://www.example.com/path"
    assert masked("https://key@api.example.com/v1?key=1") == "https://…@api.example.com/v1?…"
    assert masked("hello@example.com") == "hello@example.com"


@pytest.mark.parametrize("text", ["GMAIL.com", " gmail.COM ", "@gmail.com", "gmail.com.", "@GMail.com."])
def test_a_refused_domain_is_known_however_it_is_written(text: str) -> None:
    assert load({"SITE_REFUSED_EMAIL_DOMAINS": f"other.org, {text}"}).refused_email_domains == ("other.org", "gmail.com")


def test_a_refused_domain_may_be_written_in_any_alphabet() -> None:
    assert load({"SITE_REFUSED_EMAIL_DOMAINS": "MÜNCHEN.de"}).refused_email_domains == ("xn--mnchen-3ya.de",)
