"""Mobile development."""

from site_app import constants
from site_app.content.approaches import development_approach
from site_app.content.engagement import engagement_model
from site_app.content.invitations import book_call, get_quote
from site_app.content.offers import offers
from site_app.content.records import Invitation, Point, Section
from site_app.content.services.records import ModelFit, Phase, Service
from site_app.content.services.spans import months
from site_app.content.technologies import mobile_technologies
from site_app.i18n import t


def mobile_development() -> Service:
    return Service(
        offer=offers()["mobile_development"],
        illustration="mobile_development",
        claim=t("Apps that work where the signal does not"),
        lead=t(
            "iOS and Android apps for customers and field staff: native where it is felt, shared where it saves you money, and kept in the stores year after year."
        ),
        actions=(get_quote(), book_call()),
        benefits=Section(t("What you get"), t("What we plan for before the first screen is drawn."), _benefits()),
        technologies=Section(
            t("What we build with"),
            t("Native or shared code is a decision about your budget and your users. We make it with you, in writing."),
            mobile_technologies().categories,
        ),
        approach=Section(
            t("How we build"), t("Six steps. From the third on, you have the app on your own phone."), development_approach()
        ),
        timeline=Section(t("How long it takes"), t("From the signed scope to the stores, review included."), _phases()),
        fit=ModelFit(
            engagement_model("hybrid_model"),
            t("Hybrid fits an app with a life after launch"),
            t(
                "The first release is priced as a whole. After it, reviews, new phones and two system releases a year set the pace, and a small monthly part answers them."
            ),
        ),
        questions=("development_process", "project_cost", "support_after_launch"),
        invitation=Invitation(
            t("Who will have your app in their pocket?"),
            t("Tell us where they use it and for what. We answer with a scope, a price and a date for the stores."),
            (get_quote(), book_call()),
        ),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "offline",
            "wifi-off",
            t("Work goes on offline"),
            t(
                "Data is kept on the device and sent when there is a connection. Two people changing the same record is a case we design for."
            ),
        ),
        Point(
            "store_review",
            "store-outline",
            t("Through store review"),
            t(
                "Privacy labels, permissions and payment rules are checked while we build. We handle the submission and answer the reviewers."
            ),
        ),
        Point(
            "real_devices",
            "cellphone-check",
            t("Tried on real phones"),
            t(
                "Every release runs on a shelf of current and older phones, small screens and large type, not only in a simulator."
            ),
        ),
        Point(
            "crash_free",
            "heart-pulse",
            t("Faults seen before reviews"),
            t(
                "Crash reports without personal data reach us within minutes, and a bad release can be halted while it is still rolling out."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            "first_release",
            months(constants.MOBILE_APP_MONTHS),
            t("A first release for both systems with one clear task, sign-in and notifications."),
        ),
        Phase(
            "large",
            months(constants.LARGE_MOBILE_APP_MONTHS),
            t("An app with offline work, hardware or payments, and the server behind it."),
        ),
    )
