"""The home page."""

import reflex as rx

from components.sections.hero import call_to_action, facts, hero
from components.sections.lists import numbered_steps, offer_list, reason_list, testimonials
from components.sections.tables import comparison_table, papers_on_ink, report_sheet
from site_app.content.home import home_words
from site_app.content.publications import CASES, publications
from site_app.core.i18n.markdown import blocks
from site_app.pages.article import components_of
from site_app.pages.publications import case_row
from site_app.pages.service import price_section


def home() -> rx.Component:
    texts = home_words()
    (models,) = texts.models.items
    return rx.fragment(
        hero(texts, picture=report_sheet(texts.report)),
        facts(texts.facts),
        offer_list(
            heading=texts.services.heading, lead=texts.services.lead, offers=texts.services.items, elsewhere=texts.elsewhere
        ),
        papers_on_ink(
            texts.documents,
            head=texts.scope.head,
            label=texts.scope.label,
            title=texts.scope.heading,
            content=components_of(blocks(texts.scope.markdown)),
        ),
        *case_row(publications(CASES)[:3], heading=texts.cases.heading, lead=texts.cases.lead),
        numbered_steps(texts.process),
        comparison_table(
            heading=texts.models.heading,
            lead=texts.models.lead,
            columns=[(model.name, model.description) for model in models.models],
            benefits=models.benefits,
            rows=models.rows,
            anchor="models",
            headline_row="price",
            terms=texts.all_terms,
        ),
        *price_section(),
        reason_list(texts.reasons),
        *([testimonials(texts.testimonials)] if texts.testimonials else []),
        call_to_action(texts.invitation),
    )
