"""How a project goes, from the first call to progress updates."""

from components.words import Section, Step
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t


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
                    "A free {minutes}-minute call with our founder. You tell us what should change; we tell you what we would do, and what we would leave out.",
                    minutes=consultation_minutes(),
                ),
            ),
            Step(
                2,
                "quotation_and_timeline",
                t("Quotation and timeline"),
                t("A written scope with a price or a monthly rate, the dates, the risks we see and the assumptions we make."),
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
                t("Kickoff and progress updates"),
                t(
                    "Work starts with one named contact. Every week you see a working version and get a short report: what is done, what is next, what is at risk."
                ),
            ),
        ),
    )
