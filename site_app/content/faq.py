"""The FAQ page: every question with its answer, by category; and selected questions for other pages."""

from dataclasses import dataclass
from functools import cache

from components.records import Invitation
from site_app.content.contact_us import chats
from site_app.content.engagement import MODELS, engagement_models
from site_app.content.legal_values import holiday_exception, months_at_most
from site_app.content.prices import months, months_or_more, pounds, price_of_months, weeks
from site_app.content.records import PLAIN_BOOKING, PageLink, book_call, write_to_us
from site_app.content.routes import REPORT, SCOPE
from site_app.content.services.offers import offers
from site_app.content.ways_of_working import development_approach, working_process
from site_app.core import business
from site_app.core.business import consultation_minutes
from site_app.core.i18n import t
from site_app.core.i18n.names import region_name
from site_app.core.settings import settings


@dataclass(frozen=True)
class FaqItem:
    """One entry of a list; `title` may be empty."""

    title: str
    text: str


@dataclass(frozen=True)
class ItemList:
    items: tuple[FaqItem, ...]
    ordered: bool = False


Block = str | ItemList | PageLink  # a paragraph, a list, or a link to another page


@dataclass(frozen=True)
class Question:
    """A question with its answer as blocks; `slug` is its anchor on the page."""

    id: int
    slug: str
    question: str
    content: tuple[Block, ...]
    expanded: bool = False


@dataclass(frozen=True)
class FaqCategory:
    slug: str
    name: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Faq:
    headline: str
    intro: str
    contents: str
    categories: tuple[FaqCategory, ...]
    invitation: Invitation


def general_inquiries() -> FaqCategory:
    return FaqCategory(
        "general_inquiries",
        t("General enquiries"),
        (_services_offered(), _first_step(), _project_cost(), _where_we_work()),
    )


def _services_offered() -> Question:
    return Question(
        1,
        "services_offered",
        t("What do you offer?"),
        (
            t(
                "We offer {count} services. You can choose just one, or have one team look after the whole product.",
                count=len(offers()),
            ),
            ItemList(tuple(FaqItem("", offer.name) for offer in offers().values())),
            PageLink(t("Start with web development"), offers()["web_development"].href),
        ),
    )


def _first_step() -> Question:
    return Question(
        2,
        "first_step",
        t("How do we get started?"),
        (
            t(
                "With a free {minutes}-minute call or a few lines by email. You pay nothing before you sign, and you can stop after any milestone.",
                minutes=consultation_minutes(),
            ),
            ItemList(tuple(FaqItem(step.title, step.text) for step in working_process().items), ordered=True),
            PageLink(t("How we work together"), "/#process"),
            PageLink(t("What the free call is, and what to bring"), "/contact-us#call"),
            PageLink(t("Trouble booking? Use the simple booking page"), PLAIN_BOOKING),
        ),
    )


def _project_cost() -> Question:
    return Question(
        3,
        "project_cost",
        t("What does a project cost?"),
        (
            t(
                "It depends on the scope, so we price your project instead of quoting an average. The quote is free and in writing: what is included and what is not, what you pay and when, the dates, and the running costs after launch."
            ),
            t(
                "As a guide, excluding VAT: a designer, engineer or marketer from our team costs from {rate} a day. The quote names each person’s rate, and the contract says how many hours count as a day. A fixed-price project starts at {project}, for {days} days of work: enough, for example, for a booking page or a tool for one team, without accounts. At that lowest rate, a first version of a web application with accounts costs {low} to {high}; a first mobile app, {mobile_low} to {mobile_high}.",
                project=pounds(business.PROJECT_POUNDS),
                days=business.PROJECT_POUNDS // business.DAY_RATE_POUNDS,
                rate=pounds(business.DAY_RATE_POUNDS),
                low=pounds(price_of_months(business.WEB_APP_MONTHS[0])),
                high=pounds(price_of_months(business.WEB_APP_MONTHS[1])),
                mobile_low=pounds(price_of_months(business.MOBILE_APP_MONTHS[0])),
                mobile_high=pounds(price_of_months(business.MOBILE_APP_MONTHS[1])),
            ),
            t("If your budget is fixed, tell us. We’ll say what fits and what should wait."),
            PageLink(t("Open a sample scope with its price"), SCOPE),
            PageLink(t("Contact us"), "/contact-us"),
        ),
    )


