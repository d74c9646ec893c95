"""A build that must not be served fails with its reasons."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest

from site_app.plugins.static_first.check import BrokenSite, check
from site_app.plugins.static_first.parsed_page import Page, ParsedPages

HEAD = '<title>T</title><meta name="description" content="d"><link rel="canonical" href="http://x{path}">'


def write(static: Path, path: str, *, head: str = HEAD, body: str = "<h1>H</h1>") -> None:
    file = static / path.lstrip("/") / "index.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<html><head>{head.format(path=path)}</head><body>{body}</body></html>")


def alternates(**languages: str) -> str:
    return "".join(f'<link rel="alternate" hreflang="{tag}" href="http://x{path}">' for tag, path in languages.items())


def test_a_sound_page_passes(tmp_path: Path) -> None:
    write(tmp_path, "/")

    check(tmp_path)


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        (HEAD.replace("<title>T</title>", ""), "no title"),
        (HEAD.replace("<title>T</title>", "<title> </title>"), "no title"),
        (HEAD.replace('content="d"', 'content=""'), "no description"),
        (
            HEAD + '<meta property="og:image" content="/a"><meta property="og:image" content="/b">',
            "meta 'og:image' occurs twice",
        ),
        (HEAD.replace("canonical", "author"), "no canonical address"),
        (HEAD.replace("http://x{path}", "http://x/gone"), "canonical address /gone is no page"),
    ],
)
def test_a_page_without_its_head_is_refused(tmp_path: Path, head: str, fault: str) -> None:
    write(tmp_path, "/", head=head)

    with pytest.raises(BrokenSite, match=fault):
        check(tmp_path)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<p>no heading</p>", "0 h1 elements"),
        ("<h1>a</h1><h1>b</h1>", "2 h1 elements"),
        ('<h1>H</h1><a href="/gone">x</a>', "link to /gone, which is no page"),
        ('<h1>H</h1><a href="#gone">x</a>', "link to #gone, which has no such anchor"),
        ('<h1>H</h1><a href="/#gone">x</a>', "which has no such anchor"),
        ('<h1>H</h1><img src="/gone.png">', "missing file /gone.png"),
        ('<h1>H</h1><p onclick="show()">x</p>', "instead of onclick='show\\(\\)'"),
        ('<h1>H</h1><iframe src="https://example.com"></iframe>', "https://example.com is on another host, .*: link to it, or"),
        ('<h1 id="a">H</h1><p id="a"></p>', "the id 'a' occurs twice"),
    ],
)
def test_a_page_with_a_broken_link_picture_or_heading_is_refused(tmp_path: Path, body: str, fault: str) -> None:
    write(tmp_path, "/", body=body)

    with pytest.raises(BrokenSite, match=fault):
        check(tmp_path)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ('<link rel="stylesheet" href="https://example.com/a">', ""),
        ('<link rel="modulepreload" href="//example.com/a">', ""),
        ("<style>@import 'https://example.com/a';</style>", ""),
        ("<style>p { background: url(https://example.com/a) }</style>", ""),
        ("", '<link rel="stylesheet" href="https://example.com/a">'),
        ("", '<img alt="" srcset="/b.png 1x, https://example.com/a 2x">'),
        ("", '<video poster="https://example.com/a"></video>'),
        ("", '<object data="https://example.com/a"></object>'),
        ("", '<embed src="https://example.com/a">'),
        ("", '<svg><use xlink:href="https://example.com/a"/></svg>'),
        ("", '<p class="p-4 bg-[url(https://example.com/a)]">x</p>'),
        ("", "<p class=\"bg-[url('//example.com/a')]\">x</p>"),
        ("", '<p style="background: url(&quot;https://example.com/a&quot;)">x</p>'),
        ("", '<form action="https://example.com/a"></form>'),
        ("", '<button formaction="//example.com/a">x</button>'),
    ],
)
def test_an_address_of_another_host_is_refused_wherever_it_stands(tmp_path: Path, head: str, body: str) -> None:
    write(tmp_path, "/", head=HEAD + head.replace("{", "{{").replace("}", "}}"), body=f"<h1>H</h1>{body}")
    (tmp_path / "b.png").write_text("x")

    with pytest.raises(BrokenSite, match=r"//example\.com/a.* on another host"):
        check(tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        '<img alt="" srcset="/b.png 1x, /b.png 2x">',
        '<form action="/v1.0/a"></form>',
        '<p style="background: url(data:image/svg+xml,%3Csvg xmlns=http://www.w3.org/2000/svg%3E)">url(https://example.com)</p>',
    ],
)
def test_addresses_of_the_site_and_words_about_others_pass(tmp_path: Path, body: str) -> None:
    write(tmp_path, "/", body=f"<h1>H</h1>{body}")

    check(tmp_path)


@pytest.mark.parametrize(
    "href",
    ["https://example.org/x", "mailto:a@example.com", "tel:+44", "#here", "#ปัญหา", f"#{quote('ปัญหา')}", "/old", "/there.txt"],
)
def test_links_outside_to_anchors_files_and_redirects_pass(tmp_path: Path, href: str) -> None:
    write(tmp_path, "/", body=f'<h1 id="here">H</h1><h2 id="ปัญหา">P</h2><a href="{href}">x</a>')
    (tmp_path / "there.txt").write_text("x")

    check(tmp_path, ["/old"])


@pytest.mark.parametrize("href", ["/shop/", "/shop/#here"])
def test_a_link_to_its_own_page_as_react_router_writes_it_passes(tmp_path: Path, href: str) -> None:
    write(tmp_path, "/shop", body=f'<h1 id="here">H</h1><a href="{href}">x</a>')
    check(tmp_path)

    write(tmp_path, "/", body='<h1>H</h1><a href="/shop/">x</a>')
    with pytest.raises(BrokenSite, match="link to /shop/, which is no page"):
        check(tmp_path)


def test_languages_that_name_each_other_pass(tmp_path: Path) -> None:
    both = HEAD + alternates(en="/", th="/th")
    write(tmp_path, "/", head=both)
    write(tmp_path, "/th", head=both)

    check(tmp_path)


def test_a_translation_without_a_link_back_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "/", head=HEAD + alternates(en="/", th="/th"))
    write(tmp_path, "/th")

    with pytest.raises(BrokenSite, match="hreflang list differs"):
        check(tmp_path)


def without_language(path: str) -> str:
    return path.removeprefix("/th") or "/"


def test_a_fault_of_the_written_page_is_not_repeated_for_its_translation(tmp_path: Path) -> None:
    write(tmp_path, "/shop", body='<h1>H</h1><a href="/gone">x</a><a href="/gone">x</a>')
    write(tmp_path, "/th/shop", body='<h1>H</h1><a href="/th/gone">x</a>')

    with pytest.raises(BrokenSite) as broken:
        check(tmp_path, written_path=without_language)

    assert str(broken.value) == "/shop: link to /gone, which is no page"


def test_a_fault_of_a_translation_alone_names_the_translation(tmp_path: Path) -> None:
    write(tmp_path, "/shop")
    write(tmp_path, "/th/shop", body='<h1>H</h1><a href="/th/gone">x</a>')

    with pytest.raises(BrokenSite, match="/th/shop: link to /th/gone, which is no page"):
        check(tmp_path, written_path=without_language)


def test_advice_is_given_once(tmp_path: Path) -> None:
    write(tmp_path, "/shop", body="")
    write(tmp_path, "/th/shop", body="")

    advice = check(tmp_path, is_strict=lambda path: False, written_path=without_language)

    assert advice == ["/shop: 0 h1 elements instead of one"]


HTML = (
    '<html lang="zh-Hans"><head><title>T</title><meta name="description" content="d"><link rel="canonical" href="http://x/a">'
    '<link rel="alternate" hreflang="th" href="http://x/th/a"><script src="/assets/{script}.js"></script></head><body class="page">'
    '<svg><title>drawing</title></svg><h1 id="one">H</h1><p id="one" class="b c"><a href="/faq#x" onclick="x()">link</a><img src="/a.png"></p></body></html>'
)


def test_a_page_parsed_from_the_cache_has_the_same_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        "titles",
        "description",
        "h1",
        "ids",
        "inline_handlers",
        "links",
        "sources",
        "loaded_from_hosts",
        "sent_to_hosts",
        "alternates",
        "canonical",
        "repeated_names",
        "classes",
        "tags",
        "language",
    )
    first = ParsedPages(tmp_path)
    expected = {script: Page("/a", HTML.replace("{script}", script)) for script in ("old", "new")}
    pages = {"old": first.page("/a", expected["old"].html)}
    first.save()
    fed: list[str] = []
    monkeypatch.setattr(Page, "feed", lambda page, html: (fed.append(html), HTMLParser.feed(page, html)))
    pages["new"] = ParsedPages(tmp_path).page("/a", expected["new"].html)

    for script, page in pages.items():
        assert {name: getattr(page, name) for name in names} == {name: getattr(expected[script], name) for name in names}
    assert "<h1" not in "".join(fed)
    assert pages["new"].repeated_names == {"id 'one'"}
