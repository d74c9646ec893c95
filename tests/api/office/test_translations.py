"""Translations in the office: what is missing, written, checked and published; two editors, an ended session, roles."""

import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from sqlmodel import Session

from site_app.core.i18n import catalogs
from site_app.core.i18n.office_catalogs import OfficeTranslation, as_po, office_file, read_office, written_office
from site_app.core.locales import BY_ID
from site_app.core.settings import Settings
from site_app.provider.http.call import ApiContext
from site_app.provider.office.sessions import MAX_IDLE_TIME
from site_app.provider.publishing import builds, translations
from site_app.provider.publishing.translations import Wording, text_id
from site_app.provider.store.audit_log import Actor
from site_app.provider.store.tables import Build
from tests.support.clock import Clock
from tests.support.databases import ON_POSTGRES
from tests.support.locks import another_process, commit_when_awaited
from tests.support.office_browser import BO, DI, Browser, text_of
from tests.support.stored_rows import logged_actions, rows_in

pytestmark = pytest.mark.anyio
PATH = "/translations/th"
ABOUT = f"{PATH}?page=/company/about-us"
MISSING, EDITED, EARLIER = "Start with a call", "Why we work this way", "Why we work like this"
WITH_NAME = "{title} (in English)"
MISSING_SLUG = text_id(("", MISSING))