def _where_we_work() -> Question:
    return Question(
        4,
        "where_we_work",
        t("Where are you, and when can we reach you?"),
        (
            t(
                "Our office is in London, and we work Monday to Friday, {opens} to {closes} London time{exceptions}. With clients in other time zones we agree on hours that overlap.",
                exceptions=holiday_exception(),
                opens=f"{business.TEAM_HOURS[0]:%H:%M}",
                closes=f"{business.TEAM_HOURS[1]:%H:%M}",
            ),
            t("Send a message at any time; we reply within one working day. You choose the time of a call, on your own clock."),
            PageLink(t("Our hours on your clock"), "/contact-us#hours"),
            PageLink(t("All the ways to reach us"), "/contact-us"),
        ),
    )


def privacy_and_legal() -> FaqCategory:
    return FaqCategory(
        "privacy_and_legal",
        t("Privacy and legal"),
        (_code_ownership(), _confidentiality(), _personal_data()),
    )


def _code_ownership() -> Question:
    return Question(
        1,
        "code_ownership",
        t("Who owns the code and the designs?"),
        (
            t(
                "You do, from the day they are paid for. Repositories, cloud accounts and store listings are in your name from the start, so there is no rushed handover later."
            ),
            t(
                "Open-source components keep their licences; you get a list of them with every release. Where we use components we already owned, you get a permanent licence at no further cost."
            ),
            PageLink(t("Read the terms of service"), "/legals/terms-of-service#ownership"),
        ),
    )


def _confidentiality() -> Question:
    return Question(
        2,
        "confidentiality",
        t("Will you sign a confidentiality agreement?"),
        (
            t(
                "Yes, before you show us anything. We can use yours, if it is reasonable, or ours, which is mutual and two pages long."
            ),
            t("We name your project in public only with your written consent."),
            PageLink(t("Contact us about an agreement"), "/contact-us"),
        ),
    )


def _personal_data() -> Question:
    return Question(
        3,
        "personal_data",
        t("What happens to the information I send you?"),
        (
            t(
                "We use it to answer you and to prepare a quote or a call, and keep it for no more than {months} months (in backups about two weeks more), less if you ask; only contracts, invoices, affiliates’ records and what a contract or a legal dispute needs are kept longer. We don’t sell it or give it to advertisers.",
                months=months_at_most(settings().keep_leads),
            ),
            t("This website sets one cookie, and only when you choose a language."),
            PageLink(t("What protects you"), "/company/about-us#trust"),
            PageLink(t("Read the privacy policy"), "/legals/privacy-policy"),
        ),
    )


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


def working_with_us() -> FaqCategory:
    return FaqCategory(
        "working_with_us",
        t("Working with us"),
        (_freelancers(), _subcontractors(), _ai_on_our_code(), _lateness(), _stopping(), _deposit()),
    )


def _freelancers() -> Question:
    return Question(
        1,
        "freelancers_or_in_house",
        t("Why not a freelancer, or our own people?"),
        (
            t(
                "Often that is the better choice. A freelancer is cheaper for one clear task; your own people are better for software that you will change every week for years."
            ),
            t(
                "We are worth the money when you need several skills at once, a fixed date, or someone to look after it afterwards. We also hand over to your own team, and can help you to hire one."
            ),
            PageLink(t("What a budget buys"), "/company/prices"),
        ),
    )


def _subcontractors() -> Question:
    return Question(
        2,
        "subcontractors",
        t("Do you pass work on to others?"),
        (
            t(
                "Not without your consent. Our own people do the work; where we need someone from outside, you know their name and agree to it first, in writing. You choose an auditor or penetration tester yourself."
            ),
        ),
    )


def _ai_on_our_code() -> Question:
    return Question(
        3,
        "ai_on_our_code",
        t("Do you use AI on our code?"),
        (
            t(
                "Only where your contract allows it, and never with your customers’ data. An engineer reads, tests and signs off what a tool suggests. No model is trained on your code: we use plans that rule it out, and tell you which."
            ),
            PageLink(t("Security and data"), "/company/security-and-data#ai"),
        ),
    )


def _lateness() -> Question:
    return Question(
        4,
        "lateness",
        t("What if you are late?"),
        (
            t(
                "We tell you at once, with the reason and what we suggest, and the weekly report says so in its first sentence. At a fixed price, extra days are at our cost; if an assumption in the quote proves wrong, we agree with you how to proceed before we go on. If a milestone is more than {days} working days late for a reason within our control, you may end the project and pay only for what you have accepted; what you have paid for is yours.",
                days=business.LATE_DAYS,
            ),
            PageLink(t("Open a sample report"), REPORT),
        ),
    )


