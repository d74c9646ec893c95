"""A page in fewer bytes says and looks the same."""

import pytest

from site_app.build.lean import lean_html, lean_style


@pytest.mark.parametrize(
    ("html", "short"),
    [
        ('<meta charSet="utf-8"/><img src="/a"/>', '<meta charSet="utf-8"><img src="/a">'),
        ('<path d="M0 0"></path>', '<path d="M0 0"/>'),
        ('<path d="M0 0"/>', '<path d="M0 0"/>'),
        ("<i></i>", "<i></i>"),
    ],
)
def test_a_page_loses_only_what_html_does_not_ask_for(html: str, short: str) -> None:
    assert lean_html(html) == short


@pytest.mark.parametrize(
    ("style", "short"),
    [
        (":root{--color-ink:#123}.b{color:var(--color-ink,red)}", ":root{--a:#123}.b{color:var(--a,red)}"),
        ('@property --tw-x{syntax:"*"}.a{--tw-x:1}', '@property --a{syntax:"*"}.a{--a:1}'),
        (".a{x:1}.a{y:2}.b{x:1}", ".a{x:1;y:2}.b{x:1}"),
        (".a{x:1}.b{x:2}.a{x:3}", ".a{x:1}.b{x:2}.a{x:3}"),
        (".a{x:1;x:1}.b{x:1;x:2}", ".a{x:1}.b{x:1;x:2}"),
        (".menu--open{x:1}", ".menu--open{x:1}"),
        ('.a{content:", ";font:a, b}', '.a{content:", ";font:a,b}'),
        (
            ".a{--t:#eee}@supports (color:color-mix(in lab, red, red)){.a{--t:color-mix(in oklab, red 6%, blue)}}",
            ".a{--a:color-mix(in oklab,red 6%,blue)}",
        ),
        (
            ".a{x:#eee}@supports (color:color-mix(in lab, red, red)){.a{x:color-mix(in oklab, red 6%, blue)}}",
            ".a{x:#eee;x:color-mix(in oklab,red 6%,blue)}",
        ),
    ],
)
def test_a_style_says_each_thing_once(style: str, short: str) -> None:
    assert lean_style(style) == short
