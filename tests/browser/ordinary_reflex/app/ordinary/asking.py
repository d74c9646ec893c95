"""A page whose handlers ask the browser, and a field that sends a number."""

import reflex as rx
from reflex.event import call_script

from site_app.plugins.static_first.site import Hydrated

speed = rx._x.client_state("speed", default=1)


def ask_for_the_title():
    return rx.call_script("document.title", callback=AskingState.take)


class AskingState(rx.State):
    answer: str = ""
    whole: int = 0

    @rx.event
    def ask_by_name(self):
        return call_script("document.documentElement.tagName", callback=AskingState.take)

    @rx.event
    def ask_by_function(self):
        return ask_for_the_title()

    @rx.event
    def ask_by_constant(self):
        return ASK_FOR_THE_TAG

    @rx.event
    def ask_by_loop(self):
        return [rx.call_script(script, callback=take) for script, take in QUESTIONS]

    @rx.event
    def push(self):
        yield speed.push(42)
        yield speed.retrieve(AskingState.take_speed)

    @rx.event
    def take(self, value: str):
        self.answer = value

    @rx.event
    def take_head(self, value: str):
        self.answer = f"<{value}>"

    @rx.event
    def take_speed(self, value: int):
        self.answer = f"{value} mph"

    @rx.event
    def set_whole(self, value: int):
        self.whole = value

    @rx.event
    def add(self):
        self.whole += 1


ASK_FOR_THE_TAG = rx.call_script("document.body.tagName", callback=AskingState.take)
QUESTIONS = [("document.head.tagName", AskingState.take_head)]


class TitleState(rx.State):
    title: str = ""

    @rx.event
    def take(self, title: str):
        self.title = title


@rx.page(
    route="/titled",
    title="Titled",
    description="A page that asks the browser when it opens",
    on_load=rx.call_script("document.title", callback=TitleState.take),
)
def titled() -> rx.Component:
    return rx.el.main(rx.el.h1("A page"), rx.el.p(TitleState.title, id="title"), Hydrated.create())


@rx.page(route="/asking", title="Asking", description="Handlers that ask the browser")
def asking() -> rx.Component:
    return rx.el.main(
        rx.el.h1("Asking"),
        rx.el.button("By name", on_click=AskingState.ask_by_name),
        rx.el.button("By function", on_click=AskingState.ask_by_function),
        rx.el.button("By constant", on_click=AskingState.ask_by_constant),
        rx.el.button("By loop", on_click=AskingState.ask_by_loop),
        rx.el.button("Push", on_click=AskingState.push),
        rx.el.p(speed.value, id="speed"),
        rx.el.p(AskingState.answer, id="answer"),
        rx.el.label("Whole", rx.el.input(type="number", on_change=AskingState.set_whole)),
        rx.el.button("Add", on_click=AskingState.add),
        rx.el.p(AskingState.whole, id="whole"),
        Hydrated.create(),
    )
