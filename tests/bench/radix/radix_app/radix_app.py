"""The words of one page as Reflex's own components show them: a theme, headings, texts, buttons, and three dialogs."""

import json
from pathlib import Path

import reflex as rx

PAGE = json.loads(Path("words.json").read_text())


def block(kind: str, text: str, address: str) -> rx.Component:
    if kind == "h1":
        return rx.heading(text, as_="h1", size="9")
    if kind == "h2":
        return rx.heading(text, as_="h2", size="7")
    if kind in ("h3", "h4"):
        return rx.heading(text, as_=kind, size="5")
    if kind == "a":
        return rx.link(text, href=address)
    if kind == "button":
        return rx.button(text, size="3")
    if kind == "question":
        return rx.accordion.root(rx.accordion.item(header=text, content=address), collapsible=True)
    return rx.text(text, size="4")


def dialog(title: str) -> rx.Component:
    return rx.dialog.root(
        rx.dialog.trigger(rx.button(title, size="3")),
        rx.dialog.content(
            rx.dialog.title(title),
            rx.dialog.description(PAGE["description"]),
            rx.dialog.close(rx.button("Close")),
        ),
    )


def index() -> rx.Component:
    return rx.container(
        rx.hstack(*[dialog(title) for title in PAGE["dialogs"]], rx.color_mode.button()),
        rx.vstack(*[block(*one) for one in PAGE["blocks"]], spacing="4"),
        size="4",
    )


app = rx.App(theme=rx.theme(accent_color="purple", has_background=True))
app.add_page(index, route="/", title=PAGE["title"], description=PAGE["description"])
