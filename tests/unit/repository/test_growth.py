"""A project that grows: pages by `make new KIND=page`, and a language, which is a row and a catalog. All of it in one copy, built once.

That build takes longer than all other tests of this folder together, so it belongs to `make test SLOW=1`.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.pofile import read_po, write_po

from site_app.cli.develop.new_page import new_page
from site_app.core.locales import BY_ID, LOCALES
from site_app.serving.site import RESERVED_PARTS
from tests.support.project_copy import Run

ROOT = Path(__file__).parents[3]

# Names and titles that could break the code: a keyword, an existing name, a line that gets too long.
PAGES = {
    "/company/a-page-of-the-test": "A page of the test",
    "/company/import": "A page of the test and whatever else one does here",
    "/services/about-us": "A page of the test " + "and whatever else one does here " * 4,
    "/article": "A",
    "/studio/notes/2026": "A page of the test in 2026",
    "/2026": "A page of 2026",
    "/insights": "A page where the script of page views is",
    "/company/legal": "A page named like a function of the table",
    f"/company/{'-'.join(['long'] * 12)}": "A page of the test",
    f"/{'l' * 69}": "A page of the test",
}
REFUSED = [
    ("no-slash", "C"),
    ("/Capital", "C"),
    ("/faq", "C"),
    *((f"/{part}", "C") for part in RESERVED_PARTS),
    ("/office/notes", "C"),
    ("/contact-us/sent", "C"),
    ("/x", ""),
    ("/x", 'a"b'),
    ("/x", "a{b}"),
    ("/th/x", "C"),
    ("/book", "C"),
    ("/flags", "C"),
    ("/company", "C"),
    ("/404", "C"),
    ("/-x", "C"),
    (f"/{'l' * 120}", "C"),
]
ROW = 'Locale(id="de", tag="de", label="DE", title="Deutsch", country="DE", zone="Europe/Berlin"),'
# answers of the copy without a browser, as JSON
REPORT = """
import asyncio, json
from datetime import UTC, date, datetime
from email import message_from_bytes, policy
import httpx
from site_app.provider.api.app import make_api, open_provider
from site_app.forms.views import ViewField
from site_app.provider.store.migration import prepare_database
from site_app.client import embedded, install
from site_app.forms.fields import field_component
from site_app.core.i18n import t, tn, use
from site_app.core.locales import BY_ID
from site_app.core.i18n.clocks import date_words
from site_app.contracts.kinds import BY_NAME
from site_app.serving.plain_pages import plain_pages
from site_app.provider.outbox.mail import MailAddress, MailText, mail_of
from site_app.core.settings import Settings

settings = Settings()

async def page():
    prepare_database(settings)
    api = make_api(settings)
    async with open_provider(api, settings):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(api), base_url="http://api.test") as client:
            response = await client.get("/v1.0/countries?language=de", headers={"X-API-Key": settings.api_key})
        install(embedded(api, settings))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(plain_pages(api.state)), base_url="http://site.test") as client:
            return (await client.get("/de/book")).text, response.json()["countries"]

with use(BY_ID["de"]):
    text, countries = asyncio.run(page())
    words = MailText(subject="S", heading="H", opening=("O",))
    mail = message_from_bytes(mail_of(words, to=MailAddress("A", "a@example.com"), message_id="<a@b>", reference="R",
        created_at=datetime(2030, 1, 1, tzinfo=UTC), settings=settings), policy=policy.SMTP)
    print(json.dumps({
        "page": text,
        "countries": {row["code"]: row["name"] for row in countries},
        "date": date_words(date(2024, 8, 14)),
        "mail": mail["Content-Language"],
        "phone": str(field_component(BY_NAME["message"], ViewField("phone"))),
        "forms": [tn("{count} file", "{count} files", count) for count in (1, 2)],
    }))
