"""Both feeds by the rules of Atom (RFC 4287) and JSON Feed 1.1, and the data of articles that search engines ask for."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from components.art.pictures import SizedPicture
from site_app.content.publications import Publication, PublicationKind, all_publications, publications
from site_app.content.routes import BY_PATH, publication_route
from site_app.core.i18n import use
from site_app.core.locales import BY_ID, LOCALES, Locale
from site_app.core.settings import Settings
from site_app.layout import machine_files
from site_app.layout.head import head, structured_data

SITE = "https://agency.example"
SETTINGS = replace(Settings(), url=SITE)
ATOM = "{http://www.w3.org/2005/Atom}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
HOME_PAGES = {locale.id: f"{SITE}{locale.prefix or '/'}" for locale in LOCALES}  # as their canonical addresses are
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
ADDRESSES = re.compile(r'(?:href|src|srcset)="([^"]*)"')
THAI = """---
title: วิธีประเมินงาน
summary: ประมาณการทำจากอะไรบ้าง และทำไมจึงเป็นช่วงก่อนจะเป็นตัวเลขเดียว อ่านได้ในไม่กี่นาที
---
ข้อความ
"""
TEXT = """## A part

Is 1 < 2 & "so" on? <script>alert(1)</script> [questions](/faq), [above](#a-part), a claim[^1]. ]]>

![A “violet” square](square.png "As drawn")

```html
<a href="/not-a-link">
```

[^1]: Its source.
"""


@pytest.fixture
def article(articles: PublicationKind, write: Callable[..., Path], draw_picture: Callable[..., Path]) -> Publication:
    draw_picture(size=(800, 400))
    file = write(text=TEXT, more_fields="tags: ['R&D', '<tag>']\n")
    file.write_text(file.read_text().replace("How we estimate", "A < B & “C” 🚀 </title>"))
    write("estimates.th.md", front=THAI, text="")
    return publications(articles)[0]


@pytest.fixture(params=["sample", "own"])
def folder_of_feeds(
    request: pytest.FixtureRequest, article: Publication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The feeds of an article with everything that needs escaping, and those of the site's own texts."""
    if request.param == "sample":
        monkeypatch.setattr(machine_files, "all_publications", lambda: (article,))
    (static := tmp_path / "static").mkdir()
    machine_files.write_feeds(static, SETTINGS)
    return static


def _is_address(address: str) -> bool:
    return re.fullmatch(r"(https://[a-z0-9.-]+(/[^\s]*)?|(mailto|tel):\S+)", address) is not None


def _check_html(html: str) -> None:
    assert "<script" not in html
    for value in ADDRESSES.findall(html):
        assert all(_is_address(part.split()[0]) for part in value.split(", ")), value


def _atom(static: Path, locale: Locale) -> ElementTree.Element:
    return ElementTree.fromstring((static / locale.prefix.strip("/") / "feed.atom").read_bytes())


def _json(static: Path, locale: Locale) -> dict[str, Any]:
    return json.loads((static / locale.prefix.strip("/") / "feed.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_the_atom_feed_lists_articles_newest_first(folder_of_feeds: Path, locale: Locale) -> None:
    feed = _atom(folder_of_feeds, locale)
    entries = feed.findall(f"{ATOM}entry")

    assert feed.tag == f"{ATOM}feed"
    assert feed.get(LANGUAGE) == locale.tag
    for element in (feed, *entries):
        assert [len(element.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")] == [1, 1, 1]
        assert all(child.text and child.text.strip() for child in element if child.tag in (f"{ATOM}id", f"{ATOM}title"))
        assert element.findall(f"{ATOM}author/{ATOM}name")
        for moment in (*element.findall(f"{ATOM}updated"), *element.findall(f"{ATOM}published")):
            assert MOMENT.fullmatch(moment.text or "")
            assert datetime.fromisoformat(moment.text or "").tzinfo
        links = [(link.get("rel"), link.get("hreflang"), link.get("type")) for link in element.findall(f"{ATOM}link")]
        assert len(links) == len(set(links))
        assert all(_is_address(link.get("href", "")) for link in element.findall(f"{ATOM}link"))
    itself = f"{SITE}{locale.prefix}/feed.atom"
    assert [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"] == [itself]
    assert [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "alternate"] == [
        HOME_PAGES[locale.id]
    ]
    identities = [element.findtext(f"{ATOM}id", "") for element in (feed, *entries)]
    assert len(identities) == len(set(identities))
    assert all(map(_is_address, identities))
    for entry in entries:
        content = entry.find(f"{ATOM}content")
        assert content is not None
        assert (content.get("type"), len(content)) == ("html", 0)
        assert [link.get("rel") for link in entry.findall(f"{ATOM}link")] == ["alternate"]
        _check_html(content.text or "")


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_the_json_feed_follows_its_format(folder_of_feeds: Path, locale: Locale) -> None:
    feed = _json(folder_of_feeds, locale)

    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["title"]
    assert feed["language"] == locale.tag
    assert (feed["home_page_url"], feed["feed_url"]) == (HOME_PAGES[locale.id], f"{SITE}{locale.prefix}/feed.json")
    assert isinstance(feed["items"], list)
    assert len({item["id"] for item in feed["items"]}) == len(feed["items"])
    for item in feed["items"]:
        assert _is_address(item["id"])
        assert _is_address(item["url"])
        assert item["title"]
        assert item["language"] == locale.tag
        assert MOMENT.fullmatch(item["date_published"])
        assert MOMENT.fullmatch(item["date_modified"])
        assert item["authors"]
        assert all(author["name"] for author in item["authors"])
        assert all(isinstance(tag, str) for tag in item["tags"])
        _check_html(item["content_html"])


def test_both_feeds_hold_the_same_texts(folder_of_feeds: Path) -> None:
    for locale in LOCALES:
        entries = _atom(folder_of_feeds, locale).findall(f"{ATOM}entry")

        assert [entry.findtext(f"{ATOM}id") for entry in entries] == [
            item["id"] for item in _json(folder_of_feeds, locale)["items"]
        ]


def test_a_text_is_in_the_feeds_of_its_languages_alone(
    article: Publication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_files, "all_publications", lambda: (article,))
    machine_files.write_feeds(tmp_path, SETTINGS)

    counts = {locale.id: len(_json(tmp_path, locale)["items"]) for locale in LOCALES}

    assert (counts.pop("en"), counts.pop("th"), set(counts.values())) == (1, 1, {0})


def test_a_feed_leads_to_the_headings_and_notes_of_the_page(
    article: Publication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_files, "all_publications", lambda: (article,))
    machine_files.write_feeds(tmp_path, SETTINGS)

    html = _json(tmp_path, BY_ID["en"])["items"][0]["content_html"]

    assert f'href="{SITE}/articles/estimates#a-part"' in html
    assert f'href="{SITE}/articles/estimates#fn1"' in html
    assert "/not-a-link" in html
    assert f"{SITE}/not-a-link" not in html


@pytest.mark.parametrize("language", ["", "html", "brainwaves"])
def test_a_feed_shows_code_as_it_is(
    articles: PublicationKind, write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    code = '<a href="#top"><img src="/logo.png" srcset="/a.png 1x, /b.png 2x"></a>\n'
    write(text=f"[questions](/faq) `{code.strip()}`\n\n```{language}\n{code}```\n\n    {code}")
    monkeypatch.setattr(machine_files, "all_publications", lambda: publications(articles))
    machine_files.write_feeds(tmp_path, SETTINGS)

    html = _json(tmp_path, BY_ID["en"])["items"][0]["content_html"]

    assert f'<a href="{SITE}/faq">' in html
    assert unescape(re.sub("<[^>]*>", "", html)).count(code.strip()) == 3


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: locale.id)
def test_articles_have_the_structured_data_for_search_engines(locale: Locale, monkeypatch: pytest.MonkeyPatch) -> None:
    # Draws no picture.
    monkeypatch.setattr("site_app.layout.head.sized", lambda file: SizedPicture(file.stem, 800, 400, (480, 800), ""))
    for publication in all_publications():
        with use(locale):
            data = structured_data(BY_PATH[publication.path], SETTINGS)
        [article] = [record for record in data if record["@type"] == "Article"]

        assert 0 < len(article["headline"]) <= 110
        assert datetime.fromisoformat(article["datePublished"]) <= datetime.fromisoformat(article["dateModified"])
        assert article["image"]
        assert all(_is_address(image) for image in article["image"])
        assert article["author"]
        for author in article["author"]:
            assert author["@type"] == "Person"
            assert author["name"]
            assert _is_address(author["url"])
        assert article["inLanguage"] == publication.texts.get(locale.id, publication.texts["en"]).locale.tag


@pytest.mark.parametrize(("language", "page"), [("en", ""), ("th", "/th"), ("cn", "")])
def test_the_data_of_an_article_name_the_canonical_page_of_its_text(
    article: Publication, monkeypatch: pytest.MonkeyPatch, language: str, page: str
) -> None:
    monkeypatch.setattr("site_app.layout.head.all_publications", lambda: (article,))
    with use(BY_ID[language]):
        data = structured_data(publication_route(article), SETTINGS)

    [record] = [record for record in data if record["@type"] == "Article"]
    assert record["mainEntityOfPage"] == f"{SITE}{page}/articles/estimates"


@pytest.mark.parametrize(
    ("language", "alternates"), [("en", ["en", "th", "x-default"]), ("th", ["en", "th", "x-default"]), ("cn", [])]
)
def test_only_translations_are_alternates(article: Publication, language: str, alternates: list[str]) -> None:
    route = publication_route(article)
    with use(BY_ID[language]):
        elements = head(route, languages=route.languages, data=(), settings=SETTINGS)
        links = [str(element) for element in elements if element.tag == "link"]

    tags = [match[1] for link in links if (match := re.search(r'hrefLang:"([^"]+)"', link))]
    assert [tag if tag == "x-default" else tag.partition("-")[0] for tag in tags] == alternates
    canonical = f"{SITE}/th/articles/estimates" if language == "th" else f"{SITE}/articles/estimates"
    assert any('rel:"canonical"' in link and f'href:"{canonical}"' in link for link in links)
