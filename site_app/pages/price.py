"""The section with the price calculator, for the home page and the service pages."""

import reflex as rx

from components.sections.price_calculator import price_calculator
from site_app.content.prices import MOST_PEOPLE, calculator_words
from site_app.states.price import PriceState


def price_section() -> rx.Component:
    return price_calculator(
        calculator_words(),
        work=PriceState.work,
        people=PriceState.people,
        most_people=MOST_PEOPLE,
        price=PriceState.price,
        months=PriceState.months,
        on_work=PriceState.choose_work,
        on_people=PriceState.choose_people,
    )
