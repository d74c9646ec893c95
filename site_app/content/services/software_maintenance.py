"""Software maintenance and enhancement."""

from components.records import Invitation, Phase, Point, ResultSheet, Section
from site_app.content.engagement import engagement_model
from site_app.content.prices import pounds, weeks
from site_app.content.records import book_call, get_quote
from site_app.content.services.offers import ModelFit, Service, offers
from site_app.content.technologies import TechnologyCategory, mobile_technologies, web_technologies
from site_app.content.ways_of_working import maintenance_approach
from site_app.core import business
from site_app.core.i18n import t


def software_maintenance() -> Service:
    return Service(
        offer=offers()["software_maintenance"],
        artefact=_artefact(),
        illustration="software_maintenance",
        headline=t("We take over software nobody is looking after"),
        intro=t(
            "The agency is gone, the last developer has left, or the updates have stopped. We take over what is running, make it safe to change, and improve it month by month."
        ),
        benefits=Section(t("What you get"), t("What changes once someone is responsible for it again."), _benefits()),
        technologies=Section(
            t("What we look after"),
            t(
                "We’re happy to take on software built by others. If yours isn’t on this list, ask: we’ll tell you if it’s beyond us."
            ),
            _maintained(),
        ),
        approach=Section(t("How we take over"), t("Six steps, the most urgent first."), maintenance_approach()),
        timeline=Section(t("How long it takes"), t("The first month makes it safe. After that, you set the pace."), _phases()),
        fit=ModelFit(
            engagement_model("dedicated_teams"),
            t("A monthly team suits software that never stands still"),
            t(
                "Nobody knows in January what will break in June. A steady number of days a month keeps people on hand who know your system, and days not needed for repairs go into new features."
            ),
        ),
        questions=("existing_software", "support_after_launch", "confidentiality"),
        invitation=Invitation(
            t("What worries you about your software?"),
            t("Tell us on a free call. We’ll say what we would look at first, and whether it’s urgent."),
            (book_call(), get_quote()),
        ),
    )


def _artefact() -> ResultSheet:
    return ResultSheet(
        t("Backup restore test, first week"),
        t("Sample"),
        t("Restored in 38 minutes"),
        (
            (t("Backup of"), t("today, 02:00"), ("done", t("Done"))),
            (t("Restored on"), t("an empty server"), ("done", t("Done"))),
            (t("Records compared"), "1,204,311", ("done", t("Passed"))),
            (t("Files compared"), "18,220", ("done", t("Passed"))),
            (t("Sign-in, search, invoice"), t("tried by a person"), ("done", t("Passed"))),
            (t("Time allowed"), t("4 hours"), ("done", t("Passed"))),
        ),
        t("Compared record by record, by someone who did not make the backup."),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "known_state",
            t("A written health report"),
            t(
                "A review in plain words: what is sound, what is at risk, what each repair costs. It’s yours even if you stop there."
            ),
        ),
        Point(
            "current_and_safe",
            t("Up to date, and kept that way"),
            t(
                "Security updates are applied every month. If a vulnerability is being exploited, its fix goes in within one working day of being published. Each is tested on a copy first."
            ),
        ),
        Point(
            "alarms",
            t("We usually know before you do"),
            t(
                "If a page, a payment or a backup fails, monitoring alerts us, and you hear from us with the cause and the fix; at night and at weekends too, if you buy on-call cover."
            ),
        ),
        Point(
            "steady_improvement",
            t("New features, little and often"),
            t(
                "You prioritise the list. Each release is small enough to check in an afternoon and can be undone with one command."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            weeks(business.TAKEOVER_WEEKS),
            t(
                "First comes the review: {days} days of work for {price}, including a restored backup. If we do the work, we take the {price} off your first invoice. Then, at the day rate, we set up alerts and write the first tests; after that, the software can be changed safely.",
                days=business.REVIEW_DAYS,
                price=pounds(business.REVIEW_DAYS * business.DAY_RATE_POUNDS),
            ),
        ),
        Phase(t("Every month"), t("Updates, fixes and features within an agreed number of days, with a one-page report.")),
    )


def _maintained() -> tuple[TechnologyCategory, ...]:
    web = web_technologies()
    mobile = mobile_technologies()
    return (*web.pick("frontend", "backend", "data", "hosting"), *mobile.pick("ios", "android", "cross_platform"))
