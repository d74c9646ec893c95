"""The office names the reasons for quarantine and the mails of a lead in words, not by their stored names."""

import pytest

from site_app.provider.office.inbox import mail_words, reason_words


@pytest.mark.parametrize("signal", ["honeypot", "no-token", "forged-token", "too-fast", "old-token"])
def test_each_spam_signal_has_words(signal: str) -> None:
    assert signal not in reason_words(signal)


def test_several_spam_signals_are_all_named() -> None:
    assert reason_words("honeypot no-token") == f"{reason_words('honeypot')}; {reason_words('no-token')}"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("news", "new lead"),
        ("call-booked-host", "call booked"),
        ("call-no-show-visitor", "call no-show"),
        ("office-sign-in", "office sign-in"),
    ],
)
def test_a_mail_is_named_by_what_it_is_about(template: str, words: str) -> None:
    assert mail_words(template) == words
