"""The service pages, built by one function: benefits, technologies, approach, timeline and billing model.

Also builds the price calculator's section, for the home page too, and the one about brand creation.
"""

from collections.abc import Callable

import reflex as rx

from components.records import Feature
from components.sections.article import question_section
from components.sections.hero import call_to_action, feature, hero, jump_links
from components.sections.lists import numbered_steps, reason_list
from components.sections.price_calculator import price_calculator
from components.sections.tables import result_sheet, technology_table, time_and_model
from site_app.content.engagement import model_terms
from site_app.content.faq import pick_questions
from site_app.content.prices import MAX_PEOPLE, calculator_words
from site_app.content.services.digital_marketing import brand_board, brand_creation
from site_app.content.services.offers import Service
from site_app.core.i18n import href, t
from site_app.pages.faq import question_with_answer
from site_app.pages.publications import case_row, cases_of
from site_app.states.price import BY_SERVICE


def service_page(service: Callable[[], Service], *sections: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """Returns the page of one service; `sections` are added before the questions."""

    def page() -> rx.Component:
        texts = service()
        cases = _cases(texts.offer.api_slug)
        return rx.fragment(
            hero(
                texts,
                eyebrow="" if texts.headline.startswith(texts.offer.name) else texts.offer.name,
                picture=result_sheet(texts.artefact),
                below=jump_links(texts.jumps, label=t("On this page")) if texts.jumps else None,
            ),
            reason_list(texts.benefits, anchor=texts.offer.api_slug if texts.jumps else ""),
            technology_table(texts.technologies),
            _timeline_and_model(texts),
            numbered_steps(texts.approach),
            *[section() for section in sections],
            *cases,
            *price_section(texts.offer.slug, tinted=not cases),
            question_section(
                heading=t("Common questions"),
                link_text=t("All questions"),
                href=href("/faq"),
                group="asked",
                questions=[question_with_answer(question) for question in pick_questions(texts.questions)],
            ),
            call_to_action(texts.invitation),
        )

    return page


def _cases(service: str) -> list[rx.Component]:
    return case_row(cases_of(service)[:3], heading=t("Case studies of this service"), tinted=True)


def price_section(service: str = "web_development", *, tinted: bool = False) -> tuple[rx.Component, ...]:
    """Returns the price calculator, opened on the service's kind of work; nothing for a service that it does not price."""
    if service not in BY_SERVICE:
        return ()
    state = BY_SERVICE[service]
    return (
        price_calculator(
            calculator_words(),
            work=state.work,
            people=state.people,
            most_people=MAX_PEOPLE,
            price=state.price,
            months=state.months,
            on_work=state.choose_work,
            on_people=state.choose_people,
            tinted=tinted,
        ),
    )


def brand_section() -> rx.Component:
    """Returns the section about brand creation on the digital marketing page."""
    texts = brand_creation()
    return rx.fragment(
        feature(
            Feature(texts.offer.name, texts.headline, texts.intro),
            anchor="brand-creation",
            picture=result_sheet(texts.artefact),
            actions=texts.invitation.actions,
        ),
        reason_list(texts.benefits, pictures=brand_board()),
        technology_table(texts.technologies),
        _timeline_and_model(texts),
        numbered_steps(texts.approach),
    )


def _timeline_and_model(texts: Service) -> rx.Component:
    """Returns the timeline, and the engagement model that fits best with its terms."""
    model = texts.fit.model
    terms = ("billing", "price", "scope_changes", "commitment")
    return time_and_model(
        texts.timeline,
        model=model.name,
        fit_heading=texts.fit.heading,
        fit_text=texts.fit.text,
        benefits=model.points(texts.fit.omitted_benefits),
        facts=[(label, getattr(model, slug)) for slug, label in model_terms().items() if slug in terms],
    )
