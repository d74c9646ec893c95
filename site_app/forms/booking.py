"""Booking a consultation: two steps to choose a time, which is then held above the form, and a panel that confirms the booking."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars import VarData
from reflex_components_core.core.banner import has_connection_errors

from components.art.drawings import illustration
from components.art.icons import icon
from components.booking import (
    BookingDialogWatcher,
    HoldClock,
    HoldWarnings,
    PlainBookingLink,
    ShowAfter,
    calendar,
    slot_choices,
)
from components.browser import CallFailures
from components.ui.button import button_class
from components.ui.dialog_frame import calendar_skeleton
from components.ui.fields import SearchableSelect
from components.ui.text import direct_ways
from site_app.content.contact_us import contact_details
from site_app.content.form_words import booked_words, booking_words
from site_app.content.records import PLAIN_BOOKING
from site_app.core.http.paths import API
from site_app.core.i18n import current, href, in_language, t
from site_app.forms.markup import reliable_form
from site_app.forms.views.consultation import CONSULTATION
from site_app.states.meeting import MeetingState

_FORM_ID = "consultation-form"
_DAY, _HEADING, _LOST = "booking-day", "booking-heading", "booking-lost"  # ids that receive the focus, or are scrolled to
_PATIENCE_SECONDS = 8  # to load the free times, after which the plain page is offered
_CONTEXT = VarData(
    imports={"$/components/reliable_form/context": [ImportVar("useForm")]}, hooks={"const { result } = useForm()": None}
)


def consultation_form() -> rx.Component:
    """The form and the steps before it; the form receives the slot, the zone and the hold."""
    booked_meeting = rx.memo(in_language(_booked_meeting, current(), chunk="site_app.forms.booked_meeting"))
    form = reliable_form(
        CONSULTATION,
        form_id=_FORM_ID,
        panel=booked_meeting(),
        on_another=MeetingState.begin_again(current().id),
        outer_fields=["slot"],
        outer_values=rx.cond(
            MeetingState.is_open,
            {
                "slot": rx.cond(MeetingState.step == "details", MeetingState.slot, ""),
                "hold": MeetingState.hold_id,
                "time_zone": MeetingState.zone,
            },
            None,
        ),
        on_sent=MeetingState.finish,
        on_refuse=MeetingState.handle_refusal,
    )
    return rx.el.div(
        BookingDialogWatcher.create(
            form=CONSULTATION.name,
            release_href=f"{API}/releaseHold",
            language=current().id,
            is_open=MeetingState.is_open,
            socket_down=has_connection_errors,
            on_open=MeetingState.open,
            on_close=MeetingState.close,
        ),
        CallFailures.create(counts={"meetingSlots": MeetingState.failures}, hydrated=rx.State.is_hydrated),
        booking_steps(),
        rx.el.div(form, class_name="booking-form"),
        rx.el.p(MeetingState.announcement, class_name="sr-only", role="status"),
        class_name="booking",
        custom_attrs={"data-step": MeetingState.step},
    )


def _booked_meeting() -> rx.Component:
    """The booking inside the form's result, which may have arrived by HTTP instead of the socket; a remote provider may return fewer details."""
    details: Any = rx.Var("result?.details", _var_data=_CONTEXT).to(dict)
    words = booked_words()
    time = MeetingState.chosen_time
    return rx.cond(
        details["day"] & details["calendar"] & details["manage_url"] & details["conferencing_url"],
        rx.el.div(
            rx.el.dl(
                _time_row(words["when"], details["slot"].to(dict)["start"], details["day"], details["clocks"]),
                rx.el.div(
                    rx.el.dt(words["video"]), rx.el.dd(_external_link(details["conferencing_url"], details["conferencing_url"]))
                ),
                class_name="booked",
            ),
            rx.el.div(
                rx.el.h4(words["calendar"], class_name="result-subtitle"),
                _calendar_links(words["file"], details["calendar"].to(dict)),
                rx.el.p(
                    rx.el.elements.a(words["manage"], href=details["manage_url"], class_name="plain-link"),
                    class_name="booked-manage",
                ),
            ),
            class_name="booked-panel",
        ),
        rx.cond(
            MeetingState.slot != "",
            rx.el.dl(_time_row(words["when"], time.start.to(str), time.day, time.clocks), class_name="booked"),
        ),
    )


def _calendar_links(file_words: str, calendar_urls: Any) -> rx.Component:
    return rx.el.div(
        rx.el.elements.a(file_words, href=calendar_urls["ics"], download="call.ics", class_name=button_class("strong")),
        *[
            _external_link(calendar_urls[name], label, class_name=button_class("quiet"))
            for name, label in (("google", "Google Calendar"), ("outlook", "Outlook"))
        ],
        class_name="booked-links",
    )


def _time_row(label: str, start: Any, day: Any, clocks: Any) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label),
        rx.el.dd(rx.el.time(rx.el.strong(day), clocks, date_time=start)),
    )


def _external_link(url: Any, words: Any, *, class_name: str = "plain-link") -> rx.Component:
    return rx.el.elements.a(words, href=url, rel="noreferrer", target="_blank", class_name=class_name)


