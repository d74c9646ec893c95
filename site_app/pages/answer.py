"""Answers of the FAQ as components."""

import reflex as rx

from components.sections.questions import answer_list, answer_paragraph
from components.ui.text import onward
from site_app.content.faq.records import Block, ItemList, Onward, Paragraph, Question


def answered(question: Question) -> tuple[Question, list[rx.Component]]:
    """A question with its answer built."""
    return question, [_block(block) for block in question.content]


def _block(block: Block) -> rx.Component:
    match block:
        case Paragraph(text):
            return answer_paragraph(text)
        case ItemList(items, ordered):
            return answer_list(items, ordered=ordered)
        case Onward(link):
            return onward(link.text, link.href)
