"""Markdown of case studies and articles as HTML."""

from collections.abc import Callable
from pathlib import Path

import pytest

from components.art.pictures import WIDTHS
from site_app.content.publications import PublicationKind, PublicationMistake, Text, publications
from site_app.content.publications.measurements import written_figures
from site_app.content.publications.prose import Prose, prose
from site_app.core.i18n import use
from site_app.core.locales import BY_ID

Render = Callable[[str], Prose]


@pytest.fixture
def text_of(articles: PublicationKind, write: Callable[..., Path]) -> Callable[[str], Text]:
    def text_of(markdown: str) -> Text:
        write(text=markdown)
        return publications(articles)[0].words()

    return text_of


@pytest.fixture
def render(text_of: Callable[[str], Text]) -> Render:
    return lambda markdown: prose(text_of(markdown))


def test_headings_get_unique_anchors(render: Render) -> None:
    rendered = render("## One part\n\nText.\n\n## One part\n\n### 价格\n")

    assert [(heading.anchor, heading.level) for heading in rendered.headings] == [
        ("one-part", 2),
        ("one-part-2", 2),
        ("价格", 3),
    ]
    assert '<h2 id="one-part-2">' in rendered.html


def test_code_is_coloured_by_classes(render: Render) -> None:
    html = render("```python\ndef answer():\n    return 42\n```\n").html

    assert '<span class="c-k">def</span>' in html
    assert "style=" not in html


def test_code_of_an_unknown_language_is_shown_as_it_is(render: Render) -> None:
    assert "<code>a &lt; b\n</code>" in render("```brainwaves\na < b\n```\n").html


def test_html_is_shown_and_not_run(render: Render) -> None:
    html = render('<script>alert(1)</script>\n\nAn <img src=x onerror="alert(1)"> inline.\n').html

    assert "<script" not in html
    assert "<img" not in html


def test_a_table_scrolls_by_itself_and_has_a_label(render: Render) -> None:
    html = render("| Part | Days |\n|---|--:|\n| Board | 26 |\n").html

    assert '<div class="sideways" tabindex="0" role="group" aria-label="Part, Days">' in html
    assert '<th scope="col">' in html


def test_the_columns_of_a_table_are_aligned_by_classes(render: Render) -> None:
    html = render("| Part | Days | Done |\n|---|--:|:-:|\n| Board | 26 | yes |\n").html

    assert '<th role="columnheader" class="cell-right" scope="col">Days</th>' in html
    assert '<td role="cell" class="cell-right">26</td>' in html
    assert '<td role="cell" class="cell-center">yes</td>' in html
    assert '<td role="cell">Board</td>' in html
    assert "style=" not in html


def test_footnotes_link_to_their_text_and_back(render: Render) -> None:
    html = render("A claim[^1].\n\n[^1]: Its source.\n").html

    assert 'href="#fn1"' in html
    assert 'href="#fnref1"' in html


def test_a_picture_comes_in_sizes_with_its_caption(render: Render, draw_picture: Callable[..., Path]) -> None:
    draw_picture("square.png", (1800, 900))

    html = render('![A violet square](square.png "As draw_picture")\n').html

    assert '<figure><a class="whole-picture" href="/assets/pictures/square-' in html
    assert 'width="1800" height="900" alt="A violet square" loading="lazy"' in html
    assert "<figcaption>As draw_picture</figcaption></figure>" in html
    assert html.count(".avif ") == len(WIDTHS)


def test_an_alt_text_shows_no_markdown(render: Render, draw_picture: Callable[..., Path]) -> None:
    draw_picture("square.png", (800, 400))

    html = render("![A \\[violet\\] *square* of `code` & \\\\](square.png)\n").html

    assert 'alt="A [violet] square of code &amp; \\"' in html


def test_links_lead_to_the_page_in_its_language(text_of: Callable[[str], Text]) -> None:
    text = text_of("[questions](/faq)\n")

    with use(BY_ID["th"]):
        assert '<a href="/th/faq">' in prose(text).html
    assert '<a href="/faq">' in prose(text).html


