"""The founder and the team. The founder's words are a sample: replace them, or take the label away."""

from components.words import Feature
from site_app.core import business
from site_app.core.i18n import t
from site_app.core.settings import settings


def founder() -> Feature:
    return Feature(
        eyebrow=t("The founder"),
        headline=t("{name}, Founder & CEO", name=settings().brand_founder),
        lead=t(
            "“I started this company after ten years of taking over other people’s software: most of what I had to fix began with something nobody had written down. Today I read every scope before it goes out and take every first call myself. And if we’re not the right team for you, I’ll tell you who might be.”"
        ),
        illustration="founder",
        facts=(
            (t("Founded"), t("{year}, in London", year=str(business.FOUNDED))),
            (
                t("Team"),
                t("{count} people: design, engineering, operations and marketing", count=business.TEAM),
            ),
        ),
        label=t("Sample"),
    )
