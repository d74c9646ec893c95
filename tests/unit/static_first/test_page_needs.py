"""A page's components determine when React starts; forbidden components are refused."""

import time
from pathlib import Path
from typing import Any

import pytest
import reflex as rx
from reflex_base.vars.base import VarData

from site_app.plugins.static_first.page_needs import (
    PageNeeds,
    mark_controls,
    page_needs,
    peer_packages,
    read_needs,
    write_needs,
)
from site_app.plugins.static_first.page_parts import parts_of
from site_app.plugins.static_first.refusals import PageRefused


class PageState(rx.State):
    count: int = 0
    names: rx.Field[list[str]] = rx.field(default_factory=list)
    places: rx.Field[list[dict[str, str]]] = rx.field(default_factory=list)

    @rx.var
    def part(self) -> rx.Component:
        return rx.el.p("x")

    @rx.var
    def parts(self) -> list[rx.Component]:
        return [rx.el.p("x")]

    @rx.event
    def press(self) -> None: ...

    @rx.event
    def take_text(self, value: str) -> None: ...

    @rx.event
    def take_pasted(self, value: list[tuple[str, str]]) -> None: ...

    @rx.event
    def take_number(self, value: float) -> None: ...

    @rx.event
    def send(self, fields: dict) -> None: ...


class StoredState(rx.State):
    nickname: str = rx.LocalStorage("")


class QueryState(rx.State):
    @rx.var
    def query(self) -> str:
        return self.router.url.query_parameters.get("id", "none")

    @rx.var
    def title(self) -> str:
        return f"Product {self.query}"

    @rx.var
    def path(self) -> str:
        return self.router.url.path


class GreetingState(rx.State):
    @rx.var
    async def greeting(self) -> str:
        stored = await self.get_state(StoredState)
        return f"Hello {stored.nickname}"

    @rx.var
    async def name(self) -> str:
        return await self.get_var_value(StoredState.nickname)  # pyright: ignore[reportArgumentType]

    @rx.var(cache=False)
    def now(self) -> float:
        return time.time()

    @rx.var
    def later(self) -> str:
        return f"{self.now}"

    @rx.var(interval=60)
    def minute(self) -> int:
        return int(time.time() / 60)

    @rx.event
    def greet(self, name: str) -> None: ...


class ProductState(QueryState):
    price: int = 0

    @rx.var
    def label(self) -> str:
        return f"{self.title}: {self.price}"

    @rx.event
    def order(self, path: str) -> None: ...


@rx.memo
def memo_with_query() -> rx.Component:
    return rx.el.p(QueryState.query)


@rx.memo
def badge(text: rx.Var[str]) -> rx.Component:
    return rx.el.p(text)


class ColorPicker(rx.Component):
    library = "react-colorful"
    tag = "HexColorPicker"


class Picture(rx.el.Img):
    on_load: rx.EventHandler[rx.event.no_args_event_spec]


class Details(rx.el.Details):
    on_toggle: rx.EventHandler[rx.event.no_args_event_spec]


class HelloBox(rx.Component):
    library = "$/public/external/shop/hello_box.jsx"
    tag = "HelloBox"


EFFECT = rx.Var(
    "width", _var_data=VarData(hooks={"const [width, setWidth] = useState(0)": None, "useEffect(() => {}, [])": None})
)
WIDTH = rx.Var("width", _var_data=VarData(hooks={"const [width, setWidth] = useState(0)": None}))
YEAR = rx.Var("new Date().getFullYear()").to(str)


class Hotkeys(rx.Fragment):
    """A listener of the window as the documentation of Reflex writes it."""

    def add_hooks(self) -> list[str | rx.Var]:
        return ["\n            useEffect(() => {\n                console.log(1)\n            }, [])"]


def hook(code: str) -> rx.Var:
    return rx.Var("width", _var_data=VarData(hooks={code: None}))


class Ticker(rx.Component):
    """A component whose script is in the page itself."""

    tag = "Ticker"

    def add_custom_code(self) -> list[str]:
        return [
            "function Ticker() {\n  const [n, setN] = useState(0)\n  useEffect(() => setN(1), [])\n  return jsx('p', {}, n)\n}"
        ]


