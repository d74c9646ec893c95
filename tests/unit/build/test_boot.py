"""How small our own scripts are written."""

from pathlib import Path

import pytest

import site_app.build
from site_app.build.boot import tight


def test_spaces_go_around_signs_and_stay_in_words_and_strings() -> None:
    script = 'let a = 1; // so many\nif (a == 1 && b) {\n  say("one, two = {three}", { of: a });\n}\n'

    assert tight(script) == 'let a=1;if(a==1&&b){say("one, two = {three}",{of:a});}'


@pytest.mark.parametrize("name", ["theme.js", "far.js", "face.js", "paint.js"])
def test_no_script_of_a_page_has_what_would_be_written_wrongly(name: str) -> None:
    written = tight((Path(site_app.build.__file__).parent / name).read_text())

    assert "'" not in written
    assert "`" not in written
    assert "/" not in written.replace("url(/fonts/", "")
