"""Which question of the FAQ is open: at most one in each category."""

import reflex as rx

from site_app.content.faq import faq_categories

_QUESTIONS = {category.slug: frozenset(question.slug for question in category.questions) for category in faq_categories()}


class FaqState(rx.State):
    """The open question of each category by its slug; `seq` numbers the visitor's changes, as in DialogState."""

    expanded: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    seq: rx.Field[dict[str, int]] = rx.field(default_factory=dict)

    @rx.event
    def report(self, category: str, question: str, seq: int):
        """Take over what the visitor expanded (an empty question: nothing), unless something newer is known."""
        if type(seq) is not int or category not in _QUESTIONS or seq < self.seq.get(category, 0):
            return
        self.seq[category] = seq
        if question in _QUESTIONS[category]:
            self.expanded[category] = question
        else:
            self.expanded.pop(category, None)
