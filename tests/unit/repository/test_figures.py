"""Each business figure is written once, in business.py."""

import ast
import re
from pathlib import Path

import pytest

from site_app.content.legal import LEGAL_PAGES, TEXTS, legal_page
from site_app.content.legal_values import INVENTORY
from site_app.core import business
from site_app.core.i18n.markdown import plain_text

SITE = Path(business.__file__).parents[1]
ICO = ("within 30 days", "SK9 5AF", "0303 123 1113")  # its address, and the law's time to confirm a complaint
LAWS = (
    *ICO,
    "Guidelines 2.2",
    "February 2026",
    "Act 1998",
    "Act 1999",
    "Regulations 2003",
    "Article 6(1)(a)",
    "Article 6(1)(b)",
    "Article 6(1)(c)",
    "Article 6(1)(f)",
)
NUMERALS = re.compile(r"\b(twelve|fourteen|twenty|thirty|sixty|ninety|hundred)\b", re.IGNORECASE)


@pytest.mark.parametrize("file", LEGAL_PAGES.values())
def test_a_legal_text_types_no_figure(file: str) -> None:
    text = (TEXTS / file).read_text(encoding="utf-8")
    for law in LAWS:
        text = text.replace(law, "")
    text = re.sub(r"^\d\. ", "", text, flags=re.MULTILINE)

    assert re.findall(r".*\d.*", text) == []
    assert NUMERALS.findall(text) == []


def test_every_text_is_a_literal_that_translators_get() -> None:
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in SITE.rglob("*.py")}
    calls = [(file, node) for file, tree in trees.items() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    texts = [
        (file, call.args[0]) for file, call in calls if isinstance(call.func, ast.Name) and call.func.id in {"t", "tc", "tn"}
    ]

    assert [f"{file.name}: {ast.unparse(text)}" for file, text in texts if not isinstance(text, ast.Constant)] == []


def test_the_cookies_policy_prints_the_inventory() -> None:
    (table,) = (block for block in legal_page("/legals/cookies-policy").blocks if block.type == "table")
    names = [plain_text(row.children[0]).replace("\u200b", "") for row in table.children[1].children]  # may break after _

    assert names == [item.name for item in INVENTORY]
