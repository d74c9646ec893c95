"""The catalogs are told what the code says, and tell what they lack."""

from pathlib import Path

import pytest

from site_app.i18n import BY_ID, catalogs

THAI = BY_ID["th"]


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One module with one text, and catalogs that are up to it."""
    monkeypatch.setattr(catalogs, "CATALOGS", tmp_path / "locales")
    code = tmp_path / "content"
    code.mkdir()
    (code / "home.py").write_text('t("Hello")\n')
    catalogs.update(code)
    return code


def test_a_text_without_a_translation_is_named_with_its_module(sources: Path) -> None:
    assert catalogs.untranslated(THAI, catalogs.extract(sources)) == ["content/home.py: 'Hello'"]


def test_a_translated_text_is_not_missing(sources: Path) -> None:
    _translate("Hello", "สวัสดี")

    assert catalogs.untranslated(THAI, catalogs.extract(sources)) == []


def test_a_text_that_is_only_in_the_code_yet_counts_as_missing(sources: Path) -> None:
    _translate("Hello", "สวัสดี")
    (sources / "home.py").write_text('t("Hello")\nt("Good day")\n')

    assert catalogs.untranslated(THAI, catalogs.extract(sources)) == ["content/home.py: 'Good day'"]


def test_a_changed_text_is_one_fault_each_way_however_many_catalogs_there_are(sources: Path) -> None:
    (sources / "home.py").write_text('t("Good day")\n')

    assert list(catalogs.faults(sources)) == [
        "not in every catalog: 'Good day': run make words",
        "no longer in the code: 'Hello': run make words",
    ]


def test_a_translation_without_a_placeholder_is_a_fault(sources: Path) -> None:
    (sources / "home.py").write_text('t("Hello {name}", name="Ada")\n')
    catalogs.update(sources)
    _translate("Hello {name}", "สวัสดี")

    assert [fault.partition(":")[0] for fault in catalogs.faults(sources)] == ["th/LC_MESSAGES/messages.po"]


def _translate(english: str, thai: str) -> None:
    file = catalogs.path_of(THAI)
    file.write_text(file.read_text().replace(f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{thai}"'))
