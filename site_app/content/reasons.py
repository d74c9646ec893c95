"""Reasons to choose the agency."""

from site_app.content.records import Point, Section
from site_app.i18n import t


def reasons() -> Section[Point]:
    return Section(
        t("Why clients choose us"),
        t("Five habits, each of which you can hold us to in the contract."),
        (
            Point(
                "yours_to_keep",
                "key-outline",
                t("Yours to keep"),
                t(
                    "Repositories and accounts are in your name from the first day, and what you have paid for is yours. You can leave with all of it."
                ),
            ),
            Point(
                "weekly_proof",
                "eye-outline",
                t("Proof every week"),
                t("A running version on a test address each week, not a slide about one."),
            ),
            Point(
                "tested_before_release",
                "test-tube",
                t("Tested before it ships"),
                t(
                    "Every change is reviewed by a second engineer and runs through automated tests before it reaches your users."
                ),
            ),
            Point(
                "one_team",
                "account-group-outline",
                t("One team for the whole job"),
                t("Design, engineering and marketing sit together, so nothing is lost between agencies."),
            ),
            Point(
                "plain_words",
                "message-text-outline",
                t("Plain words"),
                t("You talk to the people who do the work. They say no when no is the honest answer."),
            ),
        ),
    )
