"""The first and the last section of a page, with headline, intro and drawing, and a section about one subject."""

from collections.abc import Sequence

import reflex as rx

from components.art.drawings import illustration
from components.records import Action, Feature, Figure, Invitation, Link, Opening
from components.ui.button import action_row, button_link
from components.ui.text import onward, section


def hero(
    words: Opening, *, eyebrow: str = "", picture: rx.Component | None = None, below: rx.Component | None = None
) -> rx.Component:
    """The first section of a page. `picture` replaces the page's drawing, at the right of the text or below it.

    `below` is shown under the buttons, such as links to the parts of the page.
    """
    return _hero(
        *([rx.el.p(eyebrow, class_name="eyebrow")] if eyebrow else []),
        rx.el.h1(words.headline, class_name="text-4xl"),
        _intro(words.intro),
        action_row(words.invitation.actions, class_name="mt-7"),
        *([below] if below else []),
        picture=picture or _drawing(words.illustration),
    )


def jump_links(links: Sequence[Link], *, label: str) -> rx.Component:
    """Links to the parts of the page, after the label."""
    entries = [rx.el.li(onward(link.text, link.href, arrow=False)) for link in links]
    return rx.el.nav(
        rx.el.p(label, class_name="text-ink-soft"),
        rx.el.ul(*entries, class_name="flex flex-wrap gap-x-6"),
        aria_label=label,
        class_name="mt-6 flex flex-wrap items-center gap-x-6 text-sm",
    )


def footnoted_hero(
    *,
    headline: str,
    mark: str,
    intro: str,
    art: str,
    apply: Link,
    terms: Link,
    terms_label: str,
    footnote: str,
    footnote_link: Link,
) -> rx.Component:
    """A claim with a footnote mark; the footnote is below the buttons, on narrow screens above the picture.

    `terms_label` is the accessible name of the link `terms`, and begins with its text.
    """
    return _hero(
        rx.el.h1(headline, rx.el.elements.a(mark, href="#limits", aria_describedby="limits"), class_name="text-4xl"),
        _intro(intro),
        rx.el.div(
            button_link(apply.text, href=apply.href),
            button_link(terms.text, href=terms.href, kind="quiet", label=terms_label),
            class_name="flex flex-wrap gap-3 mt-7",
        ),
        picture=_drawing(art),
        footnote=rx.el.p(
            f"{mark} {footnote}",
            rx.el.elements.a(footnote_link.text, href=footnote_link.href),
            id="limits",
            class_name="prose text-sm text-ink-soft measure",
        ),
    )


def _hero(*words: rx.Component, picture: rx.Component, footnote: rx.Component | None = None) -> rx.Component:
    if footnote:
        return rx.el.section(rx.el.div(rx.el.div(*words), picture, footnote, class_name="wrap hero hero-footnoted"))
    return rx.el.section(rx.el.div(rx.el.div(*words), picture, class_name="wrap hero"))


def _drawing(name: str) -> rx.Component:
    return illustration(name, class_name="hero-art")


def _intro(text: str) -> rx.Component:
    return rx.el.p(text, class_name="mt-6 lead text-ink-soft measure")


def figure_line(figures: Sequence[Figure]) -> rx.Component:
    """A line of large figures under the hero. A <ul>, because in a <dl> each label would come before its figure."""
    items = [rx.el.li(rx.el.strong(fact.value), " ", rx.el.span(fact.text), class_name="fact") for fact in figures]
    return rx.el.div(rx.el.ul(*items, class_name="wrap facts"))


def page_head(
    *,
    headline: str | rx.Component,
    intro: str = "",
    note: str = "",
    short: bool = False,
    wide: bool = False,
    above: rx.Component | None = None,
    below: rx.Component | None = None,
) -> rx.Component:
    """The head of a page without a drawing. A `short` one is lower, so that the first screen also shows what follows, such as a form.

    `above` is shown above the headline, such as the author and the date of an article; `below` under the words, such as a button.
    The intro of a `wide` one, which is short too, has longer lines.
    """
    title = rx.el.h1(headline, class_name="text-3xl" if short and not wide else "text-4xl")
    width = "max-w-[46rem]" if wide else "measure"
    sentence = rx.el.p(intro, class_name=f"mt-4 text-lg text-ink-soft {width}") if short else _intro(intro)
    words = [
        *([above] if above else []),
        title,
        *([sentence] if intro else []),
        *([rx.el.p(note, class_name="mt-4 text-sm text-ink-soft measure")] if note else []),
        *([below] if below else []),
    ]
    return rx.el.section(
        rx.el.div(
            rx.el.div(*words),
            class_name="wrap page-head page-head-short" if short else "wrap page-head",
        ),
        class_name="border-b border-line",
    )


def call_to_action(words: Invitation) -> rx.Component:
    """The last section of a page, with its invitation."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(words.heading, class_name="text-3xl"),
                rx.el.p(words.text, class_name="mt-5 text-lg measure"),
            ),
            action_row(words.actions, inverted=True),
            class_name="wrap invitation",
        ),
        class_name="bg-surface-variant text-on-surface-variant",
    )


def feature(
    words: Feature,
    *,
    anchor: str = "",
    class_name: str = "",
    picture: rx.Component | None = None,
    actions: Sequence[Action] = (),
) -> rx.Component:
    """A section about one subject. `picture` is at the right of the text or below it; `actions` are buttons under the intro."""
    marked = [rx.el.span(words.label, class_name="sample")] if words.label else []
    return section(
        *([illustration(words.illustration, class_name="hero-art")] if words.illustration else []),
        rx.el.div(
            rx.el.p(words.eyebrow, *marked, class_name="eyebrow"),
            rx.el.h2(words.headline, class_name="text-3xl"),
            rx.el.p(words.intro, class_name="feature-lead"),
            *([action_row(actions, class_name="mt-7")] if actions else []),
            *([rx.el.dl(*[_fact(*fact) for fact in words.facts], class_name="feature-facts mt-8")] if words.facts else []),
            *[onward(fact.text, fact.href, class_name="mt-5") for fact in words.links],
        ),
        *([picture] if picture else []),
        layout="feature",
        ground=f"bg-primary-soft {class_name}".strip(),
        anchor=anchor,
    )


def _fact(label: str, value: str) -> rx.Component:
    return rx.el.div(rx.el.dt(label, class_name="text-ink-soft"), rx.el.dd(value))
