"""What the site counts while it runs: one function for each thing, which does nothing until measuring is switched on.

Labels are constants of the code and never a visitor's words. Every package may count; the listener for Prometheus touches store and settings.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from site_app.core.metrics.listener import Meters

_meters: "Meters | None" = None


def switch_on(meters: "Meters | None") -> None:
    """Count into these meters from now on; None ends it."""
    global _meters
    _meters = meters


def answered(kind: str, status: int, seconds: float) -> None:
    """A request was answered to its last byte."""
    if _meters:
        _meters.requests.labels(kind, str(status)).inc()
        _meters.request_seconds.labels(kind).observe(seconds)


def count_call(call: str, status: int, seconds: float) -> None:
    """A call of the API was answered, whether it came over HTTP or from the site in the same process."""
    if _meters:
        _meters.calls.labels(call, str(status)).inc()
        _meters.call_seconds.labels(call).observe(seconds)


def lead_acknowledged(kind: str, *, quarantined: bool) -> None:
    """A lead was acknowledged; one that is sent again is counted again."""
    if _meters:
        _meters.leads.labels(kind, "yes" if quarantined else "no").inc()


def delivered(kind: str, template: str, outcome: str) -> None:
    """A mail or a webhook was tried: sent, delayed or given up."""
    if _meters:
        _meters.deliveries.labels(kind, template, outcome).inc()


def refused(event: str, problem: str) -> None:
    """The socket's guard refused something, or a browser reported a problem, for a reason that the code has a name for."""
    if _meters:
        _meters.refusals.labels(event, problem).inc()


def socket_opened() -> None:
    if _meters:
        _meters.sockets.inc()


def socket_closed() -> None:
    if _meters:
        _meters.sockets.dec()