class RedTicker(Ticker):
    def add_custom_code(self) -> list[str]:
        return ["const red = 'red'"]


class OldTicker(rx.Component):
    tag = "OldTicker"

    def _get_custom_code(self) -> str:
        return "const OldTicker = () => { React.useLayoutEffect(() => {}); return null }"


class Counter(rx.Component):
    tag = "Counter"

    def add_custom_code(self) -> list[str]:
        return ["function Counter() { const [n, setN] = useState(0); return jsx('p', {}, n) }"]


class ForeignBox(rx.el.Div):
    def add_style(self) -> dict[str, Any]:
        return {"background": "url(https://example.com/a.png)"}


class GrassBox(rx.el.Div):
    def add_style(self) -> dict[str, Any]:
        return {"color": rx.color("grass", 9)}


class StateBox(rx.el.Div):
    def add_style(self) -> dict[str, Any]:
        return {"color": PageState.names[0]}


TAKE_NUMBER: Any = PageState.take_number  # Reflex types an input's value as text only


def slider() -> rx.Component:
    return rx.slider(default_value=1)


def stop_enter(key: rx.Var[str]) -> Any:
    return rx.cond(key == "Enter", PageState.press.prevent_default, rx.noop())


@rx.memo
def memo_with_slider() -> rx.Component:
    return rx.el.div(rx.slider(default_value=1))


@rx.memo
def memo_with_script() -> rx.Component:
    return rx.el.div(rx.script("alert(1)"))


def needs(*children: Any, app_style: dict[Any, Any] | None = None, **changes: Any) -> PageNeeds:
    parts = parts_of(rx.fragment(*children), app_style)
    return page_needs(parts, **{"route": "/x", "boot": None, "on_load": False} | changes)


def test_a_page_of_plain_elements_waits_for_the_visitor() -> None:
    page = needs(rx.el.button("x", on_click=PageState.press), rx.el.p("y", class_name="p-4"), rx.icon("check"))

    assert page == PageNeeds()


def test_a_page_with_style_props_is_styled_also_by_parts_that_a_state_shows_later() -> None:
    assert needs(rx.el.p("y", padding="1rem")) == PageNeeds(is_styled=True)
    assert needs(rx.cond(PageState.count, rx.el.p("y", padding="1rem"))).is_styled


def test_the_style_of_a_class_counts_as_style_props_do() -> None:
    assert needs(GrassBox.create("y")) == PageNeeds(is_styled=True, is_themed=True, own_document=True)
    assert needs(rx.cond(PageState.count, GrassBox.create("y"))).is_styled
    assert needs(StateBox.create("y")) == PageNeeds(is_styled=True, shows_state=True)


def test_the_style_of_the_app_counts_for_the_components_that_it_names() -> None:
    app_style = {rx.el.P: {"color": rx.color("grass", 9)}, rx.el.b: {"padding": "1rem"}, "font_size": "16px"}

    assert needs(rx.el.p("y"), app_style=app_style) == PageNeeds(is_styled=True, is_themed=True, own_document=True)
    assert needs(rx.el.b("y"), app_style=app_style) == PageNeeds(is_styled=True)
    assert needs(rx.el.i("y"), app_style=app_style) == PageNeeds()


def test_a_form_and_a_link_that_prevent_what_the_browser_does_wait_too() -> None:
    page = needs(
        rx.el.form(rx.el.input(name="x"), on_submit=PageState.press.prevent_default, reset_on_submit=True),
        rx.el.a("x", href="/", on_click=[rx.prevent_default, PageState.press]),
        rx.debounce_input(rx.el.input(value="", on_change=PageState.take_text)),
    )

    assert page == PageNeeds()


