"""Every lead kind is whole: it can be told from the others, every field has its words, and its view shows what it needs."""

from collections import Counter
from collections.abc import Callable

import pytest

from site_app.contracts.input import control
from site_app.forms.view import view_of
from site_app.leads.kind import LeadKind
from site_app.leads.kinds import KINDS
from site_app.leads.queries import EVERY_KIND
from site_app.pages.table import PAGES
from site_app.store.tables import FromVisitor

UNLABELLED = {"phone_country"}  # chosen beside the number
TAKEN = {*FromVisitor.model_fields, "kind", "name", "files", "mails", "further"}  # what an entry of `leads` says by these names
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


@pytest.mark.parametrize(
    "own", [lambda kind: kind.name, lambda kind: kind.call, lambda kind: kind.prefix, lambda kind: kind.contract]
)
def test_no_two_kinds_share_what_tells_them_apart(own: Callable[[LeadKind], object]) -> None:
    twice = [one for one, count in Counter(map(own, KINDS)).items() if count > 1]

    assert not twice
    assert len({*EVERY_KIND}) == len(EVERY_KIND)
    assert "C" not in {kind.prefix for kind in KINDS}, "C begins the references of calls"


@every_kind
def test_every_field_has_a_label(kind: LeadKind) -> None:
    unlabelled = [name for name in kind.fields if kind.label(name) == name and name not in UNLABELLED]

    assert not unlabelled, f"put into `labels` of the kind, or visitors read the code's names: {unlabelled}"


@every_kind
def test_no_field_of_a_kind_has_the_name_of_a_column_that_all_leads_have(kind: LeadKind) -> None:
    assert not {*kind.own_fields} & TAKEN


@every_kind
def test_a_view_shows_every_field_that_must_be_filled_in_and_none_that_there_is_not(kind: LeadKind) -> None:
    shown = [field.name for field in view_of(kind).fields]

    assert {*shown} <= {*kind.fields}
    assert {name for name in kind.fields if kind.contract.model_fields[name].is_required()} <= {*shown}
    assert len(shown) == len({*shown})


@every_kind
def test_a_form_that_is_posted_stands_on_a_page_there_is_and_takes_no_files(kind: LeadKind) -> None:
    page = view_of(kind).page

    assert not page or (page in PAGES and not kind.takes_files)


@every_kind
def test_lines_are_bounded(kind: LeadKind) -> None:
    """A field without an end would hold whatever fits into a request."""
    texts = [name for name in kind.own_fields if control(kind.contract, name) in ("text", "lines")]
    schema = kind.contract.model_json_schema()["properties"]

    assert not [name for name in texts if "maxLength" not in schema[name]], "give each a Field(max_length=…)"
