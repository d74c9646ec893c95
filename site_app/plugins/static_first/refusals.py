"""Refuses a page that uses a feature which a static page cannot have, or which the policy of the pages forbids."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, get_args, get_type_hints

import reflex as rx
from reflex_base.components.component import BaseComponent
from reflex_base.event import EventSpec, on_submit_event
from reflex_components_core.core.helmet import Helmet
from reflex_components_core.core.upload import Upload
from reflex_components_core.el.elements.forms import BaseInput, Form
from reflex_components_core.el.elements.media import Embed, Iframe, Object
from reflex_components_core.el.elements.scripts import Script
from reflex_components_radix.primitives.form import FormField

from site_app.plugins.static_first.page_parts import PagePart, inherits, tree

# Addresses of other hosts, in the compiled value of src and in a style.
_OTHER_HOST = re.compile(r"""["`]((?:https?:)?//[^"`$]+)""")
_OTHER_HOST_IN_STYLE = re.compile(r"""url\([\\"']*((?:https?:)?//[^)"'\\]+)""")

_UPLOADS = "getBackendURL(env.UPLOAD)"  # how the addresses of rx.get_upload_url begin

# A text of rx.call_script as it stands in the compiled page.
_CALLED_SCRIPT = re.compile(r'"_call_script", \(\{ \["javascript_code"\] : ("(?:[^"\\]|\\.)*"),')


class PageRefused(Exception):
    """A page uses a feature that a static page cannot have; the message says what to write instead."""


def refuse_route(route: str) -> None:
    if "[" in route:
        raise PageRefused(
            f"The route {route!r} has a part that is known only during a visit, but each page is written by the build. Add a page for each "
            'value, rx.page(route=f"/products/{product}")(build) in a loop, or read "?id=…" from self.router.url.query_parameters.'
        )


def refuse(part: PagePart, route: str) -> None:
    """Raises PageRefused if the page of this route may not have this part."""
    component = part.component
    for trigger, chain in part.triggers.items():
        for event in getattr(chain, "events", ()):
            if isinstance(event, EventSpec):
                _refuse_text_for_number(event, f"{trigger} of {part.written_name()} on {route!r}")
    if address := _address_of_other_host(part):
        raise PageRefused(
            f"{address} on {route!r} is on another host, from which the policy of the pages loads nothing: "
            "link to it, or put the file into assets/."
        )
    is_frame = part.inherits(Embed, Iframe, Object)
    if is_frame and any(getattr(component, prop, None) is not None for prop in ("src", "data")):
        raise PageRefused(
            f"{part.written_name()} on {route!r}: the policy of the pages shows no other document inside of a page, and it would be empty. "
            'Put the file into assets/ and link to it, rx.el.a("Our brochure", href="/brochure.pdf").'
        )
    if part.inherits(Upload):
        raise PageRefused(
            f"rx.upload on {route!r}: its limits apply only in the browser, and its files would be public. "
            "Use a form with a file field: docs/guide/forms.md."
        )
    if part.inherits(Form) and _sends_fields(component) and _sends_file(component):
        raise PageRefused(
            f'A field with type="file" in a form with on_submit on {route!r}: the socket takes no files, and the whole form would be lost. '
            "Use a form with a file field: docs/guide/forms.md."
        )
    _refuse_address_of_upload(part, route)
    if part.data and any(map(_is_component_of_state, part.vars)):
        raise PageRefused(
            f"{route!r} shows a component that a state returns: the browser would load it as a script, which the policy of the pages forbids. "
            "Keep values in the state, and let the page choose its components with rx.cond, rx.match or rx.foreach."
        )
    # rx.script is an element that Helmet adds to the head; a script element of the page itself has its hash in the policy.
    if part.inherits(Helmet) and any(isinstance(child, Script) and child.children for child in component.children):
        raise PageRefused(
            f"rx.script with text on {route!r}: the policy of the pages forbids scripts in a page's HTML. "
            "Put the script into assets/ and name it with src=."
        )


def called_scripts(parts: Iterable[PagePart], route: str, load_events: Sequence[Any] = ()) -> dict[str, str]:
    """Returns the constant texts that a page binds with rx.call_script, each with the place; the browser runs only single calls."""
    events = [(event, "on_load") for event in load_events if isinstance(event, EventSpec)]
    events += [
        (event, f"{trigger} of {part.written_name()}")
        for part in parts
        for trigger, chain in part.triggers.items()
        for event in getattr(chain, "events", [chain])
    ]
    return {
        json.loads(text): f"rx.call_script in {place} on {route!r}"
        for event, place in events
        if isinstance(event, rx.Var) or event.handler.fn.__qualname__ == "_call_script"
        for text in _CALLED_SCRIPT.findall(str(rx.Var.create(event)))
    }


def _sends_fields(form: Form) -> bool:
    """Returns True if a handler gets the fields; Reflex gives every form an on_submit."""
    events = getattr(form.event_triggers.get("on_submit"), "events", ())
    (fields,) = map(str, on_submit_event())
    return any(str(value) == fields for event in events if isinstance(event, EventSpec) for _, value in event.args)


def _sends_file(form: Form) -> bool:
    """Returns True if the form has a file field with a name, its own or that of a field around it; one without is only for scripts."""
    named_parts = (
        part for part in tree(form) if isinstance(part, BaseInput | FormField) and getattr(part, "name", None) is not None
    )
    return any(_is_file(inner) for part in named_parts for inner in tree(part))


def _is_file(component: BaseComponent) -> bool:
    return isinstance(component, BaseInput) and str(getattr(component, "type", "")) == str(rx.Var.create("file"))


def _refuse_address_of_upload(part: PagePart, route: str) -> None:
    """Raises PageRefused if the component shows or sends an address that rx.get_upload_url makes."""
    sent_vars = (rx.Var.create(chain) for chain in part.triggers.values())
    if _UPLOADS in part.text or any(_UPLOADS in str(value) for value in sent_vars):
        raise PageRefused(
            f"rx.get_upload_url on {route!r}: the server publishes no files of rx.get_upload_dir, because a visitor's could be among them. "
            "Put the file into assets/, send it with rx.download(data=…), or show a picture that a handler draws as "
            'rx.image(src=State.picture), with an address that begins with "data:image/".'
        )


def _address_of_other_host(part: PagePart) -> str:
    """Returns an address that the browser would refuse to load, "" if there is none; check.py sees only what is in the HTML at first."""
    source = getattr(part.component, "src", None)
    match = (source is not None and _OTHER_HOST.search(str(rx.Var.create(source)))) or _OTHER_HOST_IN_STYLE.search(
        part.style_text
    )
    return match[1] if match else ""


def _is_component_of_state(var: rx.Var) -> bool:
    data = var._get_all_var_data()
    kinds = (var._var_type, *get_args(var._var_type))
    return bool(data and data.state) and any(isinstance(kind, type) and inherits(kind, BaseComponent) for kind in kinds)


def _refuse_text_for_number(event: EventSpec, binding: str) -> None:
    """Raises PageRefused if a handler takes str and the page sends a number: Reflex accepts that, the guard of the socket does not."""
    try:
        annotations = get_type_hints(event.handler.fn)
    except NameError:  # reported when the handler's payload is checked
        return
    for variable, value in event.args:
        parameter = str(variable)
        if annotations.get(parameter) is str and value._var_type in (int, float):
            handler = event.handler.fn.__qualname__
            raise PageRefused(f"{handler} gets a number from {binding}. Write {parameter}: float instead of {parameter}: str.")
