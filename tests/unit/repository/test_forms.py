"""Every lead kind is complete: it is distinguishable, all its fields have texts, and its view has what it needs."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from site_app.contracts.input import control
from site_app.contracts.kinds import BY_NAME, LEAD_KINDS
from site_app.contracts.submission import RESERVED_NAMES, ContactedSubmission, LeadKind
from site_app.forms.form import FORMS, forms_by_kind, view_of
from site_app.forms.views.consultation import CONSULTATION
from site_app.pages.table import PAGES
from site_app.provider.leads.queries import EVERY_KIND, full_entry
from site_app.provider.store import Store
from site_app.provider.store.tables import FromVisitor, Lead

ROOT = Path(__file__).parents[3]
UNLABELLED = {"phone_country"}  # chosen in the list beside the number
RESERVED = {*FromVisitor.model_fields, "kind", "name", "files", "mails", "notes", "further"}  # keys of an entry of `leads`
every_kind = pytest.mark.parametrize("kind", LEAD_KINDS, ids=lambda kind: kind.name)


@pytest.mark.parametrize(
    "attribute", [lambda kind: kind.name, lambda kind: kind.call, lambda kind: kind.prefix, lambda kind: kind.contract]
)
def test_no_two_kinds_share_an_identifying_attribute(attribute: Callable[[LeadKind], object]) -> None:
    repeated = [value for value, count in Counter(map(attribute, LEAD_KINDS)).items() if count > 1]

    assert not repeated
    assert len({*EVERY_KIND}) == len(EVERY_KIND)
    assert "C" not in {kind.prefix for kind in LEAD_KINDS}, "C begins the references of calls"


@every_kind
def test_every_field_has_a_label(kind: LeadKind) -> None:
    unlabelled = [name for name in kind.fields if kind.label(name) == name and name not in UNLABELLED]

    assert not unlabelled, f"put into `labels` of the kind, or visitors read the code's names: {unlabelled}"


def test_common_columns_of_leads_are_reserved() -> None:
    assert {*FromVisitor.model_fields} & {*ContactedSubmission.model_fields} - RESERVED_NAMES == RESERVED - RESERVED_NAMES


@pytest.mark.anyio
async def test_the_keys_of_an_entry_are_the_kinds_own_fields_or_reserved(store: Store) -> None:
    lead = Lead(
        kind="message", reference="M-TEST-22", email="ada@example.com", own_fields={"message": "Hello", "old_field": "x"}
    )
    lead.created_at = datetime(2026, 11, 23, 12, tzinfo=UTC)
    await store.write(lambda session: session.add(lead))

    entry = await store.read(lambda session: full_entry(session, "M-TEST-22"))

    assert entry
    assert {*entry} - {*BY_NAME["message"].own_fields, *ContactedSubmission.model_fields} <= RESERVED_NAMES


@pytest.mark.parametrize("name", sorted(RESERVED_NAMES | {"copy"}))
@pytest.mark.filterwarnings("ignore:Field name")  # pydantic warns about this as well
def test_a_field_by_a_reserved_name_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(TypeError, match=f"SampleRequest cannot have a field named {name}: choose another name"):
        type("SampleRequest", (ContactedSubmission,), {"__module__": __name__, "__annotations__": {name: str}})


def test_the_guide_lists_the_reserved_names_of_forms() -> None:
    guide = (ROOT / "docs/guide/forms.md").read_text()

    assert [name for name in sorted(RESERVED_NAMES) if f"`{name}`" not in guide] == []


def test_a_kind_without_a_form_ends_the_start_with_a_sentence_that_says_what_to_write() -> None:
    kind = replace(BY_NAME["quote"], name="job-application")

    with pytest.raises(
        SystemExit, match=r"Write class JobApplicationState\(.*kind: ClassVar = JOB_APPLICATION in site_app/forms/form\.py"
    ):
        forms_by_kind([BY_NAME["message"], kind], FORMS["message"])


@pytest.mark.parametrize("name", ["quote", "message", "affiliate", CONSULTATION.name])
def test_open_pages_name_the_state_of_a_form_by_its_class_and_module(name: str) -> None:
    assert FORMS[name].state.get_full_name() == f"reflex___state____state.site_app___forms___form____{name}_state"


@every_kind
def test_a_view_shows_all_required_fields_and_only_existing_ones(kind: LeadKind) -> None:
    names = [field.name for field in view_of(kind).fields]

    assert {*names} <= {*kind.fields}
    assert {name for name in kind.fields if kind.contract.model_fields[name].is_required()} <= {*names}
    assert len(names) == len({*names})


@every_kind
def test_a_posted_form_is_on_an_existing_page_and_has_no_files(kind: LeadKind) -> None:
    page = view_of(kind).page

    assert not page or (page in PAGES and not kind.takes_files)


@every_kind
def test_text_fields_have_a_maximum_length(kind: LeadKind) -> None:
    """A field without a maximum length would hold whatever fits into a request."""
    texts = [name for name in kind.own_fields if control(kind.contract, name) in ("text", "lines")]
    schema = kind.contract.model_json_schema()["properties"]

    assert not [name for name in texts if "maxLength" not in schema[name]], "give each a Field(max_length=…)"