@pytest.mark.parametrize(
    ("markdown", "line", "message"),
    [
        ("Text.\n\n# A title\n", 10, "has level 1"),
        ("Text.\n\n##### A part\n", 10, "has level 5"),
        ("## A part\n\n#### A part of it\n", 10, "leave no level out"),
        ("##\n", 8, "the heading has no words"),
        ("[there](other.md)\n", 8, "must begin with one of"),
        ("[there](http://example.com)\n", 8, "must begin with one of"),
        ("[there]()\n", 8, "must begin with one of"),
        ("[there](https://)\n", 8, "names no address"),
        ("[there](https://https://example.com)\n", 8, "names no address"),
        ("[there](mailto:)\n", 8, "names no address"),
        ("[run](javascript:alert(1))\n", 8, "cannot be read"),
        ("[run](JaVaScRiPt:alert)\n", 8, "cannot be read"),
        ("[run](data:text/html,x)\n", 8, "cannot be read"),
        ("![A square](my square.png)\n", 8, "cannot be read"),
        ("Text.\n\n[there](#nowhere)\n", 10, "leads to no heading of this text"),
        ("Text.\n\nA claim[^1].\n", 10, "the note [^1] is missing"),
        ("Text.\n\n| Part | Days |\n|---|\n| Board | 26 |\n", 10, "a table cannot be read"),
        ("A claim[^1].\n\n[^1]: A source.\n\n[^1]: Another.\n", 12, "the text has the note [^1] twice"),
        ("| Part | Days |\n|---|---|\n| Board | 26 |\n| Map | 4 | hours |\n", 11, "'hours' would not be shown"),
        ("> - | `a|b` |\n>   |---|\n>   | `a|b` |\n", 8, "a table cannot be read"),
        ("> - | Code |\n>   |---|\n>   | `a|b` |\n", 10, "'b`' would not be shown"),
        ("Text.\n\n| Part | Days |\n| Board | 26 |\n", 10, "cannot be read as a row of a table"),
        ("Text.\n\n| Part | Days |\n|———|———|\n| Board | 26 |\n", 10, "cannot be read as a row of a table"),
        ("Text.\n\n##The problem\n", 10, "'##The problem' cannot be read as a heading"),
        ("Text\n##\u00a0The problem\n", 9, "cannot be read as a heading"),
        ("We need:\n•\ta map\n•\ta list\n", 9, "'• a map' cannot be read as a list"),
        ("-\u00a0A map\n-\u00a0A list\n", 8, "cannot be read as a list"),
        ("**Important: **read this.\n", 8, "'**Important: **' would be shown with its stars"),
        ("Read **this\u00a0** today.\n", 8, "would be shown with its stars"),
        ("请看**注意： **这里\n", 8, "would be shown with its stars"),
        ("Text.\n\n[there] (/faq)\n", 10, "cannot be read"),
        ("[](/faq)\n", 8, "the link /faq has no words"),
        ("A claim[^my source].\n", 8, "the name of the note [^my source] has a space"),
        ("A claim[^1].\n\n[^1]:\n", 10, "the note [^1] has no words"),
        ("Text.\n\nAbout {nothing}.\n", 10, "there is no figure called {nothing}"),
        ("Text.\n\nSee ![A square](square.png) there.\n", 10, "needs a paragraph of its own"),
        ("![A square]()\n", 8, "must be a file beside the text"),
        ("Text.\n\n![A square](square.gif)\n", 10, "is not a picture file"),
        ("Text.\n\n![A square](gone.png)\n", 10, "There is no picture"),
        ("Text.\n\n![](square.png)\n", 10, "lacks its alt text"),
        ("![A square](/images/square.png)\n", 8, "must be a file beside the text"),
        ("![A square](https://example.com/square.png)\n", 8, "must be a file beside the text"),
    ],
)
def test_unsupported_markdown_is_reported_with_its_line(render: Render, markdown: str, line: int, message: str) -> None:
    with pytest.raises(PublicationMistake) as broken:
        render(markdown)

    assert f"estimates.md, line {line}: " in str(broken.value)
    assert message in str(broken.value)


def test_a_missing_picture_is_reported(render: Render) -> None:
    with pytest.raises(PublicationMistake, match=r"estimates\.md, line 8: There is no picture .*gone\.png"):
        render("![A square](gone.png)\n")


@pytest.mark.parametrize(
    "markdown",
    [
        "`##x` and `**a **` in code\n",
        "The price** and the date** may change.\n",
        "价格*，价格**。\n",
        "An #idea, C## and x|y|z.\n",
        "London • Bangkok\n",
        "- - A list\n- **Bold** and **bold**\n",
        "The list [1] (see above)\n",
        "| Or |\n|---|\n| \\|\\| |\n",
        "```\n##x\n| a |\n•\ta\n```\n",
        "\\##x and \\• x\n",
    ],
)
def test_signs_that_only_look_like_markdown_are_text(render: Render, markdown: str) -> None:
    assert render(markdown).html


def test_captions_and_alt_texts_have_their_figures(render: Render, draw_picture: Callable[..., Path]) -> None:
    draw_picture()

    html = render('![A page of {home_kb} kB](square.png "It weighs {home_kb} kB")\n').html

    assert f"<figcaption>It weighs {written_figures()['home_kb']} kB</figcaption>" in html
    assert f'alt="A page of {written_figures()["home_kb"]} kB"' in html
    with pytest.raises(PublicationMistake, match=r"no figure called \{nothing\}"):
        render('![A page](square.png "It weighs {nothing}")\n')


@pytest.mark.parametrize("row", ["| 1 | 2 | |", "1 | 2", "| 1 |", "| `a\\|b` | 2 |"])
def test_a_row_may_have_fewer_cells_or_empty_ones(render: Render, row: str) -> None:
    assert render(f"| a | b |\n|---|---|\n{row}\n").html.count("<td>") == 2


