"""Answers of the FAQ as components."""

import reflex as rx

from components.sections.question_list import answer_list, answer_paragraph
from components.ui.onward import onward
from site_app.content.faq.records import Block, ItemList, Question
from site_app.content.records import Link


def answered(question: Question) -> tuple[Question, list[rx.Component]]:
    """A question with its answer built."""
    return question, [_block(block) for block in question.content]


def _block(block: Block) -> rx.Component:
    match block:
        case str():
            return answer_paragraph(block)
        case ItemList(items, ordered):
            return answer_list(items, ordered=ordered)
        case Link(text, href):
            return onward(text, href)
