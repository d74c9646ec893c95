"""The long form of test_forms_delivery.py: every form, every kind of network failure, and a release."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.away import AWAY, arrived
from tests.browser.black_hole import BlackHole, Traffic
from tests.browser.booking.steps import LOOKUP
from tests.browser.forms.filling import CONSULTATION, FORMS, Form, form_values, leads, new_leads, reference, result
from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import until, until_true
from tests.support.project_copy import project_copy
from tests.support.site_server import PATIENT, Site, environment, free_port

pytestmark = pytest.mark.slow
EVERY = (*FORMS, CONSULTATION)
TOLD_WITHIN_MS, AGAIN_WITHIN_MS = 10_000, 30_000
STATE, EVENT, FIELD = (
    Path("site_app/states/faq.py"),
    "    @rx.event\n",
    "    released: rx.Field[int] = rx.field(2)\n\n",
)


@pytest.mark.parametrize("resets", [False, True], ids=["black hole", "reset"])
@pytest.mark.parametrize("traffic", ["everything", "answers"])
@pytest.mark.parametrize("form", EVERY, ids=str)
def test_a_network_lost_after_the_click_is_reported_and_makes_one_lead(
    site_behind_hole: tuple[Site, BlackHole], visit: Visit, form: Form, traffic: Traffic, resets: bool
) -> None:
    site, hole = site_behind_hole
    leads_before = leads(site)
    page = form.filled(visit, on=site, allowed=(*AWAY, LOOKUP), joined=True)
    arrived(page)
    hole.holding, hole.resets = traffic, resets

    form.button(page).click(no_wait_after=True)
    expect(page.locator(".snackbar-error")).to_be_visible(timeout=TOLD_WITHIN_MS)
    page.wait_for_timeout(2000)
    hole.pass_everything()

    try_again = page.locator(".snackbar-error .snackbar-action")
    expect(result(page).or_(try_again).first).to_be_visible(timeout=TOLD_WITHIN_MS)
    page.wait_for_timeout(TOLD_WITHIN_MS if try_again.is_visible() else 0)  # a submission under way arrives by itself
    if try_again.is_visible():
        try_again.click()
    assert [reference(page, within_ms=20_000)] == new_leads(leads_before, site)


def test_input_survives_a_release_with_another_state_class(visit: Visit, tmp_path: Path, built: None) -> None:
    site = Site(free_port(), tmp_path / "var", PATIENT).start()
    pages = {form: visit(form.path, on=site, allowed=(*AWAY, LOOKUP, "state"), joined=True) for form in EVERY}
    for form, page in pages.items():
        form.fill(form.on(page))
    typed = {form: form_values(form.on(page)) for form, page in pages.items()}
    ages = {form: page.evaluate("performance.timeOrigin") for form, page in pages.items()}
    release = project_copy(tmp_path / "release")
    text = (release / STATE).read_text()
    assert EVENT in text, f"{STATE} looks different by now"
    (release / STATE).write_text(text.replace(EVENT, FIELD + EVENT, 1))
    build = [sys.executable, "-m", "site_app", "build"]
    subprocess.run(build, cwd=release, env=environment({"SITE_URL": "http://localhost:3000"}), capture_output=True, check=True)

    try:
        site.stop()
        site.root = release
        site.start()
        for form, page in pages.items():
            until(page, f"performance.timeOrigin > {ages[form]}", within_ms=AGAIN_WITHIN_MS)  # Reflex reloads the page
            hydrated(page)
            if name := form.path.partition("open=")[2]:
                page.locator(f"dialog[data-name={name}]").evaluate("dialog => dialog.open || dialog.showModal()")
            until_true(page, lambda form=form, page=page: form.on(page).count() and form_values(form.on(page)) == typed[form])
    finally:
        site.stop()
