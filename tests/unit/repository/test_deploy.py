"""The deployment files name only existing things."""

import json
import os
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry

from site_app.cli.main import COMMANDS, GROUPS
from site_app.cli.site import KILL_TIMEOUT_SECONDS
from site_app.core.metrics.listener import Meters
from site_app.core.settings import load, read_env, variable
from site_app.core.settings import settings as table

ROOT = Path(__file__).parents[3]
DEPLOY = sorted((ROOT / "deploy").iterdir())
CONTAINERFILE = (ROOT / "Containerfile").read_text()
UNIT = (ROOT / "deploy/site@.service").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SITES = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "site"}
_INTERPOLATED = re.compile(r"\$\{(\w+)(?::[?-][^}]*)?\}")


@pytest.mark.parametrize("file", [ROOT / "Containerfile", ROOT / "compose.yaml", *DEPLOY], ids=lambda file: file.name)
def test_every_named_setting_exists(file: Path) -> None:
    variables = set(re.findall(r"\bSITE_[A-Z_]+\b", file.read_text()))

    assert variables <= {variable(name) for name in vars(table())}


@pytest.mark.parametrize("name", sorted(SITES))
def test_the_settings_of_compose_can_be_read_together(name: str) -> None:
    secret = "0123456789abcdef" * 3
    environment = {key: _INTERPOLATED.sub(secret, value) for key, value in SITES[name]["environment"].items()}
    example = (ROOT / "deploy/site.env.example").read_text()

    read = load(dict(re.findall(r"^(SITE_\w+)='(.*)'$", example, re.MULTILINE)) | environment)

    assert read.database_url.startswith("postgresql+psycopg://site:")
    assert read.production


def test_a_shell_reads_the_example_as_the_site_does(tmp_path: Path) -> None:
    """systemd and compose take single-quoted values literally; their rules for double quotes differ."""
    example = (ROOT / "deploy/site.env.example").read_text()
    file = tmp_path / "site.env"
    file.write_text(re.sub(r"(?m)^(SITE_BRAND_NAME=)(['\"]).*\2$", r"\1\2pa$ssw0rd `id` \\n\2", example))
    script = 'set -a; . "$0"; env -0'

    printed = subprocess.check_output(["sh", "-c", script, file], env={"PATH": os.environ["PATH"]}, text=True)

    by_shell = dict(line.split("=", 1) for line in printed.split("\0") if line.startswith("SITE_"))
    assert by_shell == read_env(file)


def test_every_secret_that_compose_asks_for_is_in_the_example() -> None:
    requested = set(_INTERPOLATED.findall((ROOT / "compose.yaml").read_text()))
    example = set(re.findall(r"^(\w+)=$", (ROOT / "deploy/secrets.env.example").read_text(), re.MULTILINE))

    assert requested == example


def test_every_process_of_the_site_is_read_only_and_without_rights() -> None:
    for service in SITES.values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert "ports" not in service


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["caddy"]


def test_the_database_and_redis_are_in_an_internal_network_only() -> None:
    assert COMPOSE["networks"]["back"]["internal"]
    assert COMPOSE["services"]["postgres"]["networks"] == COMPOSE["services"]["redis"]["networks"] == ["back"]


def test_the_trusted_proxy_is_the_actual_proxy() -> None:
    address = COMPOSE["services"]["caddy"]["networks"]["front"]["ipv4_address"]

    assert {service["environment"]["SITE_TRUSTED_PROXIES"] for service in SITES.values()} == {address}


def test_the_proxy_forwards_to_the_existing_processes_and_ports() -> None:
    port = re.findall(r"^EXPOSE (\d+)$", CONTAINERFILE, re.MULTILINE)
    upstreams = COMPOSE["services"]["caddy"]["environment"]["UPSTREAMS"].split()

    assert port == [str(load({}).port)]
    assert upstreams == [f"{name}:{port[0]}" for name in SITES if name != "migrate"]


def test_the_image_asks_for_its_health_at_the_port_that_is_set() -> None:
    command = json.loads(re.findall(r"^HEALTHCHECK.*?CMD (\[.*?\])$", CONTAINERFILE, re.MULTILINE | re.DOTALL)[0])
    requests: list[str] = []

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            self.send_response(200 if len(requests) == 1 else 503)
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Health) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        environment = os.environ | {"SITE_PORT": str(server.server_port)}
        codes = [
            subprocess.run([sys.executable, *command[1:]], env=environment, capture_output=True).returncode for _ in range(2)
        ]
        server.shutdown()

    assert codes == [0, 1]
    assert requests == ["/healthz"] * 2


