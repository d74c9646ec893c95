"""The form for a publication's front matter, generated from the pydantic model: each field of the model is a field of the form."""

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import BaseModel, StringConstraints
from pydantic.fields import FieldInfo

from site_app.contracts.drafts import Choice
from site_app.contracts.publication import PublicationDay
from site_app.core.http.pages import FormPairs

PREFIX = "f."  # of the names of fields in the form
_HIDDEN = frozenset(("draft",))  # set and removed by the buttons of the page
_MAX_LINE_LENGTH = 100  # characters; a longer text gets several lines
_SPARE_ROWS = 2  # empty rows below those of a table
_LABELS = {"alt": "Alt text", "weeks": "Duration in weeks", "price": "Price band", "file": "File"}


@dataclass(frozen=True)
class FormField:
    """A field of the form. `kind` names its control: line, area, day, number, select, checks, check, list, group or table.

    `parts` are the fields of a group, or of each row of a table.
    """

    name: str
    label: str
    kind: str
    hint: str = ""
    required: bool = False
    longest: int | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[Choice, ...] = ()
    parts: tuple["FormField", ...] = ()


@dataclass(frozen=True)
class FilledField:
    """A field with its value: a text, the chosen names, or the filled parts of a group or of each row of a table."""

    field: FormField
    name: str  # in the form
    value: str = ""
    chosen: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    rows: tuple[tuple["FilledField", ...], ...] = ()
    mistakes: tuple[str, ...] = ()


@cache
def form_fields(model: type[BaseModel]) -> tuple[FormField, ...]:
    """Returns the fields of a form in the order of the model's."""
    hints = get_type_hints(model, include_extras=True)
    return tuple(_field(name, hints[name], field) for name, field in model.model_fields.items() if name not in _HIDDEN)


def fill_form(
    model: type[BaseModel],
    fields: Mapping[str, Any],
    choices: Mapping[str, Sequence[Choice]],
    mistakes: Mapping[str, Sequence[str]],
) -> list[FilledField]:
    """Returns the form with the fields of a file; `choices` and `mistakes` by the names of fields."""
    filling = _Filling(choices, mistakes)
    return [filling.field(field, f"{PREFIX}{field.name}", fields.get(field.name), field.name) for field in form_fields(model)]


