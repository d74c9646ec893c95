"""The section with the price calculator, for the home page and the service pages."""

import reflex as rx

from components.sections.price_calculator import price_calculator
from site_app.content.prices import MOST_PEOPLE, calculator_words
from site_app.states.price import BY_SERVICE


def price_section(service: str = "web_development") -> tuple[rx.Component, ...]:
    """Returns the calculator, opened on the service's kind of work; nothing for a service that it does not price."""
    if service not in BY_SERVICE:
        return ()
    state = BY_SERVICE[service]
    return (
        price_calculator(
            calculator_words(),
            work=state.work,
            people=state.people,
            most_people=MOST_PEOPLE,
            price=state.price,
            months=state.months,
            on_work=state.choose_work,
            on_people=state.choose_people,
        ),
    )
