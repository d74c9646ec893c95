"""One page: a text to read, and an order form with a phone number."""

import os
from typing import Any

import reflex as rx
from reflex_base.registry import RegistrationContext
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from components.phone_input import phone_input
from components.reliable_form import ReliableForm
from site_app.plugins.socket_guard import EventTable, SocketGuard
from site_app.plugins.static_first.bound_events import BoundEvents
from site_app.plugins.static_first.site import Hydrated

URL = os.environ["PROJECT_URL"]


class OrderState(rx.State):
    reply: dict[str, Any] | None = None
    said: str = ""

    @rx.event
    def submit(self, said: dict[str, Any], key: str, attempt: int) -> None:
        self.said = f"{said['name']} {said['telephone']}"
        self.reply = {"key": key, "attempt": attempt, "outcome": "sent"}


def index() -> rx.Component:
    return rx.el.main(
        rx.el.h1("Tea by post"),
        rx.el.p("We send tea."),
        ReliableForm.create(
            rx.el.label("Your name", rx.el.input(name="name")),
            phone_input(id="phone", label="Telephone", default_country="GB"),
            rx.el.button("Order", type="submit", custom_attrs={"data-needs-react": ""}),
            rx.el.p("Thank you, ", OrderState.said),
            name="order",
            place="order",
            api="/api",
            call="order",
            rules={"name": {"required": "Please enter your name"}},
            words={"sent": "Thank you", "failed": "That did not work"},
            timeout_ms=1000,
            reply=OrderState.reply,
            on_send=OrderState.submit,
        ),
        Hydrated.create(),
    )


def with_api(backend: ASGIApp) -> ASGIApp:
    """The form's API, which accepts everything."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/api/order":
            payload = await Request(scope, receive).json()
            await JSONResponse({"reference": payload["key"]})(scope, receive, send)
        else:
            await backend(scope, receive, send)

    return serve


def guarded(backend: ASGIApp) -> ASGIApp:
    events = EventTable(BoundEvents(), RegistrationContext.get().event_handlers)
    return SocketGuard(with_api(backend), events=events, origins=[URL])


app = rx.App(toaster=None, app_wraps={}, api_transformer=guarded)
app.add_page(index, route="/", title="Tea", description="Tea by post", meta=[rx.el.link(rel="canonical", href=f"{URL}/")])
