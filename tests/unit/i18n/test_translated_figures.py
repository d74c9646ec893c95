"""A translation says the figures of its English text, in digits or in words."""

import re

import pytest

from site_app.core.i18n.office_catalogs import english_of, forms_of
from site_app.core.i18n.translate import catalog
from site_app.core.locales import ENGLISH, LOCALES
from tests.support.number_words import NUMBERS

WORDS = {word: str(number) for word, number in NUMBERS.items()}
WORDS |= {"first": "1", "second": "2", "twice": "2", "both": "2", "third": "3", "fifth": "5", "tenth": "10", "october": "10"}
HAN = dict(zip("一二三四五六七八九十", map(str, range(1, 11)), strict=True)) | {"两": "2"}
SMALL = {"1", "2"}  # "a day" and "1 วัน", "each other" and "สองฝ่าย"
ADDED = {"24", "7", "36", "54"}  # 24/7 for day and night, and the numbers of two Thai tax forms
UNSAID = {"7"}  # 24/7 is "24 hours, every day" in Thai
TRANSLATIONS = [locale.id for locale in LOCALES if locale is not ENGLISH]


def digits(text: str) -> set[str]:
    return set(re.findall(r"\d[\d,.]*\d|\d", text))


def differing_figures(english: str, translation: str) -> set[str]:
    """Returns the figures that only one of both says."""
    figures = digits(english)
    said_in_words = {WORDS[word] for word in re.findall(r"[a-z]+", english.lower()) if word in WORDS}
    translated = digits(translation)
    translated_in_words = {HAN[sign] for sign in translation if sign in HAN}
    added = translated - figures - said_in_words - ADDED
    return (added | figures - translated - translated_in_words - UNSAID) - SMALL


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_the_figures_of_its_english_text(language: str) -> None:
    differing = {
        english: figures
        for message in catalog(language)
        if (english := " ".join(english_of(message))) and (figures := differing_figures(english, " ".join(forms_of(message))))
    }

    assert differing == {}


@pytest.mark.parametrize(
    ("english", "translation"),
    [
        ("Bugs are fixed free for 90 days.", "แก้ข้อบกพร่องให้ฟรี 60 วัน"),
        ("A project costs £9,000.", "项目 £9,500 起。"),
        ("Within three working days", "ภายใน 5 วันทำการ"),
        ("Servers, mail and monitoring: £100 to £300 a month", "服务器和监控：每月 £100 起"),
    ],
)
def test_a_different_figure_is_reported(english: str, translation: str) -> None:
    assert differing_figures(english, translation)


@pytest.mark.parametrize(
    ("english", "translation"),
    [
        ("Within three working days", "三个工作日内"),
        ("Both sides, 10 days", "两方，10 天"),
        ("A tenth of the cost, 3 to 10 days", "十分之一，3 至 10 人天"),
    ],
)
def test_a_figure_in_words_is_no_difference(english: str, translation: str) -> None:
    assert differing_figures(english, translation) == set()
