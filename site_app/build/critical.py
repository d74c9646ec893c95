"""Of the one stylesheet, the part that a page needs for its first paint; the whole follows with React."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import tinycss2
from tinycss2.ast import AtRule, IdentToken, Node, QualifiedRule

_NESTING = ("layer", "media", "supports", "container")
_ALWAYS = frozenset({"dark"})  # set on <html> by a script
_LATER = "[data-leaving]"  # a page is left after a touch, which the whole style comes with
_FALLBACK = "@layer properties"  # Tailwind's, for browsers that do not know @property


def classes_of(html: str) -> frozenset[str]:
    """Every class that the page's elements have."""
    return frozenset(name for value in re.findall(r'\bclass="([^"]*)"', html) for name in value.split())


def language_of(html: str) -> str:
    """The language the page says it is in."""
    found = re.search(r'<html[^>]* lang="([\w-]+)"', html)
    return found[1] if found else ""


def critical_style(style: str, classes: frozenset[str], language: str = "") -> str:
    """The rules whose selectors ask for no class and no page's language beyond these; what is no rule for elements stays."""
    rules = tinycss2.parse_stylesheet(style, skip_comments=True, skip_whitespace=True)
    kept = "".join(_kept(rules, _Page(classes | _ALWAYS, language)))
    kept = re.sub(r"@media[^{}]*\{\}", "", _without_unused_faces(_without_unused_keyframes(kept)))
    return _without_unused_properties(kept)


class _Page(NamedTuple):
    classes: frozenset[str]
    language: str

    def may_match(self, selector: Sequence[Node]) -> bool:
        text = tinycss2.serialize(selector).strip()
        if _LATER in text:
            return False
        language = re.match(r"html:lang\((\w+)\)", text)
        if language and self.language.partition("-")[0] != language[1]:
            return False
        return _asked(selector) <= self.classes


def _kept(rules: Sequence[Node], page: _Page) -> Iterator[str]:
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            selectors = [part for part in _selectors(rule.prelude) if page.may_match(part)]
            if selectors:
                prelude = ",".join(tinycss2.serialize(part).strip() for part in selectors)
                yield f"{prelude}{{{tinycss2.serialize(rule.content).strip()}}}"
        elif isinstance(rule, AtRule):
            yield _kept_at_rule(rule, page)


def _kept_at_rule(rule: AtRule, page: _Page) -> str:
    head = f"@{rule.at_keyword} {tinycss2.serialize(rule.prelude).strip()}".rstrip()
    if head == _FALLBACK:
        return ""
    if rule.content is None:
        return f"{head};"
    if rule.lower_at_keyword not in _NESTING:
        return f"{head}{{{tinycss2.serialize(rule.content).strip()}}}"
    inside = "".join(_kept(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), page))
    # an empty layer still says where it stands among the others
    return f"{head}{{{inside}}}" if inside else (f"{head};" if rule.lower_at_keyword == "layer" else "")


def _selectors(prelude: Sequence[Node]) -> Iterator[list[Node]]:
    part: list[Node] = []
    for node in prelude:
        if node == ",":
            yield part
            part = []
        else:
            part.append(node)
    yield part


def _asked(selector: Sequence[Node]) -> frozenset[str]:
    """The classes a selector cannot do without; what stands in :is(), :not() or :has() is not looked at."""
    return frozenset(after.value for dot, after in pairwise(selector) if dot == "." and isinstance(after, IdentToken))


def _without_unused_keyframes(style: str) -> str:
    frames = re.compile(r"@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\s*\}")
    rest = frames.sub("", style)
    return frames.sub(lambda found: found[0] if re.search(rf"\b{found[1]}\b", rest) else "", style)


def _without_unused_faces(style: str) -> str:
    faces = re.compile(r"@font-face\s*\{\s*font-family:\s*[\"']?([\w -]+)[^{}]*\}")
    rest = faces.sub("", style)
    return faces.sub(lambda found: found[0] if re.search(rf"\b{found[1]}\b", rest) else "", style)


def _without_unused_properties(style: str) -> str:
    """Without the custom properties that nothing here reads, nor another one that is read."""
    rest = _with_read_properties(style, set(re.findall(r"var\((--[\w-]+)", style)))
    return style if rest == style else _without_unused_properties(rest)


def _with_read_properties(style: str, read: set[str]) -> str:
    def kept(found: re.Match[str]) -> str:
        return found[0] if found[1] in read else ""

    declared = re.sub(r"(?<=[{;])(--[\w-]+):[^;{}]*;?", kept, style)
    return re.sub(r"@property (--[\w-]+)\{[^{}]*\}", kept, declared)
