"""The page on security and data: how a client's code, data and accounts are kept."""

from components.words import Invitation
from site_app.content.legal_values import months_at_most
from site_app.content.prices import pounds
from site_app.content.records import Article, Part, book_call, write_to_us
from site_app.core import business
from site_app.core.i18n import t
from site_app.core.settings import settings


def security_and_data() -> Article:
    return Article(
        headline=t("Security and your data"),
        lead=t("What your security officer will want to know."),
        contents=t("On this page"),
        parts=(
            Part(
                "accounts",
                t("Accounts and code"),
                points=(
                    t("Repositories, servers and store accounts are in your name. We are guests, and you can remove us."),
                    t("Each of us has an account of our own with two-factor sign-in; none is shared."),
                    t("Access ends on the day someone leaves the project, and you get the updated list."),
                    t("Every change is reviewed by a second engineer and can be traced to the person who made it."),
                ),
            ),
            Part(
                "data",
                t("Your customers’ data"),
                points=(
                    t(
                        "We build and test with invented data. Where a project needs real data, as AI work does, the contract says which, where it is processed and who sees it."
                    ),
                    t("Where real data is needed to find a fault, you decide who sees it and for how long, in writing."),
                    t("Your servers are in the country you choose; those of this website are in the UK or the EEA."),
                    t("We sign a data processing agreement before the first access."),
                ),
            ),
            Part(
                "building",
                t("How we build"),
                points=(
                    t("Dependencies are pinned, and checked every day for known vulnerabilities."),
                    t("All input is validated, no secrets are kept in the code, and logs contain no personal data."),
                    t("Backups are restored once before launch, because only then are they backups."),
                    t(
                        "Before launch we attack our own work. Where money or health is involved, an independent penetration test follows; elsewhere you can add one. Its price is an item of the quote."
                    ),
                ),
            ),
            Part(
                "ai",
                t("AI tools"),
                points=(
                    t("We use AI assistants where your contract allows it, and never with your customers’ data."),
                    t("What they suggest is read, tested and signed by an engineer like any other change."),
                    t("No model is trained on your code: we use plans that rule it out, and tell you which."),
                ),
            ),
            Part(
                "incidents",
                t("When something happens"),
                points=(
                    t("We tell you within a day of noticing, with what we know and what we don’t."),
                    t("Within ten working days you get the cause, and what we changed, in writing."),
                    t(
                        "Our professional indemnity insurance covers our work for up to {amount}; the sum we are liable for is in your contract and in the terms.",
                        amount=pounds(business.INDEMNITY_POUNDS),
                    ),
                ),
            ),
            Part(
                "this-site",
                t("What you send through this site"),
                markdown=t(
                    """We keep it in our own database and delete it after {months} months at the latest, contracts and affiliates’ records apart. No advertising, no tracking cookies. [The privacy policy](/legals/privacy-policy) says it in full.""",
                    months=months_at_most(settings().keep_leads),
                ),
            ),
        ),
        invitation=Invitation(
            t("Does your security team have a list?"),
            t("Send it to us. You’ll have our answers within three working days, before you sign anything."),
            (write_to_us(), book_call()),
        ),
    )
