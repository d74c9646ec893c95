"""How long the page waits before it tries again to reach a server that is away."""

from site_app.build.edit import replace

_LONGEST_MS = 60_000


def patient_socket(text: str) -> str:
    """utils/state.js with waits that double up to a minute; its own end at two seconds, an error in the console each.

    What a visitor does, and coming back to the tab, still tries at once.
    """
    own = "200 * failed_attempts); // Incremental backoff"
    ours = f"Math.min(200 * 2 ** failed_attempts, {_LONGEST_MS})); // doubled by site_app.build.patience"
    return text if ours in text else replace(text, (own, ours))
