"""The deployment files name only existing things."""

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
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
from site_app.core.settings import Settings, load, read_env, variable
from site_app.core.settings import settings as table
from site_app.provider.store import brief_engine
from site_app.provider.store.gauges import Gauges
from tests.trials.lab.packages import programs
from tests.trials.lab.scorecard import must_run

ROOT = Path(__file__).parents[3]
DEPLOY = sorted((ROOT / "deploy").iterdir())
CONTAINERFILE = (ROOT / "Containerfile").read_text()
UNIT = (ROOT / "deploy/site@.service").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SITES = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "site"}
ALERTS, DASHBOARD = ROOT / "deploy/alerts.yml", ROOT / "deploy/dashboard.json"
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


def test_every_process_reads_the_secrets_and_the_build_does_not_keep_them() -> None:
    assert all(service["env_file"] == ["deploy/site.env", ".env"] for service in SITES.values())
    assert COMPOSE["secrets"] == {"env": {"file": ".env"}}
    assert COMPOSE["services"]["migrate"]["build"]["secrets"] == ["env"]
    assert re.search(r"^RUN --mount=type=secret,id=env .*/run/secrets/env", CONTAINERFILE, re.MULTILINE)


def test_every_process_of_the_site_is_read_only_and_without_rights() -> None:
    for service in SITES.values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert "ports" not in service


def test_only_the_proxy_is_reached_from_outside() -> None:
    ports = {name: service.get("ports", ()) for name, service in COMPOSE["services"].items()}

    assert [name for name, own in ports.items() if any(not port.startswith("127.0.0.1:") for port in own)] == ["caddy"]


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
    assert upstreams == [f"{name}:{port[0]}" for name, service in SITES.items() if "command" not in service]


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


def test_no_proxy_logs_the_addresses_and_paths_of_visitors() -> None:
    """The privacy policy says that no log has them. Caddy logs a request that fails, nginx also one whose body it writes to a file."""
    nginx = (ROOT / "deploy/nginx.conf").read_text()
    caddy = (ROOT / "deploy/Caddyfile").read_text()

    assert re.findall(r"^\s*(access_log \S+);", nginx, re.MULTILINE) == ["access_log off"]
    assert re.findall(r"^\s*error_log stderr (\w+);", nginx, re.MULTILINE) == ["alert"]
    assert re.findall(r"^\s*(request|error) (\w+)", caddy, re.MULTILINE) == [("request", "delete"), ("error", "regexp")]


def test_redis_writes_no_visitors_address_to_a_disk() -> None:
    """Its counters and the states of open pages contain them, and the privacy policy says that they are kept in memory only."""
    command = " ".join(COMPOSE["services"]["redis"]["command"])
    lines = re.findall(r"printf '(requirepass .*?)' .*redis.conf", (ROOT / "docs/operate/scale.md").read_text())

    assert "--save '' --appendonly no" in command
    assert [line.split(r"\n")[1:] for line in lines] == [['save ""', ""]]  # appendonly is off by default


def test_stop_timeouts_leave_time_for_deliveries() -> None:
    longest = KILL_TIMEOUT_SECONDS + 5  # a delivery in progress has five seconds
    (timeout,) = re.findall(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)

    assert int(timeout) > longest
    assert all(int(service["stop_grace_period"].removesuffix("s")) > longest for service in SITES.values())


def test_every_command_that_is_run_exists() -> None:
    texts = CONTAINERFILE + UNIT + str(COMPOSE["services"]["backup"]["command"])
    run = set(re.findall(r"-m site_app ([a-z-]+)", texts)) | {COMPOSE["services"]["migrate"]["command"][0]}
    run |= set(re.findall(r'^CMD \["([a-z-]+)"\]$', CONTAINERFILE, re.MULTILINE))

    assert run == {"backup", "build", "db", "serve"}
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
    [
        *(("/v1.0/sendMessage", True), ("/v1.0/holdSlot", True), ("/book/details", True), ("/confirm/abc", True)),
        *(("/v1.0/attachments", False), ("/v1.0/pageView", False), ("/office/leads/A1", False)),
        *(("/meetings/abc/move", False), ("/th/meetings/abc", False), ("/partners/abc", False)),
    ],
)
def test_nginx_asks_a_second_process_only_for_what_carries_a_key(path: str, is_repeated: bool) -> None:
    conf = (ROOT / "deploy/nginx.conf").read_text()
    server = conf[conf.index("    server {") :]
    locations = re.findall(r"location ~ (\S+) \{(.*?)\}", server, re.DOTALL)
    location = next((block for pattern, block in locations if re.match(pattern, path)), server.partition("location")[0])
    tries = re.findall(r"^\s*proxy_next_upstream ([^;]*);", location, re.MULTILINE)

    assert [("non_idempotent" in attempt) for attempt in tries] == [is_repeated]


def meters_of_the_site(url: str, var: Path) -> set[str]:
    """Returns the names of all meters; which gauges there are depends on the settings."""
    registry = CollectorRegistry()
    Meters(registry)
    settings = Settings(var=var, redis_url="redis://127.0.0.1:9/0", booking_busy_url=("https://calendar.example.org/busy.ics",))
    with brief_engine(url, read_only=True) as engine:
        gauges = [*Gauges(engine, lambda: datetime.now(UTC), settings).collect()]
    return {family.name for family in (*registry.collect(), *gauges)}


