"""The browser keeps the first partner's code of a visit, whatever page it came with; run by node, a page load at a time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = Path(__file__).parents[3] / "components/browser/reader/attribution.js"
VISIT = """
const [source, pages] = process.argv.slice(1);
delete URLSearchParams.prototype.size; // browsers before 2023 have none
globalThis.sessionStorage = {};
for (const { search, referrer = "", refusesTracking = false } of JSON.parse(pages)) {
  globalThis.location = { search, pathname: "/faq", href: `https://agency.example/faq${search}`, host: "agency.example" };
  globalThis.document = { referrer };
  globalThis.isPrivate = () => refusesTracking;
  new Function(source)();
}
console.log(sessionStorage.attribution ?? "");
"""
FROM_SEARCH = {"search": "", "referrer": "https://search.example/"}
FROM_OUR_WWW = {"search": "", "referrer": "https://www.agency.example/faq"}
BY_WORD = {"search": "?ref=producthunt"}
BY_PARTNER, BY_ANOTHER = {"search": "?ref=A2C3D4E5&utm_source=news"}, {"search": "?ref=K7F3M29Q"}
STORED_PARTNER = "utm_source=news&ref=A2C3D4E5&landing_page=%2Ffaq"


@pytest.mark.parametrize(
    ("pages", "stored"),
    [
        ([{"search": ""}], ""),
        ([BY_PARTNER], STORED_PARTNER),
        ([BY_PARTNER, FROM_SEARCH, BY_ANOTHER], STORED_PARTNER),
        ([FROM_SEARCH, BY_PARTNER, BY_ANOTHER], "referrer=search.example&landing_page=%2Ffaq&ref=A2C3D4E5"),
        ([FROM_SEARCH, {"search": "?utm_source=later"}], "referrer=search.example&landing_page=%2Ffaq"),
        ([BY_PARTNER | {"refusesTracking": True}, FROM_SEARCH], "ref=A2C3D4E5"),
        ([BY_WORD, BY_PARTNER, BY_ANOTHER], "ref=A2C3D4E5&landing_page=%2Ffaq"),
        ([BY_PARTNER, BY_WORD], STORED_PARTNER),
        ([FROM_SEARCH, BY_WORD], "referrer=search.example&landing_page=%2Ffaq"),
        ([FROM_OUR_WWW], ""),
        ([FROM_OUR_WWW, BY_WORD], "ref=producthunt&landing_page=%2Ffaq"),
    ],
)
def test_the_first_partners_code_of_a_visit_is_kept(pages: list[dict[str, object]], stored: str) -> None:
    lines = MODULE.read_text().splitlines()
    source = "\n".join(line for line in lines if not line.startswith("import "))
    node = [str(Path(sys.executable).with_name("node")), "--eval", VISIT, source, json.dumps(pages)]

    process = subprocess.run(node, capture_output=True, text=True, check=True)

    assert process.stdout.strip() == stored
