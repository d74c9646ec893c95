"""The reader of Markdown: legal texts, and parts of articles."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from site_app.content import legal_pages, legal_values
from site_app.i18n.markdown.reader import BrokenText, read
from site_app.i18n.markdown.tree import Document, Emphasis, Entry, Heading, Link, ListBlock, Paragraph, Strong, Table, Words
from site_app.settings import Settings

FRONT = "---\ntitle: Terms\neffective: {day}\ndescription: What holds.\n---\n"
VALUES = {"day": "2024-08-14", "name": "A*B* & [C](d) | <e>", "email": "a_b@example.com"}
TABLES = {"rates": Table(((Words("Rate"),),), (((Words("high"),),),))}


def document(body: str) -> Document:
    return read(FRONT + body, values=VALUES, tables=TABLES, paths={"/", "/faq"})


def test_the_front_matter_names_title_day_and_description():
    text = document("## Law\n")

    assert (text.title, text.effective, text.description) == ("Terms", date(2024, 8, 14), "What holds.")
    with pytest.raises(BrokenText, match="effective"):
        read("---\ntitle: Terms\ndescription: What holds.\n---\n", values={}, tables={}, paths=())


def test_a_paragraph_keeps_its_markup_as_a_tree():
    text = document("We **do *not*** bind\nyou. See the [FAQ](/faq).\n")

    assert text.blocks == (
        Paragraph(
            (
                Words("We "),
                Strong((Words("do "), Emphasis((Words("not"),)))),
                Words(" bind you. See the "),
                Link("/faq", (Words("FAQ"),)),
                Words("."),
            )
        ),
    )


def test_the_table_of_contents_nests_the_third_level_under_the_second():
    text = document("## Law & courts\n\n### England’s law\n\n## Changes\n")

    assert text.contents == (
        Entry("law-courts", "Law & courts", (Entry("englands-law", "England’s law"),)),
        Entry("changes", "Changes"),
    )
    assert text.blocks[1] == Heading(3, "englands-law", (Words("England’s law"),))


def test_lists_and_tables_are_read():
    text = document("1. one\n2. two\n\n| a | b |\n| --- | --- |\n| c | **d** |\n")

    assert text.blocks == (
        ListBlock(True, ((Paragraph((Words("one"),)),), (Paragraph((Words("two"),)),))),
        Table(((Words("a"),), (Words("b"),)), (((Words("c"),), (Strong((Words("d"),)),)),)),
    )


def test_a_value_is_words_and_never_markup():
    text = document("We are {name}.\n\n| a |\n| --- |\n| {name} |\n")

    assert text.blocks[0] == Paragraph((Words("We are A*B* & [C](d) | <e>."),))
    assert text.blocks[1] == Table(((Words("a"),),), (((Words("A*B* & [C](d) | <e>"),),),))


def test_a_value_fills_an_address_and_a_table_takes_the_place_of_the_paragraph_that_names_it():
    text = document("[{email}](mailto:{email})\n\n{rates}\n")

    address = Paragraph((Link("mailto:a_b@example.com", (Words("a_b@example.com"),)),))
    assert text.blocks == (address, TABLES["rates"])


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
        ("# Law\n", "h1 is not taken"),
        ("> quoted\n", "blockquote is not taken"),
        ("```\ncode\n```\n", "fence|code"),
        ("Some `code`.\n", "code_inline is not taken"),
        ("***\n", "hr is not taken"),
        ("The {rates} are high.\n", r"\{rates\}"),
    ],
)
def test_what_the_page_could_not_show_truly_is_refused(body: str, complaint: str):
    with pytest.raises(BrokenText, match=complaint):
        document(body)


def test_a_tag_is_shown_as_words():
    assert document("<b>bold</b>\n").blocks == (Paragraph((Words("<b>bold</b>"),)),)


@pytest.mark.parametrize(
    ("added", "complaint"),
    [("[x](/legals/cookies-policy#nothing-of-the-kind)", "#nothing-of-the-kind"), ("# Too loud", r"^legal-notice\.md: h1")],
)
def test_a_legal_page_that_is_broken_or_leads_to_no_heading_of_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, added: str, complaint: str
):
    texts = shutil.copytree(legal_pages.TEXTS, tmp_path / "legals")
    with (texts / "legal-notice.md").open("a", encoding="utf-8") as notice:
        notice.write(f"\n{added}\n")
    monkeypatch.setattr(legal_pages, "TEXTS", texts)

    with pytest.raises(BrokenText, match=complaint):
        legal_pages.legal_pages.__wrapped__()


@pytest.mark.parametrize("service", ["", "https://country.example.com/{address}"])
def test_the_privacy_policy_names_a_country_service_only_where_one_is_set(service: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(legal_values, "settings", lambda: Settings(country_lookup_url=service))

    values = legal_values.legal_values()

    assert ("our server may ask a lookup service" in values["country_lookup"]) is bool(service)
    assert ("your IP address" in values["country_lookup_recipient"]) is bool(service)
