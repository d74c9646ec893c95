"""The spam signals of a submission. They quarantine a lead, and make a booking be asked for once more."""

from datetime import timedelta

from site_app.contracts.submission import Submission
from site_app.provider.http.tokens import Tokens

_LONGEST_OPEN = timedelta(days=7)
_HONEYPOT = "honeypot"
_TOO_FAST = "too-fast"
_CLOCKS_DIFFER = timedelta(minutes=1)  # tolerated between machines that serve one site


def spam_signals(submission: Submission, tokens: Tokens, minimum_filling_time: timedelta) -> tuple[str, ...]:
    """Returns the names of the submission's spam signals; empty for a form that was opened here and filled in by a person."""
    signals = [_HONEYPOT] if submission.website_url else []
    age = tokens.age(submission.token) if submission.token else None
    if age is None:
        signals.append("forged-token" if submission.token else "no-token")
    # A negative age: the clock was ahead when the form was opened, which is not a spam signal.
    elif age < -_CLOCKS_DIFFER:
        pass
    # The token counts whole seconds: a form opened at 0.9 s and sent at 3.1 s must not seem faster than it was.
    elif age + timedelta(seconds=1) < minimum_filling_time:
        signals.append(_TOO_FAST)
    elif age > _LONGEST_OPEN:
        signals.append("old-token")
    return tuple(signals)


def transient_signals(signals: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the signals that disappear when a person sends the form again."""
    return tuple(signal for signal in signals if signal in (_HONEYPOT, _TOO_FAST))
