"""The export about a person holds everything stored about them, and nothing about anybody else."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from site_app.core.settings import Settings
from site_app.provider.affiliates import program
from site_app.provider.affiliates.payments import PaymentEntry, add_payment, mark_paid_out
from site_app.provider.booking.meeting import book_meeting, cancel_by_link, forget_guest
from site_app.provider.leads.export import as_json
from site_app.provider.leads.person_export import person_record
from site_app.provider.leads.queries import find_by_reference
from site_app.provider.store import Store
from site_app.provider.store.audit_log import Actor, record
from site_app.provider.store.tables import IdempotencyKey, Meeting, Note
from tests.support.affiliate_terms import example_terms
from tests.support.bookings import NOON, NOW, SETTINGS, TEN, request, submission_context
from tests.support.records import a_file, a_message, a_quote, an_application
from tests.support.stored_rows import add_rows, mark_mails_sent

pytestmark = pytest.mark.anyio
ADA, BO, PAT = "ada@example.org", "bo@example.org", "pat@partner.example"
SECRET = "secret of somebody else"
PAYMENT = {
    "net": "1000",
    "currency": "GBP",
    "billing": "monthly",
    "due_on": "2026-09-01",
    "contract_on": "2026-08-20",
    "term_months": 12,
    "received_on": "2026-09-10",
}
OWNER = Actor("owner@agency.example", NOW)


@pytest.fixture
def terms_of_the_examples() -> Iterator[None]:
    with example_terms():
        yield


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(var=tmp_path, url="https://www.example.com")


async def export_of(store: Store, email: str, settings: Settings) -> Any:
    today = date(2026, 8, 1)
    return json.loads(as_json(await store.read(lambda session: person_record(session, email, settings=settings, today=today))))


async def join(store: Store, settings: Settings, email: str = PAT, reference: str = "A-7F3K-29") -> program.Partner:
    await add_rows(store, an_application(reference=reference, email=email, created_at=datetime(2026, 1, 5, tzinfo=UTC)))
    actor = Actor(OWNER.name, datetime(2026, 1, 6, tzinfo=UTC))
    return await store.write(lambda session: program.approve(session, reference, actor, name=f"Of {email}", settings=settings))


async def test_a_lead_comes_with_files_notes_key_and_history(store: Store, settings: Settings) -> None:
    await add_rows(
        store,
        a_quote(email="Ada@example.org", project_description="A loom"),
        a_file(claimed_by="Q-7F3K-29"),
        Note(reference="Q-7F3K-29", person=OWNER.name, written_at=NOW, text="Called."),
        IdempotencyKey(kind="QuoteRequest", key="K" * 22, body_hash="", reference="Q-7F3K-29", created_at=NOW),
        a_message(email=BO, message=SECRET),
        Note(reference="M-7F3K-29", person=OWNER.name, written_at=NOW, text=SECRET),
    )
    await store.write(lambda session: record(session, OWNER, "status", "Q-7F3K-29", "new", "answered"))
    await store.write(lambda session: record(session, OWNER, "status", "M-7F3K-29", "new", SECRET))

    exported = await export_of(store, " ADA@example.org ", settings)

    [lead] = exported["leads"]
    assert (lead["reference"], lead["project_description"], lead["submission_key"]) == ("Q-7F3K-29", "A loom", "K" * 22)
    assert ([file["name"] for file in lead["files"]], [note["text"] for note in lead["notes"]]) == (["brief.pdf"], ["Called."])
    assert [(entry["action"], entry["before"], entry["after"]) for entry in lead["history"]] == [("status", "new", "answered")]
    assert (exported["guest_of"], exported["partner"]) == ([], [])
    assert SECRET not in str(exported)
    assert BO not in str(exported)


async def test_a_guest_gets_the_calls_they_were_invited_to_and_no_word_of_the_visitor(store: Store, settings: Settings) -> None:
    words = dict.fromkeys(("full_name", "company", "project_information", "additional_notes"), SECRET)
    managed = await store.write(
        lambda session: book_meeting(
            session, request(TEN, email=ADA, guest_email=BO, **words), submission_context(NOW, SETTINGS, network_hash="a1b2")
        )
    )
    other = request(NOON, email="cy@example.org", guest_email="di@example.org")
    await store.write(lambda session: book_meeting(session, other, submission_context(NOW, SETTINGS)))
    await store.write(mark_mails_sent)
    await store.write(lambda session: cancel_by_link(session, managed.token, settings=SETTINGS, now=NOW))

    exported = await export_of(store, "BO@Example.org", settings)
    of_visitor = await export_of(store, ADA, settings)

    [invitation] = exported["guest_of"]
    assert (invitation["reference"], invitation["state"]) == (managed.meeting.reference, "cancelled")
    assert datetime.fromisoformat(invitation["starts_at"]) == managed.meeting.starts_at
    assert [mail["template"] for mail in invitation["mails"]] == ["call-booked-guest", "call-cancelled-guest"]
    assert exported["leads"] == []
    assert SECRET not in str(exported)
    assert ADA not in str(exported)
    assert [lead["guest_email"] for lead in of_visitor["leads"]] == [BO]
    assert of_visitor["guest_of"] == []


async def test_the_code_of_a_visitors_network_is_exported_while_it_is_stored(store: Store, settings: Settings) -> None:
    context = submission_context(NOW, SETTINGS, network_hash="a1b2")
    await store.write(lambda session: book_meeting(session, request(TEN, email=ADA), context))

    [lead] = (await export_of(store, ADA, settings))["leads"]

    assert lead["network_code"] == "a1b2"


async def test_of_a_removed_guest_nothing_is_left(store: Store, settings: Settings) -> None:
    managed = await store.write(
        lambda session: book_meeting(session, request(TEN, guest_email=BO), submission_context(NOW, SETTINGS))
    )

    def remove_guest(session: Any) -> None:
        meeting = find_by_reference(session, Meeting, managed.meeting.reference)
        assert meeting
        forget_guest(session, meeting)

    await store.write(remove_guest)

    assert await export_of(store, BO, settings) is None


@pytest.mark.usefixtures("terms_of_the_examples")
async def test_a_partner_gets_their_account_and_nothing_about_customers_or_other_partners(
    store: Store, settings: Settings
) -> None:
    partner = await join(store, settings)
    other = await join(store, settings, "other@partner.example", "A-7F3K-22")
    sent_at = datetime(2026, 1, 20, tzinfo=UTC)
    referred = {"Q-AAAA-22": partner, "Q-BBBB-22": partner, "Q-CCCC-22": other}
    for reference, referrer in referred.items():
        lead = a_quote(
            reference=reference,
            email=f"{reference.lower()}@customer.example",
            project_description=SECRET,
            created_at=sent_at,
            attribution={"ref": referrer.code},
        )
        await add_rows(store, lead)
        await store.write(lambda session, lead=lead: program.credit_all(session, [lead], settings=settings))
    for reference in referred:
        entry = PaymentEntry.model_validate(
            {
                "reference": f"INV-{reference}",
                "lead": reference,
                "net": "1000",
                "currency": "GBP",
                "billing": "monthly",
                "due_on": "2026-02-01",
                # The second customer was ours before.
                "contract_on": "2025-12-01" if reference == "Q-BBBB-22" else "2026-02-01",
                "term_months": 17,
                "received_on": "2026-01-10" if reference == "Q-BBBB-22" else "2026-02-10",
            }
        )
        await store.write(lambda session, entry=entry: add_payment(session, entry, OWNER))
    in_march = Actor(OWNER.name, datetime(2026, 3, 2, tzinfo=UTC))
    await store.write(
        lambda session: mark_paid_out(
            session, partner.id or 0, date(2026, 2, 1), "GBP", Decimal(200), in_march, settings=settings
        )
    )

    exported = await export_of(store, "PAT@partner.example", settings)

    [account] = exported["partner"]
    assert (account["code"], account["email"], account["paypal"]) == (partner.code, PAT, PAT)
    assert (account["terms_version"], account["terms_in_force"]) == (partner.terms_version, partner.terms_version)
    assert account["links"]["long"] == f"https://www.example.com/?ref={partner.code}"
    assert account["referrals"] == [
        {"reference": "Q-AAAA-22", "first_submission_on": "2026-01-20", "standing": "customer"},
        {"reference": "Q-BBBB-22", "first_submission_on": "2026-01-20", "standing": "earlier_customer"},
    ]
    lines = {line["referral"]: line for statement in account["statements"] for line in statement["payments"]}
    assert {name: lines["Q-AAAA-22"][name] for name in ("net", "commission", "currency", "reason")} == {
        "net": "1000",
        "commission": "200.00",
        "currency": "GBP",
        "reason": None,
    }
    assert lines["Q-BBBB-22"]["reason"] == "earlier_customer"
    assert [(row["month"], row["amount"], row["paid_on"]) for row in account["payouts"]] == [
        ("2026-02", "200.00", "2026-03-02")
    ]
    assert [entry["action"] for entry in account["log"]] == ["approve", "payment", "payment", "pay"]
    assert [lead["reference"] for lead in exported["leads"]] == ["A-7F3K-29"]
    for word in (SECRET, "customer.example", "INV-", "term_months", "2025-12-01", "Q-CCCC-22", other.code):
        assert word not in str(exported)


async def test_a_partner_is_found_by_their_new_address_and_that_of_their_application(store: Store, settings: Settings) -> None:
    partner = await join(store, settings)
    await join(store, settings, "other@partner.example", "A-7F3K-22")
    change = partial(program.correct_email, partner_id=partner.id or 0, address=BO, actor=OWNER, settings=settings)
    await store.write(change)

    for address in (PAT, BO):
        exported = await export_of(store, address, settings)

        assert [(account["code"], account["email"]) for account in exported["partner"]] == [(partner.code, BO)]
        assert [(lead["reference"], lead["email"]) for lead in exported["leads"]] == [("A-7F3K-29", PAT)]


async def test_a_customer_reads_all_that_is_stored_of_their_referral_with_its_payments(
    store: Store, settings: Settings
) -> None:
    partner = await join(store, settings)
    address = "ada@partner.example"  # of the affiliate's own domain
    sent_at = datetime(2026, 8, 3, tzinfo=UTC)
    await add_rows(store, a_message(email=address, created_at=sent_at - timedelta(days=10)))
    referred = ("Q-7F3K-29", address), ("Q-BBBB-22", "bo@customer.example")
    for reference, email in referred:
        lead = a_quote(reference=reference, email=email, created_at=sent_at, attribution={"ref": partner.code})
        await add_rows(store, lead)
        await store.write(lambda session, lead=lead: program.credit_all(session, [lead], settings=settings))
    await store.write(lambda session: program.ignore_prior_contact(session, "Q-7F3K-29", OWNER))
    for reference, _ in referred:
        entry = PaymentEntry.model_validate(PAYMENT | {"reference": f"INV-{reference}", "lead": reference})
        await store.write(lambda session, entry=entry: add_payment(session, entry, OWNER))

    exported = await export_of(store, address, settings)

    [lead] = [lead for lead in exported["leads"] if lead["referral"]]
    [judgement] = lead["referral"].pop("history")
    assert lead["referral"] == {
        "code": partner.code,
        "first_submission_on": "2026-08-03",
        "state": "counted",
        "prior_contact_on": "2026-07-24",
        "no_project_until": "2026-07-24",
        "resemblance": "domain",
        "payments": [
            {
                "reference": "INV-Q-7F3K-29",
                "net": "1000",
                "currency": "GBP",
                "billing": "monthly",
                "due_on": "2026-09-01",
                "contract_on": "2026-08-20",
                "term_months": 12,
                "received_on": "2026-09-10",
                "reversed_on": None,
                "repaid_on": None,
                "repaid": "0",
            }
        ],
    }
    assert {name: judgement[name] for name in ("action", "before", "after")} == {
        "action": "earlier contact",
        "before": "about a project",
        "after": "about no project",
    }
    for word in (PAT, "INV-Q-BBBB-22", "bo@customer.example"):
        assert word not in str(exported)


async def test_an_unknown_address_has_no_record(store: Store, settings: Settings) -> None:
    await add_rows(store, a_quote())

    for address in ("bo@example.org", "", "@", "ada", "%"):
        assert await export_of(store, address, settings) is None