def booking_steps() -> rx.Component:
    """The visitor's current step, and the warnings of a hold, which can appear in both steps."""
    words = booking_words()
    return rx.fragment(
        rx.match(
            MeetingState.step,
            (
                "time",
                _step(
                    words["step_one"],
                    words["choose_time"],
                    rx.cond(MeetingState.lost_message != "", _lost_time_form(words)),
                    _time_choice(words),
                ),
            ),
            (
                "details",
                _step(
                    words["step_two"],
                    words["details"],
                    rx.cond(MeetingState.lost_message != "", _lost_time_form(words), _hold_clock(words)),
                ),
            ),
            rx.fragment(),
        ),
        HoldWarnings.create(
            held_at=MeetingState.held_at,
            seconds=MeetingState.hold_seconds,
            words={name: words[name] for name in ("warning", "expired", "keep_short")},
            on_extend=MeetingState.extend,
            on_expire=MeetingState.expire_hold,
        ),
    )


def plain_booking_link(*, takes_draft: bool = True) -> rx.Component:
    """A link to the page that books a meeting without a socket; the server answers it, not React Router."""
    words = t("Use the simple booking page instead")
    path = href(PLAIN_BOOKING)
    if not takes_draft:
        return rx.el.p(rx.el.elements.a(words, href=path, class_name="plain-link"), class_name="mt-4")
    link = PlainBookingLink.create(
        words,
        form=CONSULTATION.name,
        href=path,
        zone=MeetingState.zone,
        slot=MeetingState.slot,
        day=MeetingState.shown_day,
        call_language=MeetingState.call_language,
        class_name="plain-link",
    )
    return rx.el.p(link, class_name="mt-4")


@rx.memo
def step_title(words: rx.Var[str], language: rx.Var[str]) -> rx.Component:
    arrives = (MeetingState.focus_language == language) & (MeetingState.lost_message == "")
    focus = rx.cond(arrives, rx.set_focus(_HEADING), rx.noop())
    return rx.el.h3(words, id=_HEADING, tab_index=-1, class_name="step-title", on_mount=focus)


@rx.memo
def lost_title(language: rx.Var[str]) -> rx.Component:
    focus = rx.cond(MeetingState.focus_language == language, rx.set_focus(_LOST), rx.noop())
    return rx.el.p(MeetingState.lost_message, id=_LOST, tab_index=-1, class_name="lost-title", on_mount=focus)


def _step(count: str, title: str, *inside: rx.Component) -> rx.Component:
    """A step with its heading. Each arrival moves the focus to the heading, or to the message about a lost time."""
    return rx.el.section(
        rx.el.div(
            rx.el.p(count, class_name="step-count"),
            rx.fragment(step_title(words=title, language=current().id), key=MeetingState.focus_requests),
            class_name="step-head",
        ),
        *inside,
        class_name="step",
    )


def _time_choice(words: dict[str, Any]) -> rx.Component:
    waiting = rx.fragment(
        rx.el.div(calendar_skeleton(label=words["loading"]), aria_busy="true"),
        ShowAfter.create(_load_failed_message(), seconds=_PATIENCE_SECONDS),
    )
    placeholder = rx.cond(
        MeetingState.loaded, _no_times_message(), rx.cond(MeetingState.failed, _load_failed_message(), waiting)
    )
    choice = rx.cond(MeetingState.slots.length() > 0, _calendar_form(words), placeholder)
    return rx.cond(has_connection_errors, _load_failed_message(), rx.fragment(_languages(words), choice))


def _languages(words: dict[str, Any]) -> rx.Component:
    """The choice of the call's language, where there is one."""
    select = SearchableSelect.create(
        id="booking-language",
        name="speak",
        label=words["call_language"],
        rows=MeetingState.call_languages,
        value=MeetingState.call_language,
        words=words["call_language_list"],
        on_choose=MeetingState.choose_call_language,
    )
    return rx.cond(MeetingState.call_languages.length() > 0, rx.el.div(select, class_name="call-language"))


def _calendar_form(words: dict[str, Any]) -> rx.Component:
    return rx.el.form(
        calendar(
            MeetingState.sheets[MeetingState.sheet],
            dates=MeetingState.free_days,
            shown_day=MeetingState.day.date.to(str),
            can_turn=MeetingState.sheets.length() > 1,
            is_first=MeetingState.sheet == 0,
            is_last=MeetingState.sheet >= MeetingState.sheets.length() - 1,
            words=words,
            # on a phone the times of a day are below the calendar
            on_show=lambda day: [MeetingState.show_day(day), rx.scroll_to(_DAY)],
            on_beyond=MeetingState.show_sheet_of,
            on_turn=MeetingState.turn,
        ),
        _day_times(),
        _zone_choice(words),
        _chosen_time_bar(),
        on_submit=MeetingState.hold,
        no_validate=True,
        class_name="times-form",
    )


def _day_times() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(MeetingState.day.words, id=_DAY, class_name="day-name"),
        rx.foreach(MeetingState.day.notes, lambda note: rx.el.p(note, class_name="day-note")),
        slot_choices(MeetingState.day.times, chosen_id=MeetingState.slot, on_choose=MeetingState.choose),
        class_name="day",
    )


