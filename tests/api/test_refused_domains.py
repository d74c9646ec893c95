"""Whoever mistyped the domain of their address is told beside it; a lead that was taken stays taken."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import dns.rcode
import httpx
import pytest
from sqlmodel import select
from starlette.applications import Starlette

from site_app.api.context import ApiContext
from site_app.api.mail_domains import MailDomains
from site_app.client import embedded
from site_app.i18n import LOCALES, Locale
from site_app.settings import Settings
from site_app.store.tables import IdempotencyKey, Lead, Meeting, Outbox, Row
from tests.api.conftest import plain_site
from tests.api.name_server import TAKES_MAIL, NameServer
from tests.builders import SUBMISSIONS, message

pytestmark = pytest.mark.anyio
FORMS = {call: SUBMISSIONS[call][1] for call in ("requestQuote", "bookMeeting")}  # leads go one way, calls another
NINE = "20300103T0900Z"
every_form = pytest.mark.parametrize("form", FORMS)
Checking = Callable[[NameServer], ApiContext]


@pytest.fixture
def checking(api: Starlette, context: ApiContext) -> Checking:
    """From then on the API asks that name server."""

    def ask(server: NameServer) -> ApiContext:
        settings = replace(context.settings, check_email_domains=True)
        api.state.context = replace(context, settings=settings, mail_domains=MailDomains(server.resolver))
        return api.state.context

    return ask


def payload(form: str, **changes: Any) -> dict[str, Any]:
    return FORMS[form](**({"slot": NINE} if form == "bookMeeting" else {}) | changes)


async def kept(context: ApiContext) -> list[Any]:
    tables: list[type[Row]] = [Lead, Meeting, Outbox, IdempotencyKey]
    return await context.store.read(lambda session: [row for table in tables for row in session.exec(select(table))])


@every_form
async def test_a_domain_without_mail_is_refused_and_nothing_is_kept(
    client: httpx.AsyncClient, checking: Checking, token: str, form: str
) -> None:
    server = NameServer()
    context = checking(server)

    answer = await client.post(f"/v1.0/{form}", json=payload(form, token=token, email="ada@gone.example.org"))

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
    assert answer.json()["error"]["fields"].keys() == {"email"}
    assert await kept(context) == []
    assert server.asked == ["MX gone.example.org", "NS ."]


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
async def test_it_is_refused_like_a_domain_on_the_list(
    client: httpx.AsyncClient, api: Starlette, checking: Checking, token: str, locale: Locale
) -> None:
    context = checking(NameServer())
    client.headers["Accept-Language"] = locale.tag
    said = message(token=token, email="ada@gone.example.org")

    by_dns = await client.post("/v1.0/sendMessage", json=said)
    listed = replace(context.settings, check_email_domains=False, refused_email_domains=("@GONE.example.org.",))
    api.state.context = replace(context, settings=listed)
    by_list = await client.post("/v1.0/sendMessage", json=said)

    assert (by_dns.status_code, by_dns.json()) == (by_list.status_code, by_list.json())


@every_form
async def test_without_an_answer_from_dns_the_lead_is_taken(
    client: httpx.AsyncClient, checking: Checking, token: str, form: str
) -> None:
    checking(NameServer({"gone.example.org": dns.rcode.SERVFAIL}))

    answer = await client.post(f"/v1.0/{form}", json=payload(form, token=token, email="ada@gone.example.org"))

    assert answer.status_code == 200, answer.text


@every_form
async def test_what_was_taken_is_answered_again_when_its_domain_is_gone(
    client: httpx.AsyncClient, checking: Checking, token: str, form: str
) -> None:
    said = payload(form, token=token, email="ada@example.org")
    checking(NameServer({"example.org": TAKES_MAIL}))
    first = await client.post(f"/v1.0/{form}", json=said)
    checking(NameServer())

    again = await client.post(f"/v1.0/{form}", json=said)

    assert first.status_code == again.status_code == 200
    assert again.json()["reference"] == first.json()["reference"]


async def test_what_was_taken_is_answered_again_when_its_domain_is_on_the_list(
    client: httpx.AsyncClient, api: Starlette, context: ApiContext, token: str
) -> None:
    said = message(token=token)
    first = await client.post("/v1.0/sendMessage", json=said)
    api.state.context = replace(context, settings=replace(context.settings, refused_email_domains=("example.com",)))

    again = await client.post("/v1.0/sendMessage", json=said)

    assert again.json() == first.json()


async def test_a_refused_submission_can_be_sent_again_with_the_same_key(
    client: httpx.AsyncClient, checking: Checking, token: str
) -> None:
    checking(NameServer({"example.org": TAKES_MAIL}))
    said = message(token=token, email="ada@gone.example.org")
    refused = await client.post("/v1.0/sendMessage", json=said)

    taken = await client.post("/v1.0/sendMessage", json=said | {"email": "ada@example.org"})

    assert (refused.status_code, taken.status_code) == (422, 200)


@pytest.mark.parametrize("wrong", [{"email": "ada@"}, {"message": ""}, {"key": "short"}])
async def test_dns_is_asked_only_when_all_else_is_right(
    client: httpx.AsyncClient, checking: Checking, token: str, wrong: dict[str, str]
) -> None:
    server = NameServer()
    checking(server)

    answer = await client.post("/v1.0/sendMessage", json=message(token=token, **{"email": "ada@gone.example.org"} | wrong))

    assert answer.status_code == 422
    assert server.asked == []


async def test_a_domain_is_asked_about_as_dns_writes_it_and_never_the_person(
    client: httpx.AsyncClient, checking: Checking, token: str
) -> None:
    server = NameServer({"xn--bcher-kva.example.org": TAKES_MAIL})
    checking(server)

    answer = await client.post("/v1.0/sendMessage", json=message(token=token, email="ada@BÜCHER.example.org"))

    assert answer.status_code == 200, answer.text
    assert server.asked == ["MX xn--bcher-kva.example.org"]


async def test_switched_off_nothing_is_asked(
    client: httpx.AsyncClient, api: Starlette, context: ApiContext, token: str
) -> None:
    server = NameServer()
    api.state.context = replace(context, mail_domains=MailDomains(server.resolver))

    answer = await client.post("/v1.0/sendMessage", json=message(token=token, email="ada@gone.example.org"))

    assert answer.status_code == 200
    assert server.asked == []


async def test_the_plain_contact_form_says_it_too(
    api: Starlette, checking: Checking, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    checking(NameServer())
    provider = embedded(api, settings)
    monkeypatch.setattr("site_app.client._installed", [provider])

    async with httpx.AsyncClient(transport=httpx.ASGITransport(plain_site(settings)), base_url="http://site.test") as visitor:
        page = await visitor.post("/contact-us", data=message(email="ada@gone.example.org"))

    await provider.close()
    assert page.status_code == 422
    assert "Email address invalid" in page.text
