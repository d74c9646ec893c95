"""Redis is killed under two workers and restarted empty; leads go on, and a visitor gets a message."""

import asyncio
import time

from playwright.async_api import Page

from site_app.content.form_words import submit_words
from tests.support.site_server import Site
from tests.trials.attacks.forms import chromium, fill, open_tab, send
from tests.trials.lab.scorecard import Verdict
from tests.trials.lab.servers import database_url, postgresql, redis, redis_url
from tests.trials.lab.trial import Trial, log_of, percentile, tracebacks, until
from tests.trials.lab.visitors import Outcomes, Visitors, messages
from tests.trials.lab.wire import FAQ, Refused, Wire, packet

_GONE_SECONDS = 8.0
_NO_REDIS = '"error": "ConnectionError", "trace": ["asyncio/connection.py'  # of a visitor connected when it was killed


async def redis_gone(trial: Trial) -> Verdict:
    outcomes, over = Outcomes(), asyncio.Event()
    with postgresql(trial.folder) as postgres, redis(trial.folder) as cache:
        site = trial.site(redis_url=redis_url(cache), database_url=database_url(postgres), workers="2")
        async with chromium() as browser:
            page = await open_tab(browser, f"http://127.0.0.1:{site.port}")
            await fill(page, "ada.1@example.org")
            visitors = Visitors(trial.client(site), messages(), outcomes)
            coming = asyncio.create_task(visitors.arrive_while(lambda: not over.is_set()))
            await asyncio.sleep(2)
            cache.kill()
            killed_at = time.monotonic()
            noticed, through = await _sends(page)
            assert not await _answers(site), "sockets work without Redis: this trial shows nothing"
            await asyncio.sleep(max(0.0, killed_at + _GONE_SECONDS - time.monotonic()))
            await asyncio.to_thread(cache.start)
            back = await until(lambda: _answers(site), seconds=60)
            await page.get_by_role("button", name="Send another message").click()
            await fill(page, "ada.2@example.org")
            _, return_delay = await _sends(page)
            over.set()
            await coming
            await visitors.leave()
        trial.close_sites()
    broken = tracebacks(site, expected=_NO_REDIS)
    met = (
        not outcomes.repeated
        and min(noticed, through) <= 3
        and through <= 10
        and back <= 5
        and return_delay <= 5
        and not broken
    )
    return Verdict(
        met,
        f"2 workers, {outcomes.visits} submissions by HTTP, not taken at once: {dict(outcomes.repeated) or 'none'}, "
        f"p95 {percentile(outcomes.seconds) * 1000:.0f} ms; without Redis a visitor is told after {min(noticed, through):.1f} s and has their reference "
        f"after {through:.1f} s; sockets work {back:.1f} s after Redis is back, their next message takes {return_delay:.1f} s; "
        f"{broken} tracebacks, {len(log_of(site).splitlines())} log lines",
    )


async def _sends(page: Page) -> tuple[float, float]:
    """Returns the seconds from the click to the message about a delay, and to the reference."""
    began = time.monotonic()
    await send(page)
    notice = asyncio.create_task(_seconds_until(began, page, f"text={submit_words('')['still']}"))
    through = await _seconds_until(began, page, ".result:visible dd strong")
    if not notice.done():
        notice.cancel()
    (delay,) = await asyncio.gather(notice, return_exceptions=True)
    return delay if isinstance(delay, float) else through, through


async def _seconds_until(began: float, page: Page, selector: str) -> float:
    await page.locator(selector).first.wait_for(timeout=30_000)
    return time.monotonic() - began


async def _answers(site: Site) -> bool:
    """Returns True if a new visitor's event is answered by its state."""
    wire = Wire(site)
    try:
        await wire.connect()
        wire.send(packet(f"{FAQ}.report", {"category": "services", "question": "", "seq": 1}))
        async with asyncio.timeout(3):
            while "faq_state" not in await wire.receive():
                pass
    except (Refused, TimeoutError, ConnectionError):
        return False
    finally:
        wire.close()
    return True