def _zone_choice(words: dict[str, Any]) -> rx.Component:
    select = SearchableSelect.create(
        id="booking-zone",
        name="zone",
        label=words["zone"],
        rows=MeetingState.zones,
        value=MeetingState.zone,
        words=words["zone_list"],
        on_choose=MeetingState.change_zone,
    )
    return rx.el.div(select, class_name="zone-choice")


def _chosen_time_bar() -> rx.Component:
    """The chosen time, or the problem with it, and the button that holds it."""
    time = rx.el.p(MeetingState.chosen_time.day, rx.el.br(), MeetingState.chosen_time.clocks)
    return rx.el.div(
        rx.el.div(
            rx.cond(MeetingState.problem != "", _problem_message(), rx.cond(MeetingState.slot != "", time)),
            class_name="booking-chosen",
        ),
        rx.el.button(
            rx.cond(MeetingState.is_holding, rx.el.span(class_name="spinner", aria_hidden="true")),
            MeetingState.go_on,
            type="submit",
            class_name=button_class("strong"),
            custom_attrs={
                "data-busy": rx.cond(MeetingState.is_holding, "", None),
                "aria-disabled": rx.cond(MeetingState.slot == "", "true", None),  # a press still says what is missing
            },
        ),
        class_name="booking-bar dialog-foot",
    )


def _hold_clock(words: dict[str, Any]) -> rx.Component:
    clock = HoldClock.create(
        held_at=MeetingState.held_at,
        seconds=MeetingState.hold_seconds,
        words={"held": words["held"], "expired": words["expired"]},
    )
    buttons = rx.el.div(
        rx.cond(
            MeetingState.can_hold,
            rx.el.button(
                rx.cond(MeetingState.is_held, words["keep"], words["hold_again"]),
                type="button",
                class_name=rx.cond(MeetingState.is_held, "held-longer", button_class("quiet")),
                on_click=MeetingState.hold,
            ),
        ),
        _text_button(words["another"]),
        class_name="held-actions",
    )
    return rx.el.div(
        rx.el.p(
            rx.el.strong(MeetingState.chosen_time.day), rx.el.span(MeetingState.chosen_time.clocks), class_name="held-when"
        ),
        rx.el.p(
            rx.cond(
                MeetingState.hold_seconds > 0, clock, rx.cond(MeetingState.is_holding, words["holding"], words["not_held"])
            ),
            class_name="hold-clock",
        ),
        rx.cond(MeetingState.problem != "", _problem_message()),
        rx.cond(has_connection_errors, plain_booking_link(), buttons),
        class_name="held",
        custom_attrs={"data-expired": rx.cond(MeetingState.expired, "", None)},
    )


def _lost_time_form(words: dict[str, Any]) -> rx.Component:
    """The message that the chosen time was taken, with the nearest free times. In the first step, all times and the button follow below."""
    take = rx.el.button(words["take"], type="submit", class_name=button_class("strong"))
    buttons = rx.el.div(rx.cond(MeetingState.nearest.length() > 0, take), _text_button(words["all"]), class_name="submit-row")
    return rx.el.form(
        rx.el.div(
            rx.fragment(lost_title(language=current().id), key=MeetingState.focus_requests),
            role="alert",
        ),
        rx.cond(
            MeetingState.nearest.length() > 0,
            rx.el.fieldset(
                rx.el.legend(words["nearest"]),
                slot_choices(MeetingState.nearest, chosen_id=MeetingState.slot, on_choose=MeetingState.choose, with_day=True),
            ),
        ),
        rx.cond(
            MeetingState.step == "details",
            rx.fragment(
                rx.cond(MeetingState.problem != "", _problem_message()),
                rx.cond(has_connection_errors, plain_booking_link(), buttons),
            ),
        ),
        on_submit=MeetingState.hold,
        no_validate=True,
        class_name="lost",
    )


def _problem_message() -> rx.Component:
    mark = icon("alert-circle-outline", size=20)
    return rx.el.div(rx.el.p(mark, rx.el.span(MeetingState.problem), class_name="field-error"), role="alert")


def _text_button(words: str) -> rx.Component:
    return rx.el.button(words, type="button", class_name="button-text", on_click=MeetingState.return_to_times)


def _no_times_message() -> rx.Component:
    details = [detail for detail in contact_details() if detail.slug != "address"]
    return rx.el.div(
        illustration("slots_none", class_name="slots-none-figure"),
        rx.el.h4(t("All times in the coming weeks are taken."), class_name="font-semibold"),
        direct_ways(details, intro=t("Email or call us with two or three times that suit you, and we’ll find one together.")),
        class_name="slots-none grid gap-3",
    )


def _load_failed_message() -> rx.Component:
    retry = rx.el.button(t("Try again"), type="button", class_name=button_class("quiet"), on_click=MeetingState.load)
    return rx.el.div(
        rx.el.div(
            rx.el.p(
                t("The available times could not be loaded. Check your connection, then try again."),
                class_name="form-trouble-title",
            ),
            retry,
            plain_booking_link(),
            class_name="form-trouble",
        ),
        role="alert",
    )
