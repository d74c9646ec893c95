"""What protects a client: insurance, data protection, who is on call, access."""

from components.words import Point, Section
from site_app.content.amounts import pounds
from site_app.core import business
from site_app.core.i18n import t


def trust() -> Section[Point]:
    return Section(
        t("What protects you"),
        t("Four things your lawyer will ask about, answered before you sign."),
        (
            Point(
                "insurance",
                "shield-check-outline",
                t("We are insured"),
                t(
                    "Professional indemnity insurance covers our work for up to {amount}. You’ll get the certificate with the contract.",
                    amount=pounds(business.INDEMNITY_POUNDS),
                ),
            ),
            Point(
                "data_protection",
                "lock-outline",
                t("Personal data stays where it belongs"),
                t(
                    "For your project, we sign a data processing agreement under the UK GDPR. Your users’ data from Thailand is handled under the PDPA, and from mainland China under the PIPL, on servers there. We develop with test data unless you agree otherwise in writing."
                ),
            ),
            Point(
                "on_call",
                "bell-outline",
                t("Someone is on call"),
                t(
                    "If your maintenance contract covers day and night, an engineer who knows your system answers within {minutes} minutes. You’ll have their name and number.",
                    minutes=business.ON_CALL_MINUTES,
                ),
            ),
            Point(
                "access",
                "account-key-outline",
                t("Access ends with the work"),
                t(
                    "Each of us has their own account, signs in with two-factor authentication and has only the rights the work needs. You can see the list of accounts at any time, and they are closed when the work ends."
                ),
            ),
        ),
    )
