"""Invisible parts of the shell: each does one thing that a browser or React Router leaves open."""

import reflex as rx

_LIBRARY = "$/components/browser/watchers"


class ReadInDevelopment(rx.Component):
    """Starts the plain script of a page in development, where no document of ours brings it."""

    library = _LIBRARY
    tag = "ReadInDevelopment"


class PageLoader(rx.Component):
    """Fetches pages ahead, fades them in, recovers when one does not come; `words` are `failed` and `again`, `paths` those of the pages."""

    library = "$/components/browser/page_loader"
    tag = "PageLoader"
    words: rx.Var[dict[str, str]]
    paths: rx.Var[list[str]]
    redirects: rx.Var[dict[str, str]]


class ScrollMemory(rx.Component):
    library = "$/components/browser/scroll_memory"
    tag = "ScrollMemory"


class PageChange(rx.Component):
    """Moves the focus to a new page's h1 and has its title read out."""

    library = _LIBRARY
    tag = "PageChange"


class NotFound(rx.Component):
    """The page of an address that has none: leads on to where it has moved, or home."""

    library = _LIBRARY
    tag = "NotFound"
    redirects: rx.Var[dict[str, str]]


class LanguageChoice(rx.Component):
    """Follows the link to the `chosen` language whenever `choices` grows; calls `on_stale` where the lists are in another than the page's."""

    library = _LIBRARY
    tag = "LanguageChoice"
    chosen: rx.Var[str]
    choices: rx.Var[int]
    listed: rx.Var[str]
    hydrated: rx.Var[bool]
    on_stale: rx.EventHandler[rx.event.passthrough_event_spec(str)]


class CallFailures(rx.Component):
    """Writes to the browser's console which of the server's calls have failed: `counts` by the call's name."""

    library = _LIBRARY
    tag = "CallFailures"
    counts: rx.Var[dict[str, int]]
    hydrated: rx.Var[bool]
