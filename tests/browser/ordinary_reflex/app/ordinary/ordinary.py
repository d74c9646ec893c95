"""Ordinary pages: each as Reflex's documentation would write it."""

import os

import ordinary.asking
import ordinary.starting  # noqa: F401
import reflex as rx
from ordinary.states import (
    AddressState,
    ArrivingState,
    CounterState,
    FieldsState,
    LeavingState,
    ListeningState,
    ScrollState,
    Size,
    StoredState,
    ThemedState,
    TypingState,
)
from reflex_base.registry import RegistrationContext
from starlette.types import ASGIApp

from site_app.plugins.socket_guard import EventTable, SocketGuard
from site_app.plugins.static_first.bound_events import BoundEvents
from site_app.plugins.static_first.site import Hydrated

URL = os.environ["PROJECT_URL"]


@rx.memo
def price_row(name: rx.Var[str], price: rx.Var[float]) -> rx.Component:
    return rx.el.li(name, ": ", price.to_string(), on_click=CounterState.increment(100), class_name="price")


def page(*children: rx.Component) -> rx.Component:
    return rx.el.main(*children, Hydrated.create())


@rx.page(route="/", title="Counter", description="A counter")
def counter() -> rx.Component:
    return page(
        rx.el.h1("Counter"),
        rx.el.a("Parts", href="/themed"),
        rx.el.a("Prevented", href="/themed", on_click=CounterState.increment(1).prevent_default),
        rx.el.a("Top", href="#", on_click=CounterState.increment(1)),
        rx.el.p(CounterState.count, id="count"),
        rx.el.p(CounterState.doubled, id="doubled"),
        rx.el.button("More", on_click=CounterState.increment(1), padding="1rem", _hover={"color": "red"}),
        rx.el.button("Chain", on_click=CounterState.chain),
        rx.el.button("Slowly", on_click=CounterState.count_slowly),
        rx.el.button("Leave", on_click=CounterState.leave),
        rx.el.button("Arrive", on_click=ArrivingState.enter),
        rx.el.button("Add Bob", on_click=CounterState.add_name("Bob")),
        rx.el.input(id="name"),
        rx.cond(CounterState.count > 2, rx.el.p("Many"), rx.el.p("Few")),
        rx.match(CounterState.count, (1, rx.el.p("Exactly one")), rx.el.p("Another number")),
        rx.el.ul(rx.foreach(CounterState.names, lambda name: rx.el.li(name, on_click=CounterState.increment(10)))),
        rx.el.ul(rx.foreach(CounterState.prices, lambda row: price_row(name=row[0], price=row[1]))),
        rx.el.div(
            "Wide",
            id="wide",
            width=["50px", "100px", "200px"],
            style={"border": "1px solid red"},
            on_context_menu=CounterState.increment(7),
        ),
        rx.el.div(id="bar", width=f"{CounterState.count * 10}px", height="1px"),
    )


@rx.page(route="/fields", title="Fields", description="Fields of every kind")
def fields() -> rx.Component:
    state = FieldsState
    return page(
        rx.el.h1("Fields"),
        rx.el.label("Text", rx.el.input(value=state.text, on_change=state.set_text, on_blur=state.leave)),
        rx.el.label("Plain", rx.el.input(default_value="", on_change=state.set_text)),
        rx.el.label("Area", rx.el.textarea(default_value="", on_change=state.set_text)),
        rx.el.label("Shade", rx.el.input(type="color", on_change=state.set_text)),
        rx.el.label("Amount", rx.el.input(type="range", min="0", max="20", default_value="3", on_change=state.set_amount)),
        rx.el.label(
            "Choice", rx.el.select(*[rx.el.option(x, value=x) for x in "abc"], value=state.choice, on_change=state.set_choice)
        ),
        rx.el.label("Agreed", rx.el.input(type="checkbox", checked=state.agreed, on_change=state.set_agreed)),
        rx.el.label("Keys", rx.el.input(on_key_down=state.press)),
        rx.el.button("Green", on_click=state.set_color("green")),
        rx.el.button("Large", on_click=state.set_size(Size.LARGE)),
        rx.el.button("Move", on_click=state.move({"street": "High Street", "number": 7})),
        rx.el.form(
            rx.el.label("Form text", rx.el.input(name="word")),
            rx.el.button("Send", type="submit"),
            on_submit=state.send,
        ),
        rx.el.p(state.text, id="text"),
        rx.el.p(state.amount, id="amount"),
        rx.el.p(state.choice, id="choice"),
        rx.el.p(state.agreed.to_string(), id="agreed"),
        rx.el.p(state.keys.join(" "), id="keys"),
        rx.el.p(state.color, id="color"),
        rx.el.p(state.size.to_string(), id="size"),
        rx.el.p(state.street, id="street"),
        rx.el.p(state.sent.to_string(), id="sent"),
        rx.el.p(state.left, id="left"),
        rx.el.p(state.events, id="events"),
    )


@rx.page(route="/stored", title="Stored", description="What a browser keeps", on_load=StoredState.load)
def stored() -> rx.Component:
    return page(
        rx.el.h1("Stored"),
        rx.el.p(StoredState.nickname, id="nickname"),
        rx.el.p(StoredState.loaded.to_string(), id="loaded"),
        rx.el.button("Rename", on_click=StoredState.rename("Grace")),
        rx.el.p(StoredState.shared_name, id="shared"),
        rx.el.button("Share", on_click=StoredState.share("Ada")),
        rx.el.button("Forget", on_click=StoredState.forget),
    )


