"""The page of the affiliate program: the commission, the process, the form."""

import reflex as rx

from components.sections.hero import footnoted_hero
from components.sections.lists import numbered_steps, reason_list
from components.sections.tables import sum_table
from components.ui.text import fold, onward
from site_app.content.affiliate_program import affiliate_program_words
from site_app.contracts.kinds.affiliate import AFFILIATE
from site_app.core.i18n import sentence_separator
from site_app.forms.markup import lead_form

APPLY = "apply"


def affiliate_program() -> rx.Component:
    texts = affiliate_program_words()
    note = texts.footnote
    return rx.fragment(
        footnoted_hero(
            headline=texts.headline,
            mark=note.mark,
            intro=texts.intro,
            art=texts.illustration,
            apply=texts.apply,
            terms=texts.terms,
            terms_label=texts.terms_label,
            footnote=note.text + sentence_separator(),
            footnote_link=note.link,
        ),
        reason_list(texts.benefits),
        numbered_steps(texts.steps),
        sum_table(texts.example),
        rx.el.section(
            rx.el.div(
                rx.el.div(
                    rx.el.h2(texts.form_heading, class_name="text-3xl"),
                    rx.el.p(texts.form_intro, class_name="mt-5 text-lg text-ink-soft measure"),
                    rx.el.div(
                        rx.el.h3(texts.terms_heading, class_name="text-xl"),
                        fold(texts.terms_heading),
                        rx.el.ul(*[rx.el.li(term) for term in texts.short_terms], class_name="mt-4"),
                        onward(note.link.text, note.link.href, class_name="mt-4"),
                        class_name="prose mt-10 text-sm folding",
                    ),
                    class_name="split-side",
                ),
                lead_form(AFFILIATE),
                class_name="wrap band split",
            ),
            id=APPLY,
        ),
    )
