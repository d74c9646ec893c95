"""How the agency works: four lists of approaches, the phases of a project, reasons to choose us."""

from dataclasses import replace

from components.records import Point, Section, Step
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t


def development_approach(**own_texts: str) -> tuple[Step, ...]:
    """Returns the six steps; `own_texts` replaces, by slug, the text of a step that a service does in its own way."""
    steps = _numbered(
        (
            "planning",
            t("Planning"),
            t(
                "We write down who will use it, what has to work first and how we’ll measure success. You get a scope you can sign."
            ),
        ),
        ("design", t("Design"), t("Screens you can click through, tested with real users, and the data model behind them.")),
        (
            "development",
            t("Development"),
            t("Small pieces, each reviewed by a second engineer. Every week you get a working version to try."),
        ),
        (
            "testing",
            t("Testing"),
            t(
                "Automated tests grow with the code. Before release we also test load, security and accessibility, and try everything on real devices."
            ),
        ),
        (
            "deployment",
            t("Deployment"),
            t(
                "Scripted and rehearsed, at a quiet hour for your users, with the people who built it on hand and a plan for what could go wrong; outside working hours by arrangement."
            ),
        ),
        (
            "maintenance",
            t("Maintenance"),
            t("Updates, monitoring and fixes from the people who built it, or a handover your own team can work from."),
        ),
    )
    return tuple(replace(step, text=own_texts.get(step.slug, step.text)) for step in steps)


def maintenance_approach() -> tuple[Step, ...]:
    return _numbered(
        (
            "review",
            t("Review"),
            t(
                "We read the code, restore a backup, check the servers and the open bugs, and tell you in writing what is sound and what is not."
            ),
        ),
        (
            "stabilisation",
            t("Stabilisation"),
            t("We repair what keeps backups from working, close known vulnerabilities and make sure alerts reach a person."),
        ),
        (
            "safety_net",
            t("Safety net"),
            t("Tests around the parts that earn you money, and releases that can be made, and undone, with one command."),
        ),
        (
            "routine",
            t("Routine"),
            t(
                "Security updates every month, or within one working day of a fix if a vulnerability is being exploited, each tested on a copy before it goes live."
            ),
        ),
        (
            "enhancement",
            t("Enhancement"),
            t("New features from a list you prioritise, released a few at a time."),
        ),
        (
            "reporting",
            t("Reporting"),
            t("One page a month: what changed, what broke, how fast it was fixed, and what we would do next."),
        ),
    )


def marketing_approach() -> tuple[Step, ...]:
    return _numbered(
        (
            "audit",
            t("Audit"),
            t("What people search for, what they find, what they do on your site, and what each enquiry costs you today."),
        ),
        (
            "goals",
            t("Goals"),
            t("One or two figures that matter to the business, with a target and a date, agreed in writing."),
        ),
        (
            "plan",
            t("Plan"),
            t("Channels, topics and a monthly budget, in order of expected return. We list what we leave out, too."),
        ),
        (
            "production",
            t("Production"),
            t("Pages, articles, ads and emails, written by people who have talked to your customers."),
        ),
        (
            "campaign",
            t("Campaign"),
            t("Small tests first. What brings in enquiries gets the budget; what doesn’t is stopped within weeks."),
        ),
        (
            "measurement",
            t("Measurement"),
            t("A one-page report every month: what you spent, what it brought in, the cost per enquiry, and what we do next."),
        ),
    )


def brand_creation_approach() -> tuple[Step, ...]:
    return _numbered(
        (
            "discovery",
            t("Discovery"),
            t("Interviews with you, your staff and a few customers: why they chose you, and what they would miss."),
        ),
        ("positioning", t("Positioning"), t("One page: who you’re for, what you’re up against, and the promise you can keep.")),
        (
            "naming_and_voice",
            t("Name and voice"),
            t("Names checked against registers and domains, and a tone of voice with examples."),
        ),
        (
            "visual_identity",
            t("Visual identity"),
            t("Logo, type, colours and images, tried on your real pages, invoices and signs before you decide."),
        ),
        (
            "guidelines",
            t("Guidelines"),
            t("Short rules, ready-to-use files with contrast tested for readability, and templates for everyday work."),
        ),
        (
            "launch",
            t("Launch"),
            t("We switch your website, profiles and documents over in one go, and stay on for the questions that follow."),
        ),
    )


def _numbered(*steps: tuple[str, str, str]) -> tuple[Step, ...]:
    return tuple(Step(number, slug, title, text) for number, (slug, title, text) in enumerate(steps, start=1))


def working_process() -> Section[Step]:
    return Section(
        t("How we work together"),
        t("Four steps. You pay nothing before you sign, and you can stop after any milestone."),
        (
            Step(
                1,
                "consultation",
                t("Consultation"),
                t(
                    "A free {minutes}-minute call. You tell us what should change; we tell you what we would do, and what we would leave out.",
                    minutes=consultation_minutes(),
                ),
            ),
            Step(
                2,
                "quotation_and_timeline",
                t("Quotation and timeline"),
                t("A written scope with a price or a day rate, the dates, the risks we see and the assumptions we make."),
            ),
            Step(
                3,
                "contract_review_and_payment_agreement",
                t("Contract review and payment agreement"),
                t(
                    "You go through the contract with your lawyer. We agree on milestones or monthly billing, and put in writing that what you have paid for is yours."
                ),
            ),
            Step(
                4,
                "kickoff_and_progress_updates",
                t("Kick-off and progress updates"),
                t(
                    "Work starts with one named contact. While we build, you see a working version every week and get a short report: what is done, what is next, what is at risk."
                ),
            ),
        ),
    )


def reasons() -> Section[Point]:
    return Section(
        t("Why work with us"),
        t("Five things you can hold us to."),
        (
            Point(
                "yours_to_keep",
                t("Yours to keep"),
                t(
                    "Repositories and accounts are in your name from day one, and what you have paid for is yours. If you leave, you take all of it with you."
                ),
            ),
            Point(
                "weekly_proof",
                t("See it every week"),
                t("While we build, you get a link to a working version every week."),
            ),
            Point(
                "tested_before_release",
                t("Tested before release"),
                t(
                    "Every change is reviewed by a second engineer, even if you hire only one, and passes automated tests before it reaches your users."
                ),
            ),
            Point(
                "one_team",
                t("One team for the whole job"),
                t("Design, engineering and marketing sit together, so nothing gets lost between agencies."),
            ),
            Point(
                "plain_words",
                t("Straight talk"),
                t(
                    "You have one named contact, and you talk to the people doing the work. They tell you when something is a bad idea."
                ),
            ),
        ),
    )
