"""Translations whose placeholders and marks match, and those that need another look."""

from pathlib import Path

import pytest
from babel.messages.catalog import Message

from site_app.cli.develop import words
from site_app.core.i18n import glossary
from site_app.core.locales import BY_ID, Locale

THAI, CHINESE, ENGLISH = BY_ID["th"], BY_ID["cn"], BY_ID["en"]
BUTTON, PAGE = [("site_app/content/records.py", 0)], [("site_app/content/home.py", 0)]


@pytest.fixture(autouse=True)
def glossaries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every language bans a word."""
    monkeypatch.setattr(glossary, "CATALOGS", tmp_path)
    for locale, banned, instead in ((ENGLISH, "mend", "fix"), (THAI, "ท่าน", "คุณ"), (CHINESE, "一站式", "—")):
        (tmp_path / locale.id).mkdir()
        file = tmp_path / locale.id / "glossary.md"
        file.write_text(f"## Never\n\n| never | instead |\n|---|---|\n| {banned} | {instead} |\n\n## Terms\n\n| quote | x |\n")


@pytest.mark.parametrize(
    ("locale", "message"),
    [
        (THAI, Message("Send message", "Send message", locations=PAGE)),
        (THAI, Message("Send", "ส่งข้อความทั้งหมดนี้ไปให้เราเดี๋ยวนี้", locations=BUTTON)),
        (CHINESE, Message("Send", "现在就把这条留言发送给我们", locations=BUTTON)),
        (THAI, Message("Thank you", "ขอบคุณท่าน", locations=PAGE)),
        (CHINESE, Message("One team", "一站式服务", locations=PAGE)),
        (ENGLISH, Message("We mend it", "", locations=PAGE)),
    ],
)
def test_a_doubtful_translation_is_reported(locale: Locale, message: Message) -> None:
    assert len(list(words.doubtful_translations(locale, [message]))) == 1


@pytest.mark.parametrize(
    ("locale", "message"),
    [
        (THAI, Message("{size} kB", "{size} kB", locations=PAGE)),
        (THAI, Message("Send a message", "ส่งข้อความถึงเรา", locations=BUTTON)),
        (THAI, Message("Send", "ส่งข้อความทั้งหมดนี้ไปให้เราเดี๋ยวนี้", locations=PAGE)),
        (ENGLISH, Message("We recommend it", "", locations=PAGE)),
        (CHINESE, Message("a day", "{count} 天", locations=PAGE)),
    ],
)
def test_a_sound_translation_is_not_reported(locale: Locale, message: Message) -> None:
    assert list(words.doubtful_translations(locale, [message])) == []
