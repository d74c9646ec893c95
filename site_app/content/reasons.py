"""Reasons to choose the agency."""

from components.words import Point, Section
from site_app.core.i18n import t


def reasons() -> Section[Point]:
    return Section(
        t("Why work with us"),
        t("Five promises, each of which can go into your contract."),
        (
            Point(
                "yours_to_keep",
                "key-outline",
                t("Yours to keep"),
                t(
                    "Repositories and accounts are in your name from day one, and what you have paid for is yours. If you leave, you take all of it with you."
                ),
            ),
            Point(
                "weekly_proof",
                "eye-outline",
                t("Proof every week"),
                t("A working version on a staging link every week, not a slide about one."),
            ),
            Point(
                "tested_before_release",
                "test-tube",
                t("Tested before it ships"),
                t("Every change is reviewed by a second engineer and passes automated tests before it reaches your users."),
            ),
            Point(
                "one_team",
                "account-group-outline",
                t("One team for the whole job"),
                t("Design, engineering and marketing sit together, so nothing gets lost between agencies."),
            ),
            Point(
                "plain_words",
                "message-text-outline",
                t("Plain words"),
                t("You talk to the people who do the work. They say no when no is the honest answer."),
            ),
        ),
    )
