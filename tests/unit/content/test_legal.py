"""The Markdown parser for legal texts and parts of articles."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from site_app.content import legal as legal_pages
from site_app.content import legal_values
from site_app.core.i18n.markdown import BrokenText, Document, parse_document
from site_app.core.settings import Settings

FRONT = "---\ntitle: Terms\neffective: {day}\ndescription: What holds.\n---\n"
VALUES = {"day": "2024-08-14", "name": "A*B* & [C](d) | <e>", "email": "a_b@example.com"}


def document(body: str) -> Document:
    return parse_document(FRONT + body, values=VALUES, paths={"/", "/faq"})


def markup(body: str) -> list[str]:
    """Returns the parts of a text, in order."""
    nodes = (node for block in document(body).blocks for node in block.walk() if node.type != "inline")
    return [node.content if node.type == "text" else node.type for node in nodes if node.content or node.type != "text"]


def test_the_front_matter_names_title_day_and_description() -> None:
    text = document("## Law\n")

    assert (text.title, text.effective, text.description) == ("Terms", date(2024, 8, 14), "What holds.")
    with pytest.raises(BrokenText, match="effective"):
        parse_document("---\ntitle: Terms\ndescription: What holds.\n---\n", values={}, paths=())


def test_a_paragraph_keeps_its_markup() -> None:
    parts = markup("We **do *not*** bind\nyou. See the [FAQ](/faq).\n")

    assert parts == ["paragraph", "We ", "strong", "do ", "em", "not", " bind\nyou. See the ", "link", "FAQ", "."]


def test_a_heading_has_an_anchor_that_links_can_name() -> None:
    text = document("## Law & courts\n\n### England’s law\n\n[see](#englands-law)\n")

    assert text.anchors() == ["law-courts", "englands-law"]


def test_lists_and_tables_are_parsed() -> None:
    assert markup("1. one\n") == ["ordered_list", "list_item", "paragraph", "one"]
    assert markup("| a |\n|---|\n| **d** |\n")[-3:] == ["td", "strong", "d"]


def test_a_value_is_words_and_never_markup() -> None:
    words = "A*B* & [C](d) | <e>"

    assert markup("We are {name}.\n") == ["paragraph", f"We are {words}."]
    assert markup("| a |\n|---|\n| {name} |\n")[-2:] == ["td", words]


def test_a_value_fills_an_address() -> None:
    assert document("[{email}](mailto:{email})\n").links() == ["mailto:a_b@example.com"]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("{no_such_value}\n", r"no value for \{no_such_value\}"),
        ("[gone](/gone)\n", "/gone leads nowhere"),
        ("[gone](#gone)\n", "#gone leads nowhere"),
        ("[gone](relative.html)\n", "relative.html leads nowhere"),
        ("[run](//evil.example.com)\n", "leads nowhere"),
        ("## Law\n\n## Law\n", "#law"),
        ("### Law\n", "level 3"),
        ("# Law\n", "h1 is not supported"),
        ("> quoted\n", "blockquote is not supported"),
        ("```\ncode\n```\n", "fence|code"),
        ("Some `code`.\n", "code is not supported"),
        ("***\n", "hr is not supported"),
    ],
)
def test_unsupported_markdown_is_refused(body: str, complaint: str) -> None:
    with pytest.raises(BrokenText, match=complaint):
        document(body)


def test_a_tag_is_shown_as_words() -> None:
    assert markup("<b>bold</b>\n") == ["paragraph", "<b>bold</b>"]


@pytest.mark.parametrize(
    ("added", "complaint"),
    [("[x](/legals/cookies-policy#nothing-of-the-kind)", "#nothing-of-the-kind"), ("# Too loud", r"^legal-notice\.md: h1")],
)
def test_a_broken_legal_page_or_link_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added: str, complaint: str
) -> None:
    texts = shutil.copytree(legal_pages.TEXTS, tmp_path / "legals")
    with (texts / "legal-notice.md").open("a", encoding="utf-8") as notice:
        notice.write(f"\n{added}\n")
    monkeypatch.setattr(legal_pages, "TEXTS", texts)

    with pytest.raises(BrokenText, match=complaint):
        legal_pages.legal_pages.__wrapped__()


@pytest.mark.parametrize(
    ("notify", "names", "expected", "absent"),
    [
        ("", True, [], ["chat", "name", "system"]),
        ("slack=https://hooks.slack.com/x all", False, ["chat service", "neither your name"], ["system"]),
        ("slack=https://hooks.slack.com/x all", True, ["your name and country"], ["neither"]),
        (f"webhook=https://crm.example.com/ key={'k' * 24} all", False, ["system in which we manage our work"], ["chat"]),
    ],
)
def test_the_privacy_policy_names_who_is_notified(
    notify: str, names: bool, expected: list[str], absent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legal_values, "settings", lambda: Settings(notify=notify, notify_names=names))

    text = legal_values.legal_values()["team_told"]

    assert all(word in text for word in expected)
    assert not any(word in text for word in absent)


@pytest.mark.parametrize("service", ["", "https://country.example.com/{address}"])
def test_the_privacy_policy_names_a_country_service_only_where_one_is_set(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legal_values, "settings", lambda: Settings(country_lookup_url=service))

    values = legal_values.legal_values()

    assert ("our server may ask a lookup service" in values["country_lookup"]) is bool(service)
    assert ("your IP address" in values["country_lookup_recipient"]) is bool(service)
