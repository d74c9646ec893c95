"""A public site shows no sample values: the start refuses harmful ones, and doctor names all of them."""

import sys
from dataclasses import fields, replace

import pytest

from site_app.cli.checks import refuse_samples, samples_are_replaced
from site_app.content import people
from site_app.content.sample_documents import report, scope
from site_app.core import business
from site_app.core.settings import REFUSED, Settings, load, samples, variable

REAL = {
    "SITE_PRODUCTION": "true",
    "SITE_URL": "https://www.acme-software.co.uk",
    "SITE_BRAND_NAME": "Acme",
    "SITE_BRAND_LEGAL_NAME": "Acme Software Ltd",
    "SITE_BRAND_EMAIL": "hello@acme-software.co.uk",
    "SITE_BRAND_PHONE": "+44 161 555 2000",
    "SITE_BRAND_ADDRESS": "1 Real Street, Manchester M1 1AA, United Kingdom",
    "SITE_BRAND_FOUNDER": "Jo Smith",
    "SITE_BRAND_INSTAGRAM": "",
    "SITE_BRAND_FACEBOOK": "",
    "SITE_BRAND_LINKEDIN": "https://www.linkedin.com/company/acme",
    "SITE_BRAND_X": "",
    "SITE_BRAND_COMPANY_NUMBER": "12345678",
    "SITE_BRAND_VAT_NUMBER": "GB 123 4567 89",
    "SITE_BRAND_ICO_NUMBER": "ZA123456",
    "SITE_BRAND_INSURER": "Real Insurance plc, 3 Real Street, London EC3M 1AA; worldwide",
    "SITE_BOOKING_ROOM": "https://meet.acme-software.co.uk/{room}",
}
REAL_SETTINGS = load(REAL)
FATES = {
    setting.name: setting.metadata["sample"] for setting in fields(Settings) if setting.metadata["sample"] and setting.default
}


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site_app.cli.site.complain", lambda text: sys.stderr.write(text))


def test_a_site_without_samples_may_start() -> None:
    refuse_samples(REAL_SETTINGS)

    assert samples(REAL_SETTINGS) == {}


@pytest.mark.parametrize("name", FATES)
def test_each_sample_alone_is_refused_or_named(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = replace(REAL_SETTINGS, **{name: getattr(Settings(), name)})

    if FATES[name] == REFUSED:
        with pytest.raises(SystemExit) as refused:
            refuse_samples(settings)
        output = str(refused.value)
        assert "SITE_ALLOW_SAMPLES=true" in output
    else:
        refuse_samples(settings)
        output = capsys.readouterr().err
    assert variable(name) in output
    assert len([sample for sample in FATES if variable(sample) + "," in output + "," or f"{variable(sample)}." in output]) == 1
    assert any(variable(name) in finding.message for finding in samples_are_replaced(settings))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("brand_email", "hello@example.com"),
        ("url", "http://localhost:8080"),
        ("mail_team", "leads@plumbline.example.com"),
        ("mail_from", "site@agency.example"),
        ("brand_x", "https://x.example.com/acme"),
        ("booking_room", "https://meet.example.org/{room}"),
        ("brand_company_number", "000000"),
        ("brand_vat_number", "gb000000000"),
        ("brand_vat_number", "GB 000 0000 00 "),
        ("brand_phone", "+442079460958"),
        ("brand_legal_name", "plumbline software ltd"),
    ],
)
def test_a_sample_in_another_spelling_is_still_a_sample(name: str, text: str) -> None:
    assert variable(name) in samples(replace(REAL_SETTINGS, **{name: text}))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("brand_email", "team@bestexample.com"),
        ("brand_company_number", "00000001"),
        ("booking_room", "https://meet.jit.si/acme-{room}"),
    ],
)
def test_a_value_similar_to_a_sample_is_accepted(name: str, text: str) -> None:
    assert samples(replace(REAL_SETTINGS, **{name: text})) == {}


def test_a_public_demonstration_starts_and_names_its_samples(capsys: pytest.CaptureFixture[str]) -> None:
    refuse_samples(Settings(production=True, allow_samples=True))

    output = capsys.readouterr().err
    assert all(variable(name) in output for name in FATES)


def test_a_local_site_may_keep_its_samples() -> None:
    refuse_samples(Settings())


def test_texts_that_are_samples_are_named_by_their_records() -> None:
    text = " ".join(finding.message for finding in samples_are_replaced(REAL_SETTINGS))

    assert all(voice.name in text for voice in people.testimonials().items if voice.is_sample)
    assert "words of the founder" in text
    assert all(document.head in text for document in (scope(), report()))
    assert all(figure in text for figure in business.SAMPLES)
