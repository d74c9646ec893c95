"""docs/guide/states.md, followed to the letter in a copy of the project: what its files say is written and built, and then used."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.server import PATIENT, ROOT, Site, environment, free_port
from tests.project_copy import project_copy

GUIDE = ROOT / "docs/guide/states.md"
_FILE = re.compile(r"^`(site_app/[\w/]+\.py)`.*?```python\n(.*?)```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, built: None) -> Iterator[Site]:
    root = project_copy(tmp_path_factory.mktemp("guide") / "project")
    for name, text in _FILE.findall(GUIDE.read_text()):
        (root / name).write_text(text)
    port = free_port()
    address = {"SITE_URL": f"http://localhost:{port}"}
    command = [sys.executable, "-m", "site_app", "build"]
    result = subprocess.run(command, cwd=root, env=environment(address), capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    site = Site(port, tmp_path_factory.mktemp("var"), PATIENT)
    site.root = root
    yield site.start()
    site.kill()


@pytest.fixture
def page(browser: Browser, project: Site) -> Iterator[Page]:
    page = browser.new_page(base_url=project.url, locale="en-GB")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    page.close()
    assert complaints == []


def test_the_guide_writes_its_two_files() -> None:
    assert [Path(name).parent.name for name, _ in _FILE.findall(GUIDE.read_text())] == ["states", "pages"]


@pytest.mark.parametrize("prefix", ["", "/th"])
def test_the_calculator_of_the_guide_computes(page: Page, prefix: str) -> None:
    page.goto(f"{prefix}/hours")
    price = page.get_by_role("status").filter(has_text="£")
    expect(price).to_have_text("£600")

    page.get_by_label("Work", exact=True).select_option("design")
    expect(price).to_have_text("£480")
    page.get_by_label("Hours", exact=True).fill("30")

    expect(price).to_have_text("£1800")
    expect(page.get_by_text("A fixed price may be cheaper.")).to_be_visible()
    assert price.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") == 2 * page.evaluate(
        "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    )
