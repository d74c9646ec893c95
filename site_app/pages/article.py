"""A page that is read from top to bottom, by one function."""

from collections.abc import Callable

import reflex as rx

from components.sections.article import side_contents
from components.sections.call_to_action import call_to_action
from components.sections.hero import page_head
from site_app.content.article import Article, Part
from site_app.core.i18n import ENGLISH, is_fallback
from site_app.core.i18n.markdown import blocks
from site_app.pages.markdown import drawn


def article(words: Callable[[], Article], *more: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """The page of one article; `more` are sections of its own, such as a form, before the invitation."""

    def page() -> rx.Component:
        says = words()
        return rx.fragment(
            page_head(headline=says.headline, lead=says.lead),
            side_contents(
                title=says.contents,
                entries=[(part.heading, f"#{part.anchor}") for part in says.parts],
                body=rx.el.div(*[_part(part) for part in says.parts], class_name="prose"),
            ),
            *[section() for section in more],
            call_to_action(says.invitation),
        )

    return page


def _part(part: Part) -> rx.Component:
    paragraphs = [rx.el.p(text) for text in part.paragraphs]
    points = [rx.el.ul(*[rx.el.li(text) for text in part.points])] if part.points else []
    text = drawn(blocks(part.markdown))
    if is_fallback(part.markdown):  # as a whole: none of its nodes is the text that was looked up
        text = [rx.el.div(*text, lang=ENGLISH.tag, class_name="prose")]
    return rx.el.section(rx.el.h2(part.heading, id=part.anchor), *paragraphs, *points, *text, class_name="prose")
