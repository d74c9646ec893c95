"""The four approach lists, six steps each."""

from site_app.content.records import Step
from site_app.i18n import t


def development_approach() -> tuple[Step, ...]:
    return _numbered(
        (
            "planning",
            t("Planning"),
            t("We write down who uses it, what must work first and how we will know. You get a scope you can sign."),
        ),
        ("design", t("Design"), t("Screens you can click, tried with real users, and the data model beneath them.")),
        (
            "development",
            t("Development"),
            t("Small pieces, each reviewed by a second engineer. You see a running version on a test address every week."),
        ),
        (
            "testing",
            t("Testing"),
            t("Automated tests grow with the code. Before release we add load, security, accessibility and real devices."),
        ),
        (
            "deployment",
            t("Deployment"),
            t("Scripted, rehearsed and reversible. We release in the morning, with the team awake and a way back ready."),
        ),
        (
            "maintenance",
            t("Maintenance"),
            t("Updates, monitoring and fixes from the people who built it, or a handover your own team can work from."),
        ),
    )


def maintenance_approach() -> tuple[Step, ...]:
    return _numbered(
        (
            "review",
            t("Review"),
            t("We read the code, the servers and the open faults, and tell you in writing what is sound and what is not."),
        ),
        (
            "stabilisation",
            t("Stabilisation"),
            t("Backups are restored once to prove they work. Known holes are closed, and alarms reach a person."),
        ),
        (
            "safety_net",
            t("Safety net"),
            t("Tests around what earns you money, and a release that one command can make and undo."),
        ),
        (
            "routine",
            t("Routine"),
            t("Security updates every month, urgent ones at once, each tried on a copy before it goes live."),
        ),
        (
            "enhancement",
            t("Enhancement"),
            t("New features from a list that you rank, delivered in releases small enough to check in an afternoon."),
        ),
        (
            "reporting",
            t("Reporting"),
            t("A page each month: what changed, what broke, how fast it was mended, and what we would do next."),
        ),
    )


def marketing_approach() -> tuple[Step, ...]:
    return _numbered(
        (
            "audit",
            t("Audit"),
            t("What people search for, what they find, what your site does with them, and what each enquiry costs today."),
        ),
        (
            "goals",
            t("Goals"),
            t("One or two figures that matter to the business, with a target and a date, agreed in writing."),
        ),
        (
            "plan",
            t("Plan"),
            t("Channels, topics and a monthly budget, in order of expected return. What we leave out is listed too."),
        ),
        (
            "production",
            t("Production"),
            t("Pages, articles, advertisements and emails, written by people who have spoken to your customers."),
        ),
        (
            "campaign",
            t("Campaign"),
            t("Small tests first. What brings enquiries gets the budget, what does not is stopped within weeks."),
        ),
        (
            "measurement",
            t("Measurement"),
            t("A one-page report every month: spent, gained, cost per enquiry, and the decision that follows."),
        ),
    )


def brand_creation_approach() -> tuple[Step, ...]:
    return _numbered(
        (
            "discovery",
            t("Discovery"),
            t("Interviews with you, your staff and a few customers: why they chose you, and what they would miss."),
        ),
        ("positioning", t("Positioning"), t("One page: for whom you are, against what, and the promise you can keep.")),
        (
            "naming_and_voice",
            t("Name and voice"),
            t("Names checked against registers and domains, and a way of writing with examples."),
        ),
        (
            "visual_identity",
            t("Visual identity"),
            t("Logo, type, colours and pictures, tried on your real pages, invoices and signs before you decide."),
        ),
        (
            "guidelines",
            t("Guidelines"),
            t("Short rules with files ready to use, readable contrast proven, and templates for daily work."),
        ),
        (
            "launch",
            t("Launch"),
            t("We put it on your site, profiles and documents in one go, and stay for the questions after."),
        ),
    )


def _numbered(*steps: tuple[str, str, str]) -> tuple[Step, ...]:
    return tuple(Step(number, slug, title, text) for number, (slug, title, text) in enumerate(steps, start=1))
