"""The site's metrics: one function for each, which does nothing until measuring is switched on.

Labels are constants of the code and never a visitor's text. Every package may count; only the Prometheus listener uses store and settings.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from site_app.core.metrics.listener import Meters

_meters: "Meters | None" = None


def switch_on(meters: "Meters | None") -> None:
    """Counts into these meters from now on; None stops counting."""
    global _meters
    _meters = meters


def count_request(kind: str, status: int, seconds: float) -> None:
    """Counts a request whose response was sent completely."""
    if _meters:
        _meters.requests.labels(kind, str(status)).inc()
        _meters.request_seconds.labels(kind).observe(seconds)


def count_call(call: str, status: int, seconds: float) -> None:
    """Counts an answered call of the API, made over HTTP or by the site in the same process."""
    if _meters:
        _meters.calls.labels(call, str(status)).inc()
        _meters.call_seconds.labels(call).observe(seconds)


def lead_acknowledged(kind: str, *, quarantined: bool) -> None:
    """Counts an acknowledged lead; a lead that is sent again counts again."""
    if _meters:
        _meters.leads.labels(kind, "yes" if quarantined else "no").inc()


def count_delivery(kind: str, template: str, outcome: str) -> None:
    """Counts an attempt to send a mail or webhook: sent, delayed or given up."""
    if _meters:
        _meters.deliveries.labels(kind, template, outcome).inc()


def count_refusal(event: str, problem: str) -> None:
    """Counts a refusal of the socket's guard or a problem that a browser reported, by a reason that is a constant of the code."""
    if _meters:
        _meters.refusals.labels(event, problem).inc()


def socket_opened() -> None:
    if _meters:
        _meters.sockets.inc()


def socket_closed() -> None:
    if _meters:
        _meters.sockets.dec()