def sent_fields(model: type[BaseModel], pairs: FormPairs) -> dict[str, Any]:
    """Returns the posted fields in the form of front matter, without empty ones. The values are not validated."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    fields = {field.name: _sent(field, f"{PREFIX}{field.name}", values) for field in form_fields(model)}
    return {name: value for name, value in fields.items() if value}


def _field(name: str, annotation: Any, info: FieldInfo | None = None) -> FormField:
    annotation, metadata, _ = _unwrapped(annotation)
    description = next((item.description for item in metadata if isinstance(item, FieldInfo) and item.description), "")
    bounds = [bound for item in metadata for bound in (item.metadata if isinstance(item, FieldInfo) else (item,))]
    field = FormField(
        name=name,
        label=_LABELS.get(name) or name.capitalize().replace("_", " "),
        kind="line",
        hint=description,
        required=info.is_required() if info else any(_length(bound, MinLen, "min_length") for bound in bounds),
        longest=next((length for bound in bounds if (length := _length(bound, MaxLen, "max_length"))), None),
        least=next((int(str(bound.ge)) for bound in bounds if isinstance(bound, Ge)), None),
        most=next((int(str(bound.le)) for bound in bounds if isinstance(bound, Le)), None),
    )
    if get_origin(annotation) is tuple:
        item, *_ = _unwrapped(get_args(annotation)[0])
        if _is_model(item):
            return replace(field, kind="table", parts=_parts(item))
        return replace(field, kind="list")
    if _is_model(annotation):
        return replace(field, kind="group", parts=_parts(annotation))
    if get_origin(annotation) is Literal:
        return replace(field, kind="select", choices=tuple((value, value) for value in get_args(annotation)))
    if annotation is bool:
        return replace(field, kind="check")
    if annotation is int:
        return replace(field, kind="number")
    if annotation is _unwrapped(PublicationDay)[0]:
        return replace(field, kind="day")
    return replace(field, kind="area" if (field.longest or 0) > _MAX_LINE_LENGTH else "line")


def _parts(model: type[BaseModel]) -> tuple[FormField, ...]:
    hints = get_type_hints(model, include_extras=True)
    return tuple(_field(name, hints[name], info) for name, info in model.model_fields.items())


def _unwrapped(annotation: Any) -> tuple[Any, list[Any], bool]:
    """Returns the bare type, all metadata around it, and True if it is optional."""
    metadata: list[Any] = []
    optional = False
    while True:
        if get_origin(annotation) is Annotated:
            annotation, *more_metadata = get_args(annotation)
            metadata += more_metadata
        elif get_origin(annotation) in (Union, types.UnionType):
            annotation = next(part for part in get_args(annotation) if part is not type(None))
            optional = True
        else:
            return annotation, metadata, optional


def _length(bound: Any, kind: type, name: str) -> int | None:
    if isinstance(bound, (kind, StringConstraints)):
        return getattr(bound, name, None)
    return None


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


@dataclass(frozen=True)
class _Filling:
    """Fills in the fields of a form. `choices` are by the names of fields, `mistakes` by their places in the front matter."""

    choices: Mapping[str, Sequence[Choice]]
    mistakes: Mapping[str, Sequence[str]]

    def field(self, field: FormField, name: str, value: Any, place: str) -> FilledField:
        """Returns the field with its value. `name` is its name in the form."""
        if field.kind == "list":
            return self._list(field, name, value, place)
        filled = FilledField(field, name, mistakes=tuple(self.mistakes.get(place, ())))
        if field.kind == "group":
            return replace(filled, rows=(self._parts(field, name, value, place),))
        if field.kind == "table":
            return replace(filled, rows=self._rows(field, name, value, place))
        text = _line(value)
        choices = tuple(self.choices.get(field.name, ()))
        if field.kind == "select" or choices:
            offered = choices or field.choices
            offered += ((text, text),) if text and text not in dict(offered) else ()
            return replace(filled, field=replace(field, kind="select"), value=text, choices=offered)
        return replace(filled, value=text)

    def _parts(self, field: FormField, name: str, value: Any, place: str) -> tuple[FilledField, ...]:
        """Returns the filled parts of a group, or of a row of a table."""
        values = value if isinstance(value, Mapping) else {}
        return tuple(
            self.field(part, f"{name}.{part.name}", values.get(part.name), f"{place}.{part.name}") for part in field.parts
        )

    def _rows(self, field: FormField, name: str, value: Any, place: str) -> tuple[tuple[FilledField, ...], ...]:
        """Returns the rows of a table, and some empty ones below them."""
        entries = [*value] if isinstance(value, list) else []
        count = min(len(entries) + _SPARE_ROWS, max(field.longest or 0, len(entries)))
        entries += [{}] * (count - len(entries))
        return tuple(self._parts(field, f"{name}.{row}", entry, f"{place}.{row}") for row, entry in enumerate(entries))

    def _list(self, field: FormField, name: str, value: Any, place: str) -> FilledField:
        """Returns a list as text with a line for each entry, or as boxes to check if there are choices."""
        texts = tuple(map(str, value)) if isinstance(value, list) else ((str(value),) if value else ())
        of_entries = (sentences for key, sentences in self.mistakes.items() if key.startswith(f"{place}."))
        mistakes = (*self.mistakes.get(place, ()), *chain.from_iterable(of_entries))
        if choices := self.choices.get(field.name, ()):
            # Chosen ones first, in the order of the file, because a browser sends them in the order of the page.
            labels = dict(choices)
            offered = [(text, labels.get(text, text)) for text in dict.fromkeys(texts)]
            offered += [choice for choice in choices if choice[0] not in texts]
            return FilledField(replace(field, kind="checks"), name, chosen=texts, choices=tuple(offered), mistakes=mistakes)
        return FilledField(field, name, value="\n".join(texts), mistakes=mistakes)


def _sent(field: FormField, name: str, values: Mapping[str, Sequence[str]]) -> Any:
    if field.kind == "group":
        return _sent_parts(field, name, values)
    if field.kind == "table":
        rows = (_sent_parts(field, f"{name}.{number}", values) for number in range(field.longest or 0))
        return [row for row in rows if row]
    if field.kind == "list":
        # one value with a line for each, or a value for each box that is checked
        return [text for value in values.get(name, ()) for line in value.splitlines() if (text := _line(line))]
    return _line(_last(values, name))


def _sent_parts(field: FormField, name: str, values: Mapping[str, Sequence[str]]) -> dict[str, str]:
    texts = {part.name: _line(_last(values, f"{name}.{part.name}")) for part in field.parts}
    return {part: text for part, text in texts.items() if text}


def _last(values: Mapping[str, Sequence[str]], name: str) -> str:
    return values[name][-1] if values.get(name) else ""


def _line(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
