"""make trial NAME=deploy ARGS="[--short] [row …]": follow the guides on a bare Debian system, and check the site that they lead to."""

from collections.abc import Sequence
from functools import partial

from tests.trials.deploy import checks
from tests.trials.deploy.debian import Debian, enter_namespaces
from tests.trials.deploy.stages import Deployed
from tests.trials.lab.scorecard import Card, NotRun, Row, promises_on, report_not_run, try_all
from tests.trials.lab.servers import end_in_order

CARD = Card(
    name="deploy",
    title="Deployment",
    about="`make trial NAME=deploy`: a bare Debian system, on which the code blocks of `docs/operate/deploy.md`, `scale.md` and `backup.md` are "
    "run as they are written. Stand-ins: a program that reads the units for systemd, a local authority for Let's Encrypt, names in "
    "`/etc/hosts`, Caddy 2.11 from pip.",
)


def _by_proxy(proxy: checks.Proxy) -> tuple[Row[Deployed], ...]:
    return tuple(
        (f"{title}, behind {proxy}", target, partial(check, proxy))
        for title, target, check in (
            ("pages in three languages", "200 over TLS, by HTTP/2, by IPv4 and IPv6; http: 308", checks.pages),
            ("the name without www", "308 to the same path at www", checks.apex),
            ("a form is sent", "200, and the lead is in the operator's list", checks.form),
            ("a page's socket", "connected, answers within 1 s", checks.socket),
            ("an upload of 12 MB", "413 each time; 1 MB is taken", checks.upload),
            ("the visitor's address", "limits count the real one; a forged one is not believed", checks.address),
            ("the office", "only at its own name, where nothing else is; /metrics nowhere", checks.office),
        )
    )


ROWS: tuple[Row[Deployed], ...] = (
    ("the guide leads to a running site", "each command succeeds as written; /readyz", checks.installed),
    ("the units are right", "systemd-analyze verify: 0 complaints", checks.units),
    *_by_proxy("nginx"),
    ("a certificate is renewed", "nginx serves the new one, 0 errors meanwhile", checks.renewal),
    *_by_proxy("caddy"),
    ("backup and restore", "restored into an empty place: the same leads", checks.backup),
    *(
        (f"{title}, behind {proxy}", target, partial(check, proxy))
        for proxy in ("nginx", "caddy")
        for title, target, check in (
            ("PostgreSQL and Redis by the guide", "pages, form and socket as before", checks.engines),
            ("two processes restart in turn", "0 errors, 0 leads lost", checks.restart),
        )
    ),
    ("upgrade and back, by the guide", "0 errors, 0 leads lost", checks.upgrade),
    ("back to the tables of 0.1.0", "every lead there, and again after the upgrade", checks.first_release),
)


def main(arguments: Sequence[str]) -> int:
    end_in_order()
    try:
        code = enter_namespaces()
    except NotRun as reason:
        return report_not_run(ROWS, CARD, reason)
    if code is not None:
        return code
    return try_all(promises_on(Deployed(Debian()), ROWS), arguments, CARD)
