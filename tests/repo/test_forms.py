"""A form is whole: whatever it sends is named, kept, told, listed and erased; and tested with the others."""

import tomllib
from pathlib import Path

import pytest

from site_app.api.calls import CALLS
from site_app.contracts.labels import LABELS
from site_app.contracts.submission import Submission
from site_app.services.archive import EVERY_KIND
from site_app.services.letters.facts import ORDER
from site_app.services.letters.leads import WORDS
from site_app.services.letters.posting import OURS
from site_app.store.tables import LEADS, AnyLead, Meeting
from site_app.store.tables.lead import KINDS, Lead
from tests.builders import SUBMISSIONS
from tests.faults.forms import FORMS as FILLED
from tests.faults.input_row import CONTRACTS

ROOT = Path(__file__).parents[2]
FORMS = {call.name: call.takes for call in CALLS if call.takes and issubclass(call.takes, Submission)}
UNNAMED = {"phone_country", "hold"}  # chosen and made beside a field that has a label
UNTOLD = {"kind", "created_at"}  # in the letter's title and on it


def test_every_table_of_leads_is_among_them() -> None:
    unlisted = [table.__name__ for table in Lead.__subclasses__() if table not in (*LEADS, Meeting)]

    assert not unlisted, f"put into LEADS in site_app/store/tables/lead.py, or nobody lists, releases or erases: {unlisted}"


def test_every_kind_of_lead_is_known() -> None:
    fixed = {table.kind for table in LEADS if "kind" not in table.model_fields}

    assert fixed <= {*KINDS}, "put it into KINDS in site_app/store/tables/lead.py, or `leads list --kind` refuses it"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_lead_has_its_words(kind: str) -> None:
    assert kind in WORDS, "put it into WORDS in site_app/services/letters/leads.py, or its mails cannot be written"


@pytest.mark.parametrize("table", LEADS)
def test_every_column_of_a_lead_is_in_its_mails(table: type[AnyLead]) -> None:
    untold = table.model_fields.keys() - OURS - UNTOLD - {*ORDER}

    assert not untold, f"put into ORDER in site_app/services/letters/facts.py, or the team never reads: {sorted(untold)}"


@pytest.mark.parametrize("call", FORMS)
def test_every_field_has_a_label(call: str) -> None:
    unnamed = FORMS[call].model_fields.keys() - Submission.model_fields.keys() - UNNAMED - LABELS.keys()

    assert not unnamed, f"put into LABELS in site_app/contracts/labels.py, or visitors read the code's name: {sorted(unnamed)}"


def test_every_form_is_tested_with_the_others() -> None:
    known = {call: contract for call, (contract, _) in SUBMISSIONS.items()}

    assert known == FORMS, "SUBMISSIONS in tests/builders.py has a payload for each"


def test_every_form_is_filled_in_where_networks_and_servers_fail() -> None:
    filled = {form.id.partition("-")[0] for form in FILLED}
    folders = {file.parent.name for file in (ROOT / "site_app/forms").glob("*/state.py")}

    assert filled == folders, "FORMS in tests/faults/forms.py has each, by an id that begins with its folder's name"


def test_every_kind_of_lead_is_looked_at_by_the_trial_of_inputs() -> None:
    assert {*CONTRACTS} == {*EVERY_KIND}, "CONTRACTS in tests/faults/input_row.py says what a row of each kind must be"


def test_every_form_is_kept_apart_from_the_others() -> None:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (apart,) = (one["modules"] for one in linter if one["name"] == "Forms do not know each other")
    folders = {f"site_app.forms.{file.parent.name}" for file in (ROOT / "site_app/forms").glob("*/state.py")}

    assert {*apart} == folders, "pyproject.toml, [tool.importlinter]: Forms do not know each other"
