"""AI and deep learning."""

from components.records import Invitation, Phase, Point, ResultSheet, Section, Step
from site_app.content.engagement import hybrid_model_from
from site_app.content.prices import months, pounds, price_of_weeks, weeks
from site_app.content.records import book_call, get_quote
from site_app.content.services.offers import ModelFit, Service, offers
from site_app.content.technologies import ai_technologies
from site_app.content.ways_of_working import development_approach
from site_app.core import business
from site_app.core.i18n import t


def ai_and_deep_learning() -> Service:
    return Service(
        offer=offers()["ai_and_deep_learning"],
        artefact=_artefact(),
        illustration="ai_and_deep_learning",
        headline=t("AI development, proven on your own data"),
        intro=t(
            "Assistants that cite their sources, data extracted from documents, defects spotted by camera, demand forecast week by week. Each is measured on your own data before anyone relies on it."
        ),
        benefits=Section(t("What you get"), t("What turns a demo into a tool you can rely on."), _benefits()),
        technologies=Section(
            t("What we build with"),
            t("Open models on your own machines, or hosted ones under contract: your data decides which."),
            ai_technologies().categories,
        ),
        approach=Section(
            t("How we build"),
            t("The trial comes first, and you can stop there. If it works, these six steps follow."),
            _approach(),
        ),
        timeline=Section(t("How long it takes"), t("A trial shows whether it works. Only then do we build."), _phases()),
        fit=ModelFit(
            hybrid_model_from(price_of_weeks(business.AI_TRIAL_WEEKS[0])),
            t("A hybrid model suits work whose result can’t be known in advance"),
            t(
                "The trial has a fixed price, usually {low} to {high}: {weeks} of one person’s work at our lowest day rate. It ends with a measured answer. If the result is good enough, we build the product month by month, because models need retraining as data and users change. The calculator below shows that build, without the trial.",
                low=pounds(price_of_weeks(business.AI_TRIAL_WEEKS[0])),
                high=pounds(price_of_weeks(business.AI_TRIAL_WEEKS[1])),
                weeks=weeks(business.AI_TRIAL_WEEKS),
            ),
        ),
        questions=("ai_or_blockchain", "personal_data", "engagement_model"),
        invitation=Invitation(
            t("Which task would you hand over first?"),
            t("Tell us about it on a free call. We’ll say what accuracy is realistic and what data a trial needs."),
            (book_call(), get_quote()),
        ),
    )


def _artefact() -> ResultSheet:
    return ResultSheet(
        t("Results by document type, week\u00a04"),
        t("Sample"),
        t("Three of five types are good enough"),
        (
            (t("Invoices"), "99.1%", ("done", t("Passed"))),
            (t("Delivery notes"), "98.4%", ("done", t("Passed"))),
            (t("Order confirmations"), "97.9%", ("done", t("Passed"))),
            (t("Contracts"), "94.2%", ("risk", t("To a person"))),
            (t("Handwritten notes"), "81.5%", ("risk", t("To a person"))),
            (t("Time for each document"), t("3 seconds"), ("done", t("Passed"))),
        ),
        t("Fields read correctly, compared with two people who read the same pages. Target: 97%."),
    )


def _approach() -> tuple[Step, ...]:
    return development_approach(
        planning=t(
            "From the trial’s figures we decide which cases the model handles and which go to a person. You get a scope you can sign."
        ),
        design=t(
            "Screens that show each answer with its source, and what happens when the model isn’t sure, tested with the people who will use them."
        ),
        testing=t("Every version is scored on your test set; then we test load, security and accessibility."),
        deployment=t(
            "First the model works beside your people, who decide. Then it takes over the cases in which it has proved itself, and one switch turns it off."
        ),
        maintenance=t(
            "We watch scores, doubtful cases and the cost per task, and retrain when your data changes; or hand over to your own team."
        ),
    )


def _benefits() -> tuple[Point, ...]:
    return (
        Point(
            "measured",
            t("Accuracy measured before you commit"),
            t(
                "Together we build a test set from your own cases, agree on the score that counts, and report every version against it."
            ),
        ),
        Point(
            "private",
            t("Your data stays yours"),
            t(
                "The system runs wherever you choose, including on your own servers. Nothing you give us is used to train anyone else’s model."
            ),
        ),
        Point(
            "explained",
            t("Answers that show their source"),
            t("An assistant shows the passage it relies on, or says that it found none. Doubtful cases go to a person."),
        ),
        Point(
            "cost_per_task",
            t("A known cost per task"),
            t(
                "We measure what each answer costs to compute, choose the smallest model that reaches the agreed score, and set a monthly limit."
            ),
        ),
    )


def _phases() -> tuple[Phase, ...]:
    return (
        Phase(
            weeks(business.AI_TRIAL_WEEKS),
            t("A trial on your data with a test set, a score and a written recommendation."),
        ),
        Phase(
            months(business.AI_PRODUCT_MONTHS),
            t("Built into your product, with monitoring, limits and a person for doubtful cases."),
        ),
    )
