"""Five sample testimonials: the people and companies in them are invented, and the site says so."""

from components.words import Testimonial, Testimonials
from site_app.core.i18n import t


def testimonials() -> Testimonials:
    return Testimonials(
        t("What working together sounds like"),
        t("Five samples, in the place of real clients’ words."),
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
            "Priya Raman",
            t("Chief Technology Officer"),
            "Castlemere Clinics",
        ),
        _voice(
            4,
            t("They talked us out of a blockchain and into a signed log. It cost a third, and the auditors liked it."),
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
