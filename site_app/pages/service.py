"""The service pages, by one function: what one gets, with what, how, in which time and at which billing model; and brand creation."""

from collections.abc import Callable

import reflex as rx

from components.sections.article import question_section
from components.sections.hero import call_to_action, hero
from components.sections.points import benefits_grid, feature, numbered_steps
from components.sections.tables import technology_table, time_and_model
from components.words import Feature
from site_app.content.engagement import comparison
from site_app.content.faq import pick_questions
from site_app.content.services.brand_creation import brand_creation
from site_app.content.services.records import Service
from site_app.core.i18n import href, t
from site_app.pages.faq import answered
from site_app.pages.price import price_section


def service_page(service: Callable[[], Service], *more: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """The page of one service; `more` are sections of its own, before the questions."""

    def page() -> rx.Component:
        says = service()
        return rx.fragment(
            hero(says, eyebrow=says.offer.name),
            benefits_grid(says.benefits),
            technology_table(says.technologies),
            _time(says),
            numbered_steps(says.approach),
            *[section() for section in more],
            price_section(),
            question_section(
                heading=t("Questions people ask before they sign"),
                more=t("All questions"),
                href=href("/faq"),
                group="asked",
                questions=[answered(question) for question in pick_questions(says.questions)],
            ),
            call_to_action(says.invitation),
        )

    return page


def brand_section() -> rx.Component:
    """Brand creation, a section of the digital marketing page."""
    says = brand_creation()
    return rx.fragment(
        feature(Feature(says.offer.name, says.headline, says.lead, says.illustration), anchor="brand-creation"),
        benefits_grid(says.benefits, tinted=False),
        _time(says),
        numbered_steps(says.approach),
        technology_table(says.technologies),
    )


def _time(says: Service) -> rx.Component:
    """How long it takes, and the model that fits with its row of the comparison."""
    model = says.fit.model
    shown = ("billing", "price", "scope_changes", "commitment")
    return time_and_model(
        says.timeline,
        model=model.name,
        fit_heading=says.fit.heading,
        fit_text=says.fit.text,
        benefits=model.points(),
        facts=[(row.label, getattr(model, row.slug)) for row in comparison().rows if row.slug in shown],
    )
