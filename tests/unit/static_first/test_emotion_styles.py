"""The rules of style props are in the page's head; the body has no style elements."""

from site_app.plugins.static_first.postprocess import without_emotion_styles


def test_a_page_without_style_props_stays_as_it_is() -> None:
    assert without_emotion_styles("<p>x</p><style>.a{}</style>") == ("<p>x</p><style>.a{}</style>", "")


def test_emotion_rules_are_merged_and_listed_once() -> None:
    first, second = (
        '<style data-emotion="css a1">.css-a1{top:1px}</style>',
        '<style data-emotion="css b2">.css-b2{top:2px}</style>',
    )

    html, styles = without_emotion_styles(f'{first}<p class="css-a1">x</p>{second}<p>y</p>{first}<p class="css-a1">z</p>')

    assert html == '<p class="css-a1">x</p><p>y</p><p class="css-a1">z</p>'
    assert styles == '<style data-emotion="css a1 b2">.css-a1{top:1px}.css-b2{top:2px}</style>'
