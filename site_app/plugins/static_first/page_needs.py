"""Reads from a page's components what it needs from React: state, start, style."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import reflex as rx
from reflex.state import State
from reflex.utils.prerequisites import get_backend_dir
from reflex_base.components.component import BaseComponent, Component
from reflex_base.components.memo import MemoComponent
from reflex_base.constants import ROUTER, ROUTER_VARS, CompileVars
from reflex_base.constants.colors import COLORS
from reflex_base.event import EventSpec, on_submit_event
from reflex_base.style import Style
from reflex_base.vars.base import ComputedVar, VarData
from reflex_components_core.core.helmet import Helmet
from reflex_components_core.core.upload import Upload
from reflex_components_core.el.elements.forms import BaseInput, Form
from reflex_components_core.el.elements.media import Embed, Iframe, Object
from reflex_components_core.el.elements.scripts import Script
from reflex_components_lucide.icon import DynamicIcon, LucideIconComponent
from reflex_components_radix.primitives.form import FormField
from reflex_components_radix.themes.base import RadixThemesComponent, ThemePanel

BootMode = Literal["intent", "load"]
NEEDS_FILE = "page_needs.json"  # in the backend's folder, because the compiler and the bundler may be two processes

_STORAGE = "browser storage"

# Parts of Radix Themes that are only markup: they can be read, and pressed if they have a handler, before React runs.
_STATIC_RADIX = ("layout", "typography")
_STATIC_RADIX_PARTS = frozenset(
    {
        "aspect_ratio", "badge", "button", "callout", "card", "data_list", "icon_button", "inset", "progress", "separator",
        "skeleton", "spinner", "table", "text_area", "text_field",
    }
)  # fmt: skip
# Events whose default action is held back until React runs: see browser/journal.js.
_HELD_TRIGGERS = frozenset({"on_click", "on_double_click", "on_context_menu", "on_submit"})
# Events that are recorded until React runs, and repeated. A page starts React at once if it handles others.
_RECORDED_TRIGGERS = (
    _HELD_TRIGGERS
    | {"on_change", "on_focus", "on_blur", "on_key_down", "on_key_up", "on_scroll", "on_scroll_end", "on_wheel", "on_toggle"}
    | {"on_touch_start", "on_touch_move", "on_touch_end", "on_touch_cancel", "on_copy", "on_cut", "on_mount", "on_unmount"}
    | {
        f"on_{device}_{move}"
        for device in ("mouse", "pointer")
        for move in ("down", "up", "move", "over", "out", "enter", "leave")
    }
)
# A call whose result is unused: the hook works by its effect.
_EFFECT = re.compile(r"(?:^|[;{}])\s*(?:React\.)?use[A-Z]\w*\(", re.MULTILINE)
_EFFECT_IN_CODE = re.compile(r"\buse\w*Effect\(")  # in a component's script, where other hooks may end a line, too

# Controls of Radix, or of a package built on it, that handle presses with their own scripts, and the events that these scripts need.
_CONTROLS = re.compile(r"(Trigger|GroupItem|CardsItem|ControlItem)$|^(Slider|Switch|Checkbox)$")
_PRESSES = "click pointerdown mousedown keydown contextmenu"

# What rx.color becomes: a value that only the stylesheet of Radix Themes defines.
_THEME_COLOR = re.compile(rf"var\(--({'|'.join(sorted(COLORS))})-a?\d")

# Addresses of other hosts, in the compiled value of src and in a style.
_OTHER_HOST = re.compile(r"""["`]((?:https?:)?//[^"`$]+)""")
_OTHER_HOST_IN_STYLE = re.compile(r"""url\([\\"']*((?:https?:)?//[^)"'\\]+)""")

_UPLOADS = "getBackendURL(env.UPLOAD)"  # how the addresses of rx.get_upload_url begin

# A text of rx.call_script as it stands in the compiled page.
_CALLED_SCRIPT = re.compile(r'"_call_script", \(\{ \["javascript_code"\] : ("(?:[^"\\]|\\.)*"),')

# The peer dependency of a package. Reflex makes npm install no peer dependencies, so rx.data_editor would not build.
_PEERS = {"@glideapps/glide-data-grid": "marked@4.3.0"}


class PageRefused(Exception):
    """A page uses a feature that a static page cannot have; the message says what to write instead."""


@dataclass
class PageNeeds:
    """`boot` is when React starts, `reasons` why it starts at once.

    A page with `own_document` is always loaded as a new document, because its policy allows the styles that packages add while they are
    used. A page that `is_themed`, by its parts or its colors, also links the stylesheet of Radix Themes. A page that `handles_leaving` has an
    on_unmount. One that `is_styled` has style props, also of parts that a state shows later.
    """

    boot: BootMode = "intent"
    reasons: list[str] = field(default_factory=list)
    shows_state: bool = False
    own_document: bool = False
    is_themed: bool = False
    is_styled: bool = False
    handles_leaving: bool = False


def page_needs(
    root: BaseComponent, *, route: str, boot: BootMode | None, on_load: bool, app_style: dict[Any, Any] | None = None
) -> PageNeeds:
    """Reads the needs from the component tree of a page; a `boot` that the page itself sets takes precedence.

    `app_style` is the style of the rx.App.
    """
    if "[" in route:
        raise PageRefused(
            f"The route {route!r} has a part that is known only during a visit, but each page is written by the build. Add a page for each "
            'value, rx.page(route=f"/products/{product}")(build) in a loop, or read "?id=…" from self.router.url.query_parameters.'
        )
    needs = PageNeeds()
    reasons = ["on_load"] if on_load else []
    for unstyled in _tree(root):
        component = _with_whole_style(unstyled, app_style or {})
        _refuse(component, route)
        # a site's own components mark their needs themselves, but not memos, and not the files of $/public, which rx.asset has copied
        library = str(getattr(component, "library", None) or "")
        own_script = (
            library.startswith("$/") and not library.startswith("$/public/") and not isinstance(component, MemoComponent)
        )
        states = set() if own_script else _states(component)
        needs.shows_state |= bool(states)
        needs.is_styled |= isinstance(component, Component) and bool(component._get_style())
        needs.is_themed |= isinstance(component, RadixThemesComponent) or _has_theme_color(component)
        if any(map(_has_browser_storage, states)):
            reasons.append(_STORAGE)
        reasons += () if own_script else _vars_of_the_visit(component)
        triggers = getattr(component, "event_triggers", {}).keys()
        if {"on_mount", "on_unmount"} & triggers:
            reasons.append("on_mount")
        needs.handles_leaving |= "on_unmount" in triggers
        reasons += _effects(component, own_script=own_script)
        if not own_script and _needs_react_at_once(component):
            reasons.append(f"{type(component).__name__} of {component.library}")
            needs.own_document |= not isinstance(component, Helmet)
        elif not own_script:
            reasons += _unrecorded_triggers(component)
    needs.own_document |= needs.is_themed
    needs.boot = boot or ("load" if reasons else "intent")
    needs.reasons = list(dict.fromkeys(reasons)) if needs.boot == "load" else []
    return needs


def peer_packages(root: BaseComponent) -> set[str]:
    """Returns the peer dependencies to install for the components of a page."""
    libraries = {str(getattr(component, "library", None)) for component in _tree(root)}
    return {peer for package, peer in _PEERS.items() if any(library.startswith(f"{package}@") for library in libraries)}


def called_scripts(root: BaseComponent, route: str, load_events: Iterable[Any] = ()) -> dict[str, str]:
    """Returns the constant texts that a page binds with rx.call_script, each with the place; the browser runs only single calls."""
    events = [(event, "on_load") for event in load_events if isinstance(event, EventSpec)]
    events += [
        (event, f"{trigger} of {_written_name(component)}")
        for component in _tree(root)
        for trigger, chain in getattr(component, "event_triggers", {}).items()
        for event in getattr(chain, "events", [chain])
    ]
    return {
        json.loads(text): f"rx.call_script in {place} on {route!r}"
        for event, place in events
        if isinstance(event, rx.Var) or event.handler.fn.__qualname__ == "_call_script"
        for text in _CALLED_SCRIPT.findall(str(rx.Var.create(event)))
    }


def mark_controls(root: BaseComponent) -> None:
    """Marks the controls of Radix, so that presses on them before React runs are repeated: see browser/journal.js."""
    for component in _tree(root):
        library = str(getattr(component, "library", None) or "")
        if (
            isinstance(component, Component)
            and library.startswith(("@radix-ui/", "vaul@"))
            and _CONTROLS.search(type(component).__name__)
        ):
            component.custom_attrs = {"data-react": _PRESSES, **component.custom_attrs}


def write_needs(needs: Mapping[str, PageNeeds]) -> str:
    """Returns the needs as JSON."""
    return json.dumps({route: asdict(page) for route, page in needs.items()}, indent=1)


def read_needs(folder: Path | None = None) -> dict[str, PageNeeds]:
    """Returns the needs that the compiler wrote, by path of the page."""
    file = (folder or get_backend_dir()) / NEEDS_FILE
    return {path: PageNeeds(**page) for path, page in json.loads(file.read_text()).items()}


def _tree(root: BaseComponent) -> Iterator[BaseComponent]:
    """Yields the component and everything in it: children, components in props, and the content of memos."""
    visited, to_visit = set[int](), [root]
    while to_visit:
        component = to_visit.pop()
        if id(component) in visited:
            continue
        visited.add(id(component))
        yield component
        inner = [*component.children]
        if isinstance(component, Component):
            inner += component._get_components_in_props()
        if isinstance(component, MemoComponent) and component._memo_definition:
            inner.append(component._memo_definition.component)
        to_visit += reversed(inner)


def _with_whole_style(component: BaseComponent, app_style: dict[Any, Any]) -> BaseComponent:
    """Returns the component with the styles that the compiler adds later: those of its class, add_style, and of the app."""
    if not isinstance(component, Component):
        return component
    of_class, of_app = component._add_style(), component._get_component_style(app_style)
    if not of_class and not of_app:
        return component
    styled = copy(component)
    styled.style = Style({**of_class, **(of_app or {}), **component.style})
    return styled


def _has_theme_color(component: BaseComponent) -> bool:
    """Returns True if a style or another prop has an rx.color, as those of charts have by default."""
    if not isinstance(component, Component):
        return False
    values = (component.style, *component._get_vars(include_children=False))
    return any(_THEME_COLOR.search(str(value)) for value in values)


def _states(component: BaseComponent) -> set[str]:
    """Returns the full names of the states whose vars this component uses."""
    if not isinstance(component, Component):
        return set()
    data = [var._get_all_var_data() for var in component._get_vars(include_children=False)]
    return {var_data.state for var_data in data if var_data and var_data.state}


def _has_browser_storage(state: str) -> bool:
    """Returns True if a var of the state lives in browser storage: the page is then wrong until React has read it."""
    try:
        fields = State.get_class_substate(state)
    except ValueError:
        return False
    return any(fields._is_client_storage(name) for name in fields.get_fields())


def _shown_data(component: Component) -> Iterator[VarData]:
    """Yields the data of the vars that this component shows. Arguments of events are not shown."""
    arguments = [
        var for _, of_trigger in component._get_vars_from_event_triggers(component.event_triggers) for var in of_trigger
    ]
    for var in component._get_vars(include_children=False):
        if not any(var is argument for argument in arguments) and (data := var._get_all_var_data()):
            yield data


def _vars_of_the_visit(component: BaseComponent) -> Iterator[str]:
    """Yields what this component shows and the build cannot know: a var of Reflex, one in browser storage, one that changes by itself."""
    if not isinstance(component, Component):
        return
    for data in _shown_data(component):
        if any("ColorModeContext" in hook for hook in data.hooks):
            yield "color_mode"
        for state, names in data.field_dependencies.items():
            yield from _dependencies_on_the_visit(state, names)


def _dependencies_on_the_visit(state: str, names: Iterable[str]) -> Iterator[str]:
    """Yields is_hydrated, router, browser storage and what changes without an event if the vars are, or are computed from, these."""
    try:
        owner = State.get_class_substate(state)
    except ValueError:
        return
    for name in names:
        if name == CompileVars.IS_HYDRATED:
            yield CompileVars.IS_HYDRATED
        elif name == ROUTER or name in ROUTER_VARS:
            yield ROUTER
        elif owner._is_client_storage(name):
            yield _STORAGE
        elif isinstance(computed := owner.vars.get(name), ComputedVar):
            if not computed._cache or computed._update_interval:
                yield f"{name}, which changes without an event"
            for other_state, its_names in computed._deps(objclass=owner).items():
                yield from _dependencies_on_the_visit(other_state, its_names)


def _needs_react_at_once(component: BaseComponent) -> bool:
    """Returns True for a package's component that works by its own scripts and needs React at once; plain elements wait for the first press."""
    library = getattr(component, "library", None)
    if not library or library in ("react", "react-router") or isinstance(component, LucideIconComponent | MemoComponent):
        return False
    if "debounce" in library:  # Reflex's own wrapper of an input
        return False
    if isinstance(component, RadixThemesComponent):
        *_, package, module = type(component).__module__.split(".")
        is_static = package in _STATIC_RADIX or module in _STATIC_RADIX_PARTS or module == "base"
        return not is_static or isinstance(component, ThemePanel)
    return True


def _effects(component: BaseComponent, *, own_script: bool) -> Iterator[str]:
    """Yields reasons to start React at once: a hook with an effect, and what prevents an event that is not held back."""
    if not isinstance(component, Component):
        return
    name = type(component).__name__
    has_hooks = (type(component).add_hooks, type(component)._get_hooks) != (Component.add_hooks, Component._get_hooks)
    hooks = (*component._get_added_hooks(), component._get_hooks() or "") if has_hooks and not own_script else ()
    hooks_of_vars = (hook for data in _shown_data(component) for hook in data.hooks) if not own_script else ()
    code = () if own_script else _custom_code(component)
    if any(map(_EFFECT.search, (*hooks, *hooks_of_vars))) or any(map(_EFFECT_IN_CODE.search, code)):
        yield f"a hook of {name}"
    if isinstance(component, DynamicIcon):
        yield "rx.icon with a var"
    if "enterKeySubmit" in str(component.custom_attrs.get("on_key_down")):  # also of a field that Reflex wraps for its pauses
        yield f"enter_key_submit of {_written_name(component)}"
    for trigger, chain in component.event_triggers.items():
        if trigger not in _HELD_TRIGGERS and "preventDefault" in str(rx.Var.create(chain)):
            yield f"prevent_default in {trigger} of {name}"


def _custom_code(component: Component) -> Iterator[str]:
    """Yields the JavaScript that a component and the classes from which it inherits add to the page."""
    yield component._get_custom_code() or ""
    for kind in type(component).mro():
        if add_custom_code := vars(kind).get("add_custom_code"):
            yield from add_custom_code(component)


def _unrecorded_triggers(component: BaseComponent) -> Iterator[str]:
    """Yields the handlers of an element whose events would be lost before React runs, such as on_load of a picture."""
    if isinstance(component, Component) and not isinstance(component, rx.Fragment | MemoComponent):
        for trigger in component.event_triggers:
            if trigger not in _RECORDED_TRIGGERS:
                yield f"{trigger} of {_written_name(component)}"


def _refuse(component: BaseComponent, route: str) -> None:
    for trigger, chain in getattr(component, "event_triggers", {}).items():
        for event in getattr(chain, "events", ()):
            if isinstance(event, EventSpec):
                _refuse_text_for_number(event, f"{trigger} of {_written_name(component)} on {route!r}")
    if address := _address_of_other_host(component):
        raise PageRefused(
            f"{address} on {route!r} is on another host, from which the policy of the pages loads nothing: "
            "link to it, or put the file into assets/."
        )
    is_frame = isinstance(component, Embed | Iframe | Object)
    if is_frame and any(getattr(component, prop, None) is not None for prop in ("src", "data")):
        raise PageRefused(
            f"{_written_name(component)} on {route!r}: the policy of the pages shows no other document inside of a page, and it would be empty. "
            'Put the file into assets/ and link to it, rx.el.a("Our brochure", href="/brochure.pdf").'
        )
    if isinstance(component, Upload):
        raise PageRefused(
            f"rx.upload on {route!r}: its limits apply only in the browser, and its files would be public. "
            "Use a form with a file field: docs/guide/forms.md."
        )
    if isinstance(component, Form) and _sends_fields(component) and _sends_file(component):
        raise PageRefused(
            f'A field with type="file" in a form with on_submit on {route!r}: the socket takes no files, and the whole form would be lost. '
            "Use a form with a file field: docs/guide/forms.md."
        )
    _refuse_address_of_upload(component, route)
    if isinstance(component, Component) and any(map(_is_component_of_state, component._get_vars(include_children=False))):
        raise PageRefused(
            f"{route!r} shows a component that a state returns: the browser would load it as a script, which the policy of the pages forbids. "
            "Keep values in the state, and let the page choose its components with rx.cond, rx.match or rx.foreach."
        )
    # rx.script is an element that Helmet adds to the head; a script element of the page itself has its hash in the policy.
    if isinstance(component, Helmet) and any(isinstance(child, Script) and child.children for child in component.children):
        raise PageRefused(
            f"rx.script with text on {route!r}: the policy of the pages forbids scripts in a page's HTML. "
            "Put the script into assets/ and name it with src=."
        )


def _sends_fields(form: Form) -> bool:
    """Returns True if a handler gets the fields; Reflex gives every form an on_submit."""
    events = getattr(form.event_triggers.get("on_submit"), "events", ())
    (fields,) = map(str, on_submit_event())
    return any(str(value) == fields for event in events if isinstance(event, EventSpec) for _, value in event.args)


def _sends_file(form: Form) -> bool:
    """Returns True if the form has a file field with a name, its own or that of a field around it; one without is only for scripts."""
    named_parts = (
        part for part in _tree(form) if isinstance(part, BaseInput | FormField) and getattr(part, "name", None) is not None
    )
    return any(_is_file(inner) for part in named_parts for inner in _tree(part))


def _is_file(component: BaseComponent) -> bool:
    return isinstance(component, BaseInput) and str(getattr(component, "type", "")) == str(rx.Var.create("file"))


def _refuse_address_of_upload(component: BaseComponent, route: str) -> None:
    """Raises PageRefused if the component shows or sends an address that rx.get_upload_url makes."""
    shown_vars = (component.style, *component._get_vars(include_children=False)) if isinstance(component, Component) else ()
    sent_vars = (rx.Var.create(chain) for chain in getattr(component, "event_triggers", {}).values())
    if any(_UPLOADS in str(value) for value in (*shown_vars, *sent_vars)):
        raise PageRefused(
            f"rx.get_upload_url on {route!r}: the server publishes no files of rx.get_upload_dir, because a visitor's could be among them. "
            "Put the file into assets/, send it with rx.download(data=…), or show a picture that a handler draws as "
            'rx.image(src=State.picture), with an address that begins with "data:image/".'
        )


def _address_of_other_host(component: BaseComponent) -> str:
    """Returns an address that the browser would refuse to load, "" if there is none; check.py sees only what is in the HTML at first."""
    source = getattr(component, "src", None)
    style = str(getattr(component, "style", None) or "")
    match = (source is not None and _OTHER_HOST.search(str(rx.Var.create(source)))) or _OTHER_HOST_IN_STYLE.search(style)
    return match[1] if match else ""


def _written_name(component: BaseComponent) -> str:
    """Returns the name by which a page writes a component: rx.el.input for a ValueNumberInput."""
    name = type(component).__name__
    is_element = type(component).__module__.startswith("reflex_components_core.el.")
    return f"rx.el.{component.tag}" if is_element and isinstance(component, Component) else name


def _is_component_of_state(var: rx.Var) -> bool:
    data = var._get_all_var_data()
    kinds = (var._var_type, *get_args(var._var_type))
    return bool(data and data.state) and any(isinstance(kind, type) and issubclass(kind, BaseComponent) for kind in kinds)


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
