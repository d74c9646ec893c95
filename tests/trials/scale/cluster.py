"""One site of two app processes with two workers each, behind nginx, on one PostgreSQL and one Redis."""

import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import psycopg
from aiosmtpd.controller import Controller

from site_app.provider.store.migration import upgrade
from tests.support.site_server import Site, free_port
from tests.trials.lab.scorecard import NotRun
from tests.trials.lab.servers import database_url, nginx, postgresql, redis, redis_url
from tests.trials.lab.trial import MANY_VISITORS, kill_all

UPLOADS_A_MINUTE = 30
_SECRET = "one-secret-for-all-processes"


class Cluster:
    """Everything runs after `start`; `repair` restarts whatever a trial broke."""

    def __init__(self) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="scale-", ignore_cleanup_errors=True)
        self.folder = Path(self._directory.name)
        self.port = free_port()
        self.postgresql, self.redis = postgresql(self.folder), redis(self.folder)
        self.mailed: list[str] = []  # the Message-ID of each mail that the mail server accepted
        # In a thread of its own, as each row has its own event loop.
        self._mail_server = Controller(self, hostname="127.0.0.1", port=free_port())
        self.database_url = database_url(self.postgresql)
        settings = MANY_VISITORS | {
            "SITE_URL": f"http://localhost:{self.port}",
            "SITE_WORKERS": "2",
            "SITE_TRUSTED_PROXIES": "127.0.0.1",
            "SITE_LIMIT_ALL_SOCKETS": "20000",
            "SITE_DATABASE_URL": self.database_url,
            "SITE_REDIS_URL": redis_url(self.redis),
            "SITE_SECRET": _SECRET,
            "SITE_LIMIT_UPLOADS": f"{UPLOADS_A_MINUTE}/minute",
            "SITE_MAIL_TRANSPORT": "smtp",
            "SITE_SMTP_HOST": "127.0.0.1",
            "SITE_SMTP_PORT": str(self._mail_server.port),
            "SITE_SMTP_SECURITY": "none",
        }
        self.apps = [Site(free_port(), self.folder / "var", settings) for _ in range(2)]
        self.nginx = nginx(self.folder, port=self.port, apps=[app.port for app in self.apps])
        self.front = Site(self.port, self.folder / "var")  # the address for clients; nginx is not started as a site

    def start(self) -> None:
        self._mail_server.start()
        for engine in (self.postgresql, self.redis):
            try:
                engine.start()
            # none of the site's processes runs yet, so the machine is to blame
            except (RuntimeError, TimeoutError, OSError) as error:
                raise NotRun(f"{engine.name} does not start here: {error}"[:300]) from error
        upgrade(self.database_url)
        with ThreadPoolExecutor() as threads:
            list(threads.map(Site.start, self.apps))
        self.nginx.start()

    def repair(self) -> None:
        """Restarts whatever a trial stopped."""
        for server in (self.postgresql, self.redis, *self.apps, self.nginx):
            if not server.is_running:
                server.start()

    def close(self) -> None:
        for app in self.apps:
            if app.is_running:
                kill_all(app)
        for engine in (self.nginx, self.redis, self.postgresql):
            engine.kill()
        self._mail_server.stop()
        self._directory.cleanup()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.mailed.append(str(message_from_bytes(envelope.content, policy=policy.default)["Message-ID"]))
        return "250 OK"

    def rows(self, query: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """Returns the rows of a query that goes to the database directly, not through the site."""
        with self._connection() as connection:
            return connection.execute(query.encode(), tuple(values)).fetchall()

    def execute(self, *orders: str) -> None:
        """Executes each statement by itself on the database's server."""
        with self._connection(autocommit=True) as connection:
            for order in orders:
                connection.execute(order.encode())

    def _connection(self, *, autocommit: bool = False) -> psycopg.Connection[Any]:
        return psycopg.connect(self.database_url.replace("+psycopg", ""), autocommit=autocommit)
