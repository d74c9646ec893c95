"""Invisible parts of the shell: each does one thing that a browser or React Router leaves open."""

import reflex as rx


class Hydrated(rx.Component):
    """Tells the boot script that React is there; stands last."""

    library = "$/components/browser/hydrated"
    tag = "Hydrated"


class PageLoader(rx.Component):
    """Fetches pages ahead, fades them in, recovers when one does not come; `words` are `failed` and `again`."""

    library = "$/components/browser/page_loader"
    tag = "PageLoader"
    words: rx.Var[dict[str, str]]


class ScrollMemory(rx.Component):
    library = "$/components/browser/scroll_memory"
    tag = "ScrollMemory"


class PageChange(rx.Component):
    """Moves the focus to a new page's h1 and has its title read out."""

    library = "$/components/browser/page_change"
    tag = "PageChange"


class PageNotFound(rx.Component):
    library = "$/components/browser/page_not_found"
    tag = "PageNotFound"
    text: rx.Var[str]


class Elsewhere(rx.Component):
    """The page of an address that has none: leads on to where it has moved, or home."""

    library = "$/components/browser/elsewhere"
    tag = "Elsewhere"


class Menus(rx.Component):
    """Closes menus and the drawer."""

    library = "$/components/browser/menus"
    tag = "Menus"


class Resting(rx.Component):
    """Sections far out of sight are left out of style and layout."""

    library = "$/components/browser/resting"
    tag = "Resting"


class DialogHistory(rx.Component):
    """Back closes a dialog, ?open= opens one."""

    library = "$/components/browser/dialog_history"
    tag = "DialogHistory"


class ThemeColor(rx.Component):
    """The colour of the browser's own bar by theme: `light` and `dark`."""

    library = "$/components/browser/theme_color"
    tag = "ThemeColor"
    colors: rx.Var[dict[str, str]]


class PageViews(rx.Component):
    library = "$/components/browser/page_views"
    tag = "PageViews"
    src: rx.Var[str]


class LanguageChoice(rx.Component):
    """Remembers a chosen language; `offers` holds by language the words `tag`, `text`, `accept` and `dismiss`."""

    library = "$/components/browser/language_choice"
    tag = "LanguageChoice"
    current: rx.Var[str]
    hydrated: rx.Var[bool]
    offers: rx.Var[dict[str, dict[str, str]]]
    on_choose: rx.EventHandler[rx.event.passthrough_event_spec(str)]
