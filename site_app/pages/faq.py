"""The FAQ page: every question by category, with the list of categories beside them."""

import reflex as rx

from components.browser import OpenStateSync
from components.sections.article import answer_list, question_list, questions_page, side_contents
from components.sections.hero import call_to_action, page_head
from components.ui.text import onward
from site_app.content.faq import Block, FaqCategory, ItemList, Question, faq_words
from site_app.content.publications import all_publications
from site_app.content.records import PageLink
from site_app.core.i18n import href, t
from site_app.states.faq import FaqState


def faq() -> rx.Component:
    texts = faq_words()
    return rx.fragment(
        page_head(headline=texts.headline, intro=texts.intro, short=True),
        side_contents(
            questions_page(*[_category(category) for category in texts.categories], class_name="grid gap-16"),
            title=texts.contents,
            entries=[(category.name, f"#{category.slug}") for category in texts.categories],
            folds=False,
        ),
        call_to_action(texts.invitation),
    )


def _category(category: FaqCategory) -> rx.Component:
    return rx.el.section(
        rx.el.h2(category.name, id=category.slug, class_name="text-2xl mb-6"),
        OpenStateSync.create(
            question_list(
                group=category.slug,
                questions=[question_with_answer(question) for question in category.questions],
                is_faq=True,
            ),
            name=category.slug,
            keeps=True,
            open_id=FaqState.expanded.get(category.slug, ""),
            seq=FaqState.seq.get(category.slug, 0),
            hydrated=rx.State.is_hydrated,
            on_report=lambda question, seq: FaqState.report(category.slug, question, seq),
        ),
    )


def question_with_answer(question: Question) -> tuple[str, str, list[rx.Component]]:
    """Returns the slug, the question and its answer, with links to the articles and case studies that name it in their front matter."""
    further = [publication for publication in all_publications() if question.slug in publication.facts.questions]
    links = [_link(t("Read more: {title}", title=publication.words().title), href(publication.path)) for publication in further]
    return question.slug, question.question, [*map(_block, question.content), *links]


def _block(block: Block) -> rx.Component:
    match block:
        case str():
            return rx.el.p(block)
        case ItemList(items, ordered):
            return answer_list(items, ordered=ordered)
        case PageLink(text, href):
            return _link(text, href)


def _link(text: str, href: str) -> rx.Component:
    """Returns a link on a line of its own, without the arrow that thirty answers would repeat."""
    return onward(text, href, arrow=False)
