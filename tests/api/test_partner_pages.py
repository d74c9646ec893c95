"""A partner's own page: what it shows, what it never shows, and what its link may change."""

from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial

import httpx
import pytest
import segno
from sqlmodel import Session
from starlette.applications import Starlette

from site_app.core import business
from site_app.provider.affiliates import payments, program
from site_app.provider.affiliates.pages import COPY_SCRIPT_ROUTE
from site_app.provider.affiliates.payments import PaymentEntry
from site_app.provider.http.call import ApiContext
from site_app.provider.outbox.rows import TEAM
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Outbox, Partner, Payout, Referral
from tests.support.clients import client_of
from tests.support.clock import Clock
from tests.support.office_browser import text_of
from tests.support.records import a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, mail_text, rows_in

pytestmark = pytest.mark.anyio
PAT = "pat@partner.example"
OWNER = "o@agency.example"


@pytest.fixture
async def visitor(api: Starlette, context: ApiContext) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(api) as client:
        yield client


@pytest.fixture
async def token(context: ApiContext, clock: Clock) -> str:
    """The token of a partner with a paying customer and one who was declined."""
    clock.now = datetime(2030, 2, 20, tzinfo=clock.now.tzinfo)

    def joined(session: Session) -> str:
        long_ago = clock() - timedelta(days=40)
        session.add(an_application(email=PAT, created_at=long_ago, language="th"))
        session.flush()
        actor = Actor(OWNER, long_ago)
        partner = program.approve(session, "A-7F3K-29", actor, name="Pat", settings=context.settings)
        for lead in (a_quote(created_at=long_ago), a_message(created_at=long_ago, email="eve@example.net")):
            session.add(lead)
            session.flush()
            assert program.credit_locked(session, lead, partner.code, settings=context.settings)
        program.decline_referral(session, "M-7F3K-29", actor)
        payment = {"reference": "INV-77", "lead": "Q-7F3K-29", "net": "1234.55", "currency": "GBP", "billing": "monthly"}
        days = {"due_on": "2030-02-01", "contract_on": "2030-01-15", "received_on": "2030-02-10"}
        payments.add_payment(session, PaymentEntry.model_validate(payment | days), actor)
        return program.new_link(session, partner)

    return await context.store.write(joined)


async def partner(context: ApiContext) -> Partner:
    [row] = await rows_in(context.store, Partner)
    return row


