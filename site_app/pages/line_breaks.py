"""Lines of a page do not end between a number and its noun, nor inside the words that a language's glossary lists."""

from collections.abc import Callable, Iterator
from functools import wraps

import reflex as rx
from reflex_base.components.component import BaseComponent
from reflex_components_core.base.bare import Bare
from reflex_components_core.el.elements.base import BaseHTML

from site_app.core.i18n.glossary import parts_around_whole_words
from site_app.core.i18n.markdown import WHOLE_WORD, unbroken_numbers

# Elements whose text flows in lines. A button or a list item may be a flex box or a grid, where each part would become an item.
_FLOWING = {"blockquote", "dd", "dt", "em", "figcaption", "h1", "h2", "h3", "h4", "p", "small", "span", "strong", "td", "th"}


class WholeWord(BaseHTML):
    """A word that does not break; no style names its element, except the one in components/base.css."""

    tag = WHOLE_WORD


def with_whole_words(build: Callable[[], rx.Component]) -> Callable[[], rx.Component]:
    """Returns the page with a space that does not break in each “6 weeks” of its texts, and with the glossary's words kept whole."""

    @wraps(build)
    def page() -> rx.Component:
        built = build()
        keep_words_whole(built)
        return built

    return page


def keep_words_whole(component: BaseComponent) -> None:
    """Changes the texts of the component and of all below it."""
    component.children = [new for child in component.children for new in _unbroken(child, flows=component.tag in _FLOWING)]


def _unbroken(child: BaseComponent, *, flows: bool) -> Iterator[BaseComponent]:
    text = getattr(child.contents, "_var_value", None) if isinstance(child, Bare) else None
    if not isinstance(text, str):
        keep_words_whole(child)
        yield child
        return
    joined = unbroken_numbers(text)
    parts = parts_around_whole_words(joined) if flows else [joined]
    if parts == [text]:
        yield child
        return
    for position, part in enumerate(parts):
        if position % 2:
            yield WholeWord.create(part)
        elif part:
            yield Bare.create(part)