def _stopping() -> Question:
    return Question(
        5,
        "stopping",
        t("Can we stop halfway, and what if someone falls ill?"),
        (
            t(
                "At a fixed price, you can stop after any milestone; within one, we agree in writing on what you pay and what you get. Either of us can end monthly work with {days} days’ notice, unless the contract names another period.",
                days=business.MONTHLY_NOTICE_DAYS,
            ),
            t(
                "Every change is reviewed, so a second engineer knows the code if someone falls ill. At a fixed price, extra days are at our cost; in monthly work, you pay for the days worked."
            ),
        ),
    )


def _deposit() -> Question:
    return Question(
        6,
        "deposit",
        t("Is there a deposit, and how long does a quote hold?"),
        (
            t(
                "No deposit. At a fixed price you pay for each milestone once you have accepted it; monthly work is billed monthly. Invoices are due {invoice} days after their date. Each quote states the dates of the work, and the last day on which you can accept it.",
                invoice=business.INVOICE_DAYS,
            ),
            PageLink(t("Read the terms of service"), "/legals/terms-of-service#quotes"),
        ),
    )


def clients_abroad() -> FaqCategory:
    """Returns the questions of clients in Thailand and China: how they pay, which papers they get, which law and which language bind."""
    return FaqCategory(
        "clients_abroad",
        t("Clients outside the UK"),
        (_payment(), _tax_papers(), _contract_language(), _data_law(), _channels(), _not_offered()),
    )


def _payment() -> Question:
    return Question(
        1,
        "payment",
        t("How do we pay, and who bears the bank charges?"),
        (
            t(
                "By bank transfer in pounds sterling, unless the contract names another currency, within {days} days of the date of the invoice. You pay the charges of your own bank and of any intermediary banks; we pay our own bank’s.",
                days=business.INVOICE_DAYS,
            ),
            t("We don’t take cards, PromptPay, Alipay or WeChat Pay."),
        ),
    )


def _tax_papers() -> Question:
    return Question(
        2,
        "tax_papers",
        t("Which invoices and tax documents do we get?"),
        (
            t(
                "An invoice from a British company, in English, with our VAT number. It is not a Thai tax invoice, nor a Chinese fapiao: we can’t issue either."
            ),
            t(
                "UK VAT is as a rule not charged to businesses outside the UK. If your law makes you withhold tax or account for it yourself, tell us before you sign: we’ll agree who bears it, and apply for a certificate of UK tax residence if your tax office asks for one."
            ),
        ),
    )


def _contract_language() -> Question:
    return Question(
        3,
        "contract_language",
        t("Which language is the contract in, and which law applies?"),
        (
            t(
                "English, with a Thai or Chinese version beside it if you like. If the two differ, the English text prevails unless the contract says otherwise."
            ),
            t("The law of England and Wales applies, and the courts of England and Wales have exclusive jurisdiction."),
            PageLink(t("Read the terms of service"), "/legals/terms-of-service#contracts"),
        ),
    )


def _data_law() -> Question:
    return Question(
        4,
        "data_law",
        t("Which data protection law applies to us and to our users?"),
        (
            t(
                "What you send through this website is stored in the UK or the EEA, under the UK GDPR. In Thailand you also have your rights under the PDPA, in mainland China under the PIPL; the privacy policy says how to use them."
            ),
            t(
                "In a project, you decide where your users’ data is kept. Where the law demands servers in mainland China, it is kept there, under your own licences and filings. The data processing agreement names the place and the law."
            ),
            PageLink(t("What protects you"), "/company/about-us#trust"),
        ),
    )


def _channels() -> Question:
    if chats():
        chat = t(
            "The contact page has our chat. In a project we join the tools you work in; what is decided in any of them is confirmed by email."
        )
    else:
        chat = t(
            "Please use email or the forms here, so that nothing gets lost. In a project we join the tools you work in; what is decided there is confirmed by email."
        )
    return Question(
        5,
        "channels",
        t("Can we reach you on LINE or WeChat, and on our public holidays?"),
        (
            chat,
            _holidays(),
        ),
    )


def _holidays() -> str:
    if region := settings().booking_holidays:
        return t(
            "We observe the public holidays in {place} and no others: a message on your holiday is answered within one London working day.",
            place=region_name(region),
        )
    return t(
        "We observe no public holidays: a message on your holiday is answered within one London working day, Monday to Friday."
    )


