"""The retention periods in the policies are those of the settings."""

from dataclasses import replace
from datetime import timedelta

import pytest

from site_app.content import faq, legal_values
from site_app.core.i18n import use
from site_app.core.locales import ENGLISH
from site_app.core.settings import Settings


@pytest.mark.parametrize(
    ("period", "words"),
    [
        (timedelta(hours=1), "one hour"),
        (timedelta(minutes=90), "2 hours"),
        (timedelta(days=1), "24 hours"),
        (timedelta(days=30), "30 days"),
        (timedelta(days=89, hours=1), "90 days"),
        (timedelta(days=365), "12 months"),
        (timedelta(days=730), "24 months"),
    ],
)
def test_the_policy_states_periods_no_shorter_than_the_settings(
    period: timedelta, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(
        Settings(), keep_leads=period, keep_quarantine=period, keep_page_views=period, keep_unclaimed_files=period
    )
    monkeypatch.setattr(legal_values, "settings", lambda: changed)

    values = legal_values.legal_values()

    names = ("lead_retention", "quarantine", "page_view_retention", "unclaimed_files")
    assert {values[name] for name in names} == {words}


def test_faq_retention_matches_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faq, "settings", lambda: Settings(keep_leads=timedelta(days=365)))

    with use(ENGLISH):
        text = repr(faq.privacy_and_legal())

    assert "no more than 12 months" in text