def test_a_page_that_only_handles_events_waits_too() -> None:
    page = needs(
        rx.el.button("x", on_click=GreetingState.greet(GreetingState.greeting)),
        rx.el.button("y", on_click=rx.toggle_color_mode),
        rx.el.p(WIDTH.to(str)),
        rx.el.p(hook("const a = React.useRef(null); const { b } = useContext(B)").to(str)),
        rx.el.p("x", id="reference"),
        rx.el.p("Date", title=f"The Date of document {PageState.count}"),
        rx.el.p(rx.Var("(1 + 2)").to(str)),
        rx.el.button("z", on_click=[PageState.take_number(rx.Var("Date.now()").to(float)), rx.scroll_to("window")]),
        rx.foreach(PageState.places, lambda location: rx.el.p(location["document"])),
        Counter.create(),
        rx.el.div(on_mouse_move=PageState.press, on_mouse_leave=PageState.press, on_scroll_end=PageState.press),
        Details.create(on_toggle=PageState.press),
    )

    assert (page.boot, page.reasons) == ("intent", [])


def test_a_page_that_shows_state_is_recognized() -> None:
    assert needs(rx.el.p(PageState.count)) == PageNeeds(shows_state=True)
    assert needs(badge(text=rx.Var.create(PageState.count).to(str))) == PageNeeds(shows_state=True)


@pytest.mark.parametrize(
    ("children", "on_load", "reason"),
    [
        ([], True, "on_load"),
        ([rx.el.p("x", on_mount=PageState.press)], False, "on_mount"),
        ([rx.el.p("x", on_unmount=PageState.press)], False, "on_mount"),
        ([rx.el.p(StoredState.nickname)], False, "browser storage"),
        ([slider()], False, "Slider of "),
        ([rx.el.div(rx.el.div(slider()))], False, "Slider of "),
        ([rx.cond(PageState.count > 1, slider(), rx.el.p())], False, "Slider of "),
        ([rx.cond(PageState.count > 1, rx.el.p(), slider())], False, "Slider of "),
        ([rx.match(PageState.count, (1, slider()), rx.el.p())], False, "Slider of "),
        ([rx.foreach(PageState.names, lambda name: rx.el.li(name, slider()))], False, "Slider of "),
        ([memo_with_slider()], False, "Slider of "),
        ([badge(text=StoredState.nickname)], False, "browser storage"),
        ([badge(text=GreetingState.greeting)], False, "browser storage"),
        ([badge(text=GreetingState.now)], False, "now, which changes without an event"),
        ([badge(text=rx.Var.create(rx.State.is_hydrated).to(str))], False, "is_hydrated"),
        ([badge(text=QueryState.path)], False, "router"),
        ([badge(text=EFFECT.to(str))], False, "a hook of "),
        ([Hotkeys.create()], False, "a hook of Hotkeys"),
        ([rx.el.p(hook("const el = useRef(null); useEffect(() => {}, [])").to(str))], False, "a hook of "),
        ([rx.el.p(hook("React.useEffect(() => {}, [])").to(str))], False, "a hook of "),
        ([rx.el.p(hook("if (a) {} useKeys()").to(str))], False, "a hook of "),
        ([Ticker.create()], False, "a hook of Ticker"),
        ([RedTicker.create()], False, "a hook of RedTicker"),
        ([OldTicker.create()], False, "a hook of OldTicker"),
        ([rx.window_event_listener(on_key_down=PageState.take_text)], False, "a hook of WindowEventListener"),
        ([rx.clipboard(on_paste=PageState.take_pasted)], False, "a hook of Clipboard"),
        ([rx.auto_scroll(rx.el.p("x"))], False, "a hook of AutoScroll"),
        ([HelloBox.create()], False, "HelloBox of $/public/"),
        ([Picture.create(src="/a.webp", on_load=PageState.press)], False, "on_load of Picture"),
        ([rx.el.p(EFFECT.to(str))], False, "a hook of "),
        ([rx.el.p("x", width=EFFECT.to(str))], False, "a hook of P"),
        ([rx.icon(rx.cond(PageState.count > 1, "check", "wifi"))], False, "rx.icon with a var"),
        ([rx.avatar(src="/a.webp", fallback="A")], False, "Avatar of "),
        ([rx.theme_panel()], False, "ThemePanel of "),
        ([rx.el.p(rx.color_mode_cond(light="x", dark="y"))], False, "color_mode"),
        ([rx.el.p("x", color=rx.color_mode_cond("red", "blue"))], False, "color_mode"),
        ([rx.el.p(rx.color_mode)], False, "color_mode"),
        ([rx.el.p(GreetingState.greeting)], False, "browser storage"),
        ([rx.el.p(GreetingState.name)], False, "browser storage"),
        ([rx.el.p(GreetingState.now)], False, "now, which changes without an event"),
        ([rx.el.p(GreetingState.later)], False, "now, which changes without an event"),
        ([rx.el.p(GreetingState.minute)], False, "minute, which changes without an event"),
        ([rx.el.p(YEAR)], False, "Date, which "),
        ([rx.el.p(f"© {YEAR} Shop")], False, "Date, which "),
        ([rx.el.p("x", title=rx.Var("navigator.language").to(str))], False, "navigator, which "),
        ([rx.cond(rx.Var("Math.random() > 0.5").to(bool), rx.el.p("a"), rx.el.p("b"))], False, "Math.random, which "),
        ([badge(text=YEAR)], False, "Date, which "),
        ([rx.el.button("x", on_click=PageState.press.temporal)], False, "temporal in on_click of rx.el.button"),
        ([rx.el.button("x", on_click=[PageState.press, PageState.press.temporal])], False, "temporal in on_click of "),
        ([rx.el.textarea(enter_key_submit=True)], False, "enter_key_submit of rx.el.textarea"),
        (
            [rx.text_area(value=PageState.names[0], on_change=PageState.take_text, enter_key_submit=True)],
            False,
            "enter_key_submit of ",
        ),
        ([rx.el.input(on_key_down=PageState.take_text.prevent_default)], False, "prevent_default in on_key_down of Input"),
        ([rx.el.input(on_key_down=stop_enter)], False, "prevent_default in on_key_down of Input"),
        ([rx.el.p("x", on_mouse_down=[rx.prevent_default, PageState.press])], False, "prevent_default in on_mouse_down of P"),
    ],
)
def test_react_starts_at_once_where_the_page_cannot_wait(children: list[Any], on_load: bool, reason: str) -> None:
    page = needs(*children, on_load=on_load)

    assert page.boot == "load"
    assert [reason_of_page for reason_of_page in page.reasons if reason_of_page.startswith(reason)]


