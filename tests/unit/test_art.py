"""Drawings follow the rules of one style, work under the policy, and are small enough for the first flight."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from components.art import drawings
from components.art.cards import Palette, draw_card
from components.art.drawings import illustration
from components.art.favicons import IconColors, icon_files
from components.art.icons import icon, path_of
from site_app.cli.develop.icons import exported_paths, with_half_circles

DRAWINGS = sorted(Path(drawings.__file__).parent.glob("[fg]*s/*.svg"))
PALETTE = Palette(ground="#ffffff", paper="#ffffff", ink="#000000", primary="#0000ff")


def test_drawings_contain_no_colours_and_nothing_the_policy_forbids() -> None:
    forbidden = r'\bstyle\b|<script|\bon\w+=|href=|#[0-9a-f]{3,8}\b|rgb|\bid=|fill=|stroke="(?!none)'

    assert [file.stem for file in DRAWINGS if re.search(forbidden, file.read_text())] == []


def test_a_drawing_is_silent_unless_it_is_labelled() -> None:
    silent, labelled = str(illustration("home")), str(illustration("home", label="Our work"))

    assert '"aria-hidden":"true"' in silent
    assert '"aria-label":"Our work"' in labelled
    assert '"aria-hidden"' not in labelled


def test_an_icon_contains_its_own_path_only() -> None:
    markup = str(icon("menu"))

    assert path_of("menu") in markup
    assert path_of("close") not in markup


def test_a_missing_icon_names_the_guide_that_says_how_to_add_it() -> None:
    with pytest.raises(KeyError, match=r"flying-pig .*docs/guide/services\.md"):
        path_of("flying-pig")


def test_paths_are_copied_from_the_library_by_their_names() -> None:
    library = 'export var mdiAccount = "M1";\nexport var mdiArrowRight = "M2";\n'

    assert exported_paths(library, ["arrow-right"]) == {"arrow-right": "M2"}
    with pytest.raises(KeyError, match="flying-pig"):
        exported_paths(library, ["flying-pig"])


def test_a_circle_of_four_quarters_becomes_one_of_two_halves() -> None:
    ring = "M12 4a4 4 0 0 1 4 4 4 4 0 0 1-4 4 4 4 0 0 1-4-4 4 4 0 0 1 4-4m0 2a2 2 0 0 0-2 2 2 2 0 0 0 2 2 2 2 0 0 0 2-2 2 2 0 0 0-2-2m0 7"

    assert with_half_circles(ring) == "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8m0 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4m0 7"
    assert with_half_circles("M6 2a2 2 0 0 0-2 2v16") == "M6 2a2 2 0 0 0-2 2v16"


def test_the_guide_names_icons_as_the_library_does() -> None:
    guide = (Path(__file__).parents[2] / "docs/guide/services.md").read_text()
    names = re.findall(r"cli\.develop\.icons \S+ (.+)$", guide, re.MULTILINE)

    assert names
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


def test_a_shared_picture_is_of_the_agreed_size_and_the_same_every_time() -> None:
    first, second = (draw_card("A title", "contact_us", brand="Plumbline", palette=PALETTE) for _ in range(2))

    assert Image.open(io.BytesIO(first)).size == (1200, 630)
    assert second == first


def test_a_title_with_letters_that_the_font_lacks_is_replaced_by_the_brand() -> None:
    assert draw_card("联系我们", "contact_us", brand="Plumbline", palette=PALETTE) == draw_card(
        "ติดต่อเรา", "contact_us", brand="Plumbline", palette=PALETTE
    )


def test_icons_are_drawn_in_the_colours_they_are_given() -> None:
    files = icon_files(IconColors("#0000ff", "#ffff00"), IconColors("#00ff00", "#000000"))

    for name, side in {"icons/icon-512.png": 512, "apple-touch-icon.png": 180}.items():
        picture = Image.open(io.BytesIO(files[name]))
        assert picture.size == (side, side)
        nearly = {tuple(round(part / 51) for part in color) for _, color in picture.convert("RGBA").getcolors() or ()}  # pyright: ignore
        assert {(0, 0, 5, 5), (5, 5, 0, 5)} <= nearly
    assert {"#0000ff", "#ffff00", "#00ff00", "#000000"} <= set(re.findall(r"#[0-9a-f]{6}", files["favicon.svg"].decode()))
    with Image.open(io.BytesIO(files["favicon.ico"])) as icon:
        assert {(16, 16), (32, 32)} <= icon.info["sizes"]
