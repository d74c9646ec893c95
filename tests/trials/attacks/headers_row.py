"""Mozilla's own scorer over TLS, and policy violations in Chromium on every page, with all dialogs, in both themes."""

import asyncio
import json
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from site_app.content.records import PLAIN_BOOKING
from site_app.content.routes import ROUTES
from site_app.core.locales import LOCALES
from site_app.plugins.static_first.toolchain import tool_environment
from site_app.serving.plain_leads import posted_kinds
from tests.support.site_server import ROOT
from tests.trials.attacks.forms import chromium, holds, hydrated
from tests.trials.attacks.tls import Front, in_front
from tests.trials.lab.scorecard import NotRun, Verdict
from tests.trials.lab.trial import Trial

_NAME = "www.plumbline.test"
_SCORER = "@mdn/mdn-http-observatory@1.4.8"
_FOLDER = ROOT / ".cache" / "observatory"
_PACKAGE = _FOLDER / "node_modules" / "@mdn" / "mdn-http-observatory"
_WATCH = """
addEventListener('securitypolicyviolation', e => console.error('violation: ' + e.effectiveDirective + ' ' + e.blockedURI));
"""
_DIALOGS = ("quote", "contact", "consultation")


async def headers(trial: Trial) -> Verdict:
    await asyncio.to_thread(_install)
    site = trial.site(url=f"https://{_NAME}", hosts="127.0.0.1,localhost")
    async with in_front(site.port, _NAME, trial.folder) as front:
        scan = await _scan(front)
        rules = f"MAP {_NAME}:443 127.0.0.1:{front.https}"
        async with chromium(f"--host-resolver-rules={rules}", "--ignore-certificate-errors") as browser:
            pages, violations = await _look_at_all(browser, short=trial.short)
    failed = [name for name, test in scan["tests"].items() if not test["pass"]]
    score, grade = scan["scan"]["score"], scan["scan"]["grade"]
    return Verdict(
        score >= 130 and not failed and not violations,
        f"Observatory {score} ({grade}), {scan['scan']['testsPassed']} of {scan['scan']['testsQuantity']} tests passed"
        f"{' but ' + ', '.join(failed) if failed else ''}; {pages} pages in Chromium, in both themes, dialogs opened: "
        f"{len(violations)} violations {sorted(set(violations))[:3] or ''}".rstrip(),
    )


def _install() -> None:
    """Installs it from the configured npm registry into an ignored folder, without its install script, which needs the internet."""
    listed = _PACKAGE / "conf" / "hsts-preload.json"
    if listed.exists():
        return
    _FOLDER.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--prefix", ".", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional", _SCORER]
    process = subprocess.run(command, cwd=_FOLDER, env=tool_environment(), capture_output=True, text=True, timeout=300)
    if process.returncode:
        raise NotRun(f"npm cannot get {_SCORER}")
    listed.write_text("{}")  # the browsers' preload list of TLS-only hosts: a new site is not on it


async def _scan(front: Front) -> dict[str, Any]:
    settings = {"NODE_EXTRA_CA_CERTS": str(front.certificate), "OBSERVED_PORTS": f"{front.http},{front.https}"}
    command = ("node", "--import", (Path(__file__).parent / "to_here.mjs").as_uri(), str(_PACKAGE / "src" / "scan.js"), _NAME)
    pipe = asyncio.subprocess.PIPE
    environment = await asyncio.to_thread(tool_environment)
    process = await asyncio.create_subprocess_exec(*command, env=environment | settings, stdout=pipe, stderr=pipe)
    output, complaint = await process.communicate()
    report = json.loads(output or b"{}")
    assert "scan" in report, (output + complaint).decode()[-500:]
    return report


async def _look_at_all(browser: Browser, *, short: bool) -> tuple[int, list[str]]:
    """Visits every page in every language; in the short form Thai and Chinese only in the dark."""
    paths = [(locale.prefix + route.path).rstrip("/") or "/" for locale, route in product(LOCALES, ROUTES)]
    paths += [
        locale.prefix + path for locale in LOCALES for path in (PLAIN_BOOKING, *(f"{page}/sent" for page in posted_kinds()))
    ]
    english = [
        path
        for path in paths
        if not path.startswith(tuple(f"{supported.prefix}/" for supported in LOCALES if supported.prefix))
    ]
    violations: list[str] = []
    pages = 0
    for theme in ("light", "dark"):
        context = await browser.new_context(reduced_motion="reduce")
        await context.add_init_script(_WATCH + f"try {{ localStorage.theme = '{theme}' }} catch {{}}")
        page = await context.new_page()
        page.on(
            "console",
            lambda entry: violations.append(entry.text) if "violation" in entry.text or "Policy" in entry.text else None,
        )
        for path in paths if theme == "dark" or not short else english:
            await _look_at(page, path)
            pages += 1
        await context.close()
    return pages, violations


async def _look_at(page: Page, path: str) -> None:
    await page.goto(f"https://{_NAME}{path}")
    if not await page.locator("dialog[data-name]").count():
        return  # a page of the API, without scripts
    await hydrated(page)
    for summary in (await page.locator("main details > summary").all())[:1]:
        await summary.evaluate("summary => summary.click()")
    for name in _DIALOGS:
        dialog = page.locator(f"dialog[data-name={name}]")
        await dialog.evaluate("dialog => dialog.showModal()")
        await holds(lambda dialog=dialog: dialog.locator("form").count(), seconds=20)
        await dialog.evaluate("dialog => dialog.close()")
        # Going back, this history entry would stop the next visit.
        await holds(lambda: page.evaluate("!history.state?.dialog"), seconds=20)
