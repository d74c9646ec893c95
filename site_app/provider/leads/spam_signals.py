"""Signals that no person sent a form. They put a lead in quarantine; nothing is dropped because of them."""

from datetime import timedelta

from site_app.contracts.submission import Submission
from site_app.provider.endpoints.tokens import Tokens

LONGEST_OPEN = timedelta(days=7)
HONEYPOT, TOO_FAST = "honeypot", "too-fast"
_CLOCKS_DIFFER = timedelta(minutes=1)  # between machines that serve one site


def spam_signals(submission: Submission, tokens: Tokens, minimum_filling_time: timedelta) -> tuple[str, ...]:
    """Names of what looks automatic; empty for a form that was opened here and filled in by hand."""
    found = [HONEYPOT] if submission.website_url else []
    age = tokens.age(submission.token) if submission.token else None
    if age is None:
        found.append("forged-token" if submission.token else "no-token")
    # Older than none at all: the clock was ahead when the form was opened, which says nothing about its sender.
    elif age < -_CLOCKS_DIFFER:
        pass
    # The token counts whole seconds: one opened at 0.9 and sent at 3.1 must not look faster than it was.
    elif age + timedelta(seconds=1) < minimum_filling_time:
        found.append(TOO_FAST)
    elif age > LONGEST_OPEN:
        found.append("old-token")
    return tuple(found)


def passing_signals(signals: tuple[str, ...]) -> tuple[str, ...]:
    """Those that a person who sends the form again, a moment later, no longer shows."""
    return tuple(signal for signal in signals if signal in (HONEYPOT, TOO_FAST))