def test_a_pages_own_boot_setting_wins() -> None:
    assert needs(boot="load") == PageNeeds(boot="load")
    assert needs(on_load=True, boot="intent") == PageNeeds()


def test_parts_of_radix_themes_need_a_document_and_markup_can_wait() -> None:
    assert needs(rx.heading("x"), rx.button("y", on_click=PageState.press)) == PageNeeds(own_document=True, is_themed=True)
    assert needs(slider()).own_document


@pytest.mark.parametrize(
    "part",
    [
        rx.avatar(src="https://example.com/a.png", fallback="A"),
        rx.image(src=rx.cond(PageState.count > 0, "/images/home.webp", "//example.com/a.png")),
        rx.el.img(src=f"https://example.com/{PageState.count}.png"),
        rx.script(src="https://example.com/a.js"),
        rx.el.p("x", background_image="url(https://example.com/a.png)"),
        ForeignBox.create("x"),
        rx.el.p("x", style={"&::before": {"content": "url('http://example.com/a.png')"}}),
    ],
)
def test_what_another_host_serves_is_refused(part: rx.Component) -> None:
    with pytest.raises(PageRefused, match=r"example\.com/.* is on another host"):
        needs(part)


@pytest.mark.parametrize(
    "part",
    [
        rx.avatar(src="/images/home.webp"),
        rx.el.img(src=f"/images/{PageState.count}.png"),
        rx.el.p("x", background_image="url(/images/home.webp)"),
        rx.el.elements.a("x", href="https://example.com/"),
        rx.el.iframe(src_doc="<p>x</p>"),
    ],
)
def test_what_the_site_serves_and_links_to_other_hosts_are_not_refused(part: rx.Component) -> None:
    needs(part)


