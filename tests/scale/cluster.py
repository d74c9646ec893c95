"""One site of two app processes with two workers each, behind nginx, on one PostgreSQL and one Redis."""

import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg

from site_app.store.migration import upgrade
from tests.browser.server import Site, free_port
from tests.faults.scorecard import NotRun
from tests.faults.trial import MANY_VISITORS, kill_all
from tests.scale.engines import database_url, nginx, postgresql, redis, redis_url
from tests.scale.packages import programs
from tests.scale.post_box import PostBox

UPLOADS_A_MINUTE = 30
_SECRET = "one-secret-for-all-processes"


class Cluster:
    """Everything runs after `start`; a trial that broke something has it mended by `mend`."""

    def __init__(self, *, apps: int = 2, workers: int = 2, **settings: str) -> None:
        where = programs()
        self._directory = tempfile.TemporaryDirectory(prefix="scale-", ignore_cleanup_errors=True)
        self.room = Path(self._directory.name)
        self.port = free_port()
        self.postgresql, self.redis = postgresql(where, self.room), redis(where, self.room)
        self.post_box = PostBox()
        self.database_url = database_url(self.postgresql)
        chosen = MANY_VISITORS | {
            "SITE_URL": f"http://localhost:{self.port}",
            "SITE_WORKERS": str(workers),
            "SITE_TRUSTED_PROXIES": "127.0.0.1",
            "SITE_LIMIT_ALL_SOCKETS": "20000",
            "SITE_DATABASE_URL": self.database_url,
            "SITE_REDIS_URL": redis_url(self.redis),
            "SITE_SECRET": _SECRET,
            "SITE_LIMIT_UPLOADS": f"{UPLOADS_A_MINUTE}/minute",
            "SITE_MAIL_TRANSPORT": "smtp",
            "SITE_SMTP_HOST": "127.0.0.1",
            "SITE_SMTP_PORT": str(self.post_box.port),
            "SITE_SMTP_SECURITY": "none",
        }
        chosen |= {f"SITE_{name.upper()}": value for name, value in settings.items()}
        self.apps = [Site(free_port(), self.room / "var", chosen) for _ in range(apps)]
        self.nginx = nginx(where, self.room, port=self.port, apps=[one.port for one in self.apps])
        self.front = Site(self.port, self.room / "var")  # an address for clients; nginx is not started as a site

    def start(self) -> "Cluster":
        self.post_box.start()
        for engine in (self.postgresql, self.redis):
            try:
                engine.start()
            except (RuntimeError, TimeoutError, OSError) as error:  # nothing of ours runs yet: it is the machine
                raise NotRun(f"{engine.name} does not start here: {error}"[:300]) from error
        upgrade(self.database_url)
        with ThreadPoolExecutor() as threads:
            list(threads.map(Site.start, self.apps))
        self.nginx.start()
        return self

    def mend(self) -> None:
        """Start whatever a trial left lying."""
        for one in (self.postgresql, self.redis, *self.apps, self.nginx):
            if not one.is_running:
                one.start()

    def close(self) -> None:
        for app in self.apps:
            if app.is_running:
                kill_all(app)
        for engine in (self.nginx, self.redis, self.postgresql):
            engine.kill()
        self.post_box.stop()
        self._directory.cleanup()

    def rows(self, query: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """What the database says, past the site."""
        with self._connection() as connection:
            return connection.execute(query.encode(), tuple(values)).fetchall()

    def tell(self, *orders: str) -> None:
        """Orders to the database's server, each by itself."""
        with self._connection(autocommit=True) as connection:
            for order in orders:
                connection.execute(order.encode())

    def _connection(self, *, autocommit: bool = False) -> psycopg.Connection[Any]:
        return psycopg.connect(self.database_url.replace("+psycopg", ""), autocommit=autocommit)
