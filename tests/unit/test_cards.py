"""The preview pictures of shared pages."""

from pathlib import Path

import pytest

from components.art.cards import Palette
from site_app.core.settings import Settings
from site_app.layout import static_site


@pytest.fixture
def drawn_titles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Returns the titles of the cards that were drawn."""
    titles: list[str] = []

    def draw_card(title: str, figure: str, *, brand: str, palette: Palette) -> bytes:
        titles.append(title)
        return f"{title} {palette.primary} {brand}".encode()

    monkeypatch.setattr(static_site, "draw_card", draw_card)
    monkeypatch.setattr(static_site, "compiled", lambda: tmp_path)
    return titles


def test_unchanged_cards_are_not_drawn_again(drawn_titles: list[str], tmp_path: Path) -> None:
    static_site.write_cards(tmp_path, Settings())
    first = {file.name: file.read_bytes() for file in (tmp_path / "cards").iterdir()}
    drawn_titles.clear()

    static_site.write_cards(tmp_path, Settings())

    assert drawn_titles == []
    assert {file.name: file.read_bytes() for file in (tmp_path / "cards").iterdir()} == first


def test_a_new_brand_name_replaces_all_drawn_cards(drawn_titles: list[str], tmp_path: Path) -> None:
    static_site.write_cards(tmp_path, Settings())
    old_files = {file.name for file in (tmp_path / "drawn_cards").iterdir()}

    static_site.write_cards(tmp_path, Settings(brand_name="Lot"))

    cards = [file.read_bytes() for file in (tmp_path / "cards").iterdir()]
    assert {file.name for file in (tmp_path / "drawn_cards").iterdir()}.isdisjoint(old_files)
    assert cards
    assert all(card.endswith(b" Lot") for card in cards)
