"""Mobile development."""

from components.records import Invitation, Phase, Point, ResultSheet, Section, Step
from site_app.content.engagement import hybrid_model_from
from site_app.content.prices import months, price_of_months
from site_app.content.records import book_call, get_quote
from site_app.content.services.offers import ModelFit, Service, offers
from site_app.content.technologies import mobile_technologies
from site_app.content.ways_of_working import development_approach
from site_app.core import business
from site_app.core.i18n import t


def mobile_development() -> Service:
    return Service(
        offer=offers()["mobile_development"],
        artefact=_artefact(),
        illustration="mobile_development",
        headline=t("Mobile apps that work without a signal"),
        intro=t(
            "iOS and Android apps for customers and field staff: native where users feel it, shared code where it saves you money, and kept up to date in the stores, year after year."
        ),
        benefits=Section(t("What you get"), t("What we plan for before the first screen is drawn."), _benefits()),
        technologies=Section(
            t("What we build with"),
            t(
                "Whether native or shared code is right depends on your budget and your users. We decide together, and put it in writing."
            ),
            mobile_technologies().categories,
        ),
        approach=Section(t("How we build"), t("Six steps. From step three, you have the app on your own phone."), _approach()),
        timeline=Section(t("How long it takes"), t("From the signed scope to the app stores, review included."), _phases()),
        fit=ModelFit(
            hybrid_model_from(price_of_months(business.MOBILE_APP_MONTHS[0])),
            t("A hybrid model suits an app that grows after launch"),
            t(
                "The first release is priced as a whole. After that, user reviews, new phones and each year’s iOS and Android releases set the pace, and a small monthly budget keeps up with them."
            ),
        ),
        questions=("lateness", "project_cost", "support_after_launch"),
        invitation=Invitation(
            t("Tell us about your app"),
            t("Who will use it, where and what for? We’ll reply within one working day with questions or a first estimate."),
            (get_quote(), book_call()),
        ),
    )


def _artefact() -> ResultSheet:
    return ResultSheet(
        t("Device test run, build 212"),
        t("Sample"),
        t("119 of 120 checks passed"),
        (
            ("iPhone SE, iOS 18", t("{passed} of {all}", passed=24, all=24), ("done", t("Passed"))),
            ("iPhone 15, iOS 26", t("{passed} of {all}", passed=24, all=24), ("done", t("Passed"))),
            ("Pixel 6a, Android 15", t("{passed} of {all}", passed=24, all=24), ("done", t("Passed"))),
            ("Galaxy A14, Android 13", t("{passed} of {all}", passed=23, all=24), ("risk", t("One open"))),
            (t("Largest text, screen reader"), t("{passed} of {all}", passed=12, all=12), ("done", t("Passed"))),
            (t("Three hours without a signal"), t("{passed} of {all}", passed=12, all=12), ("done", t("Passed"))),
        ),
        t("Open: on the Galaxy, a photo is sent sideways. The fix is due in build 213."),
    )


def _approach() -> tuple[Step, ...]:
    return development_approach(
        design=t("Drafts you can tap through on your phone with one thumb, tested with people who would use the app."),
        development=t("Small pieces, each reviewed by a second engineer. Every week a new version arrives on your phone."),
        testing=t(
            "Automated tests grow with the code. Before release we try the app on old and new phones, without a signal, in large type and with a screen reader."
        ),
        deployment=t(
            "We prepare what the app stores ask for and answer their reviewers. A release reaches a few users first, then everyone."
        ),
        maintenance=t(
            "New versions of iOS and Android tried before most of your users have them, crashes found and fixed; or a handover your own team can work from."
        ),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "offline",
            t("Keeps working offline"),
            t(
                "Data is kept on the device and sent when there is a connection. We also plan for two people changing the same record."
            ),
        ),
        Point(
            "store_review",
            t("Prepared for store review"),
            t(
                "Privacy labels, permissions and payment rules are checked while we build. We handle the submission, answer the reviewers’ questions and resubmit if needed; the decision is the store’s."
            ),
        ),
        Point(
            "real_devices",
            t("Tested on real phones"),
            t("Every release is tested on new and older phones, on small screens and in large type, not just in a simulator."),
        ),
        Point(
            "crash_free",
            t("Crashes caught before your users complain"),
            t(
                "Crash reports without personal data reach us within minutes, so a bad release can be stopped while it is still rolling out."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            months(business.MOBILE_APP_MONTHS),
            t("A first release for both systems with one clear task, sign-in and notifications."),
        ),
        Phase(
            months(business.LARGE_MOBILE_APP_MONTHS),
            t("A larger app with several main tasks, hardware or payments, and links to your other systems."),
        ),
    )
