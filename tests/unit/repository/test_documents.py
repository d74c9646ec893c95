"""The documents are true: everything they name exists."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from site_app.cli.main import COMMANDS, GROUPS, group
from site_app.cli.settings import DOCUMENT, as_markdown
from site_app.core.settings import ENV_FILE, Settings, variable
from tests.support.site_server import free_port

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "docs/operate/deploy.md"
LISTED = ("git", "ls-files", "--cached", "--others", "--exclude-standard")
FILES = sorted({path for path in subprocess.check_output(LISTED, cwd=ROOT, text=True).splitlines() if (ROOT / path).exists()})
# Without measurement results, translators' files and the texts of pages, whose links the build checks.
_NO_DOCUMENTS = ("tests/trials/bench/", "locales/", "site_app/content/")
DOCUMENTS = [ROOT / path for path in FILES if path.endswith(".md") and not path.startswith(_NO_DOCUMENTS)]
TEXT = "\n".join(file.read_text() for file in DOCUMENTS)
MAKEFILE = (ROOT / "Makefile").read_text()
# Every part of every path that can be named: SECURITY.md shortens site_app/serving/headers.py to serving/headers.py.
EXISTING = {
    "/".join(parts[first:last])
    for parts in (path.split("/") for path in FILES)
    for last in range(1, len(parts) + 1)
    for first in range(last)
}
# Files that a guide, a build or a start creates, and texts that only look like paths.
NOT_IN_REPOSITORY = {
    "site_app/content/careers.py",
    "site_app/pages/open_positions.py",
    "site_app/contracts/kinds/job_application.py",
    "site_app/forms/views/job_application.py",
    "locales/de/LC_MESSAGES/messages.po",
    "how-we-plan-a-week.th.md",
    "how-we-plan-a-week.cn.md",
    "site_app/content/translations/th.po",
    "translations/th.po",
    "translations/cn.po",
    ".web/build/pages.txt",
    "site_app/pages/hours.py",
    "site_app/states/hours.py",
    "site_app/pages/notes.py",
    "site_app/states/notes.py",
    "accessibility_audit.svg",
    "office.webp",
}
NOT_IN_REPOSITORY |= {"var", "var/mail", "out", "manifests", "faq.html", "redis.conf", "240/minute", "Europe/London"}
_PATH = re.compile(r"(?:[\w.@-]+/)+[\w.@-]*|[\w.@-]+\.(?:py|jsx?|mjs|css|toml|svg|md|html|json|conf|yaml|webp|woff2|txt)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def named_paths() -> set[str]:
    return {word for word in re.findall(r"`([^`\n]+)`", _FENCED.sub("", TEXT)) if _PATH.fullmatch(word)}


def inner_links() -> Iterator[tuple[Path, str]]:
    """Yields each document with its relative links; links in code samples are ignored."""
    for file in DOCUMENTS:
        prose = re.sub(r"`[^`\n]*`", "", _FENCED.sub("", file.read_text()))
        yield from ((file, link) for link in _LINK.findall(prose) if not re.match(r"[a-z]+:", link))


def anchors(document: Path) -> set[str]:
    """Returns the anchors of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", _FENCED.sub("", document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_table_of_settings_is_the_one_in_the_code() -> None:
    block = re.search(r"<!-- settings: [^>]*-->\n(.*?)<!-- /settings -->", (ROOT / DOCUMENT).read_text(), re.DOTALL)

    assert block, f"{DOCUMENT} has lost its marks"
    assert block[1].strip() == as_markdown().strip(), "run: python -m site_app settings --write"


def test_every_make_command_exists_and_is_explained() -> None:
    targets = set(re.findall(r"(?:`|^|; |&& )make ([a-z-]+)", TEXT, re.MULTILINE))

    assert targets - set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)) == set()
    assert [target for target in re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE) if f"`make {target}" not in TEXT] == []


def test_every_path_named_in_documents_exists() -> None:
    assert [path for path in sorted(named_paths()) if path.rstrip("/") not in EXISTING | NOT_IN_REPOSITORY] == []


