"""The expanded questions of the FAQ: at most one in each category."""

from typing import TypedDict

import reflex as rx

from site_app.content.faq import faq_categories


class ExpandableQuestion(TypedDict):
    """A question by its category's slug and its own. The page holds its text, in the page's language."""

    category: str
    slug: str
    expanded: bool


def _collapsed() -> list[ExpandableQuestion]:
    return [
        ExpandableQuestion(category=category.slug, slug=question.slug, expanded=False)
        for category in faq_categories()
        for question in category.questions
    ]


class FaqState(rx.State):
    """The questions with their flags; `seq` numbers the visitor's changes in each category, as in DialogState."""

    questions: rx.Field[list[ExpandableQuestion]] = rx.field(default_factory=_collapsed)
    seq: rx.Field[dict[str, int]] = rx.field(default_factory=dict)

    @rx.var
    def expanded(self) -> dict[str, str]:
        """The expanded question of each category that has one."""
        return {question["category"]: question["slug"] for question in self.questions if question["expanded"]}

    @rx.event
    def toggle(self, slug: str):
        """Expands a question and collapses the other one of its category; collapses the question if it is expanded."""
        for question in self.questions:
            if question["slug"] == slug:
                self._expand(question["category"], "" if question["expanded"] else slug)
                return

    @rx.event
    def report(self, category: str, question: str, seq: int):
        """Stores the question that the visitor expanded ("" if none is expanded), unless a newer report has arrived."""
        if seq >= self.seq.get(category, 0) and any(question_row["category"] == category for question_row in self.questions):
            self.seq[category] = seq
            self._expand(category, question)

    def _expand(self, category: str, slug: str):
        self.questions = [
            ExpandableQuestion(**{**question, "expanded": question["slug"] == slug})
            if question["category"] == category
            else question
            for question in self.questions
        ]
