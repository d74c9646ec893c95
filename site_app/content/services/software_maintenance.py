"""Software maintenance and enhancement."""

from site_app import constants
from site_app.content.approaches import maintenance_approach
from site_app.content.engagement import engagement_model
from site_app.content.invitations import book_call, get_quote
from site_app.content.offers import offers
from site_app.content.records import Invitation, Point, Section
from site_app.content.services.records import ModelFit, Phase, Service
from site_app.content.services.spans import weeks
from site_app.content.technologies import TechnologyCategory, mobile_technologies, web_technologies
from site_app.i18n import t


def software_maintenance() -> Service:
    return Service(
        offer=offers()["software_maintenance"],
        illustration="software_maintenance",
        claim=t("Your software, safe to change again"),
        lead=t(
            "The agency has gone, the last developer has left, or the updates have stopped. We take over what runs, make it safe to change, and improve it month by month."
        ),
        actions=(book_call(), get_quote()),
        benefits=Section(t("What you get"), t("What changes once somebody answers for it again."), _benefits()),
        technologies=Section(
            t("What we look after"),
            t("Software built by others is welcome. If yours is not in this list, ask: we say so when it is beyond us."),
            _maintained(),
        ),
        approach=Section(
            t("How we take over"), t("Six steps, in the order of what could hurt you first."), maintenance_approach()
        ),
        timeline=Section(t("How long it takes"), t("The first month is for safety. After that you set the pace."), _phases()),
        fit=ModelFit(
            engagement_model("dedicated_teams"),
            t("Monthly fits software that never stands still"),
            t(
                "Nobody knows in January what will break in June. A steady number of days a month keeps people who know your system, and what is not needed for repairs goes into new features."
            ),
        ),
        questions=("existing_software", "support_after_launch", "confidentiality"),
        invitation=Invitation(
            t("What keeps you awake about your software?"),
            t("Describe it on a call. We will tell you what we would look at first, and whether it is urgent."),
            (book_call(), get_quote()),
        ),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "known_state",
            "file-search-outline",
            t("A written state of things"),
            t(
                "A review in plain words: what is sound, what is at risk, what each repair costs. It is yours even if you go no further."
            ),
        ),
        Point(
            "current_and_safe",
            "update",
            t("Up to date, and kept so"),
            t(
                "Security updates are applied on a schedule, and within a day when a hole is being used. Each is tried on a copy first."
            ),
        ),
        Point(
            "alarms",
            "bell-outline",
            t("We know before you do"),
            t("Monitoring of pages, payments and backups that wakes a person, and a note to you with the cause and the cure."),
        ),
        Point(
            "steady_improvement",
            "tune-variant",
            t("New features, small and often"),
            t("You rank the list. Each release is small enough to check in an afternoon and can be undone with one command."),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            "takeover",
            weeks(constants.TAKEOVER_WEEKS),
            t("Review, backups proven, alarms in place, first tests. From here we can change it safely."),
        ),
        Phase(
            "care", t("Every month"), t("Updates, fixes and features within an agreed number of days, with a one-page report.")
        ),
    )


def _maintained() -> tuple[TechnologyCategory, ...]:
    web, mobile = web_technologies(), mobile_technologies()
    return (*web.pick("frontend", "backend", "data", "hosting"), *mobile.pick("ios", "android", "cross_platform"))