def _not_offered() -> Question:
    return Question(
        6,
        "not_offered",
        t("What don’t you offer in mainland China?"),
        (
            t(
                "We don’t file ICP registrations, hold licences or run servers there in our own name, and we don’t build mini programs for WeChat or Alipay. If your project needs one of these, we’ll say so before you sign, and work alongside the local company you choose. We take on no token projects for that market."
            ),
        ),
    )


def _development_process() -> Question:
    return Question(
        1,
        "development_process",
        t("How do you develop software?"),
        (
            t("In six steps. Each step ends with something to look at; development and testing repeat weekly."),
            ItemList(tuple(FaqItem(step.title, step.text) for step in development_approach()), ordered=True),
            PageLink(t("See the steps in web development"), offers()["web_development"].href),
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
                    FaqItem(model.name, t("{best_for}. {description}", best_for=model.best_for, description=model.description))
                    for model in engagement_models()
                )
            ),
            t(
                "If two of them seem right, start with a fixed price: it’s easier to move from there to monthly than the other way round."
            ),
            PageLink(t("Compare the three models"), f"/company/prices#{MODELS}"),
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
                    FaqItem(
                        weeks(business.SMALL_BUDGET_WEEKS),
                        t("a booking page, a website with forms or a tool for one team, without accounts"),
                    ),
                    FaqItem(months(business.WEB_APP_MONTHS), t("a focused first version built around one main task")),
                    FaqItem(
                        months(business.MEDIUM_WEB_APP_MONTHS),
                        t("several main tasks, and links to several systems you already use"),
                    ),
                    FaqItem(
                        months(business.LARGE_WEB_APP_MONTHS),
                        t("several products on one platform, with apps, reporting and partner integrations"),
                    ),
                    FaqItem(months_or_more(business.VERY_LARGE_WEB_APP_MONTHS), t("a large platform, released in stages")),
                )
            ),
            t("What delays projects most is waiting for decisions, so the plan says which ones we need from you, and when."),
            PageLink(t("More on web development"), offers()["web_development"].href),
        ),
    )


def _existing_software() -> Question:
    return Question(
        4,
        "existing_software",
        t("Can you take over software built by someone else?"),
        (
            t(
                "Yes. We need the code, access to the servers and someone who knows which parts must never go down. Reviewing it and making it safe to change usually takes {weeks}. After that, you set the pace.",
                weeks=weeks(business.TAKEOVER_WEEKS),
            ),
            t(
                "Sometimes the review shows that starting again is cheaper. If so, the report says why, with figures you can check."
            ),
            PageLink(t("How we take over software"), offers()["software_maintenance"].href),
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
            PageLink(t("How we test AI first"), offers()["ai_and_deep_learning"].href),
        ),
    )


def _support_after_launch() -> Question:
    return Question(
        6,
        "support_after_launch",
        t("What happens after launch?"),
        (
            t(
                "At a fixed price, we fix bugs free of charge if you report them within {days} days of launch, urgent ones first. After that, there are two good options:",
                days=business.WARRANTY_DAYS,
            ),
            ItemList(
                (
                    FaqItem(
                        t("We stay"), t("updates, monitoring, fixes and new features within an agreed number of days a month")
                    ),
                    FaqItem(t("You take over"), t("a handover with documentation, tests and training for your developers")),
                )
            ),
            t("Without a maintenance contract, later fixes are charged by the day."),
            PageLink(t("What maintenance includes"), offers()["software_maintenance"].href),
        ),
    )


def faq_words() -> Faq:
    return Faq(
        headline=t("Software projects: straight answers"),
        intro=t("Price, time, ownership and privacy: what people ask us before they sign, answered as we would on a call."),
        contents=t("Topics"),
        categories=faq_categories(),
        invitation=Invitation(
            t("Didn’t find your question?"),
            t("Ask us. We’ll reply within one working day, and good questions end up on this page."),
            (write_to_us(), book_call()),
        ),
    )


def faq_categories() -> tuple[FaqCategory, ...]:
    return (general_inquiries(), service_questions(), working_with_us(), clients_abroad(), privacy_and_legal())


@cache
def faq_slugs() -> frozenset[str]:
    """Returns the slugs of all questions, which are the same in every language."""
    return frozenset(question.slug for category in faq_categories() for question in category.questions)


def pick_questions(slugs: tuple[str, ...]) -> tuple[Question, ...]:
    """Returns these questions of the FAQ in this order; raises KeyError for an unknown slug."""
    by_slug = {question.slug: question for category in faq_categories() for question in category.questions}
    return tuple(by_slug[slug] for slug in slugs)
