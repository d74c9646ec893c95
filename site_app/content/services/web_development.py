"""Web development."""

from components.records import Invitation, Phase, Point, ResultSheet, Section
from site_app.content.engagement import fixed_price_from
from site_app.content.prices import months, months_or_more, pounds, price_of_months, weeks
from site_app.content.records import book_call, get_quote
from site_app.content.services.offers import ModelFit, Service, offers
from site_app.content.technologies import web_technologies
from site_app.content.ways_of_working import development_approach
from site_app.core import business
from site_app.core.i18n import t


def web_development() -> Service:
    return Service(
        offer=offers()["web_development"],
        artefact=_artefact(),
        illustration="web_development",
        headline=t("Web applications built to be changed"),
        intro=t(
            "Online shops, portals, booking systems and internal tools: designed with the people who use them, tested with every change, and documented so that any good team can carry on."
        ),
        benefits=Section(t("What you get"), t("Four things we put into every web application contract."), _benefits()),
        technologies=Section(
            t("What we build with"),
            t("Established tools that plenty of engineers know, so you’re never tied to us."),
            web_technologies().categories,
        ),
        approach=Section(t("How we build"), t("Six steps, with something to look at after each one."), development_approach()),
        timeline=Section(t("How long it takes"), t("From the signed scope to release."), _phases()),
        fit=ModelFit(
            fixed_price_from(business.PROJECT_POUNDS),
            t("A fixed price suits most first releases"),
            t(
                "A first version with accounts has clear limits, so it can be priced: {price} to {most} at our lowest day rate; with an admin area and a link to one other system, about {medium}; with links to several, more. Smaller projects without accounts start at {project}. Once real use shows what comes next, many clients move on to a monthly team.",
                price=pounds(price_of_months(business.WEB_APP_MONTHS[0])),
                most=pounds(price_of_months(business.WEB_APP_MONTHS[1])),
                medium=pounds(business.BUDGETS_POUNDS[1]),
                project=pounds(business.PROJECT_POUNDS),
            ),
        ),
        questions=("engagement_model", "code_ownership"),
        invitation=Invitation(
            t("What should your web application do?"),
            t(
                "A few lines are enough. We’ll reply within one working day with questions or a first estimate, free and without obligation."
            ),
            (get_quote(), book_call()),
        ),
    )


def _artefact() -> ResultSheet:
    return ResultSheet(
        t("Speed budget, release 14"),
        t("Sample"),
        t("One page over budget, and reported"),
        (
            (t("Board opens"), t("{measured} of {budget} s", measured="1.4", budget="2.0"), ("done", t("Passed"))),
            (t("Search answers"), t("{measured} of {budget} s", measured="0.3", budget="0.5"), ("done", t("Passed"))),
            (t("Order is saved"), t("{measured} of {budget} s", measured="0.6", budget="1.0"), ("done", t("Passed"))),
            (
                t("Monthly report opens"),
                t("{measured} of {budget} s", measured="2.6", budget="2.0"),
                ("risk", t("Over budget")),
            ),
            (t("Size of a first visit"), t("{measured} of {budget} kB", measured=168, budget=200), ("done", t("Passed"))),
            (t("Layout shifts"), t("none"), ("done", t("Passed"))),
        ),
        t("Measured on a mid-range phone on 4G, with every release."),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "speed",
            t("Pages that load fast"),
            t(
                "We agree on a loading time for a mid-range phone, measure each release against it, and tell you which pages miss it and what it takes to fix them."
            ),
        ),
        Point(
            "accessibility",
            t("Usable by everyone"),
            t("Every screen is tested with a keyboard, with a screen reader and in large type, to WCAG 2.2 AA."),
        ),
        Point(
            "security",
            t("Secure by routine"),
            t(
                "While we look after it, dependencies are checked daily; access is limited to what is needed. Where money or health is involved, an independent penetration test comes before launch: a separate item in the quote, priced by the tester you choose."
            ),
        ),
        Point(
            "ownership",
            t("Code you can keep"),
            t(
                "From day one it lives in your repository and your cloud account, with tests and a guide for whoever comes next."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            weeks(business.SMALL_BUDGET_WEEKS),
            t("A booking page, a website with forms or a tool for one team, without accounts."),
        ),
        Phase(
            months(business.WEB_APP_MONTHS),
            t("A focused first version: one main task, a handful of screens and accounts."),
        ),
        Phase(
            months(business.MEDIUM_WEB_APP_MONTHS),
            t("Several main tasks, links to several systems you already use, and your data moved over."),
        ),
        Phase(
            months(business.LARGE_WEB_APP_MONTHS),
            t("Several products on one platform: a website, back office, apps, reporting and partner integrations."),
        ),
        Phase(
            months_or_more(business.VERY_LARGE_WEB_APP_MONTHS),
            t("A platform for many teams, released in stages so that the first part starts earning early."),
        ),
    )
