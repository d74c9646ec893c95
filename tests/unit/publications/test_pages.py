"""Pages of case studies and articles: what only shows once they are drawn."""

from collections.abc import Callable
from pathlib import Path

import pytest

from site_app.content.publications import Kind, PublicationMistake, publications
from site_app.layout.head import data_text
from site_app.pages.publications import _publication_page

WITH_PICTURE = "picture: {file: square.png, alt: A violet square}\n"


def _draw(kind: Kind) -> str:
    return str(_publication_page(publications(kind)[0])())


def test_a_picture_at_the_head_is_shown(articles: Kind, write: Callable[..., Path], draw_picture: Callable[..., Path]) -> None:
    draw_picture(size=(480, 240))
    write(more=WITH_PICTURE)

    assert "A violet square" in _draw(articles)


def test_a_small_picture_is_reported(articles: Kind, write: Callable[..., Path], draw_picture: Callable[..., Path]) -> None:
    draw_picture(size=(479, 240))
    write(more=WITH_PICTURE)

    with pytest.raises(
        PublicationMistake, match=r"estimates\.md, line 7: picture: square\.png is 479 pixels wide; at least 480"
    ):
        _draw(articles)


def test_a_broken_picture_stops_the_build(articles: Kind, write: Callable[..., Path], folder: Path) -> None:
    (folder / "square.png").write_text("no pixels")
    write(more=WITH_PICTURE)

    with pytest.raises(PublicationMistake, match=r"estimates\.md, line 7: picture: square\.png cannot be read as a picture\."):
        _draw(articles)


def test_an_unknown_question_stops_the_build(articles: Kind, write: Callable[..., Path]) -> None:
    write(more="questions: [no-such-question]\n")

    with pytest.raises(PublicationMistake, match=r"estimates\.md, line 7: questions: 'no-such-question' is no question"):
        _draw(articles)


@pytest.mark.parametrize("path", ["/nowhere", "//example.com", "/th/faq", "/faq/"])
def test_a_link_to_an_unknown_page_stops_the_build(articles: Kind, write: Callable[..., Path], path: str) -> None:
    write(text=f"Text.\n\n[there]({path})\n")

    with pytest.raises(PublicationMistake, match=rf"estimates\.md, line 10: the link {path} leads to no page of this site\."):
        _draw(articles)


def test_braces_of_a_result_are_text(cases: Kind, folder: Path, write: Callable[..., Path]) -> None:
    write(more="client: Larkfield\nresults:\n  - value: 9 in 10\n    text: 'a } b {home_kb.real}'\n")

    assert "a } b {home_kb.real}" in _draw(cases)


def test_a_title_cannot_end_the_data_of_search_engines() -> None:
    assert "</script" not in data_text({"headline": "</script><script>alert(1)</script>"})
