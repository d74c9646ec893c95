"""A mistyped mail domain is reported at its field; an accepted lead stays accepted."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import dns.rcode
import httpx
import pytest
from sqlmodel import select
from starlette.applications import Starlette

from site_app.provider.http.call import ApiContext
from site_app.provider.outbox.mail_domains import MailDomains
from site_app.provider.store.columns import Row
from site_app.provider.store.tables import IdempotencyKey, Lead, Meeting, Outbox
from tests.api.name_server import TAKES_MAIL, NameServer
from tests.support.builders import SUBMISSIONS, message

pytestmark = pytest.mark.anyio
FORMS = {call: SUBMISSIONS[call][1] for call in ("requestQuote", "bookMeeting")}  # one form for leads, one for meetings
NINE = "20300103T0900Z"
every_form = pytest.mark.parametrize("form", FORMS)
Checking = Callable[[NameServer], ApiContext]


@pytest.fixture
def checking(api: Starlette, context: ApiContext) -> Checking:
    """Lets the API use this name server."""

    def ask(server: NameServer) -> ApiContext:
        settings = replace(context.settings, check_email_domains=True)
        api.state.context = replace(context, settings=settings, mail_domains=MailDomains(server.resolver))
        return api.state.context

    return ask


def payload(form: str, **changes: Any) -> dict[str, Any]:
    return FORMS[form](**({"slot": NINE} if form == "bookMeeting" else {}) | changes)


async def stored_rows(context: ApiContext) -> list[Any]:
    tables: list[type[Row]] = [Lead, Meeting, Outbox, IdempotencyKey]
    return await context.store.read(lambda session: [row for table in tables for row in session.exec(select(table))])


@every_form
async def test_a_domain_without_mail_is_refused_and_nothing_is_stored(
    client: httpx.AsyncClient, checking: Checking, token: str, form: str
) -> None:
    server = NameServer()
    context = checking(server)

    response = await client.post(f"/v1.0/{form}", json=payload(form, token=token, email="ada@gone.example.org"))

    assert (response.status_code, response.json()["error"]["code"]) == (422, "invalid")
    assert response.json()["error"]["fields"].keys() == {"email"}
    assert await stored_rows(context) == []
    assert server.queries == ["MX gone.example.org", "NS ."]


@every_form
async def test_without_a_dns_reply_the_lead_is_accepted(
    client: httpx.AsyncClient, checking: Checking, token: str, form: str
) -> None:
    checking(NameServer({"gone.example.org": dns.rcode.SERVFAIL}))

    response = await client.post(f"/v1.0/{form}", json=payload(form, token=token, email="ada@gone.example.org"))

    assert response.status_code == 200, response.text


@every_form
async def test_an_accepted_submission_is_answered_again_although_its_domain_is_gone(
    client: httpx.AsyncClient, checking: Checking, token: str, form: str
) -> None:
    submission = payload(form, token=token, email="ada@example.org")
    checking(NameServer({"example.org": TAKES_MAIL}))
    first = await client.post(f"/v1.0/{form}", json=submission)
    checking(NameServer())

    second = await client.post(f"/v1.0/{form}", json=submission)

    assert first.status_code == second.status_code == 200
    assert second.json()["reference"] == first.json()["reference"]


async def test_a_refused_submission_can_be_sent_again_with_the_same_key(
    client: httpx.AsyncClient, checking: Checking, token: str
) -> None:
    checking(NameServer({"example.org": TAKES_MAIL}))
    submission = message(token=token, email="ada@gone.example.org")
    refused = await client.post("/v1.0/sendMessage", json=submission)

    accepted = await client.post("/v1.0/sendMessage", json=submission | {"email": "ada@example.org"})

    assert (refused.status_code, accepted.status_code) == (422, 200)


@pytest.mark.parametrize("wrong_fields", [{"email": "ada@"}, {"message": ""}, {"key": "short"}])
async def test_dns_is_queried_only_for_otherwise_valid_submissions(
    client: httpx.AsyncClient, checking: Checking, token: str, wrong_fields: dict[str, str]
) -> None:
    server = NameServer()
    checking(server)

    response = await client.post(
        "/v1.0/sendMessage", json=message(token=token, **{"email": "ada@gone.example.org"} | wrong_fields)
    )

    assert response.status_code == 422
    assert server.queries == []


async def test_only_the_domain_is_queried_in_dns_spelling(client: httpx.AsyncClient, checking: Checking, token: str) -> None:
    server = NameServer({"xn--bcher-kva.example.org": TAKES_MAIL})
    checking(server)

    response = await client.post("/v1.0/sendMessage", json=message(token=token, email="ada@BÜCHER.example.org"))

    assert response.status_code == 200, response.text
    assert server.queries == ["MX xn--bcher-kva.example.org"]


async def test_without_the_check_nothing_is_queried(
    client: httpx.AsyncClient, api: Starlette, context: ApiContext, token: str
) -> None:
    server = NameServer()
    api.state.context = replace(context, mail_domains=MailDomains(server.resolver))

    response = await client.post("/v1.0/sendMessage", json=message(token=token, email="ada@gone.example.org"))

    assert response.status_code == 200
    assert server.queries == []