"""


class Grown(NamedTuple):
    root: Path
    errors_by_step: dict[str, str]

    @property
    def client(self) -> Path:
        return self.root / ".web/build/client"


@pytest.fixture(scope="module")
def grown(copy: Path, run: Run) -> Grown:
    errors: dict[str, str] = {}

    def step(name: str, *arguments: str) -> None:
        process = run(*arguments)
        errors[name] = "" if process.returncode == 0 else (process.stdout + process.stderr)[-3000:]

    run("-m", "ruff", "format", "--quiet", "site_app")  # files that existed before
    for path, title in PAGES.items():
        step(path, "-m", "site_app", "new-page", path, title)
    step("check", "-m", "ruff", "check", "site_app")
    step("format", "-m", "ruff", "format", "--check", "site_app")
    table = copy / "site_app/core/locales.py"
    if "de" not in BY_ID:
        table.write_text(table.read_text().replace("\n)\nBY_ID", f"\n    {ROW}\n)\nBY_ID"))
    step("words", "-m", "site_app", "words")
    translate(copy / "locales/de/LC_MESSAGES/messages.po")
    step("build", "-m", "site_app", "build")
    return Grown(copy, errors)


@pytest.mark.slow
def test_everything_is_written_in_style_and_built(grown: Grown) -> None:
    assert {step: error for step, error in grown.errors_by_step.items() if error} == {}


@pytest.mark.slow
def test_a_new_page_is_there_in_every_language(grown: Grown) -> None:
    sitemap = (grown.client / "sitemap.xml").read_text()

    for path in PAGES:
        assert f"{path}</" in sitemap
        for prefix in (*(locale.prefix for locale in LOCALES), "/de"):
            assert "<h1" in (grown.client / prefix.strip("/") / path.strip("/") / "index.html").read_text()


def test_an_invalid_page_is_refused_in_a_sentence_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # a folder without the project: writing would fail

    for path, title in REFUSED:
        with pytest.raises(SystemExit) as refused:
            new_page(path, title)

        assert str(refused.value).endswith("."), (path, title)


def test_the_guide_lists_the_reserved_names_of_pages() -> None:
    guide = (ROOT / "docs/guide/pages.md").read_text()

    assert [part for part in RESERVED_PARTS if part not in BY_ID and f"`/{part}`" not in guide] == []


@pytest.mark.slow
def test_a_row_and_a_catalog_add_a_language(grown: Grown, run: Run) -> None:
    process = run("-c", REPORT)

    assert process.returncode == 0, process.stderr[-3000:]
    pages = grown.client
    german, english, thai = ((pages / folder / "faq/index.html").read_text() for folder in ("de", ".", "th"))
    assert '<html lang="de"' in german
    assert "»FAQ«" in german
    assert all(re.search(r'<link(?=[^>]*hrefLang="de")[^>]*href="[^"]*/de/faq"', page) for page in (german, english, thai))
    assert all(re.search(r'<a[^>]*href="/de/faq"', page) for page in (german, english, thai))
    assert "/de/faq</" in (pages / "sitemap.xml").read_text()
    assert re.search(r"Preferred-Languages:.*\bde\b", (pages / ".well-known/security.txt").read_text())
    assert (pages / "cards/home.de.png").is_file()
    report = json.loads(process.stdout.splitlines()[-1])  # a busy machine may log a line before
    assert '<html lang="de"' in report["page"]
    assert "Berlin" in report["page"]
    assert report["countries"]["FR"] == "Frankreich"
    assert report["date"] == "14. August 2024"
    assert report["mail"] == "de"
    assert '"DE"' in report["phone"]
    assert report["forms"] == ["eins 1", "viele 2"]


def translate(file: Path) -> None:
    """Fills in a catalog: every text in German quotation marks, every plural with two forms."""
    with file.open("rb") as stream:
        catalog = read_po(stream)
    for message in catalog:
        if isinstance(message.id, tuple):
            message.string = ("eins {count}", "viele {count}")
        elif message.id and isinstance(message.id, str):
            message.string = f"»{message.id}«"
    catalog.add(("{count} file", "{count} files"), ("eins {count}", "viele {count}"))
    with file.open("wb") as stream:
        write_po(stream, catalog)
