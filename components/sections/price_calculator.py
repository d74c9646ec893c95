"""A price calculator with two inputs and two results; the caller passes in values and handlers."""

from typing import Any

import reflex as rx

from components.art.icons import icon
from components.records import CalculatorWords
from components.ui.button import action_row
from components.ui.text import headline, section


def price_calculator(
    words: CalculatorWords,
    *,
    work: Any,
    people: Any,
    most_people: int,
    price: Any,
    months: Any,
    on_work: Any,
    on_people: Any,
    tinted: bool = False,
) -> rx.Component:
    """The calculator. `work`, `people`, `price` and `months` are values or vars; `on_work` and `on_people` receive the chosen value."""
    return section(
        headline(words.heading, intro=words.intro),
        rx.el.div(
            rx.el.div(
                _work_choice(words, work, on_work),
                _people_choice(words, people, most_people, on_people),
                class_name="calculator-questions",
            ),
            rx.el.div(
                rx.el.div(
                    rx.el.dl(_answer(words.price, price), _answer(words.months, months), class_name="calculator-answers"),
                    role="status",
                ),
                rx.el.p(words.note, class_name="text-sm text-ink-soft mt-4"),
                action_row((words.quote,)),
                class_name="calculator-result card",
            ),
            class_name="calculator",
        ),
        anchor="price",
        ground="bg-tint" if tinted else "",
    )


def _work_choice(words: CalculatorWords, work: Any, on_work: Any) -> rx.Component:
    select = rx.el.select(
        *[rx.el.option(name, value=value) for value, name in words.works],
        id="calculator-work",
        value=work,
        on_change=on_work,
        class_name="control control-select",
    )
    return rx.el.div(
        rx.el.label(words.work, html_for="calculator-work", class_name="field-label"),
        rx.el.div(select, icon("chevron-down", class_name="select-mark"), class_name="select"),
        class_name="field",
    )


def _people_choice(words: CalculatorWords, people: Any, most_people: int, on_people: Any) -> rx.Component:
    slider = rx.el.input(
        id="calculator-people",
        type="range",
        min="1",
        max=str(most_people),
        value=people,
        on_change=on_people,
        class_name="calculator-range",
    )
    number = rx.el.span(people, class_name="calculator-people", aria_hidden="true")
    return rx.el.div(
        rx.el.label(words.people, html_for="calculator-people", class_name="field-label"),
        rx.el.div(slider, number, class_name="calculator-slider"),
        class_name="field",
    )


def _answer(label: str, value: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value))
