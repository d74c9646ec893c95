"""README is true."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from site_app.commands import COMMANDS, GROUPS
from site_app.commands.settings import as_markdown
from tests.browser.server import free_port

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def test_the_table_of_settings_is_the_one_in_the_code() -> None:
    shown = re.search(r"<!-- settings: [^>]*-->\n(.*?)<!-- /settings -->", README, re.DOTALL)

    assert shown, "README has lost its marks"
    assert shown[1].strip() == as_markdown().strip(), "run: python -m site_app settings --write"


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`?make ([a-z-]+)", README))))
def test_a_make_command_exists(target: str) -> None:
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("target", re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
def test_a_target_of_the_makefile_is_in_readme(target: str) -> None:
    assert target == "help" or f"make {target}" in README


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:site_app|components|locales|alembic|tests|assets|deploy)/[\w/.-]+)`", README)))
)
def test_a_path_is_there(path: str) -> None:
    assert (ROOT / path).exists() or path == "site_app/content/careers.py"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"SITE_[A-Z_]+[A-Z]", README))))
def test_a_setting_exists(name: str) -> None:
    assert f"`{name}`" in as_markdown() or name == "SITE_BRAND"


@pytest.mark.parametrize(
    "command", sorted(set(re.findall(r"(?:`site|-m site_app|deploy/operate) ((?:[a-z-]+ ?){1,2})", README)))
)
def test_a_command_of_the_operator_exists(command: str) -> None:
    name, *rest = command.split()

    assert name in COMMANDS or name in GROUPS
    if name in GROUPS and rest:
        assert rest[0] in {one.name or one.callback.__name__ for one in GROUPS[name].registered_commands if one.callback}


def test_the_nginx_of_readme_can_be_started(tmp_path: Path) -> None:
    block = re.search(r"<!-- nginx -->\n```\n(.*?)```", README, re.DOTALL)
    assert block
    fill = block[1].partition("nginx -t")[0].replace("/etc/nginx/nginx.conf", str(tmp_path / "nginx.conf"))

    subprocess.run(["sh", "-euc", fill], cwd=ROOT, check=True)

    filled = (tmp_path / "nginx.conf").read_text()
    assert not re.findall(r"^[^#\n]*<\w+>", filled, re.MULTILINE)
    assert "return 308 https://www.example.com$request_uri;" in filled
    if program := shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"):
        done = subprocess.run([program, "-t", "-q", "-c", str(_for_anyone(tmp_path, filled))], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def _for_anyone(room: Path, filled: str) -> Path:
    """The same without what only root has: the ports, the certificate, the system's directories."""
    text = re.sub(r"ssl_certificate\w* [^;]+;", "", filled)
    for port in ("443 ssl http2", "80"):
        text = text.replace(f"listen {port};", f"listen 127.0.0.1:{free_port()};")
    made = room / "unprivileged.conf"
    made.write_text(text.replace("/var/lib/nginx", str(room)).replace("/run/nginx.pid", str(room / "nginx.pid")))
    return made
