"""A provider with only the seven calls of R44: every form reaches it, and no page complains."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.booking.steps import book, confirmed, reserve, take
from tests.browser.forms.filling import AFFILIATE, CONSULTATION, FORMS, QUOTE, result
from tests.browser.visit import Visit
from tests.browser.waiting import pass_time, stop_clock
from tests.support.site_server import PATIENT, Site, free_port
from tests.support.stub_provider import OPTIONAL, Fault, StubProvider, stub_provider

CALLS = {"quote": "requestQuote", "affiliate": "submitAffiliateRequest"}


@pytest.fixture(scope="module")
def running_stub() -> Iterator[StubProvider]:
    with stub_provider() as stub:
        yield stub


@pytest.fixture
def stub(running_stub: StubProvider) -> StubProvider:
    """The stub in its initial state: it accepts every lead and knows no other call."""
    running_stub.submissions.clear()
    running_stub.optional_calls.clear()
    running_stub.faults.clear()
    running_stub.lost_slots.clear()
    running_stub.reply = (200, b"{}")
    return running_stub


@pytest.fixture(scope="module")
def site(built: None, running_stub: StubProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    settings = {**PATIENT, "SITE_PROVIDER_URL": running_stub.url}
    running = Site(free_port(), tmp_path_factory.mktemp("var"), settings).start()
    yield running
    running.kill()


def test_a_form_is_sent_once(visit: Visit, stub: StubProvider) -> None:
    form, stub.reply = AFFILIATE, (204, b"")
    page = form.filled(visit, joined=True)

    form.button(page).click()

    expect(result(page)).to_be_visible(timeout=10_000)
    expect(result(page).locator("dl")).to_have_count(0)
    assert [call for call, _ in stub.submissions] == [CALLS[form.name]]


def test_a_form_is_sent_once_without_a_socket(visit: Visit, stub: StubProvider, site: Site) -> None:
    form, stub.reply = QUOTE, (204, b"")
    page = form.filled(visit, socket=False)
    stop_clock(page)

    form.button(page).click()

    pass_time(page, lambda: result(page).is_visible())
    assert [call for call, _ in stub.submissions] == [CALLS[form.name]]


def test_a_meeting_is_booked_without_a_hold_and_a_lost_time_reopens_the_choice(visit: Visit, stub: StubProvider) -> None:
    page = visit("/?open=consultation", joined=True)
    lost_slot = reserve(page)
    stub.lost_slots.add(lost_slot)

    book(page)
    expect(page.locator(".lost-title")).to_be_focused(timeout=10_000)
    other_slot = page.locator(".lost .slot input").first
    other_slot.check()
    slot = other_slot.input_value()
    take(page)
    book(page)

    confirmed(page)
    expect(result(page).locator("dl time strong")).to_be_visible()  # the time is shown, although the reply does not contain it
    expect(result(page).get_by_role("list")).to_have_count(0)  # no list without the links
    assert [(call, payload["slot"]) for call, payload in stub.submissions] == [("bookMeeting", slot)]


EVERY = tuple(OPTIONAL)
SLOW = [(names, fault) for names in (EVERY, *((name,) for name in OPTIONAL)) for fault in (404, 429, 500, "silent")]


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (EVERY, "silent"),
        *(pytest.param(*parameters, marks=pytest.mark.slow) for parameters in SLOW if parameters != (EVERY, "silent")),
    ],
)
def test_every_form_arrives_once_whichever_optional_calls_fail(
    visit: Visit, stub: StubProvider, names: tuple[str, ...], fault: Fault
) -> None:
    for name in names:
        stub.misbehaves(name, fault)

    for number, form in enumerate((*FORMS, CONSULTATION), start=1):
        page = visit(form.path, joined=True)
        form.fill(form.on(page))
        if "attachments" in names:
            expect(form.on(page).locator("input[type=file]")).to_have_count(0)
        form.button(page).click()
        expect(result(page)).to_be_visible(timeout=10_000)
        assert len(stub.submissions) == number, form

    assert not {*stub.optional_calls} & {*OPTIONAL["insights"], *OPTIONAL["lookup"]}  # these are called by the site itself