async def test_the_page_shows_links_referrals_and_statements(
    visitor: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    page = await visitor.get(f"/partners/{token}")

    code = (await partner(context)).code
    assert page.status_code == 200
    for text in (
        f"/?ref={code}",
        f"/r/{code}",
        f"/r/{code}/contact-us",
        "Q-7F3K-29",
        "is a customer",
        "£246.91",
        "due by 12 March 2030",
        "does not count",
    ):
        assert text in page.text
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert page.headers["Cache-Control"] == "no-store"


async def test_a_chinese_page_sets_what_comes_of_a_payout_in_full_width_brackets(
    visitor: httpx.AsyncClient, token: str
) -> None:
    page = (await visitor.get(f"/cn/partners/{token}")).text

    assert "</strong>（最迟 2030年3月12日支付）</dd>" in page


async def test_the_page_names_the_commission_of_the_day(
    visitor: httpx.AsyncClient, token: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(business, "COMMISSION", Decimal("0.15"))
    monkeypatch.setattr(business, "EARLIER_COMMISSIONS", ((date(2030, 3, 1), Decimal("0.20")),))

    before = (await visitor.get(f"/partners/{token}")).text
    clock.now = datetime(2030, 3, 1, 9, tzinfo=clock.now.tzinfo)
    after = (await visitor.get(f"/partners/{token}")).text

    assert "You earn 20% of each net payment" in before
    assert "You earn 15% of each net payment" in after


async def test_the_page_tells_of_each_referral_the_day_and_why_it_does_not_count(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    number = (await partner(context)).id or 0
    await add_rows(context.store, Referral(lead="Q-OURS-22", partner_id=number, first_submission_on=date(2030, 2, 1)))
    payment = {"reference": "INV-78", "lead": "Q-OURS-22", "net": "10", "currency": "GBP", "billing": "monthly"}
    days = {"due_on": "2030-01-01", "contract_on": "2029-12-15", "received_on": "2030-01-05"}
    entry = PaymentEntry.model_validate(payment | days)
    await context.store.write(lambda session: payments.add_payment(session, entry, Actor(OWNER, clock())))

    page = text_of(await visitor.get(f"/partners/{token}"))

    for words in (
        "Q-7F3K-29 first contact on 11 January 2030; is a customer",
        "Q-OURS-22 first contact on 1 February 2030; does not count: it was already our customer",
        "M-7F3K-29 first contact on 11 January 2030; does not count under the terms: contact us and we’ll tell you why",
        "Q-OURS-22 £10.00 £0.00 the customer was ours before it contacted us through your link",
    ):
        assert words in page


async def test_the_page_says_that_a_contract_may_be_late_too(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    number = (await partner(context)).id or 0
    await add_rows(context.store, Referral(lead="Q-LATE-22", partner_id=number, first_submission_on=date(2030, 1, 12)))
    payment = {"reference": "INV-79", "lead": "Q-LATE-22", "net": "10", "currency": "GBP", "billing": "monthly"}
    days = {"due_on": "2030-02-01", "contract_on": "2030-04-13", "received_on": "2030-02-05"}
    entry = PaymentEntry.model_validate(payment | days)
    await context.store.write(lambda session: payments.add_payment(session, entry, Actor(OWNER, clock())))

    page = text_of(await visitor.get(f"/partners/{token}"))

    assert "Q-LATE-22 £10.00 £0.00 the contract or the first payment came after the conversion window" in page


async def test_an_earlier_contact_is_a_doubt_that_the_partner_may_raise(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    day = date(2030, 2, 1)
    number = (await partner(context)).id or 0
    await add_rows(
        context.store, Referral(lead="Q-SEEN-22", partner_id=number, first_submission_on=day, prior_contact_on=date(2030, 1, 9))
    )
    payment = {"reference": "INV-78", "lead": "Q-SEEN-22", "net": "10", "currency": "GBP", "billing": "monthly"}
    entry = PaymentEntry.model_validate(payment | dict.fromkeys(("due_on", "contract_on", "received_on"), "2030-02-05"))
    await context.store.write(lambda session: payments.add_payment(session, entry, Actor(OWNER, clock())))

    page = text_of(await visitor.get(f"/partners/{token}"))

    for words in (
        "does not count for now: we were in contact with it in the 90 days before; if you think that was not about a project, tell us",
        "we were in contact with the customer in the 90 days before it contacted us through your link; if you think that was not about a project, tell us",
    ):
        assert words in page


async def test_the_page_says_which_talks_exclude_a_referral(visitor: httpx.AsyncClient, token: str) -> None:
    page = text_of(await visitor.get(f"/partners/{token}"))

    assert "A referral counts if it enters into a contract and makes its first payment" in page
    assert "nor in talks with us about a project in the 90 days before it first contacted us through your link." in page


async def test_links_are_copied_by_a_script_and_scanned_as_a_picture(
    visitor: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    page = (await visitor.get(f"/partners/{token}")).text
    code = (await partner(context)).code

    assert page.count(" readonly>") == page.count(" hidden>Copy</button>") == 3
    assert f'<script src="{COPY_SCRIPT_ROUTE.path}" defer></script>' in page
    assert "navigator.clipboard" in (await visitor.get(COPY_SCRIPT_ROUTE.path)).text
    assert (
        segno.make(f"{context.settings.url}/r/{code}", error="m", micro=False).svg_inline(
            dark="#000", light="#fff", border=4, omitsize=True
        )
        in page
    )
    for inline in ("style=", "onclick", "<style"):
        assert inline not in page


@pytest.mark.parametrize("language", ["", "/th", "/cn"])
async def test_the_page_holds_no_personal_data_of_customers(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, language: str
) -> None:
    page = (await visitor.get(f"{language}/partners/{token}")).text

    for word in ("Lovelace", "ada@example.org", "eve@example.net", "algebraic", "INV-77"):
        assert word not in page


@pytest.mark.parametrize("guess", ["x", "' OR 1=1", "%00", "A" * 900, "..%2F..%2Foffice"])
async def test_a_guessed_link_opens_nothing(visitor: httpx.AsyncClient, token: str, guess: str) -> None:
    for response in (await visitor.get(f"/partners/{guess}"), await visitor.post(f"/partners/{guess}", data={"do": "leave"})):
        assert response.status_code == 404
        assert PAT not in response.text


async def test_a_partner_who_has_lost_the_latest_link_is_led_to_us(visitor: httpx.AsyncClient) -> None:
    page = (await visitor.get("/th/partners/outdated")).text

    assert 'href="/th/contact-us"' in page.split("<main")[1]


async def test_the_paypal_address_is_changed_and_the_partner_notified(
    visitor: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    response = await visitor.post(f"/partners/{token}", data={"do": "paypal", "paypal": " money@partner.example "})

    next_page = await visitor.get(response.headers["location"])
    mails = {row.template: row for row in await rows_in(context.store, Outbox)}
    assert (await partner(context)).paypal == "money@partner.example"
    assert "Your PayPal address is saved" in next_page.text
    assert mails["partner-paypal"].recipient == PAT
    assert "money@" not in str(mails["partner-paypal"].payload)


async def test_the_same_paypal_address_again_is_neither_mailed_nor_said_to_be(
    visitor: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    response = await visitor.post(f"/partners/{token}", data={"do": "paypal", "paypal": f" {PAT} "})

    page = (await visitor.get(response.headers["location"])).text
    assert "That is already your PayPal address." in page
    assert "We’ve emailed you" not in page
    assert "partner-paypal" not in [row.template for row in await rows_in(context.store, Outbox)]


@pytest.mark.parametrize("address", ["", "x", "=1+1", "a@b", "a@b.example\r\nBcc: c@d.example", "x" * 5000 + "@b.example"])
async def test_a_paypal_address_that_is_none_is_refused(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, address: str
) -> None:
    response = await visitor.post(f"/partners/{token}", data={"do": "paypal", "paypal": address})

    assert response.status_code == 422
    assert 'id="paypal-error"' in response.text
    assert (await partner(context)).paypal == PAT


async def test_leaving_needs_a_button_and_names_the_last_day(
    visitor: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    await visitor.get(f"/partners/{token}?do=leave")
    assert (await partner(context)).ends_on is None

    response = await visitor.post(f"/partners/{token}", data={"do": "leave"})
    page = (await visitor.get(response.headers["location"])).text

    assert (await partner(context)).ends_on == date(2030, 4, 21)
    assert "Leave the programme" not in page
    assert "21 April 2030" in page


async def test_a_notice_is_confirmed_to_the_partner_and_told_the_team_once(
    visitor: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    for _ in range(2):
        await visitor.post(f"/partners/{token}", data={"do": "leave"})

    to_partner, to_team = [row for row in await rows_in(context.store, Outbox) if row.template.startswith("partner-notice")]
    assert (to_partner.recipient, to_partner.language) == (PAT, "th")
    assert "21 เมษายน" in mail_text(to_partner, context)
    to_partner.language = "en"
    assert "You’ve given notice: our affiliate agreement ends on 21 April 2030." in mail_text(to_partner, context)
    assert "If you didn’t give notice, reply to this email at once." in mail_text(to_partner, context)
    assert (to_team.recipient, to_team.language) == (TEAM, "en")
    for words in ("Pat has given notice", f"Affiliate: Pat, {PAT}", "Agreement ends: 21 April 2030"):
        assert words in mail_text(to_team, context)
    for words in ("Hello", context.settings.brand_founder):
        assert words not in mail_text(to_team, context)


async def test_a_notice_after_that_of_the_owner_is_confirmed_once_and_moves_no_day(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    number = (await partner(context)).id or 0
    give_notice = partial(program.give_notice, partner_id=number, actor=Actor(OWNER, clock()), settings=context.settings)
    await context.store.write(give_notice)

    ends_on = (await partner(context)).ends_on
    clock.advance(timedelta(days=5))

    for _ in range(2):
        await visitor.post(f"/partners/{token}", data={"do": "leave"})

    mails = [row for row in await rows_in(context.store, Outbox) if "notice" in row.template or "ended" in row.template]
    assert [(mail.template, mail.payload["ends_on"]) for mail in mails] == [
        (template, str(ends_on)) for template in ("partner-ended", "partner-notice", "partner-notice-to-team")
    ]
    assert (await partner(context)).ends_on == ends_on


async def test_a_payout_that_came_back_is_not_shown_as_paid(
    visitor: httpx.AsyncClient, context: ApiContext, token: str
) -> None:
    [partner] = await rows_in(context.store, Partner)
    pages = []
    for day, amount in ((1, "246.91"), (2, "-200"), (3, "-46.91")):
        payout = {"month": date(2030, 2, day), "partner_id": partner.id, "currency": "GBP", "paid_on": date(2030, 2, 20)}
        row = Payout(**payout, amount=Decimal(amount))
        await context.store.write(lambda session, row=row: session.add(row))
        pages.append(text_of(await visitor.get(f"/partners/{token}")))

    paid, partly_returned, returned = pages
    assert "Payout £246.91 (paid)" in paid
    assert "Payout £46.91 (paid; £200.00 came back to us)" in partly_returned
    assert "Payout £0.00 (£246.91 came back to us)" in returned


async def test_a_suspended_partner_sees_it(visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock) -> None:
    number = (await partner(context)).id or 0
    suspend = partial(program.suspend, partner_id=number, actor=Actor(OWNER, clock()))

    await context.store.write(suspend)

    assert "suspended" in (await visitor.get(f"/partners/{token}")).text


async def test_a_suspended_partner_who_has_given_notice_sees_both_until_the_agreement_ends(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    number = (await partner(context)).id or 0
    await context.store.write(partial(program.suspend, partner_id=number, actor=Actor(OWNER, clock())))
    await context.store.write(partial(program.leave, token=token, settings=context.settings, now=clock()))

    running = (await visitor.get(f"/partners/{token}")).text
    clock.advance(timedelta(days=60))
    ended = (await visitor.get(f"/partners/{token}")).text

    assert ("suspended" in running, "21 April 2030" in running) == (True, True)
    assert ("suspended" in ended, "21 April 2030" in ended) == (False, True)


async def test_the_page_counts_on_no_customer_after_the_end(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    number = (await partner(context)).id or 0
    await add_rows(context.store, Referral(lead="Q-OPEN-22", partner_id=number, first_submission_on=date(2030, 2, 10)))
    await context.store.write(partial(program.leave, token=token, settings=context.settings, now=clock()))

    before = text_of(await visitor.get(f"/partners/{token}"))
    clock.now = datetime(2030, 4, 21, 9, tzinfo=clock.now.tzinfo)
    after = text_of(await visitor.get(f"/partners/{token}"))

    assert "Q-OPEN-22 first contact on 10 February 2030; can become a customer until 20 April 2030" in before
    assert "Q-OPEN-22 first contact on 10 February 2030; did not become a customer by 20 April 2030" in after


async def test_the_page_offers_no_links_once_the_agreement_has_ended(
    visitor: httpx.AsyncClient, context: ApiContext, token: str, clock: Clock
) -> None:
    code = (await partner(context)).code
    await context.store.write(partial(program.leave, token=token, settings=context.settings, now=clock()))

    running = (await visitor.get(f"/partners/{token}")).text
    clock.advance(timedelta(days=60))
    ended = (await visitor.get(f"/partners/{token}")).text

    assert f"/r/{code}" in running
    assert code not in ended
    assert "April 2030" in ended
