"""The page of the site's state, which shows the findings of doctor."""

import asyncio
from pathlib import Path

import pytest

from site_app.provider.office import pages
from tests.support.office_browser import Browser, text_of

pytestmark = pytest.mark.anyio


async def test_the_state_page_shows_the_findings_of_doctor(ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    async def findings() -> list[dict[str, str]]:
        return [
            {"subject": "disk", "state": "ok", "message": "There is room.", "fix": ""},
            {"subject": "mail", "state": "warning", "message": "It is slow.", "fix": "Wait."},
        ]

    monkeypatch.setattr(pages, "doctor", findings)
    page = text_of(await ada.get("/state"))

    assert "There is room." in page
    assert "It is slow." in page


async def test_one_run_of_doctor_answers_all_who_ask(ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    now, runs, has_begun, is_over = 1000.0, 0, asyncio.Event(), asyncio.Event()

    async def findings() -> list[dict[str, str]]:
        nonlocal runs
        runs += 1
        has_begun.set()
        await is_over.wait()
        return [{"subject": "disk", "state": "ok", "message": f"Run {runs}.", "fix": ""}]

    monkeypatch.setattr(pages, "doctor", findings)
    monkeypatch.setattr(pages, "monotonic", lambda: now)
    asking = [asyncio.ensure_future(ada.get("/state")) for _ in range(5)]
    await has_begun.wait()
    asking.pop(0).cancel()
    is_over.set()
    responses = [await response for response in asking] + [await ada.get("/state")]
    now += 60

    assert ["Run 1." in text_of(response) for response in responses] == [True] * 5
    assert "Run 2." in text_of(await ada.get("/state"))


async def test_the_state_page_reports_what_doctor_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_VAR", str(tmp_path))

    states = {finding["subject"]: finding["state"] for finding in await pages.doctor()}

    assert states["database"] == "failure"
    assert states["disk"] == "ok"


@pytest.mark.parametrize("output", [b"", b'[{"subject": "disk", "sta'])
async def test_a_failed_run_of_doctor_is_reported(ada: Browser, monkeypatch: pytest.MonkeyPatch, output: bytes) -> None:
    async def broken_off(*_: str, **__: object) -> bytes:
        return output

    monkeypatch.setattr(pages, "run_module", broken_off)

    response = await ada.get("/state")

    assert (response.status_code, "It did not respond." in text_of(response)) == (200, True)
