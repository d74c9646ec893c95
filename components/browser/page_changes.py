"""Going from page to page, and from language to language."""

import reflex as rx

_PAGE_CHANGE_LIBRARY = "$/components/browser/page_change"


class PageLoader(rx.Component):
    """Preloads pages, fades them in, and recovers if one fails to load. `words`: failed, again; `paths` are those of all pages."""

    library = "$/components/browser/page_loader"
    tag = "PageLoader"
    words: rx.Var[dict[str, str]]
    paths: rx.Var[list[str]]
    redirects: rx.Var[dict[str, str]]


class ScrollMemory(rx.Component):
    library = "$/components/browser/scroll_memory"
    tag = "ScrollMemory"


class PageChange(rx.Component):
    """Moves the focus to the h1 of a new page and makes screen readers read its title."""

    library = _PAGE_CHANGE_LIBRARY
    tag = "PageChange"


class NotFound(rx.Component):
    """The page for an unknown address: redirects to the new address of a moved page, or to the home page."""

    library = _PAGE_CHANGE_LIBRARY
    tag = "NotFound"
    redirects: rx.Var[dict[str, str]]


class LanguageChoice(rx.Component):
    """Follows the link to the `chosen_language` when `choice_count` grows; calls `on_stale` if the lists are not in the page's language."""

    library = "$/components/browser/language_choice"
    tag = "LanguageChoice"
    chosen_language: rx.Var[str]
    choice_count: rx.Var[int]
    listed: rx.Var[str]
    hydrated: rx.Var[bool]
    on_stale: rx.EventHandler[rx.event.passthrough_event_spec(str)]
