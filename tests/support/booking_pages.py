"""A browser on the plain pages of booking: it holds a time, fills in the form, and books."""

import re
from datetime import timedelta
from html import unescape

import httpx

from tests.support.clock import Clock

NINE, ELEVEN = "20300103T0900Z", "20300103T1100Z"
ADA = {"full_name": "Ada Lovelace", "email": "ada@example.com", "phone": "", "company": "", "do": "book"}


def inputs(page: str) -> dict[str, str]:
    """Returns the hidden fields of a page."""
    return {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)}


def offered_slots(page: str) -> list[str]:
    """Returns the ids of the slots among which a page lets the visitor choose."""
    return re.findall(r'<input type="radio" name="slot" value="([\w-]+)"', page)


async def hold_time(browser: httpx.AsyncClient, slot: str = NINE, prefix: str = "", zone: str = "Asia/Bangkok") -> str:
    response = await browser.post(f"{prefix}/book", data={"slot": slot, "zone": zone})
    assert response.status_code == 303, response.text
    return response.headers["Location"]


async def filled_in(browser: httpx.AsyncClient, **options: str) -> tuple[str, dict[str, str]]:
    """Returns the address of a held time's form, and the fields that a browser sends."""
    address = await hold_time(browser, **options)
    return address, inputs((await browser.get(address)).text) | {"slot": NINE} | ADA


async def book_in_browser(browser: httpx.AsyncClient, clock: Clock, prefix: str = "", **changes: str) -> str:
    """Books a meeting and returns the path of its page."""
    address, form = await filled_in(browser, prefix=prefix)
    clock.advance(timedelta(minutes=1))
    response = await browser.post(address, data=form | changes)
    assert response.status_code == 303, response.text
    return response.headers["Location"].partition("?")[0]