@pytest.mark.parametrize(
    "part",
    [
        rx.el.p("x", color=rx.color("grass", 11)),
        rx.el.p("x", border=f"1px solid {rx.color('gray', 6, alpha=True)}"),
        rx.el.p("x", _hover={"color": rx.color("accent", 9)}),
        rx.el.p("x", background=rx.cond(PageState.count > 0, rx.color("red", 3), "none")),
        rx.recharts.x_axis(),
    ],
)
def test_a_page_with_colors_of_radix_has_its_stylesheet(part: rx.Component) -> None:
    page = needs(part)

    assert page.is_themed
    assert page.own_document


def test_a_part_of_another_package_makes_a_document_of_its_own_without_the_theme() -> None:
    page = needs(ColorPicker.create())

    assert page == PageNeeds("load", ["ColorPicker of react-colorful"], own_document=True)


def test_the_controls_of_radix_are_marked_and_what_contains_them_is_not() -> None:
    trigger, tab, switch = rx.dialog.trigger(rx.button("Open")), rx.tabs.trigger("x", value="x"), rx.switch()
    dialog, tabs, heading = rx.dialog.root(trigger), rx.tabs.root(rx.tabs.list(tab)), rx.heading("x")

    mark_controls(rx.fragment(dialog, tabs, switch, heading, rx.foreach(PageState.names, lambda name: rx.el.li(name))))

    assert all("click" in str(element.custom_attrs["data-react"]) for element in (trigger, tab, switch))
    assert not any("data-react" in element.custom_attrs for element in (dialog, tabs, heading))


@pytest.mark.parametrize("route", ["/products/[id]", "/[[id]]", "/docs/[...path]"])
def test_a_route_with_a_part_that_only_a_visit_knows_is_refused_with_advice(route: str) -> None:
    with pytest.raises(PageRefused, match="query_parameters") as refused:
        needs(route=route)

    assert route in str(refused.value)


@pytest.mark.parametrize(
    ("child", "advice"),
    [
        (lambda: rx.upload(rx.el.p("x"), id="file"), "docs/guide/forms.md"),
        (
            lambda: rx.el.form(rx.el.p(rx.el.input(type="file", name="cv")), on_submit=PageState.send),
            "the socket takes no files",
        ),
        (
            lambda: rx.form.root(
                rx.form.field(rx.form.control(rx.input(type="file"), as_child=True), name="cv"), on_submit=PageState.send
            ),
            "the socket takes no files",
        ),
        (lambda: rx.el.img(src=rx.get_upload_url("a.svg")), "assets/"),
        (lambda: rx.image(src=rx.get_upload_url(PageState.names[0])), "data:image/"),
        (lambda: rx.el.div(style={"background": f"url({rx.get_upload_url('a.svg')})"}), "assets/"),
        (lambda: rx.el.button("x", on_click=rx.download(url=rx.get_upload_url("a.svg"))), "rx.download"),
        (lambda: rx.cond(PageState.count > 1, rx.el.img(src=rx.get_upload_url("a.svg"))), "assets/"),
        (lambda: rx.el.iframe(src="/brochure.pdf"), "link to it, rx.el.a"),
        (lambda: rx.cond(PageState.count > 1, rx.el.iframe(src=PageState.names[0])), "link to it, rx.el.a"),
        (lambda: rx.el.embed(src="/brochure.pdf"), "link to it, rx.el.a"),
        (lambda: rx.el.object(data="/brochure.pdf"), "link to it, rx.el.a"),
        (lambda: rx.script("alert(1)"), "src="),
        (lambda: rx.cond(PageState.count > 1, rx.script("alert(1)"), rx.el.p()), "src="),
        (lambda: rx.el.div(memo_with_script()), "src="),
        (lambda: rx.el.input(type="range", on_change=PageState.take_text), "value: float"),
        (lambda: rx.el.div(PageState.part), "rx.cond"),
        (lambda: rx.foreach(PageState.parts, rx.el.li), "rx.cond"),
    ],
)
def test_unsupported_components_are_refused_with_advice(child: Any, advice: str) -> None:
    with pytest.raises(PageRefused, match=r"/x") as refused:
        needs(child())

    assert advice in str(refused.value)


