"""Pages that are added to the copy of the project: those of docs/guide/states.md, and some that use states in more ways."""

import re

from tests.support.site_server import ROOT

_FILE = re.compile(r"`(site_app/[\w/]+\.py)`:\n\n```python\n(.*?)```", re.DOTALL)
GUIDE_FILES: dict[str, str] = dict(_FILE.findall((ROOT / "docs/guide/states.md").read_text()))
_OWN_STATES = """
import reflex as rx

from site_app.states.dialogs import DialogState
from site_app.states.faq import FaqState
from site_app.states.language import LanguageState
from site_app.states.snackbar import SnackbarState


speed = rx._x.client_state("speed", default=1)


def ask_for_the_language():
    return rx.call_script("document.documentElement.lang", callback=SavingState.take_title)


class SavingState(rx.State):
    saved: int = 0
    title: str = ""
    toasts: list[str] = []

    @rx.event
    def save(self):
        self.saved += 1
        return SnackbarState.show("Saved", content="You find it under your name.")

    @rx.event
    def quote(self):
        yield DialogState.open("quote")

    @rx.event
    def fail(self):
        raise ValueError("a visitor's text")

    @rx.event
    def toast(self):
        return rx.toast.success("Toasted", description="By a handler.")

    @rx.event
    def remove(self):
        return rx.toast.info("Removed", action={"label": "Undo it", "on_click": SavingState.note("undone")})

    @rx.event
    def ask_whether(self):
        return rx.toast.warning(
            "Sure?",
            duration=0,
            action={"label": "Yes", "on_click": SavingState.note("yes")},
            cancel={"label": "No", "on_click": SavingState.note("no")},
            on_dismiss=SavingState.note("closed"),
        )

    @rx.event
    def work(self):
        yield rx.toast.loading("Working", id="work", on_dismiss=SavingState.take_toast)
        yield rx.toast.dismiss("work")
        yield rx.toast.success("Ready", duration=300, on_auto_close=SavingState.note("expired"))

    @rx.event
    def take_toast(self, toast: dict):
        self.toasts.append(toast["id"])

    @rx.event
    def note(self, word: str):
        self.toasts.append(word)

    @rx.event
    def push(self):
        yield speed.push(42)
        yield speed.retrieve(SavingState.take_speed)

    @rx.event
    def take_speed(self, value: int):
        self.title = f"{value} mph"

    @rx.event
    def ask(self):
        return ask_for_the_language()

    @rx.event
    def call_everything(self):
        yield rx.window_alert('Say "hello"')
        yield rx.console_log("logged")
        yield rx.set_clipboard("copied")
        yield rx.scroll_to("foot")
        yield rx.call_script("document.title", callback=SavingState.take_title)

    @rx.event
    def call_a_script(self):
        return rx.call_script("document.title = 'x'")

    @rx.event
    def take_title(self, title: str):
        self.title = title


@rx.page(route="/own-states")
def own_states() -> rx.Component:
    return rx.el.section(
        rx.el.h1("Own states"),
        rx.el.button("Contact", on_click=DialogState.open("contact")),
        rx.el.button("Quote by a handler", on_click=SavingState.quote),
        rx.el.button("Save", on_click=SavingState.save),
        rx.el.button("Fail", on_click=SavingState.fail),
        rx.el.button("Toast", on_click=SavingState.toast),
        rx.el.button("Toast of the page", on_click=rx.toast.info("Pressed")),
        rx.el.button("Toast of a var", on_click=rx.toast.info(LanguageState.language)),
        rx.el.button(
            "Toast with a button",
            on_click=rx.toast.info("Gone", action={"label": "Undo", "on_click": SavingState.save}),
        ),
        rx.el.button("Remove", on_click=SavingState.remove),
        rx.el.button("Ask whether", on_click=SavingState.ask_whether),
        rx.el.button("Work", on_click=SavingState.work),
        rx.el.p(SavingState.toasts.join(" "), id="toasts"),
        rx.el.p(speed.value, id="speed"),
        rx.el.button("Push", on_click=SavingState.push),
        rx.el.button("Ask by a function", on_click=SavingState.ask),
        rx.el.button("Everything", on_click=SavingState.call_everything),
        rx.el.button("Script", on_click=SavingState.call_a_script),
        rx.el.button("Title", on_click=rx.call_script("document.title", callback=SavingState.take_title)),
        rx.el.p(SavingState.title, id="title"),
        rx.el.p("Classes", id="classes", class_name="bg-white max-w-sm text-blue-500 md:mt-8 dark:text-red-500"),
        rx.el.p("Bar", id="bar", width=rx.cond(SavingState.saved > 0, "123px", "50px")),
        rx.el.a("Prevented", href="/faq", on_click=SavingState.save.prevent_default),
        rx.el.a("Prevented first", href="/faq", on_click=[rx.prevent_default, SavingState.save]),
        rx.el.a("Followed", href="/faq", on_click=SavingState.save),
        rx.el.p(SavingState.saved, id="saved"),
        rx.el.button("Thai", on_click=LanguageState.choose("th")),
        rx.el.button("Answer", on_click=FaqState.toggle("first_step")),
        rx.el.p(LanguageState.language, id="language"),
        rx.el.p(FaqState.expanded.to_string(), id="expanded"),
        rx.el.p(DialogState.open_dialog, id="dialog"),
        rx.el.div(height="3000px"),
        rx.el.p("Foot", id="foot"),
    )
"""
_LATER = """
import reflex as rx


class LaterState(rx.State):
    is_shown: bool = False

    @rx.event
    def show(self):
        self.is_shown = True


class Meter(rx.Component):
    library = rx.asset("meter.jsx", shared=True).importable_path
    tag = "Meter"


@rx.page(route="/later")
def later() -> rx.Component:
    return rx.el.section(
        rx.el.h1("Later"),
        rx.el.button("Show", on_click=LaterState.show),
        rx.cond(LaterState.is_shown, rx.el.p("Shown", color="red", padding="11px")),
    )


@rx.page(route="/meter")
def meter() -> rx.Component:
    return rx.el.section(rx.el.h1("Meter"), Meter.create())
"""
_METER = """
import { useEffect, useState } from "react";

export function Meter() {
  const [width, setWidth] = useState(0);
  useEffect(() => setWidth(innerWidth), []);
  return <p id="meter">{width}</p>;
}
"""
OWN_PAGES = GUIDE_FILES | {
    "site_app/pages/own_states.py": _OWN_STATES,
    "site_app/pages/later.py": _LATER,
    "site_app/pages/meter.jsx": _METER,
}
