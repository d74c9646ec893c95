"""The people of the agency, as authors and on the about page, and the voices of clients.

All are samples, and the site says so: put yours in their place.
"""

from dataclasses import dataclass

from components.records import Testimonial, Testimonials
from site_app.core.i18n import join_with_and, t
from site_app.core.settings import settings

FOUNDER = "founder"


@dataclass(frozen=True)
class Person:
    """`slug` signs articles; `reviews` says what the person looks at before it reaches a client."""

    slug: str
    name: str
    role: str
    years: int  # in the trade
    languages: tuple[str, ...]
    reviews: str
    is_sample: bool = True

    @property
    def initials(self) -> str:
        """The initials, which the portrait shows until there is a photograph."""
        words = self.name.split()
        return (words[0][0] + words[-1][0]).upper() if len(words) > 1 else self.name[:2].upper()

    @property
    def languages_words(self) -> str:
        return join_with_and(self.languages)


def people() -> tuple[Person, ...]:
    """Returns everybody in the order in which the site shows them."""
    english = t("English")
    thai = t("Thai")
    chinese = t("Chinese")
    return (
        Person(
            FOUNDER,
            settings().brand_founder,
            t("Founder & CEO"),
            19,
            (english,),
            t("Reads every scope before it goes out."),
        ),
        Person("priya-nair", "Priya Nair", t("Lead engineer"), 14, (english,), t("Reviews architecture and every takeover.")),
        Person(
            "tom-ashworth",
            "Tom Ashworth",
            t("Engineer, web and mobile"),
            9,
            (english,),
            t("Reviews everything that runs on phones, with and without a signal."),
        ),
        Person(
            "siriporn-chaiyasit",
            "Siriporn Chaiyasit",
            t("Designer"),
            11,
            (english, thai),
            t("Reviews every screen, by keyboard and with a screen reader."),
        ),
        Person(
            "wei-zhang",
            "Wei Zhang",
            t("Data and AI engineer"),
            8,
            (english, chinese),
            t("Reviews every model against the client’s own data."),
        ),
        Person(
            "hannah-boyd",
            "Hannah Boyd",
            t("Delivery lead"),
            12,
            (english,),
            t("Reviews estimates, and signs the weekly reports."),
        ),
    )


def person(slug: str) -> Person | None:
    return next((person for person in people() if person.slug == slug), None)


def testimonials() -> Testimonials:
    return Testimonials(
        t("What working together sounds like"),
        t("Five invented examples, until we can quote real clients."),
        _voices(),
        label=t("Sample"),
        note=t(
            "Samples: these people and companies are fictional. Words from real clients appear here only with their consent."
        ),
    )


def _voices() -> tuple[Testimonial, ...]:
    return (
        _voice(
            1,
            t("The scope was four pages and the price did not move. In week two we were clicking through every screen."),
            "Amara Osei",
            t("Head of Operations"),
            "Larkfield Freight",
        ),
        _voice(
            2,
            t(
                "Our drivers lose signal for hours. The app saves each confirmed delivery and sends the update later, and nobody has to think about it."
            ),
            "Tomasz Wren",
            t("Product Manager"),
            "Fenway Parcel Co-op",
        ),
        _voice(
            3,
            t("They inherited nine-year-old code with no tests. Three months later we released on a Friday and went home."),
            "Padma Raman",
            t("Chief Technology Officer"),
            "Castlemere Clinics",
        ),
        _voice(
            4,
            t("They talked us out of a blockchain and into a signed log. It cost a third as much, and the auditors liked it."),
            "Daniel Ashgrove",
            t("Finance Director"),
            "Oakhaven Timber",
        ),
        _voice(
            5,
            t("The report is one page: what we spent, who got in touch, what it cost per enquiry. I read it the day it comes."),
            "Lin Mei Hartley",
            t("Marketing Lead"),
            "Brightwater Language School",
        ),
    )


def _voice(
    id: int,  # noqa: A002
    description: str,
    name: str,
    position: str,
    client: str,
    *,
    is_sample: bool = True,
) -> Testimonial:
    role = t("{position}, {client}", position=position, client=client)
    return Testimonial(id, description, name, position, client, f"/images/avatars/{id}.svg", role, is_sample)
