"""The browser refuses no input that the API accepts, and its messages are those of the API."""

import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.routing import Route

from site_app.contracts.kinds import LEAD_KINDS
from site_app.contracts.reply import Done
from site_app.contracts.submission import Submission, SubmissionKind
from site_app.core.settings import Settings
from site_app.forms.rules import rules
from site_app.forms.views.consultation import CONSULTATION
from site_app.provider.api.calls import CALLS
from tests.support.builders import SUBMISSIONS

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
INPUTS = 2000
FORMS = {kind.call: kind for kind in (*LEAD_KINDS, CONSULTATION)}
every_form = pytest.mark.parametrize("form", FORMS)

ODD = "\u00a0\u3000\ufeff\u200e\u202e\u0085\x1c\x00\x0b\t\n\r\u2028é\u0301กา中👩‍💻İß。．＠@.-_+ \"'"
text = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=ODD + "ab1", max_size=40),
    st.text(alphabet="a ", min_size=45, max_size=160),
    st.builds(
        lambda piece, count: piece * count, st.sampled_from(["a", "é", "e\u0301", "ab ", "👍", "\n", " "]), st.integers(0, 5100)
    ),
)
address = st.one_of(
    st.emails(),
    st.builds("{}@{}".format, st.text(alphabet=ODD + "ab1", max_size=20), st.text(alphabet=ODD + "ab1", max_size=20)),
    st.sampled_from(
        ["ada@example.org", " ada@example.org\n", "ada@bücher.example.org", "ada@example。org", "ada@example.org.", "ada@localhost",
         "ada@x.invalid", "a.@example.org", '"ada b"@example.org', "ada@[127.0.0.1]", "ada＠example.org", "Ada <ada@example.org>"]
    ),
)  # fmt: skip
web = st.one_of(
    text,
    st.builds("{}://{}".format, st.sampled_from(["http", "https", "HTTPS", "ftp", " https"]), st.text(alphabet=ODD + "ab1:/?#", max_size=30)),
)  # fmt: skip


def typed(form: str) -> st.SearchStrategy[dict[str, Any]]:
    """Returns a strategy for a browser's payload: a valid submission with some fields changed or left out."""
    contract, build = SUBMISSIONS[form]
    fields = [name for name in contract.model_fields if name not in Submission.model_fields]

    def change(name: str) -> st.SearchStrategy[Any]:
        kinds = {
            "email": address,
            "company_website": web,
            "services": st.lists(st.sampled_from(["web-development", "brand-creation", "cookery"]), max_size=9),
            "attachments": st.lists(st.sampled_from(["A" * 22, "B" * 22, "../etc"]), max_size=7),
            "country": st.sampled_from(["GB", "TH", "XK", "XX", "gb", ""]),
            "phone_country": st.sampled_from(["GB", "TH", "XX"]),
            "agreed_terms_version": st.sampled_from(["2024-08-14", "any version"]),
            "slot": st.sampled_from(["20300102T0930Z", "noon"]),
            "hold": st.sampled_from(["A" * 22, "?"]),
            "time_zone": st.sampled_from(["Asia/Bangkok", "Bangkok"]),
            "currency": st.sampled_from(["GBP", "THB", "BGN", "DEM", "gbp"]),
            "phone": st.one_of(text, st.sampled_from(["020 7946 0958", "+66 81 234 5678", "12", "020 7946 0958 ext. 7"])),
        }
        return kinds.get(name, text)

    changes = st.dictionaries(st.sampled_from(fields), st.just(None), max_size=3).flatmap(
        lambda names: st.fixed_dictionaries({name: change(name) for name in names})
    )
    missing = st.sets(st.sampled_from(fields), max_size=2)
    return st.builds(
        lambda changed, dropped: {
            name: value for name, value in (build() | changed).items() if name not in dropped and value != ""
        },
        changes,
        missing,
    )


@cache
def collected(form: str) -> list[dict[str, Any]]:
    payloads: list[dict[str, Any]] = []

    @settings(
        max_examples=INPUTS,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(typed(form))
    def collect(payload: dict[str, Any]) -> None:
        payloads.append(payload)

    collect()
    return payloads


class Unlimited:
    async def count_and_get_wait(self, *_: str, amount: int = 1) -> int:
        return 0

    async def give_back(self, *_: str, amount: int = 1) -> None: ...


async def api_faults(contract: type[Submission], inputs: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Returns the API's errors for each input; nothing is stored."""

    async def accept(*_: object) -> Done:
        return Done()

    (call,) = (replace(endpoint, handler=accept, keyed=False) for endpoint in CALLS if endpoint.takes is contract)
    api = Starlette(routes=[Route("/call", call.serve, methods=["POST"])])
    api.state.context = SimpleNamespace(settings=Settings(), limits=Unlimited(), rate_limit_keys=lambda _: [])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(api), base_url="http://api.test") as client:
        replies = [(await client.post("/call", json=payload)).json() for payload in inputs]
    return [reply.get("error", {}).get("fields", {}) for reply in replies]


def browser_faults(kind: SubmissionKind, inputs: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Returns the errors of check.js for each input, run in node."""
    node_input = json.dumps({"rules": rules(kind), "inputs": inputs})
    node = [str(Path(sys.executable).with_name("node")), "--input-type=module", "--eval", _SCRIPT]
    process = subprocess.run(node, input=node_input, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(process.stdout)


_SCRIPT = """
import { readFileSync } from "node:fs";
import { checkForm } from "./components/reliable_form/check.js";
const { rules, inputs } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(inputs.map((values) => checkForm(rules, values))));
"""


@pytest.mark.slow
@every_form
async def test_the_browser_reports_only_errors_of_the_api(form: str) -> None:
    kind, inputs = FORMS[form], collected(form)

    browser_results, api_results = browser_faults(kind, inputs), await api_faults(kind.contract, inputs)

    assert len(inputs) >= INPUTS
    assert {bool(faults) for faults in api_results} == {True, False}, "only one kind of input was tried"
    own_rules = rules(kind)
    for payload, in_browser, in_api in zip(inputs, browser_results, api_results, strict=True):
        assert in_browser.keys() <= in_api.keys(), payload
        worded = in_browser.keys() - {"email"}  # the form checks less of an email address
        assert {name: in_browser[name] for name in worded} == {name: in_api[name] for name in worded}, payload
        surely = {name for name, message in in_api.items() if message in lengths(own_rules.get(name, {}))}
        assert surely <= in_browser.keys(), payload


def lengths(rule: dict[str, Any]) -> set[str]:
    """Returns the length messages, which the browser can always determine itself."""
    return {rule.get("required", ""), *(rule[name][1] for name in ("least", "most") if name in rule)} - {""}