def test_pages_stay_online_while_no_lead_can_be_stored() -> None:
    """A full disk or a locked database makes /readyz red; a proxy that checks it would take the pages offline too."""
    requested = re.findall(r"health_uri (\S+)", (ROOT / "deploy/Caddyfile").read_text())

    assert requested == ["/healthz"]
    assert "/readyz" not in CONTAINERFILE + (ROOT / "deploy/nginx.conf").read_text()
    assert not any("/readyz" in str(service.get("healthcheck", "")) for service in COMPOSE["services"].values())


def test_stop_timeouts_leave_time_for_deliveries() -> None:
    longest = KILL_TIMEOUT_SECONDS + 5  # a delivery in progress has five seconds
    (timeout,) = re.findall(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)

    assert int(timeout) > longest
    assert all(int(service["stop_grace_period"].removesuffix("s")) > longest for service in SITES.values())


def test_every_command_that_is_run_exists() -> None:
    texts = CONTAINERFILE + UNIT
    run = set(re.findall(r"-m site_app ([a-z-]+)", texts)) | {COMPOSE["services"]["migrate"]["command"][0]}
    run |= set(re.findall(r'^CMD \["([a-z-]+)"\]$', CONTAINERFILE, re.MULTILINE))

    assert run == {"build", "db", "serve"}
    assert run <= COMMANDS.keys() | GROUPS.keys()


def test_the_image_leaves_out_secrets_and_takes_what_the_build_reads() -> None:
    left_out = (ROOT / ".dockerignore").read_text().splitlines()

    assert {".env", "var", "deploy/*", ".git"} <= set(left_out)
    assert "!deploy/site.env" in left_out
    assert {"deploy/site.env", ".env"} <= set((ROOT / ".gitignore").read_text().splitlines())


def test_an_operator_has_the_user_the_directory_and_the_settings_of_the_unit() -> None:
    operate = (ROOT / "deploy/operate").read_text()
    (user,) = re.findall(r"^User=(\w+)$", UNIT, re.MULTILINE)
    (var,) = re.findall(r"SITE_VAR=(\S+)", UNIT)
    files = [file for file in re.findall(r"^EnvironmentFile=-?(\S+)$", UNIT, re.MULTILINE) if "%i" not in file]

    assert f"runuser --user {user} --" in operate
    assert f"SITE_VAR={var}\n" in operate
    assert [f". {file}" in operate for file in files] == [True, True]
    assert (ROOT / "deploy/operate").stat().st_mode & 0o111


@pytest.mark.parametrize(
    ("path", "is_repeated"),
    [("/v1.0/sendMessage", True), ("/v1.0/attachments", False), ("/v1.0/pageView", False), ("/office/leads/A1", False)],
)
def test_nginx_asks_a_second_process_only_for_what_carries_a_key(path: str, is_repeated: bool) -> None:
    conf = (ROOT / "deploy/nginx.conf").read_text()
    server = conf[conf.index("    server {") :]
    locations = re.findall(r"location ~ (\S+) \{(.*?)\}", server, re.DOTALL)
    location = next((block for pattern, block in locations if re.match(pattern, path)), server.partition("location")[0])
    tries = re.findall(r"^\s*proxy_next_upstream ([^;]*);", location, re.MULTILINE)

    assert [("non_idempotent" in each) for each in tries] == [is_repeated]


def test_alerts_ask_for_meters_that_the_site_has() -> None:
    registry = CollectorRegistry()
    Meters(registry)
    text = (ROOT / "site_app/provider/store/gauges.py").read_text()
    meters = {f"site_{name}" for name in re.findall(r'"(?:site_)?([a-z_]+)", "[A-Z]', text)}
    meters |= {family.name for family in registry.collect()}
    alerts = yaml.safe_load((ROOT / "deploy/alerts.yml").read_text())
    requests = {
        name for group in alerts["groups"] for rule in group["rules"] for name in re.findall(r"site_[a-z_]+", rule["expr"])
    }

    assert {re.sub("_(total|bucket)$", "", name) for name in requests} <= meters


def test_the_nightly_backup_runs_a_command_that_exists() -> None:
    unit = (ROOT / "deploy/backup.service").read_text()

    assert re.findall(r"^ExecStart=/opt/site/deploy/operate (\w+) --to", unit, re.MULTILINE) == ["backup"]
    assert "backup" in COMMANDS
