"""When the page reaches for its server, and how long it waits before it tries again where the server is away."""

from site_app.build.edit import replace

_LONGEST_MS = 60_000


def patient_socket(text: str) -> str:
    """utils/state.js with waits that double up to a minute; its own end at two seconds, an error in the console each.

    What a visitor does, and coming back to the tab, still tries at once. The first connection is a task of its own, after
    the one that evaluates the modules: together they keep a slow phone busy for too long.
    """
    edits = (
        ("200 * failed_attempts); // Incremental backoff", f"Math.min(200 * 2 ** failed_attempts, {_LONGEST_MS}));"),
        ("queueMicrotask(() => {\n    if (\n      socketStarted", "setTimeout(() => {\n    if (\n      socketStarted"),
    )
    return replace(text, *[(own, ours) for own, ours in edits if ours not in text])
