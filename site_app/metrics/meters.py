"""The meters themselves. Importing this decides how they are kept: import it only where measuring is switched on."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Meters:
    """Those of one process; where PROMETHEUS_MULTIPROC_DIR is set they are kept in files, and every process reads them all."""

    def __init__(self, registry: CollectorRegistry) -> None:
        own = {"registry": registry, "namespace": "site"}
        self.requests = Counter("requests", "Requests answered, by kind and status.", ["kind", "status"], **own)
        self.request_seconds = Histogram(
            "request_seconds", "Time to the last byte of an answer.", ["kind"], buckets=_SECONDS, **own
        )
        self.calls = Counter("calls", "Calls of the API answered, by name and status.", ["call", "status"], **own)
        self.call_seconds = Histogram("call_seconds", "Time a call of the API takes.", ["call"], buckets=_SECONDS, **own)
        self.leads = Counter(
            "leads_taken", "Leads acknowledged; one that is sent again is counted again.", ["kind", "quarantined"], **own
        )
        self.deliveries = Counter(
            "deliveries", "Mails and webhooks tried: sent, delayed or given_up.", ["kind", "template", "outcome"], **own
        )
        self.refusals = Counter(
            "refusals", "What the guard cut and what browsers report, by reason.", ["event", "problem"], **own
        )
        self.sockets = Gauge("sockets_open", "Visitors' sockets open now.", multiprocess_mode="livesum", **own)
