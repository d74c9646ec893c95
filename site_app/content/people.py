"""The founder and the team. The founder's words are a sample: replace them, or take the mark away."""

from dataclasses import dataclass

from site_app import business
from site_app.i18n import t
from site_app.settings import settings


@dataclass(frozen=True)
class Founder:
    """Who answers for the work; `facts` are pairs of label and value."""

    eyebrow: str
    name: str
    words: str
    portrait: str
    facts: tuple[tuple[str, str], ...]
    label: str
    is_sample: bool = True


def founder() -> Founder:
    return Founder(
        eyebrow=t("The founder"),
        name=t("{name}, Founder & CEO", name=settings().brand_founder),
        words=t(
            "“I started this company after ten years of taking over other people’s software: most of what I had to fix began with something nobody had written down. Today I read every scope before it goes out and take every first call myself. And if we’re not the right team for you, I’ll tell you who might be.”"
        ),
        portrait="founder",
        facts=(
            (t("Founded"), t("{year}, in London", year=str(business.FOUNDED))),
            (
                t("Team"),
                t("{count} people: design, engineering, operations and marketing", count=business.TEAM),
            ),
        ),
        label=t("Sample"),
    )
