"""Pages that differ in what starts React: a visitor's first event of some kind, or the page itself."""

import reflex as rx
from ordinary.states import PickState

from site_app.plugins.static_first.site import Hydrated


class HelloBox(rx.Component):
    library = rx.asset("hello_box.jsx", shared=True).importable_path
    tag = "HelloBox"
    label: rx.Var[str]
    on_pick: rx.EventHandler[rx.event.passthrough_event_spec(int)]


def page(title: str, *children: rx.Component) -> rx.Component:
    return rx.el.main(rx.el.h1(title), *children, Hydrated.create())


@rx.page(route="/local", title="Local", description="A component of the project's own")
def local() -> rx.Component:
    return page("Local", HelloBox.create(label="Hello", on_pick=PickState.pick), rx.el.p(PickState.picked, id="picked"))
