"""A foreign project with the phone input and nothing else of this site."""

import reflex as rx
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.phone_input import phone_input
from phone_app.specimen import SpecimenState, specimen

# Styles and foreign hosts are restricted as on the site; a stock Reflex page needs its own inline scripts.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'"
)


def guarded(inner: ASGIApp) -> ASGIApp:
    """Returns the app with the policy on every response."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (b"content-security-policy", POLICY.encode())]}
            await send(message)

        await inner(scope, receive, send_with_policy if scope["type"] == "http" else send)

    return app


def in_a_dialog() -> rx.Component:
    """A page on which the only phone field is in a closed dialog."""
    return rx.el.main(
        rx.el.h1("A page"),
        rx.el.button("Write to us", type="button", custom_attrs={"commandfor": "write", "command": "show-modal"}),
        rx.el.dialog(
            phone_input(id="phone", label="Telephone", default_country="GB"),
            rx.el.button("Send", type="button"),
            id="write",
            custom_attrs={"aria-label": "Write to us"},
        ),
    )


app = rx.App(toaster=None, app_wraps={}, api_transformer=guarded)
app.add_page(specimen, route="/", title="Phone input", on_load=SpecimenState.begin)
app.add_page(in_a_dialog, route="/dialog", title="A page")