def test_scripts_and_styles_point_to_the_module_that_has_the_code() -> None:
    scripts = [path for path in FILES if path.endswith((".js", ".jsx", ".css"))]

    assert [path for path in scripts if "__init__.py" in (ROOT / path).read_text()] == []


def test_every_link_leads_somewhere() -> None:
    assert [f"{document.relative_to(ROOT)}: {link}" for document, link in inner_links() if not leads(document, link)] == []


def leads(document: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = document.parent / path if path else document
    return target.exists() and (not anchor or anchor in anchors(target))


def test_every_setting_in_the_documents_exists() -> None:
    settings = {variable(field.name) for field in fields(Settings)} | {ENV_FILE}
    settings |= {f"{variable(field.name)}_FILE" for field in fields(Settings) if field.metadata["secret"]}
    variables = set(re.findall(r"SITE_[A-Z_]+[A-Z]", TEXT))
    groups = {name for name in variables if f"{name}_" in TEXT and any(field.startswith(f"{name}_") for field in settings)}

    assert variables - settings - groups == set()


@pytest.mark.parametrize("command", sorted(set(re.findall(r"(?:`site|-m site_app|deploy/operate) ((?:[a-z-]+ ?){1,2})", TEXT))))
def test_every_command_in_the_documents_exists(command: str) -> None:
    name, *subcommands = command.split()

    assert name in COMMANDS or name in GROUPS
    if name in GROUPS and subcommands:
        assert subcommands[0] in {
            registered.name or registered.callback.__name__
            for registered in group(name).registered_commands
            if registered.callback
        }


def test_a_module_in_a_guide_is_complete_and_in_style() -> None:
    modules = re.findall(r'^```python\n(""".*?)^```', TEXT, re.DOTALL | re.MULTILINE)

    assert modules
    for module in modules:
        for look in (("check",), ("format", "--check")):
            command = [sys.executable, "-m", "ruff", *look, "--stdin-filename", "site_app/pages/open_positions.py", "-"]
            looked = subprocess.run(command, input=module, cwd=ROOT, capture_output=True, text=True)
            assert looked.returncode == 0, looked.stdout + looked.stderr


def test_every_module_run_by_a_command_exists() -> None:
    modules = set(re.findall(r"-m ((?:site_app|components|tests)[\w.]*)", TEXT))
    places = {module: ROOT / module.replace(".", "/") for module in modules}

    assert [
        name for name, place in places.items() if not (place.with_suffix(".py").exists() or (place / "__main__.py").exists())
    ] == []


def test_the_nginx_of_the_documents_can_be_started(tmp_path: Path) -> None:
    block = re.search(r"<!-- nginx -->\n```\n(.*?)```", DEPLOY.read_text(), re.DOTALL)
    assert block
    fill = block[1].partition("nginx -t")[0].replace("/etc/nginx/nginx.conf", str(tmp_path / "nginx.conf"))
    fill = fill.replace("/opt/site/", f"{ROOT}/")

    subprocess.run(["sh", "-euc", fill], cwd=ROOT, check=True)

    filled = (tmp_path / "nginx.conf").read_text()
    assert not re.findall(r"^[^#\n]*<\w+>", filled, re.MULTILINE)
    assert "return 308 https://www.example.com$request_uri;" in filled
    if program := shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"):
        process = subprocess.run(
            [program, "-t", "-q", "-c", str(_for_anyone(tmp_path, filled))], capture_output=True, text=True
        )
        assert process.returncode == 0, process.stderr


def _for_anyone(folder: Path, filled: str) -> Path:
    """Returns the same file without the parts that need root: ports, certificate, system directories."""
    text = re.sub(r"ssl_certificate\w* [^;]+;", "", filled)
    for port in ("443 ssl http2", "80"):
        text = text.replace(f"listen {port};", f"listen 127.0.0.1:{free_port()};").replace(
            f"listen [::]:{port};", f"listen [::1]:{free_port()};"
        )
    configuration = folder / "unprivileged.conf"
    configuration.write_text(text.replace("/var/lib/nginx", str(folder)).replace("/run/nginx.pid", str(folder / "nginx.pid")))
    return configuration
