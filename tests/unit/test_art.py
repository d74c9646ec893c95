"""The drawings keep to the rules that make them one language, safe under the policy and light enough for the first flight."""

import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from components.art import art, mdi
from components.art.icon import icon, path_of
from components.art.icons import IconColors, icon_files
from components.art.open_graph import Palette, draw

ART = Path(art.__file__).parent
FIGURES = sorted((ART / "figures").glob("*.svg"))
GLYPHS = sorted((ART / "glyphs").glob("*.svg"))


PALETTE = Palette(ground="#ffffff", paper="#ffffff", ink="#000000", primary="#0000ff")


def in_drawings(pattern: str) -> dict[str, list[str]]:
    """By drawing what of it looks like that."""
    found = {f"{file.parent.name}/{file.stem}": re.findall(pattern, file.read_text()) for file in FIGURES + GLYPHS}
    return {name: parts for name, parts in found.items() if parts}


def test_a_drawing_takes_its_colours_from_the_theme_and_carries_nothing_the_policy_forbids() -> None:
    assert in_drawings(r'\bstyle\b|<script|\bon\w+=|href=|#[0-9a-f]{3,8}\b|rgb|\bid=|fill=|stroke="(?!none)') == {}


def test_a_drawing_uses_no_class_that_the_stylesheet_does_not_know() -> None:
    known = set(re.findall(r"\.(a-[\w-]+)", (ART / "art.css").read_text()))

    used = {name for classes in in_drawings(r'class="([^"]*)"').values() for names in classes for name in names.split()}

    assert used <= known


def test_no_part_that_moves_has_a_transform_for_the_movement_to_overwrite() -> None:
    assert in_drawings(r"<[^>]*a-(?:move|thread)[^>]*transform[^>]*>") == {}


def test_a_drawing_is_silent_unless_it_is_labelled() -> None:
    silent, spoken = str(art.figure("home")), str(art.figure("home", label="Our work"))

    assert '"aria-hidden":"true"' in silent
    assert '"aria-label":"Our work"' in spoken
    assert '"aria-hidden"' not in spoken


def test_an_icon_ships_its_own_path_and_no_other() -> None:
    markup = str(icon("menu"))

    assert path_of("menu") in markup
    assert path_of("close") not in markup


def test_an_unknown_icon_is_refused() -> None:
    with pytest.raises(KeyError, match="no-such-icon"):
        icon("no-such-icon")


def test_paths_are_copied_from_the_library_by_their_names() -> None:
    library = 'export var mdiAccount = "M1";\nexport var mdiArrowRight = "M2";\n'

    assert mdi.copied(library, ["arrow-right"]) == {"arrow-right": "M2"}
    with pytest.raises(KeyError, match="flying-pig"):
        mdi.copied(library, ["flying-pig"])


def test_the_table_of_icons_is_as_the_command_writes_it() -> None:
    table = json.loads(mdi.TABLE.read_text())

    assert mdi.TABLE.read_text() == mdi.written(table["source"].removeprefix("@mdi/js "), table["paths"])


def test_a_shared_picture_is_of_the_agreed_size_and_the_same_every_time() -> None:
    figure = FIGURES[0].stem
    first = draw("A title that runs over several lines of the card", figure, brand="Plumbline", palette=PALETTE)

    picture = Image.open(io.BytesIO(first))
    assert picture.size == (1200, 630)
    assert draw("A title that runs over several lines of the card", figure, brand="Plumbline", palette=PALETTE) == first


def test_the_headline_face_and_its_licence_are_there() -> None:
    fonts = ART.parents[1] / "assets" / "fonts"
    named = re.findall(r'url\("/fonts/([^"]+)"\)', (ART / "font.css").read_text())

    assert named
    assert all((fonts / name).is_file() for name in named)
    assert "SIL Open Font License" in (fonts / "instrument-sans-OFL.txt").read_text()


def test_a_title_the_face_cannot_write_gives_way_to_the_brand() -> None:
    assert draw("联系我们", "contact_us", brand="Plumbline", palette=PALETTE) == draw(
        "ติดต่อเรา", "contact_us", brand="Plumbline", palette=PALETTE
    )


def test_a_card_has_its_figure_on_a_thread_from_the_upper_edge() -> None:
    card = Image.open(io.BytesIO(draw("A title", "contact_us", brand="Plumbline", palette=PALETTE))).convert("RGB")

    right_half_of_the_edge = card.crop((600, 0, 1200, 4))

    assert right_half_of_the_edge.getcolors() != [(2400, (255, 255, 255))]


def test_icons_are_drawn_in_the_colours_they_are_given() -> None:
    files = icon_files(IconColors("#0000ff", "#ffff00"), IconColors("#00ff00", "#000000"))

    for name, side in {"icons/icon-512.png": 512, "apple-touch-icon.png": 180}.items():
        picture = Image.open(io.BytesIO(files[name]))
        assert picture.size == (side, side)
        seen = [color for _, color in picture.convert("RGBA").getcolors() or ()]
        for wanted in ((0, 0, 255), (255, 255, 0)):
            assert any(
                max(abs(one - other) for one, other in zip(color, (*wanted, 255), strict=True)) < 8
                for color in seen
                if isinstance(color, tuple)
            )
    assert {"#0000ff", "#ffff00", "#00ff00", "#000000"} <= set(re.findall(r"#[0-9a-f]{6}", files["favicon.svg"].decode()))


def test_the_icon_of_a_tab_has_every_usual_size() -> None:
    files = icon_files(IconColors("#0000ff", "#ffff00"), IconColors("#00ff00", "#000000"))

    with Image.open(io.BytesIO(files["favicon.ico"])) as icon:
        assert {(16, 16), (32, 32)} <= icon.info["sizes"]