@pytest.fixture(autouse=True)
def thai(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Thai lacks one text of a page, and has another that was translated from an earlier English."""
    catalog = catalogs.read_catalog_file(BY_ID["th"])
    catalog[MISSING].string = ""
    catalog[EDITED].flags.add("fuzzy")
    catalog[EDITED].previous_id = [EARLIER]
    file = tmp_path / "locales/th/LC_MESSAGES/messages.po"
    file.parent.mkdir(parents=True)
    file.write_text(as_po(catalog), encoding="utf-8")
    catalog_file = catalogs.catalog_file
    monkeypatch.setattr(catalogs, "catalog_file", lambda locale: file if locale.id == "th" else catalog_file(locale))
    catalogs.catalog_texts.cache_clear()
    yield
    catalogs.catalog_texts.cache_clear()


async def form_of(browser: Browser, path: str = ABOUT) -> dict[str, str]:
    """Returns what a browser would send of the page as it is."""
    page = await browser.get(path)
    assert page.status_code == 200, page.text
    bases = re.search(r'name="bases" value="([^"]*)"', page.text)
    areas = re.findall(r'<textarea[^>]* name="(t\.[^"]*)"[^>]*>\n?([^<]*)</textarea>', page.text)
    return {"bases": bases[1] if bases else ""} | {name: unescape(text) for name, text in areas}


async def install(context: ApiContext, settings: Settings) -> None:
    """Writes the files of all due builds, as the builder does, and ends them."""

    def take(session: Session) -> None:
        for build in builds.waiting(session, now=context.clock()):
            for path, content in builds.changes_of(session, build).items():
                file = settings.content_folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.unlink(missing_ok=True) if content is None else file.write_bytes(content)
            build.state, build.finished_at = "done", context.clock()
            session.add(build)

    await context.store.write(take)


async def push(context: ApiContext) -> None:
    """Ends the build whose turn it is, as SITE_PUBLISH=git does: the files come with the deployment."""

    def end(session: Session) -> None:
        build = builds.lease(session, now=context.clock())
        assert build
        builds.finish(session, build, now=context.clock())

    await context.store.write(end)


def published(settings: Settings) -> dict[str, str]:
    file = office_file(settings.content_folder, "th")
    return {str(message.id): str(message.string) for message in read_office(file.read_bytes() if file.exists() else None)}


async def test_a_missing_text_is_translated_and_published(di: Browser, context: ApiContext, settings: Settings) -> None:
    assert "1 missing 1 to review" in text_of(await di.get("/translations"))
    form = await form_of(di)
    assert form[f"t.{MISSING_SLUG}.0"] == ""

    response = await di.send(ABOUT, do="save", **form | {f"t.{MISSING_SLUG}.0": " นัดคุย\r\nกับเรา "})
    assert response.status_code == 303
    assert response.headers["Location"].endswith("done=saved")
    assert published(settings) == {}
    page = text_of(await di.get("/translations"))
    assert "1 to review 1 changed" in page
    response = await di.post("/translations", do="publish", language="th")
    assert response.headers["Location"] == "/office/content?done=publish"
    await install(context, settings)

    assert published(settings) == {MISSING: "นัดคุย กับเรา"}
    assert "changed" not in text_of(await di.get("/translations")).partition("Page by page")[0]
    actions = [(person, action, reference) for person, action, reference in await logged_actions(context)]
    assert (DI, "translate", "translations/th") in actions
    response = await di.post("/translations", do="publish", language="th")
    assert response.headers["Location"] == "/office/translations?done=nothing-new"


@pytest.mark.parametrize("publish", ["build", "git"])
async def test_a_wording_that_is_about_to_be_public_is_taken_back(
    di: Browser, context: ApiContext, settings: Settings, change_settings: Callable[..., None], publish: str
) -> None:
    change_settings(publish=publish, publish_remote="https://git.example.com/site.git")
    path = f"{ABOUT}&show=all"
    field = f"t.{MISSING_SLUG}.0"
    await di.send(path, do="publish", **await form_of(di, path) | {field: "ผิด"})
    if publish == "git":
        await push(context)

    response = await di.send(path, do="publish", **await form_of(di, path) | {field: ""})

    assert response.headers["Location"] == "/office/content?done=publish"
    await install(context, settings)
    assert published(settings) == {}


async def test_an_edited_text_shows_its_earlier_english_and_is_confirmed(
    di: Browser, context: ApiContext, settings: Settings
) -> None:
    page = text_of(await di.get(ABOUT))
    assert EARLIER in page
    form = await form_of(di)
    slug = text_id(("", EDITED))

    await di.send(ABOUT, do="save", **form)
    assert EARLIER in text_of(await di.get(ABOUT))
    response = await di.send(ABOUT, do="publish", **form | {f"right.{slug}": "yes"})
    assert response.headers["Location"] == "/office/content?done=publish"
    await install(context, settings)

    assert published(settings) == {EDITED: form[f"t.{slug}.0"]}
    assert EARLIER not in text_of(await di.get(f"{ABOUT}&show=all"))


async def test_mistakes_are_shown_at_their_field_and_other_texts_are_saved(di: Browser, settings: Settings) -> None:
    path = f"{PATH}?show=all&words=in+English"
    form = await form_of(di, path)
    slug = text_id(("", WITH_NAME))
    form |= await form_of(di) | {"bases": form["bases"] + (await form_of(di))["bases"]}
    for translation in ("{name}", "{title.__class__}", "{title", "{title} <b>", "a\t{title}"):
        response = await di.send(
            path, do="publish", **form | {f"t.{slug}.0": translation, f"t.{MISSING_SLUG}.0": f"ใหม่ {len(translation)}"}
        )
        assert response.status_code == 422, translation
        assert f'id="t-{slug}-error"' in response.text
        assert "1 text was not saved" in text_of(response)
        form = await form_of(di, path)
        all_texts = await form_of(di, f"{ABOUT}&show=all")
        assert all_texts[f"t.{MISSING_SLUG}.0"] == f"ใหม่ {len(translation)}"
        form |= {f"t.{MISSING_SLUG}.0": all_texts[f"t.{MISSING_SLUG}.0"], "bases": form["bases"] + all_texts["bases"]}
    assert published(settings) == {}


async def test_of_two_editors_the_later_one_sees_the_other_and_loses_nothing(di: Browser, bo: Browser) -> None:
    bo_form, di_form = await form_of(bo), await form_of(di)
    await bo.send(ABOUT, do="save", **bo_form | {f"t.{MISSING_SLUG}.0": "ของโบ"})

    response = await di.send(ABOUT, do="save", **di_form | {f"t.{MISSING_SLUG}.0": "ของดี"})
    assert response.status_code == 422
    assert "bo@example.com has translated this text in the meantime" in text_of(response)
    assert "ของโบ" in response.text
    assert "ของดี" in response.text

    bases = re.search(r'name="bases" value="([^"]*)"', response.text)
    assert bases
    await di.send(ABOUT, do="save", **di_form | {f"t.{MISSING_SLUG}.0": "ของดี", "bases": bases[1]})
    assert (await form_of(di, f"{ABOUT}&show=all"))[f"t.{MISSING_SLUG}.0"] == "ของดี"


async def test_an_untouched_field_does_not_undo_another_editors_text(di: Browser, bo: Browser) -> None:
    di_form = await form_of(di)
    await bo.send(ABOUT, do="save", **(await form_of(bo)) | {f"t.{MISSING_SLUG}.0": "ของโบ"})

    response = await di.send(ABOUT, do="save", **di_form)

    assert response.headers["Location"].endswith("done=unchanged")
    assert (await form_of(di, f"{ABOUT}&show=all"))[f"t.{MISSING_SLUG}.0"] == "ของโบ"


async def test_an_empty_translation_takes_the_delivered_one_back(di: Browser, context: ApiContext, settings: Settings) -> None:
    path = f"{PATH}?show=all&words=in+English"
    slug = text_id(("", WITH_NAME))
    delivered = (await form_of(di, path))[f"t.{slug}.0"]
    for typed, result in (("{title} – อังกฤษ", {WITH_NAME: "{title} – อังกฤษ"}), ("", {})):
        await di.send(path, do="publish", **(await form_of(di, path)) | {f"t.{slug}.0": typed})
        await install(context, settings)
        assert published(settings) == result
    assert (await form_of(di, path))[f"t.{slug}.0"] == delivered


async def test_a_translation_from_the_files_replaces_an_older_draft(di: Browser, settings: Settings) -> None:
    await di.send(ABOUT, do="save", **(await form_of(di)) | {f"t.{MISSING_SLUG}.0": "ร่าง"})
    content = written_office(BY_ID["th"], None, {("", MISSING): OfficeTranslation((MISSING,), ("จากไฟล์",))})
    file = office_file(settings.content_folder, "th")
    file.parent.mkdir(parents=True)
    file.write_bytes(content or b"")

    form = await form_of(di, f"{ABOUT}&show=all")
    assert form[f"t.{MISSING_SLUG}.0"] == "จากไฟล์"
    await di.send(f"{ABOUT}&show=all", do="save", **form | {f"t.{MISSING_SLUG}.0": "ใหม่กว่า"})
    assert (await form_of(di, f"{ABOUT}&show=all"))[f"t.{MISSING_SLUG}.0"] == "ใหม่กว่า"


async def test_a_session_that_ended_keeps_the_translation(
    di: Browser, context: ApiContext, clock: Clock, sign_in: Callable[[str], Awaitable[Browser]]
) -> None:
    form = await form_of(di)
    clock.advance(MAX_IDLE_TIME + timedelta(minutes=1))
    response = await di.send(ABOUT, do="save", **form | {f"t.{MISSING_SLUG}.0": "เขียนแล้ว"})
    assert response.status_code == 401
    assert "Your text has been kept" in text_of(response)

    new_session = await sign_in(DI)
    page = await new_session.get(ABOUT)
    assert "You wrote this before your session ended" in text_of(page)
    form = await form_of(new_session)
    assert form[f"t.{MISSING_SLUG}.0"] == "เขียนแล้ว"
    await new_session.send(ABOUT, do="save", **form)
    page = await new_session.get(f"{ABOUT}&show=all")
    assert "before your session" not in text_of(page)
    assert "เขียนแล้ว" in page.text


async def test_plural_forms_are_written_whole(di: Browser) -> None:
    path = f"{PATH}?show=all&words=first+{{count}}+years"
    form = await form_of(di, path)
    name = next(name for name in form if name.startswith("t."))
    response = await di.send(path, do="save", **form | {name: "{count} ปีแรกสุด"})
    assert response.headers["Location"].endswith("done=saved")
    response = await di.send(path, do="save", **(await form_of(di, path)) | {name: "{years} ปี"})
    assert response.status_code == 422


async def test_readers_see_and_change_nothing_and_without_publishing_nobody_does(
    cy: Browser, context: ApiContext, settings: Settings
) -> None:
    page = await cy.get(ABOUT)
    assert "disabled" in page.text
    form = {"bases": f"{MISSING_SLUG}:{Wording().digest}", f"t.{MISSING_SLUG}.0": "x"}
    assert (await cy.send(ABOUT, do="save", **form)).status_code == 403
    assert (await cy.post("/translations", do="publish", language="th")).status_code == 403
    assert not await rows_in(context.store, Build)
    assert (await cy.get("/translations/xx")).status_code == 404
    assert (await cy.get("/translations/en")).status_code == 404


async def test_publishing_twice_loses_neither(di: Browser, bo: Browser, context: ApiContext, settings: Settings) -> None:
    await di.send(ABOUT, do="publish", **(await form_of(di)) | {f"t.{MISSING_SLUG}.0": "หนึ่ง"})
    slug = text_id(("", EDITED))
    await bo.send(ABOUT, do="publish", **(await form_of(bo)) | {f"t.{slug}.0": "สอง"})
    await install(context, settings)
    assert published(settings) == {MISSING: "หนึ่ง", EDITED: "สอง"}
    assert {build.requested_by for build in await rows_in(context.store, Build)} == {DI, BO}


@ON_POSTGRES
async def test_publishing_twice_at_once_loses_neither(
    di: Browser, context: ApiContext, settings: Settings, database: str
) -> None:
    await di.send(ABOUT, do="save", **(await form_of(di)) | {f"t.{MISSING_SLUG}.0": "หนึ่ง"})
    actor = Actor(BO, context.clock())

    with another_process(database) as bo:
        texts = {text.slug: text for text in translations.translated_texts(bo, "th", None)}
        edited = texts[text_id(("", EDITED))]
        assert translations.save(bo, "th", edited, Wording(("สอง",)), actor, base=edited.current.digest) is None
        assert translations.publish(bo, "th", None, actor)
        await commit_when_awaited(bo, context.store, di.post("/translations", do="publish", language="th"))
    await install(context, settings)

    assert published(settings) == {MISSING: "หนึ่ง", EDITED: "สอง"}
