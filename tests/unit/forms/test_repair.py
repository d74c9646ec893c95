"""Repairs a refused submission without the visitor: the table of components/reliable_form/repair.js, run by node."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = """
import { readFileSync } from "node:fs";
import { repairOf } from "./components/reliable_form/repair.js";
const { refusal, repairs, byHttp, visible } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(repairOf(refusal, { isVisible: (name) => visible.includes(name), repairs, byHttp })));
"""


def repair(refusal: dict[str, Any], *, repairs: int = 0, by_http: bool = False) -> dict[str, Any] | None:
    node_input = json.dumps({"refusal": refusal, "repairs": repairs, "byHttp": by_http, "visible": ["email"]})
    node = [str(Path(sys.executable).with_name("node")), "--input-type=module", "--eval", SCRIPT]
    process = subprocess.run(node, input=node_input, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(process.stdout)


@pytest.mark.parametrize(
    "refusal",
    [{"fields": {"email": "No"}}, {"fields": {"": "No"}}, {"fields": {"slot": "No", "email": "No"}}, {"message": "No"}],
)
def test_a_refusal_that_the_visitor_sees_is_left_to_the_visitor(refusal: dict[str, Any]) -> None:
    assert repair(refusal) is None


@pytest.mark.parametrize(
    ("refusal", "new_key", "new_token"),
    [
        ({"code": "key_reused", "message": "No"}, True, False),
        ({"fields": {"key": "No"}}, True, False),
        ({"fields": {"key": "No", "email": "No"}}, True, False),
        ({"code": "looks_automatic", "message": "No"}, False, True),
        ({"fields": {"token": "No"}}, False, True),
    ],
)
def test_a_refused_key_or_token_is_renewed(refusal: dict[str, Any], new_key: bool, new_token: bool) -> None:
    assert repair(refusal) == {"step": "resend", "needsNewKey": new_key, "needsNewToken": new_token}


def test_a_form_is_repaired_at_most_three_times() -> None:
    assert [repair({"fields": {"token": "No"}}, repairs=repair_count)["step"] for repair_count in (2, 3)] == ["resend", "http"]  # type: ignore[index]


@pytest.mark.parametrize(("by_http", "step"), [(False, "http"), (True, "fail")])
def test_another_invisible_refusal_starts_the_next_repair(by_http: bool, step: str) -> None:
    assert repair({"fields": {"page": "No"}}, by_http=by_http) == {"step": step, "needsNewKey": False, "needsNewToken": False}
