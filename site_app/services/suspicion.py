"""Signs that no person sent a form. They put a lead in quarantine; nothing is dropped because of them."""

from datetime import timedelta

from site_app.contracts.submission import Submission
from site_app.services.tokens import Tokens

LONGEST_OPEN = timedelta(days=7)


def signs_of_spam(submission: Submission, tokens: Tokens, minimum_filling_time: timedelta) -> tuple[str, ...]:
    """Names of what looks automatic; empty for a form that was opened here and filled in by hand."""
    signs = ["trap"] if submission.website_url else []
    age = tokens.age(submission.token) if submission.token else None
    if age is None:
        signs.append("forged-token" if submission.token else "no-token")
    # The token counts whole seconds: one opened at 0.9 and sent at 3.1 must not look faster than it was.
    elif age + timedelta(seconds=1) < minimum_filling_time:
        signs.append("too-fast")
    elif age > LONGEST_OPEN:
        signs.append("old-token")
    return tuple(signs)
