"""Blockchain development."""

from components.records import Invitation, Phase, Point, ResultSheet, Section, Step
from site_app.content.engagement import fixed_price_from
from site_app.content.prices import months, pounds, price_of_months
from site_app.content.records import book_call, get_quote
from site_app.content.services.offers import ModelFit, Service, offers
from site_app.content.technologies import blockchain_technologies
from site_app.content.ways_of_working import development_approach
from site_app.core import business
from site_app.core.i18n import t


def blockchain_development() -> Service:
    return Service(
        offer=offers()["blockchain_development"],
        artefact=_artefact(),
        illustration="blockchain_development",
        headline=t("Blockchain development, only where it pays off"),
        intro=t(
            "Smart contracts, tokens and shared ledgers for parties who need one record that none of them controls. If a database would do, we’ll tell you before you pay for anything."
        ),
        benefits=Section(
            t("What you get"), t("A smart contract can’t be patched like a web page. That shapes how we work."), _benefits()
        ),
        technologies=Section(
            t("What we build with"),
            t("We choose the network for its fees, your partners and your regulator, not because it is fashionable."),
            blockchain_technologies().categories,
        ),
        approach=Section(
            t("How we build"),
            t("Six steps. Testing takes as long as writing the code, and we plan for that."),
            _approach(),
        ),
        timeline=Section(
            t("How long it takes"),
            t("The independent audit takes extra time, on the auditor’s schedule; the fee is a separate item in the quote."),
            _phases(),
        ),
        fit=ModelFit(
            fixed_price_from(price_of_months(business.SMART_CONTRACT_MONTHS[0])),
            t("A fixed price suits code that must not change"),
            t(
                "A smart contract needs a complete specification before it is written, because correcting it later is expensive. Anything specified that well can be priced as a whole, from {price} plus the auditor’s fee, with the audit as a separate milestone. If a contract can’t be patched, we put our own mistakes right with a new version and move you to it.",
                price=pounds(price_of_months(business.SMART_CONTRACT_MONTHS[0])),
            ),
        ),
        questions=("ai_or_blockchain", "subcontractors", "confidentiality"),
        invitation=Invitation(
            t("Do you need a blockchain at all?"),
            t("Bring your case to a free call. You leave with a yes, a no, or the one question that decides it."),
            (book_call(), get_quote()),
        ),
    )


def _artefact() -> ResultSheet:
    return ResultSheet(
        t("From the contract test output, commit 7f3a91c"),
        t("Sample"),
        t("214 of 214 tests passed"),
        (
            (t("Only the owner can pause"), t("{count} tests", count=18), ("done", t("Passed"))),
            (t("No transfer above the balance"), t("{count} tests", count=42), ("done", t("Passed"))),
            (t("Re-entrant calls are refused"), t("{count} tests", count=27), ("done", t("Passed"))),
            (t("Sums always add up"), t("100,000 random runs"), ("done", t("Passed"))),
            (t("Cost of a transfer"), t("{count} gas", count="51,204"), ("done", t("Passed"))),
            (t("Independent audit"), t("booked, week\u00a09"), ("next", t("Planned"))),
        ),
        t("Run on every change; the same commit goes to the auditors."),
    )


def _approach() -> tuple[Step, ...]:
    return development_approach(
        planning=t(
            "We write down who may do what, what must never happen and who holds which key. You get a scope you can sign."
        ),
        design=t("A written specification of every operation, role and limit, checked with you before any code is written."),
        development=t(
            "Small contracts with few roles, each reviewed by a second engineer, on a test network that you can try every week."
        ),
        testing=t(
            "Automated tests grow with the code. Before release we also test with random inputs and known attacks; then comes the independent audit of the same commit."
        ),
        deployment=t("Rehearsed on a copy of the network, then signed by several people, with a plan for what could go wrong."),
        maintenance=t(
            "Alerts on unusual transfers, a rehearsed emergency stop, and keys held by the people you named; or a handover your own team can work from."
        ),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "honest_answer",
            t("A straight yes or no"),
            t(
                "First we compare the ledger with a plain database and a signed log: cost, speed, trust and law. You get the comparison in writing, with the quote."
            ),
        ),
        Point(
            "attacked_first",
            t("Attacked before launch"),
            t(
                "Every smart contract is analysed and tested with random inputs and known attack patterns, then audited independently. You get the report."
            ),
        ),
        Point(
            "known_fees",
            t("Fees measured before launch"),
            t(
                "We measure what every operation costs on a copy of the real network, bring it down towards the budget you set, and tell you what exceeds it."
            ),
        ),
        Point(
            "recovery",
            t("A plan for lost keys"),
            t(
                "Multi-signature approval, time locks and an emergency stop are designed in, and rehearsed with your people before any value moves."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            months(business.SMART_CONTRACT_MONTHS),
            t("A smart contract or token with its tests, a test network and a simple user interface."),
        ),
        Phase(
            months(business.LEDGER_MONTHS),
            t("A ledger shared by several organisations, with roles, an audit trail and links to their systems."),
        ),
    )
