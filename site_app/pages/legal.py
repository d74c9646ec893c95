"""The five legal pages, built by one function."""

from collections.abc import Callable

import reflex as rx

from components.sections.article import side_contents, summary
from components.sections.hero import page_head
from site_app.content.legal import legal_page, summary_of
from site_app.content.routes import BY_PATH
from site_app.core.i18n import ENGLISH, current, t
from site_app.core.i18n.clocks import date_words
from site_app.core.i18n.markdown import Document, anchor, plain
from site_app.pages.article import components_of


def legal(path: str) -> Callable[[], rx.Component]:
    """Returns the page of one legal text: always in English, which is legally binding, below a summary in the current language."""

    def page() -> rx.Component:
        text = legal_page(path)
        return rx.el.article(  # a single child of main, so that the whole text is in the first paint (see base.css)
            page_head(headline=_title(path, text), note=t("Effective from {day}", day=date_words(text.effective))),
            *([] if current() is ENGLISH else [rx.el.div(_summary(path), class_name="wrap summary-band")]),
            side_contents(
                title=t("On this page"),
                entries=[(plain(heading), f"#{anchor(heading)}") for heading in text.headings if heading.tag == "h2"],
                body=rx.el.div(*components_of(text.blocks), lang=ENGLISH.tag, class_name="prose legal"),
                lang=ENGLISH.tag,
            ),
        )

    return page


def _title(path: str, text: Document) -> rx.Component:
    english = rx.el.span(text.title, lang=ENGLISH.tag)
    if current() is ENGLISH:
        return english
    english.class_name = "page-head-original"
    return rx.fragment(BY_PATH[path].title(), english)


def _summary(path: str) -> rx.Component:
    return summary(
        title=t("Summary in your language"),
        lines=summary_of(path),
        note=t("This summary helps you find your way and is not part of the text. The English text below is the binding one."),
    )
