"""Questions about the services."""

from site_app.content.amounts import months, months_or_more
from site_app.content.approaches import development_approach
from site_app.content.engagement import engagement_models
from site_app.content.faq.records import FaqCategory, Item, ItemList, Question
from site_app.content.offers import offers
from site_app.content.records import Link
from site_app.core import business
from site_app.core.i18n import t


def service_questions() -> FaqCategory:
    return FaqCategory(
        "services",
        t("Services"),
        (
            _development_process(),
            _engagement_model(),
            _web_app_timeline(),
            _existing_software(),
            _ai_or_blockchain(),
            _support_after_launch(),
        ),
    )


def _development_process() -> Question:
    return Question(
        1,
        "development_process",
        t("How do you develop software?"),
        (
            t("In six steps. Each ends with something you can look at, and the middle ones repeat every week."),
            ItemList(tuple(Item(step.title, step.text) for step in development_approach()), ordered=True),
            Link(t("See the steps in web development"), offers()["web_development"].href),
        ),
    )


def _engagement_model() -> Question:
    return Question(
        2,
        "engagement_model",
        t("Which engagement model should we choose?"),
        (
            t("It depends on how much is already clear."),
            ItemList(
                tuple(
                    Item(model.name, t("{best_for}. {description}", best_for=model.best_for, description=model.description))
                    for model in engagement_models()
                )
            ),
            t(
                "If two of them seem right, start with a fixed price: it’s easier to move from there to monthly than the other way round."
            ),
            Link(t("Compare the three models"), "/#models"),
        ),
    )


def _web_app_timeline() -> Question:
    return Question(
        3,
        "web_app_timeline",
        t("How long does a web application take?"),
        (
            t("Counted from the signed scope to release:"),
            ItemList(
                (
                    Item(months(business.WEB_APP_MONTHS), t("a focused first version built around one main task")),
                    Item(
                        months(business.MEDIUM_WEB_APP_MONTHS),
                        t("several main tasks, and links to several systems you already use"),
                    ),
                    Item(
                        months(business.BIG_WEB_APP_MONTHS), t("several products on one base, with apps, reports and partners")
                    ),
                    Item(months_or_more(business.LARGE_WEB_APP_MONTHS), t("a large platform, released in stages")),
                )
            ),
            t("What delays projects most is waiting for decisions, so the plan says which ones we need from you, and when."),
            Link(t("More on web development"), offers()["web_development"].href),
        ),
    )


def _existing_software() -> Question:
    return Question(
        4,
        "existing_software",
        t("Can you take over software built by someone else?"),
        (
            t(
                "Yes. We need the code, access to the servers and someone who knows what must never stop. Reviewing it and making it safe to change takes {weeks} weeks at most. After that, you set the pace.",
                weeks=business.TAKEOVER_WEEKS[1],
            ),
            t("Sometimes the review shows that starting again is cheaper. It then says why, in figures you can check."),
            Link(t("How we take over software"), offers()["software_maintenance"].href),
        ),
    )


def _ai_or_blockchain() -> Question:
    return Question(
        5,
        "ai_or_blockchain",
        t("Do we need AI or a blockchain?"),
        (
            t(
                "A blockchain helps when several parties need one record and none of them should control it. AI helps when a task needs judgement, happens often and can be checked."
            ),
            t(
                "Otherwise a database and a clear rule are cheaper, quicker and easier to explain. We’ll say so before you pay for anything."
            ),
            Link(t("How we test AI first"), offers()["ai_and_deep_learning"].href),
        ),
    )


def _support_after_launch() -> Question:
    return Question(
        6,
        "support_after_launch",
        t("What happens after launch?"),
        (
            t(
                "In fixed-price projects we fix bugs free of charge for {days} days after launch. After that, there are two good options:",
                days=business.WARRANTY_DAYS,
            ),
            ItemList(
                (
                    Item(
                        t("We stay"), t("updates, monitoring, fixes and new features within an agreed number of days a month")
                    ),
                    Item(t("You take over"), t("a handover with documentation, tests and training for your developers")),
                )
            ),
            Link(t("What maintenance includes"), offers()["software_maintenance"].href),
        ),
    )
