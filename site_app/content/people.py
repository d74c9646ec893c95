"""The people of the agency, as authors and on the about page. All are samples: put yours in their place."""

from dataclasses import dataclass

from site_app.core.i18n import enumerated, t
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
        """What stands in the portrait until there is a photograph."""
        words = self.name.split()
        return (words[0][0] + words[-1][0]).upper() if len(words) > 1 else self.name[:2].upper()

    @property
    def spoken(self) -> str:
        return enumerated(self.languages)


def people() -> tuple[Person, ...]:
    """Everybody, in the order the site shows them."""
    english, thai, chinese = t("English"), t("Thai"), t("Chinese")
    return (
        Person(
            FOUNDER,
            settings().brand_founder,
            t("Founder & CEO"),
            19,
            (english,),
            t("Takes every first call."),
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
