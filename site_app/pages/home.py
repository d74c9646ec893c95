"""The home page."""

import reflex as rx

from components.sections.article import entry_list
from components.sections.hero import call_to_action, figure_line, hero
from components.sections.lists import numbered_steps, offer_list, reason_list, testimonials
from components.sections.tables import papers_on_ink, report_sheet
from components.ui.text import headline, onward, section
from site_app.content.home import home_words
from site_app.content.publications import CASES, publications
from site_app.core.i18n.markdown import parse_blocks
from site_app.pages.publications import case_row
from site_app.pages.service import price_section
from site_app.pages.text_page import components_of


def home() -> rx.Component:
    texts = home_words()
    return rx.fragment(
        hero(texts, picture=report_sheet(texts.report)),
        figure_line(texts.facts),
        offer_list(
            heading=texts.services.heading, intro=texts.services.intro, offers=texts.services.items, elsewhere=texts.elsewhere
        ),
        papers_on_ink(
            texts.documents,
            head=texts.scope.head,
            label=texts.scope.label,
            title=texts.scope.heading,
            content=components_of(parse_blocks(texts.scope.markdown), table_roles=False),
        ),
        *case_row(publications(CASES)[:3], heading=texts.cases.heading, intro=texts.cases.intro),
        numbered_steps(texts.process, anchor="process"),
        section(
            headline(texts.models.heading, intro=texts.models.intro, anchor="models"),
            entry_list(texts.models.items, level=3),
            onward(texts.all_terms.text, texts.all_terms.href, class_name="mt-5"),
            ground="bg-tint",
        ),
        *price_section(),
        reason_list(texts.reasons),
        *([testimonials(texts.testimonials)] if texts.testimonials else []),
        call_to_action(texts.invitation),
    )