def expressions_of(file: Path) -> list[str]:
    """Returns the expressions of the alert rules or of the dashboard's panels."""
    if file.suffix == ".json":
        return [target["expr"] for panel in json.loads(file.read_text())["panels"] for target in panel.get("targets", ())]
    return [rule["expr"] for group in yaml.safe_load(file.read_text())["groups"] for rule in group["rules"]]


@pytest.mark.parametrize("file", [ALERTS, DASHBOARD], ids=lambda file: file.name)
def test_alerts_and_dashboard_ask_for_meters_that_the_site_has(file: Path, url: str, tmp_path: Path) -> None:
    requests = {name for expression in expressions_of(file) for name in re.findall(r"\bsite_[a-z_]+", expression)}

    assert requests
    assert {re.sub("_(total|bucket)$", "", name) for name in requests} <= meters_of_the_site(url, tmp_path)


def test_the_dashboard_lets_grafana_choose_the_prometheus() -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]

    assert [(variable["name"], variable["type"]) for variable in dashboard["templating"]["list"]] == [
        ("datasource", "datasource")
    ]
    assert {panel["datasource"]["uid"] for panel in panels} == {"${datasource}"}
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


def test_each_alert_is_tried_when_it_should_fire_and_when_not() -> None:
    names = {rule["alert"] for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]}
    cases = yaml.safe_load((ROOT / "deploy/alerts.test.yml").read_text())["tests"]
    tried = {
        (re.findall(r'alertname="(\w+)"', query["expr"])[0], query["exp_samples"][0]["value"])
        for case in cases
        for query in case["promql_expr_test"]
    }

    assert tried == {(name, fires) for name in names for fires in (0, 1)}


@pytest.mark.parametrize(("allowed", "missing_allowed"), [({}, "[]"), ({"CI_ALLOW_MISSING": "WebKit"}, "[WebKit]")])
def test_the_gate_lets_nothing_be_missing_unless_it_is_told(
    allowed: dict[str, str], missing_allowed: str, tmp_path: Path
) -> None:
    (tmp_path / "make").write_text('#!/bin/sh\necho "[${CI_ALLOW_MISSING-unset}]" >> "$LOG"\n')
    (tmp_path / "make").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "LOG": str(tmp_path / "log")} | allowed

    subprocess.run([ROOT / ".ci/run"], env=environment, capture_output=True, check=True)

    assert set((tmp_path / "log").read_text().splitlines()) == {missing_allowed}


@pytest.mark.slow
def test_alerts_fire_when_they_should_and_only_then() -> None:
    if must_run("promtool"):
        programs({"promtool": "prometheus"})  # installs it
    if not (promtool := shutil.which("promtool")):
        pytest.skip("needs promtool, of Debian's package prometheus")

    for arguments in (("check", "config", "prometheus.yml"), ("test", "rules", "alerts.test.yml")):
        process = subprocess.run([promtool, *arguments], cwd=ROOT / "deploy", capture_output=True, text=True, check=False)
        assert process.returncode == 0, process.stdout + process.stderr


def test_prometheus_asks_each_process_for_its_meters_by_the_rules_that_are_mounted() -> None:
    config = yaml.safe_load((ROOT / "deploy/prometheus.yml").read_text())
    processes = [name for name, service in SITES.items() if "command" not in service]
    mounted = dict(volume.split(":")[:2] for volume in COMPOSE["services"]["prometheus"]["volumes"])

    [job] = config["scrape_configs"]
    ports = {SITES[name]["environment"]["SITE_METRICS_PORT"] for name in processes}
    assert job["static_configs"] == [{"targets": [f"{name}:{port}" for name in processes for port in ports]}]
    assert mounted["./deploy/alerts.yml"] == f"/etc/prometheus/{config['rule_files'][0]}"
    assert set(SITES["app1"]["networks"]) & set(COMPOSE["services"]["prometheus"]["networks"])
    assert re.findall(r'job="(\w+)"', ALERTS.read_text())[0] == job["job_name"]


def test_the_container_of_backups_waits_for_ten_past_three(tmp_path: Path) -> None:
    (script,) = COMPOSE["services"]["backup"]["command"]
    stubs = {
        "bin/date": "echo 1767236999",  # 2026-01-01 03:09:59 UTC
        "bin/sleep": 'echo "sleep $1" >> log; [ $(grep -c sleep log) -lt 3 ]',
        ".venv/bin/python": 'echo "$*" >> log',
    }
    for name, command in stubs.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\n{command}\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "BACKUP_OPTIONS": "--keep 30"}

    subprocess.run(["sh", "-c", script.replace("$$", "$")], cwd=tmp_path, env=environment, check=True)

    backup = "-m site_app backup --to /var/backups/site --keep 30"
    assert (tmp_path / "log").read_text().splitlines() == ["sleep 1", backup, "sleep 1", "sleep 1"]
    folders = dict(volume.split(":") for volume in COMPOSE["services"]["backup"]["volumes"])
    assert "/var/backups/site" in folders.values()
    assert "/var/lib/site /var/backups/site" in CONTAINERFILE  # the volume takes its owner from the image


def test_the_nightly_backup_runs_a_command_that_exists() -> None:
    unit = (ROOT / "deploy/backup.service").read_text()

    assert re.findall(r"^ExecStart=/opt/site/deploy/operate (\w+) --to", unit, re.MULTILINE) == ["backup"]
    assert "backup" in COMMANDS
