"""Reads from a page's components what it needs from React: state, start, style."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

import reflex as rx
from reflex.state import State
from reflex.utils.prerequisites import get_backend_dir
from reflex_base.components.component import BaseComponent, Component
from reflex_base.components.memo import MemoComponent
from reflex_base.constants import ROUTER, ROUTER_VARS, CompileVars
from reflex_base.constants.colors import COLORS
from reflex_base.vars.base import ComputedVar
from reflex_components_core.core.helmet import Helmet
from reflex_components_lucide.icon import DynamicIcon, LucideIconComponent
from reflex_components_radix.themes.base import RadixThemesComponent, ThemePanel

from site_app.plugins.static_first.page_parts import PagePart, tree
from site_app.plugins.static_first.refusals import refuse, refuse_route

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

# What an expression, rx.Var("new Date().getFullYear()"), has another value of in the browser than in the build. React would find another
# text than it expects and replace the page, with the element that was pressed.
_OF_THE_BROWSER = re.compile(
    r"(?<![\w$.])(?:Date|Intl|Math\.random|navigator|window|document|location|screen|localStorage|sessionStorage)\b(?!\$)"
)
_TEXT_IN_CODE = re.compile(r"""(["'`])(?:\\.|(?!\1).)*\1""", re.DOTALL)

# Controls of Radix, or of a package built on it, that handle presses with their own scripts, and the events that these scripts need.
_CONTROLS = re.compile(r"(Trigger|GroupItem|CardsItem|ControlItem)$|^(Slider|Switch|Checkbox)$")
_PRESSES = "click pointerdown mousedown keydown contextmenu"

# What rx.color becomes: a value that only the stylesheet of Radix Themes defines.
_THEME_COLOR = re.compile(rf"var\(--({'|'.join(sorted(COLORS))})-a?\d")

# The peer dependency of a package. Reflex makes npm install no peer dependencies, so rx.data_editor would not build.
_PEERS = {"@glideapps/glide-data-grid": "marked@4.3.0"}


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


def page_needs(parts: Iterable[PagePart], *, route: str, boot: BootMode | None, on_load: bool) -> PageNeeds:
    """Reads the needs from the parts of a page; a `boot` that the page itself sets takes precedence."""
    refuse_route(route)
    needs = PageNeeds()
    reasons = ["on_load"] if on_load else []
    for part in parts:
        refuse(part, route)
        needs.is_styled |= part.is_component and bool(part.component.style) and bool(part.component._get_style())
        needs.is_themed |= part.inherits(RadixThemesComponent) or (part.is_component and bool(_THEME_COLOR.search(part.text)))
        if not part.has_own_script:
            states = {data.state for data in part.data if data.state}
            needs.shows_state |= bool(states)
            reasons += [_STORAGE] if any(map(_has_browser_storage, states)) else []
            reasons += (*_vars_of_the_visit(part), *_expressions_of_the_browser(part))
        if {"on_mount", "on_unmount"} & part.triggers.keys():
            reasons.append("on_mount")
        needs.handles_leaving |= "on_unmount" in part.triggers
        reasons += _effects(part)
        if not part.has_own_script and _needs_react_at_once(part):
            reasons.append(f"{part.kind.__name__} of {part.library}")
            needs.own_document |= not part.inherits(Helmet)
        elif not part.has_own_script:
            reasons += _unrecorded_triggers(part)
    needs.own_document |= needs.is_themed
    needs.boot = boot or ("load" if reasons else "intent")
    needs.reasons = list(dict.fromkeys(reasons)) if needs.boot == "load" else []
    return needs


def peer_packages(parts: Iterable[PagePart]) -> set[str]:
    """Returns the peer dependencies to install for the components of a page."""
    libraries = {part.library for part in parts}
    return {peer for package, peer in _PEERS.items() if any(library.startswith(f"{package}@") for library in libraries)}


def mark_controls(root: BaseComponent) -> None:
    """Marks the controls of Radix, so that presses on them before React runs are repeated: see browser/journal.js."""
    for component in tree(root):
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


def _has_browser_storage(state: str) -> bool:
    """Returns True if a var of the state lives in browser storage: the page is then wrong until React has read it."""
    try:
        fields = State.get_class_substate(state)
    except ValueError:
        return False
    return any(fields._is_client_storage(name) for name in fields.get_fields())


def _vars_of_the_visit(part: PagePart) -> Iterator[str]:
    """Yields what this component shows and the build cannot know: a var of Reflex, one in browser storage, one that changes by itself."""
    for data in part.shown_data():
        if any("ColorModeContext" in hook for hook in data.hooks):
            yield "color_mode"
        for state, names in data.field_dependencies.items():
            yield from _dependencies_on_the_visit(state, names)


def _expressions_of_the_browser(part: PagePart) -> Iterator[str]:
    """Yields what an expression that this component shows reads of the clock or the browser."""
    if not _OF_THE_BROWSER.search(part.text):
        return
    for var in part.shown_vars():
        if name := _OF_THE_BROWSER.search(_TEXT_IN_CODE.sub("", str(var))):
            yield f"{name[0]}, which only the browser knows"


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


def _needs_react_at_once(part: PagePart) -> bool:
    """Returns True for a package's component that works by its own scripts and needs React at once; plain elements wait for the first press."""
    if part.library in ("", "react", "react-router") or part.inherits(LucideIconComponent, MemoComponent):
        return False
    if "debounce" in part.library:  # Reflex's own wrapper of an input
        return False
    if part.inherits(RadixThemesComponent):
        *_, package, module = part.kind.__module__.split(".")
        is_static = package in _STATIC_RADIX or module in _STATIC_RADIX_PARTS or module == "base"
        return not is_static or part.inherits(ThemePanel)
    return True


def _effects(part: PagePart) -> Iterator[str]:
    """Yields reasons to start React at once: a hook with an effect, what prevents an event that is not held back, an event that may not wait."""
    if not part.is_component:
        return
    component = part.component
    if not part.has_own_script and _has_effect(part):
        yield f"a hook of {part.kind.__name__}"
    if part.inherits(DynamicIcon):
        yield "rx.icon with a var"
    if "enterKeySubmit" in str(component.custom_attrs.get("on_key_down")):  # also of a field that Reflex wraps for its pauses
        yield f"enter_key_submit of {part.written_name()}"
    for trigger, chain in part.triggers.items():
        code = str(rx.Var.create(chain))
        if trigger not in _HELD_TRIGGERS and "preventDefault" in code:
            yield f"prevent_default in {trigger} of {part.kind.__name__}"
        if '["temporal"]' in code:  # is dropped while the socket is not open, as when the first press is repeated
            yield f"temporal in {trigger} of {part.written_name()}"


def _has_effect(part: PagePart) -> bool:
    """Returns True if a hook of the component or of a var that it shows has an effect, or its script uses such a hook."""
    component = part.component
    hooks = (*component._get_added_hooks(), component._get_hooks() or "") if _adds_hooks(part.kind) else ()
    hooks_of_vars = (hook for data in part.shown_data() for hook in data.hooks)
    code = _custom_code(component) if _adds_code(part.kind) else ()
    return any(map(_EFFECT.search, (*hooks, *hooks_of_vars))) or any(map(_EFFECT_IN_CODE.search, code))


@cache
def _adds_hooks(kind: type[Component]) -> bool:
    return (kind.add_hooks, kind._get_hooks) != (Component.add_hooks, Component._get_hooks)


@cache
def _adds_code(kind: type[Component]) -> bool:
    return kind._get_custom_code != Component._get_custom_code or bool(kind._iter_parent_classes_with_method("add_custom_code"))


def _custom_code(component: Component) -> Iterator[str]:
    """Yields the JavaScript that a component and the classes from which it inherits add to the page."""
    yield component._get_custom_code() or ""
    for kind in component._iter_parent_classes_with_method("add_custom_code"):
        yield from kind.add_custom_code(component)


def _unrecorded_triggers(part: PagePart) -> Iterator[str]:
    """Yields the handlers of an element whose events would be lost before React runs, such as on_load of a picture."""
    if part.is_component and not part.inherits(rx.Fragment, MemoComponent):
        for trigger in part.triggers:
            if trigger not in _RECORDED_TRIGGERS:
                yield f"{trigger} of {part.written_name()}"
