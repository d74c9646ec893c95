"""What passes without being parsed would pass if it were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_app.socket_guard.frames import FrameRefused, Frames
from site_app.socket_guard.usual import usual_forms, usual_name

ALLOWED = {
    "dialog.report": {"name": "text", "seq": "integer"},
    "slots.load": {"hold": "text", "days": "texts"},
    "loading.start": {},
    "form.submit": {"said": "record"},
    "state.hydrate": {"hashes": "texts?"},
}
USUAL = usual_forms(ALLOWED)
BEGINNING = '42/_event,["event",{"name":"'
# as Chromium sent it
SENT = (
    '42/_event,["event",{"name":"dialog.report","payload":{"name":"contact","seq":1795259919592},'
    '"router_data":{"pathname":"/th/faq","asPath":"/th/faq"}}]'
)


def checked(text: str) -> None:
    """The long way."""
    frames = Frames(ALLOWED)
    frames.check("40/_event,")
    frames.check(text)


def test_what_a_page_sends_has_the_usual_form() -> None:
    assert usual_name(SENT, USUAL) == "dialog.report"
    start = '42/_event,["event",{"name":"loading.start","router_data":{"pathname":"/","asPath":"/"}}]'
    assert usual_name(start, USUAL) == "loading.start"
    assert sorted(USUAL) == ["dialog.report", "loading.start", "slots.load"]


@given(st.data())
def test_every_usual_form_passes_the_long_way_too(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(USUAL)))
    text = BEGINNING + name + data.draw(st.from_regex(USUAL[name], fullmatch=True))

    assert usual_name(text, USUAL)
    checked(text)


@given(at=st.integers(0, len(SENT) - 1), damage=st.text(max_size=3), cut=st.integers(0, 4))
def test_what_the_long_way_refuses_is_never_usual(at: int, damage: str, cut: int) -> None:
    text = SENT[:at] + damage + SENT[at + cut :]
    try:
        checked(text)
    except FrameRefused:
        assert not usual_name(text, USUAL)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dialog.report", "form.submit"),
        ('"seq":1795259919592', '"seq":true'),
        ('"seq":1795259919592', '"seq":01'),
        ('"seq":1795259919592', '"seq":1,"seq":2'),
        ('"seq":1795259919592', '"seq":1,"more":2'),
        ('"contact"', '"\\ud83d"'),
        ("contact", "x" * 5000),
        ('"asPath":"/th/faq"', '"asPath":"[/th/faq"'),
        ('"pathname":"/th/faq"', '"pathname":"th/faq"'),
        ('"asPath":"/th/faq"', '"asPath":"/th/faq","client_ip":"6.6.6.6"'),
        ("]", "] "),
    ],
)
def test_whatever_differs_takes_the_long_way(old: str, new: str) -> None:
    assert not usual_name(SENT.replace(old, new), USUAL)


def test_nothing_is_usual_before_the_connection() -> None:
    with pytest.raises(FrameRefused, match="not connected"):
        Frames(ALLOWED, USUAL).check(SENT)