def test_an_unreferenced_note_is_reported_with_the_line_of_the_note(render: Render) -> None:
    with pytest.raises(PublicationMistake, match=r"line 12: the text never refers to the note \[\^1\]"):
        render("```\n[^1]: code\n```\n\n[^1]: Its source.\n")


@pytest.mark.parametrize("levels", [10, 40])
def test_deep_lists_keep_their_words(render: Render, levels: int) -> None:
    html = render("".join(f"{'  ' * level}- level{level}.\n" for level in range(levels))).html

    assert [level for level in range(levels) if f"level{level}." not in html] == []


def test_figures_are_filled_in_but_not_in_code(text_of: Callable[[str], Text]) -> None:
    html = prose(text_of("The page has {home_kb} kB; `{x}` stays.\n\n~~~\n{home_kb}\n~~~\n\n    {home_kb}\n")).html

    assert f"The page has {written_figures()['home_kb']}\u00a0kB; <code>{{x}}</code> stays." in html
    assert html.count("{home_kb}") == 2


def test_braces_that_name_no_figure_stay_text(render: Render) -> None:
    assert "{} { x } {{A}}" in render("{} { x } {{A}}\n").html


def test_an_unreferenced_footnote_is_refused(render: Render) -> None:
    with pytest.raises(PublicationMistake, match=r"the text never refers to the note \[\^1\]"):
        render("A claim.\n\n[^1]: Its source.\n")


def test_headings_do_not_take_anchors_of_the_page(render: Render) -> None:
    anchors = [heading.anchor for heading in render("## Main\n\n## Fn1\n\n## 🚀\n").headings]

    assert anchors == ["part-main", "part-fn1", "part"]


def test_headings_do_not_take_anchors_of_the_menu_and_the_dialogs(render: Render) -> None:
    texts = ("Drawer", "Quote dialog", "Contact dialog title", "Consultation dialog", "Drawer handles", "Dialog")
    anchors = [heading.anchor for heading in render("\n\n".join(f"## {text}" for text in texts)).headings]

    assert anchors[:4] == ["part-drawer", "part-quote-dialog", "part-contact-dialog-title", "part-consultation-dialog"]
    assert anchors[4:] == ["drawer-handles", "dialog"]


def test_a_picture_may_have_any_name(render: Render, draw_picture: Callable[..., Path]) -> None:
    draw_picture("my “new”, square.png", (800, 400))

    html = render("![A violet square](<my “new”, square.png>)\n").html

    assert 'src="/assets/pictures/my-new-square-' in html


def test_an_unknown_figure_is_reported(text_of: Callable[[str], Text]) -> None:
    with pytest.raises(PublicationMistake, match=r"there is no figure called \{nothing\}"):
        prose(text_of("About {nothing}.\n"))


def test_reading_takes_minutes_by_the_script(render: Render) -> None:
    english, chinese = render("word " * 440), render("字" * 704)

    assert (english.minutes, chinese.minutes) == (2, 2)


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("中文**“加粗”**文字。", "中文<strong>“加粗”</strong>文字。"),
        ("**加粗。**后面，**加粗。**and", "<strong>加粗。</strong>后面，<strong>加粗。</strong>and"),
        ("（**重点**）和*“强调”*字", "（<strong>重点</strong>）和<em>“强调”</em>字"),
        ("ไทย**“หนา”**ต่อ", "ไทย<strong>“หนา”</strong>ต่อ"),
        ("2 * 3, snake_case, 字 ** 字 ** 字", "2 * 3, snake_case, 字 ** 字 ** 字"),
        ("每月 £100*。所有价格*，见下。", "每月 £100*。所有价格*，见下。"),
        ("尺寸为 3*4（*5）", "尺寸为 3*4（*5）"),
        ("他说**……好吧**。", "他说<strong>……好吧</strong>。"),
        ('ไทย**"หนา"**ต่อ', "ไทย<strong>&quot;หนา&quot;</strong>ต่อ"),
    ],
)
def test_bold_words_may_begin_and_end_with_punctuation_in_scripts_without_spaces(
    render: Render, markdown: str, html: str
) -> None:
    assert render(f"{markdown}\n").html == f"<p>{html}</p>\n"


def test_the_contents_show_the_figures_of_headings(render: Render) -> None:
    rendered = render("## It weighs {home_kb} kB\n\nText.\n")

    assert rendered.headings[0].text == f"It weighs {written_figures()['home_kb']} kB"


def test_indented_code_scrolls_as_fenced_code_does(render: Render) -> None:
    assert render("    a < b\n").html == render("```\na < b\n```\n").html


def test_references_to_one_note_have_the_same_number(render: Render) -> None:
    html = render("A claim[^1], and another[^1].\n\n[^1]: Their source.\n").html

    assert html.count(">[1]</a>") == 2


def test_a_note_may_be_a_picture(render: Render, draw_picture: Callable[..., Path]) -> None:
    draw_picture()

    html = render("A claim[^1], again[^1].\n\n[^1]: ![A square](square.png)\n").html

    assert html.count("<figure>") == html.count("</figure>") == 1
    assert html.count("<p>") == html.count("</p>")
