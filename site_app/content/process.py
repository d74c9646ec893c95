"""How a project goes, from the first call to progress updates."""

from site_app.constants import consultation_minutes
from site_app.content.records import Section, Step
from site_app.i18n import t


def working_process() -> Section[Step]:
    return Section(
        t("How we work together"),
        t("Four steps, and you can stop after any of them. Nothing is billed before you have signed."),
        (
            Step(
                1,
                "consultation",
                t("Consultation"),
                t(
                    "A free {minutes}-minute call with our founder. You tell us what should change; we say what we would do, and what we would leave out.",
                    minutes=consultation_minutes(),
                ),
            ),
            Step(
                2,
                "quotation_and_timeline",
                t("Quotation and timeline"),
                t("A written scope with a price or a monthly rate, the dates, the risks we see, and what we assume."),
            ),
            Step(
                3,
                "contract_review_and_payment_agreement",
                t("Contract review and payment agreement"),
                t("You read the contract with your lawyer. We agree on milestones or months, and on who owns what: you do."),
            ),
            Step(
                4,
                "kickoff_and_progress_updates",
                t("Kickoff and progress updates"),
                t(
                    "Work starts with one named contact. Every week you see it running, and read what is done, next and at risk."
                ),
            ),
        ),
    )
