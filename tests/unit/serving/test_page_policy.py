"""A page's policy lists its inline scripts and styles by their hashes."""

import base64
import hashlib

import pytest

from site_app.core.settings import Settings
from site_app.provider.office.content.pages import preview_headers
from site_app.serving.headers import page_policy


def directive(html: str, name: str) -> list[str]:
    _, policy = page_policy(html, Settings())
    return next(part.split()[1:] for part in policy.decode().split(";") if part.split()[0] == name)


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_a_plain_page_allows_its_inline_style_and_no_attribute() -> None:
    style = directive("<style>.a{}</style><p>style=</p>", "style-src")

    assert digest(".a{}") in style
    assert not [source for source in style if "unsafe" in source]


@pytest.mark.parametrize(
    ("head", "may_insert"),
    [
        ('<style data-emotion="css a">.a{}</style>', True),
        ('<script data-boot data-src="/a.js" data-styled>{}</script>', True),
        ("<style>.a{}</style>", False),
        ("", False),
    ],
)
def test_emotion_may_insert_its_rules_into_an_empty_style_element_if_a_page_has_style_props(
    head: str, may_insert: bool
) -> None:
    assert (digest("") in directive(f"{head}<p>x</p>", "style-src")) == may_insert


def test_a_style_attribute_is_allowed_by_the_hash_of_its_value() -> None:
    style = directive(
        '<p style="top:1px">x</p><a href="/" style="font:&quot;A&quot;">y</a><p style="top:1px">z</p><i style=\'left:1px\'>w</i>',
        "style-src",
    )

    assert "'unsafe-hashes'" in style
    assert [style.count(digest(text)) for text in ("top:1px", 'font:"A"', "left:1px")] == [1, 1, 1]
    assert "'unsafe-inline'" not in style


def test_sound_may_be_in_its_address_as_pictures_may() -> None:
    assert directive("", "media-src") == directive("", "img-src") == ["'self'", "data:"]


def test_a_preview_in_the_office_allows_the_same_styles_as_the_page() -> None:
    html = (
        '<style data-emotion="css a">.a{}</style><style>.b{}</style>'
        "<p style=\"font:&quot;A&quot;\">x</p><i style='left:1px'>y</i>"
    )
    policy = preview_headers(html)["Content-Security-Policy"]
    style = next(part.split()[1:] for part in policy.split(";") if part.split()[0] == "style-src")

    assert {digest(text) for text in (".a{}", ".b{}", 'font:"A"', "left:1px")} <= {*style}
    assert {*style} | {"'self'"} == {*directive(html, "style-src")}


@pytest.mark.parametrize("further_mark", ["", " data-styled"])
def test_only_a_page_with_parts_of_packages_may_set_styles_of_its_own(further_mark: str) -> None:
    html = f"<style>.a{{}}</style><script data-boot data-own-style{further_mark}>x</script>"

    assert "'unsafe-inline'" in directive(html, "style-src")
    assert "data:" in directive(html, "font-src")
    assert "data:" not in directive("<style>.a{}</style>", "font-src")
    # a hash would make browsers ignore 'unsafe-inline'
    assert not [source for source in directive(html, "style-src") if "sha256" in source]
    assert "'unsafe-inline'" not in directive(html, "script-src")
    assert digest("x") in directive(html, "script-src")
    assert "'unsafe-inline'" not in directive("<p>data-own-style&gt;</p>", "style-src")