@pytest.mark.parametrize(
    "form",
    [
        lambda: rx.el.form(rx.el.input(type="file", name="cv"), action="/cv", method="post"),
        lambda: rx.el.form(rx.el.input(type="file"), on_submit=PageState.send),
        lambda: rx.el.form(rx.el.input(name="cv"), on_submit=PageState.send),
    ],
)
def test_a_form_whose_handler_gets_no_file_is_not_refused(form: Any) -> None:
    assert needs(form()).boot == "intent"


def test_a_handler_of_a_number_is_refused_in_the_words_of_the_page() -> None:
    with pytest.raises(PageRefused) as refused:
        needs(rx.el.input(type="number", on_change=PageState.take_text))

    assert str(refused.value) == (
        "PageState.take_text gets a number from on_change of rx.el.input on '/x'. Write value: float instead of value: str."
    )


def test_script_files_and_handlers_of_numbers_are_accepted() -> None:
    assert needs(rx.script(src="/x.js")).boot == "load"
    assert needs(rx.el.script("x"), rx.el.script(src="/x.js"), rx.el.input(type="range", on_change=TAKE_NUMBER)) == PageNeeds()


def test_page_needs_survive_writing_and_reading(tmp_path: Path) -> None:
    pages = {"/": PageNeeds(), "/x": PageNeeds("load", ["on_load"], shows_state=True, own_document=True, is_themed=True)}
    (tmp_path / "page_needs.json").write_text(write_needs(pages))

    assert read_needs(tmp_path) == pages


def test_the_packages_that_the_data_editor_expects_are_installed_with_it() -> None:
    editor = rx.data_editor(columns=[{"title": "A", "type": "str"}], data=[["x"]])

    assert peer_packages(parts_of(rx.fragment(rx.el.div(editor)))) == {"marked@4.3.0"}
    assert peer_packages(parts_of(rx.fragment(slider()))) == set()


def test_a_page_with_on_unmount_is_left_by_react() -> None:
    assert needs(rx.el.div(on_unmount=PageState.press)).handles_leaving
    assert not needs(rx.el.div(on_mount=PageState.press)).handles_leaving


@pytest.mark.parametrize(
    "build",
    [
        lambda: rx.cond(rx.State.is_hydrated, rx.el.p("ready"), rx.el.p("loading")),
        lambda: rx.cond(PageState.is_hydrated & (PageState.count > 0), rx.el.p("ready"), rx.el.p("loading")),
        lambda: rx.cond((PageState.count > 0) & PageState.is_hydrated, rx.el.p("ready"), rx.el.p("loading")),
        lambda: rx.match(rx.State.is_hydrated, (True, rx.el.p("ready")), rx.el.p("loading")),
        lambda: rx.el.p("x", color=rx.cond(rx.State.is_hydrated, "red", "blue")),
        lambda: rx.el.button("x", disabled=rx.State.is_hydrated),
        lambda: rx.el.p(f"now {rx.State.is_hydrated}"),
    ],
)
def test_a_page_that_shows_whether_it_is_hydrated_starts_react_at_once(build: Any) -> None:
    page = needs(rx.el.section(build()))

    assert (page.boot, page.reasons) == ("load", ["is_hydrated"])


@pytest.mark.parametrize(
    "build",
    [
        lambda: rx.el.p(rx.State.router.url.query_parameters["id"]),
        lambda: rx.el.p(QueryState.router.page.path),
        lambda: rx.foreach(rx.State.router.url.query_parameters.items(), lambda pair: rx.el.p(pair[0])),
        lambda: rx.el.p(QueryState.query),
        lambda: rx.el.p(QueryState.title),
        lambda: rx.el.p(QueryState.path),
        lambda: rx.el.p(ProductState.label),
        lambda: rx.el.a("x", href=f"/products/{ProductState.label}"),
        lambda: memo_with_query(),
    ],
)
def test_a_page_that_shows_the_address_starts_react_at_once(build: Any) -> None:
    page = needs(rx.el.section(build()))

    assert (page.boot, page.reasons) == ("load", ["router"])


def test_a_page_that_only_sends_the_address_to_a_handler_waits_for_the_visitor() -> None:
    page = needs(rx.el.button("x", on_click=ProductState.order(QueryState.path)), rx.el.p(ProductState.price))

    assert (page.boot, page.reasons) == ("intent", [])
