"""Pages that differ in what starts React: a visitor's first event of some kind, or the page itself."""

import reflex as rx
from ordinary.states import LetterState, MomentState, PickState, PointerState, PreferenceState, StoredState
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


class Ticker(rx.Component):
    """A component whose script is in the page."""

    tag = "Ticker"

    def add_imports(self) -> dict[str, list[str]]:
        return {"react": ["useEffect", "useState"], "@emotion/react": ["jsx"]}

    def add_custom_code(self) -> list[str]:
        return [
            "function Ticker() { const [word, setWord] = useState('waits'); useEffect(() => setWord('ticked'), []); "
            "return jsx('p', {id: 'ticker'}, word) }"
        ]


class GrassBox(rx.el.Div):
    """A component with a style of its own."""

    def add_style(self) -> dict[str, str]:
        return {"background_color": rx.color("grass", 9)}


class TallyState(rx.ComponentState):
    """A state of its own for each component."""

    tally: int = 0

    @rx.event
    def add(self):
        self.tally += 1

    @classmethod
    def get_component(cls, *children, **props) -> rx.Component:
        return rx.el.p(rx.el.button("Add", on_click=cls.add), rx.el.span(cls.tally, class_name="tally"), **props)


@rx.memo
def badge(text: rx.Var[str]) -> rx.Component:
    return rx.el.strong(text, id="badge")


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


@rx.page(route="/badge", title="Badge", description="A memo that gets what the browser keeps")
def badge_page() -> rx.Component:
    return page("Badge", badge(text=StoredState.nickname))


@rx.page(route="/ticker", title="Ticker", description="A component whose script works by an effect")
def ticker() -> rx.Component:
    return page("Ticker", Ticker.create())


@rx.page(route="/boxed", title="Boxed", description="A class with a style, also in a part that a state shows later")
def boxed() -> rx.Component:
    return page(
        "Boxed",
        GrassBox.create("First", id="first"),
        rx.el.button("More", on_click=PointerState.note("more")),
        rx.cond(PointerState.notes.length() > 0, GrassBox.create("Second", id="second")),
    )


@rx.page(route="/tallies", title="Tallies", description="Components with states of their own")
def tallies() -> rx.Component:
    return page("Tallies", TallyState.create(id="one"), TallyState.create(id="two"))


@rx.page(route="/letter", title="Letter", description="A field that Enter sends")
def letter() -> rx.Component:
    return page(
        "Letter",
        rx.el.form(
            rx.el.textarea(name="word", enter_key_submit=True, aria_label="Word"),
            rx.el.input(name="also", default_value="more", aria_label="Also"),
            on_submit=LetterState.send,
        ),
        rx.el.p(LetterState.sent, id="sent"),
        rx.el.iframe(src_doc="<p>Inside</p>", title="Frame"),
    )


@rx.page(route="/dated", title="Dated", description="An expression that reads the clock")
def dated() -> rx.Component:
    return page(
        "Dated",
        rx.el.button("Note", on_click=PointerState.note("pressed")),
        rx.el.p("© ", rx.Var("new Date().getFullYear()"), id="year"),
        rx.el.p(PointerState.notes.join(","), id="notes"),
    )


@rx.page(route="/passing", title="Passing", description="An event that is dropped while there is no connection")
def passing() -> rx.Component:
    return page(
        "Passing",
        rx.el.button("Pass", on_click=PointerState.note("passed").temporal),
        rx.el.p(PointerState.notes.join(","), id="notes"),
    )
