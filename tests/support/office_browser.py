"""The people of the office, their browsers, and the pages that they see."""

import re
from dataclasses import dataclass
from functools import partial
from html import unescape
from typing import Any

import httpx

from site_app.provider.http.call import ApiContext
from site_app.provider.office import sessions
from site_app.provider.office.people import Member

ADA, BO, CY, DI = "ada@example.com", "bo@example.com", "cy@example.com", "di@example.com"
ORIGIN = "http://localhost:3000"


@dataclass
class Browser:
    """A person's browser at the office: sends forms from the page's own origin with its token."""

    client: httpx.AsyncClient
    address: str = ""
    origin: str = ORIGIN

    async def get(self, path: str = "", **options: Any) -> httpx.Response:
        return await self.client.get(f"/office{path}", **options)

    async def post(self, path: str, **form: str) -> httpx.Response:
        cookie = self.client.cookies.get("office") or ""
        form = {"form_token": sessions.form_token(cookie)} | form
        return await self.client.post(f"/office{path}", data=form, headers={"Origin": self.origin})

    async def send(self, path: str, files: dict[str, Any] | None = None, /, **form: Any) -> httpx.Response:
        """Posts a multipart form, as the editor of texts does."""
        cookie = self.client.cookies.get("office") or ""
        fields = {"form_token": sessions.form_token(cookie)} | form
        parts = [
            (name, (None, value))
            for name, values in fields.items()
            for value in (values if isinstance(values, list) else [values])
        ]
        return await self.client.post(f"/office{path}", files=[*parts, *(files or {}).items()], headers={"Origin": self.origin})

    async def do(self, reference: str, do: str, **form: str) -> httpx.Response:
        return await self.post(f"/leads/{reference}", do=do, **form)


async def link_for(context: ApiContext, address: str) -> str:
    """Returns the path of a fresh sign-in link, below /office."""
    link = partial(sessions.new_link, person=Member(address, ""), settings=context.settings, now=context.clock())
    return (await context.store.write(link)).rpartition("/office")[2]


def text_of(response: httpx.Response) -> str:
    """Returns the words of a page without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.text).split())


def references_in(page: str) -> list[str]:
    """Returns the references of the leads that a page of the office links, in its order."""
    return re.findall(r'href="/office/leads/(\w-[\w-]+)', page)


async def all_pages(browser: Browser, address: str = "") -> list[str]:
    """Returns the pages of a list, from this address to the last one."""
    pages: list[str] = []
    following: re.Match[str] | None = None
    while following or not pages:
        pages.append((await browser.get(unescape(following[1]) if following else address)).text)
        following = re.search(r'href="(\?[^"]*after=[^"]*)" rel="next"', pages[-1])
    return pages
