"""The form of a publication's file: front matter between two lines of hyphens, then Markdown. Parses and writes it, and knows no field."""

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

_FENCE = "---"
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<front>.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_UNFIT_FOR_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))


class BrokenFrontMatter(Exception):
    """The file cannot be taken apart; `line` is the line of the file to look at."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line
        self.problem = problem


@dataclass(frozen=True)
class FrontMatter:
    """A file taken apart: `lines` tells in which line each field stands, `first_line` in which the Markdown begins."""

    fields: Mapping[str, Any]
    lines: Mapping[str, int]
    markdown: str
    first_line: int


def parse(content: str) -> FrontMatter:
    """Returns the fields as texts, lists and mappings of texts, unchecked, and the Markdown. Raises BrokenFrontMatter."""
    if unfit := _UNFIT_FOR_XML.search(content):
        line = content.count("\n", 0, unfit.start()) + 1
        raise BrokenFrontMatter(line, f"the character U+{ord(unfit[0]):04X} is not taken: no feed could hold it")
    parts = _FRONT_MATTER.match(content)
    if not parts:
        raise BrokenFrontMatter(1, f"it must begin with its front matter between two lines {_FENCE}")
    try:
        node, fields = _loaded(parts["front"], _FastLoader)
    except yaml.YAMLError:
        node = None
        fields = None
    try:
        if node is None:  # the loader in Python words its problems more plainly
            node, fields = _loaded(parts["front"], _Loader)
    except yaml.YAMLError as error:
        line, reason = _reason(error)
        raise BrokenFrontMatter(line, f"the front matter is no YAML: {reason}") from None
    if not isinstance(fields, dict) or not isinstance(node, yaml.MappingNode):
        raise BrokenFrontMatter(2, "the front matter must be lines of “field: value”")
    lines = {str(key.value): key.start_mark.line + 2 for key, _ in node.value}
    return FrontMatter(fields, lines, content[parts.end() :], parts[0].count("\n") + 1)


def parse_leniently(content: str) -> FrontMatter:
    """Returns a file taken apart like `parse`; one that cannot be taken apart is Markdown altogether."""
    try:
        return parse(content)
    except BrokenFrontMatter:
        return FrontMatter({}, {}, content, first_line=1)


def written(fields: Mapping[str, Any], markdown: str) -> str:
    """Returns the file that `parse` takes apart into these fields and this Markdown."""
    front = yaml.dump(
        _Lines(fields), Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=None, width=float("inf")
    )
    return f"{_FENCE}\n{front}{_FENCE}\n{markdown}"


def _loaded(front: str, loader: Any) -> tuple[yaml.Node | None, Any]:
    return yaml.compose(front, Loader=loader), yaml.load(front, Loader=loader)  # noqa: S506 (makes texts, lists and mappings only)


class _Loader(yaml.BaseLoader):
    """Reads every value as text, so that a title may be 2026 or “yes”; refuses a field that stands there twice, and tags."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if node.tag not in _PLAIN_TAGS:
            raise yaml.constructor.ConstructorError(
                None, None, "put a text that begins with ! in quotation marks", node.start_mark
            )
        return yaml.BaseLoader.construct_object(self, node, deep)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        names = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in names:
                problem = f"{key.value} stands there twice" if isinstance(key, yaml.ScalarNode) else "a field’s name is a word"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            names.add(key.value)
        return yaml.BaseLoader.construct_mapping(self, node, deep)


class _FastLoader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # pyright: ignore
    """The same rules on libyaml, ten times as fast, where PyYAML was built with it."""

    construct_object = _Loader.construct_object
    construct_mapping = _Loader.construct_mapping


class _Lines(dict[str, Any]):
    """A mapping that is written with a line for each field, however short the fields are."""


class _Dumper(yaml.SafeDumper):
    """Writes texts without quotation marks where the loader above needs none: it reads dates and “yes” as texts, too."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (as the base class has it)

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Dumper.add_representer(
    _Lines, lambda dumper, fields: dumper.represent_mapping("tag:yaml.org,2002:map", fields, flow_style=False)
)


def _reason(error: yaml.YAMLError) -> tuple[int, str]:
    """The line of the file that YAML stumbled over, and why, in one line."""
    mark = getattr(error, "problem_mark", None)
    reason = str(getattr(error, "problem", None) or error).splitlines()[0]
    if "<stream end>" in reason:  # something was opened and not closed: its beginning is the line to look at
        mark = getattr(error, "context_mark", None) or mark
        reason = "a bracket or a quotation mark that opens here is not closed"
    hint = ""
    if "mapping values" in reason or "cannot start any token" in reason or "alphabetic or numeric" in reason:
        tab = "'\\t'" in reason
        hint = (
            "; indent with spaces, not tabs"
            if tab
            else "; put a text that holds a colon or begins with a sign in quotation marks"
        )
    return (mark.line + 2 if mark else 1), reason + hint
