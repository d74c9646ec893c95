"""A document such as a client gets, on the sheets it would be printed on."""

from collections.abc import Callable

import reflex as rx

from components.sections.article import paper
from components.sections.call_to_action import call_to_action
from components.sections.hero import page_head
from site_app.content.sample_documents import SampleDocument
from site_app.core.i18n.markdown import blocks
from site_app.pages.markdown import drawn


def sample_document(words: Callable[[], SampleDocument]) -> Callable[[], rx.Component]:
    def page() -> rx.Component:
        says = words()
        return rx.fragment(
            page_head(headline=says.headline, lead=says.lead, note=says.note, short=True),
            paper(
                head=says.head,
                label=says.label,
                sheets=[(one.heading, drawn(blocks(one.markdown)), one.foot) for one in says.sheets],
                link=says.other,
            ),
            call_to_action(says.invitation),
        )

    return page