@rx.page(route="/themed", title="Themed", description="Parts of Radix Themes")
def themed() -> rx.Component:
    state = ThemedState
    return page(
        rx.heading("Themed"),
        rx.el.a("Counter", href="/"),
        rx.text("How many days?", size="3"),
        rx.slider(default_value=10, min=0, max=50, on_change=state.set_days),
        rx.text(state.days, id="days"),
        rx.select(["web", "mobile"], value=state.service, on_change=state.set_service),
        rx.text(state.service, id="service"),
        rx.dialog.root(
            rx.dialog.trigger(rx.button("Open")),
            rx.dialog.content(rx.dialog.title("A dialog"), rx.dialog.close(rx.button("Close"))),
        ),
        rx.tabs.root(
            rx.tabs.list(rx.tabs.trigger("First", value="first"), rx.tabs.trigger("Second", value="second")),
            rx.tabs.content(rx.text("First content"), value="first"),
            rx.tabs.content(rx.text("Second content"), value="second"),
            default_value="first",
            on_change=state.set_tab,
        ),
        rx.text(state.tab, id="tab"),
        rx.form(
            rx.input(value=state.draft, on_change=state.set_draft, placeholder="Draft"),
            rx.button("Keep", type="submit"),
            on_submit=state.keep,
        ),
        rx.text(state.notes.join(","), id="kept"),
        rx.progress(value=state.days),
        rx.link("Elsewhere", href="/"),
        rx.link("Stay", href="/", on_click=[rx.prevent_default, state.set_tab("stayed")]),
        rx.container(rx.list.unordered(rx.list.item("One"))),
        rx.callout("Note", icon="info"),
    )


@rx.page(route="/listening", title="Listening", description="What listens to the whole page")
def listening() -> rx.Component:
    return page(
        rx.el.h1("Listening"),
        rx.window_event_listener(on_key_down=ListeningState.press),
        rx.clipboard(on_paste=ListeningState.paste),
        rx.el.p(ListeningState.keys.join(" "), id="keys"),
        rx.el.p(ListeningState.pasted.to_string(), id="pasted"),
    )


@rx.page(route="/typing", title="Typing", description="Fields that show a state")
def typing() -> rx.Component:
    state = TypingState
    return page(
        rx.el.h1("Typing"),
        rx.el.label("Word", rx.el.input(value=state.word, on_change=state.set_word)),
        rx.el.label("Story", rx.el.textarea(value=state.story, on_change=state.set_story)),
        rx.el.label("Capitals", rx.el.input(value=state.capitals, on_change=state.set_capitals)),
        rx.el.label("Count", rx.el.input(type="number", value=state.count, on_change=state.set_count)),
        rx.el.label("Note", rx.el.input(value=state.note, on_change=state.set_note, on_key_down=state.send_note)),
        rx.el.p(state.word, id="word"),
        rx.el.p(state.story, id="story"),
        rx.el.p(state.count, id="count"),
        rx.el.p(state.notes.join(), id="notes"),
    )


@rx.page(route="/hydrated", title="Hydrated", description="A page that shows its content when the state has arrived")
def hydrated() -> rx.Component:
    return page(rx.el.h1("Hydrated"), rx.cond(rx.State.is_hydrated, rx.el.p("Ready"), rx.el.p("Loading")))


@rx.page(route="/address", title="Address", description="A page that shows its own address")
def address() -> rx.Component:
    return page(rx.el.h1("Address"), rx.el.p(AddressState.product, id="product"))


@rx.page(route="/scrolled", title="Scrolled", description="A box that is scrolled")
def scrolled() -> rx.Component:
    return page(
        rx.el.h1("Scrolled"),
        rx.el.div(rx.el.div("Tall", height="400px"), id="box", height="50px", overflow="auto", on_scroll=ScrollState.scroll),
        rx.el.p(ScrollState.scrolls, id="scrolls"),
    )


@rx.page(route="/leaving", title="Leaving", description="A page that notices when it is left")
def leaving() -> rx.Component:
    return page(
        rx.el.h1("Leaving"),
        rx.el.div(rx.link("Parts", href="/themed"), on_mount=LeavingState.arrive, on_unmount=LeavingState.leave),
        rx.el.p(LeavingState.arrivals, "-", LeavingState.departures, id="visits"),
    )


@rx.page(route="/arriving", title="Arriving", description="A page that counts its visits", on_load=ArrivingState.load)
def arriving() -> rx.Component:
    return page(
        rx.heading("Arriving"),
        rx.link("Counter", href="/"),
        rx.box(on_mount=ArrivingState.mount),
        rx.text(ArrivingState.mounts, "-", ArrivingState.loads, id="visits"),
    )


@rx.page(route="/painted", title="Painted", description="Colors of Radix on plain elements")
def painted() -> rx.Component:
    return page(rx.el.h1("Painted"), rx.el.p("Green", id="green", background_color=rx.color("grass", 9)))


def guarded(backend: ASGIApp) -> ASGIApp:
    return SocketGuard(backend, events=EventTable(BoundEvents(), RegistrationContext.get().event_handlers), origins=[URL])


app = rx.App(toaster=None, app_wraps={}, api_transformer=guarded)
