"""Pages that differ in what starts React: a visitor's first event of some kind, or the page itself."""

import reflex as rx
from ordinary.states import MomentState, PickState, PointerState, PreferenceState
from reflex.vars import VarData

from site_app.plugins.static_first.site import Hydrated

NO_ARGS = rx.event.no_args_event_spec


class HelloBox(rx.Component):
    library = rx.asset("hello_box.jsx", shared=True).importable_path
    tag = "HelloBox"
    label: rx.Var[str]
    on_pick: rx.EventHandler[rx.event.passthrough_event_spec(int)]


class Details(rx.el.Details):
    on_toggle: rx.EventHandler[NO_ARGS]


class Passage(rx.el.P):
    on_wheel: rx.EventHandler[NO_ARGS]
    on_copy: rx.EventHandler[NO_ARGS]


class Picture(rx.el.Img):
    on_load: rx.EventHandler[NO_ARGS]


effect = rx.Var(
    "effect",
    _var_data=VarData(
        hooks={"const [effect, setEffect] = useState('waits')": None, "useEffect(() => setEffect('ran'), [])": None},
        imports={"react": ["useState", "useEffect"]},
    ),
).to(str)


def page(title: str, *children: rx.Component) -> rx.Component:
    return rx.el.main(rx.el.h1(title), *children, Hydrated.create())


@rx.page(route="/local", title="Local", description="A component of the project's own")
def local() -> rx.Component:
    return page("Local", HelloBox.create(label="Hello", on_pick=PickState.pick), rx.el.p(PickState.picked, id="picked"))


@rx.page(route="/pointed", title="Pointed", description="Elements that notice the pointer")
def pointed() -> rx.Component:
    note = PointerState.note
    return page(
        "Pointed",
        rx.el.div("Pad", id="pad", on_mouse_move=note("move"), height="50px"),
        rx.el.p("Between", height="50px"),
        rx.el.div(rx.el.span("Door"), id="door", on_mouse_enter=note("enter"), on_mouse_leave=note("leave"), height="50px"),
        rx.el.div("Exit", id="exit", on_mouse_leave=note("exit"), height="50px"),
        Passage.create("Passage", id="passage", on_wheel=note("wheel"), on_copy=note("copy")),
        Details.create(rx.el.summary("More"), "Content", on_toggle=note("toggle")),
        rx.el.p(PointerState.notes.join(","), id="notes"),
    )


@rx.page(route="/alone", title="Alone", description="A page that nobody needs to press")
def alone() -> rx.Component:
    return page(
        "Alone",
        rx.avatar(src="/picture.svg", fallback="AB"),
        Picture.create(src="/picture.svg", alt="", on_load=PointerState.note("loaded")),
        rx.el.p(PointerState.notes.join(","), id="notes"),
        rx.el.p(rx.icon(MomentState.icon), id="icon"),
        rx.el.p(effect, id="effect"),
        rx.el.p(rx.color_mode_cond(light="Light", dark="Dark"), id="mode"),
        rx.el.p(MomentState.greeting, id="greeting"),
        rx.el.p(MomentState.nanoseconds, id="nanoseconds"),
        rx.el.button("Prefer", on_click=PreferenceState.prefer),
    )
