"""A page with one phone field: its options come from the address, as JSON, and all its reports are shown."""

import json
from typing import Any

import reflex as rx

from components.phone_input import DEFAULTS, WORDS, Country, PhonePayload, phone_input


class SpecimenState(rx.State):
    ready: bool = False
    round: int = 0  # each round renders a new field: some options count only at its start
    options: dict[str, Any] = DEFAULTS
    reports: list[str] = []  # noqa: RUF012
    sent: str = ""

    @rx.event
    def begin(self) -> None:
        """Reads the options from the address: /?options={"mode":"national"}."""
        options = json.loads(self.router.url.query_parameters.get("options", "{}"))
        self.options = DEFAULTS | {name: options[name] for name in options if name in DEFAULTS}
        self.options["words"] = WORDS | options.get("words", {})
        self.reports, self.sent = [], ""
        self.round += 1
        self.ready = True

    @rx.event
    def inputted(self, text: str, payload: PhonePayload) -> None:
        self._report("input", text, payload)

    @rx.event
    def judged(self, payload: PhonePayload) -> None:
        self._report("verdict", payload)

    @rx.event
    def moved(self, country: Country) -> None:
        self._report("country", country)

    @rx.event
    def happened(self, name: str) -> None:
        self._report(name)

    @rx.event
    def submit(self, form: dict[str, Any]) -> None:
        self.sent = json.dumps(form, ensure_ascii=False)

    def _report(self, *values: Any) -> None:
        self.reports = [*self.reports, json.dumps(values, ensure_ascii=False)]


def specimen() -> rx.Component:
    return rx.el.main(
        rx.el.h1("Phone input"),
        rx.cond(SpecimenState.ready, _form()),
        rx.el.h2("Reports"),
        rx.el.ol(rx.foreach(SpecimenState.reports, lambda report: rx.el.li(rx.el.code(report))), id="reports"),
    )


def _form() -> rx.Component:
    options = {name: SpecimenState.options[name].to(_type_of(name)) for name in DEFAULTS}
    return rx.fragment(
        rx.el.form(
            phone_input(
                **options,
                key=rx.Var.create(SpecimenState.round).to_string(),
                id="phone",
                class_name="specimen",
                on_input=SpecimenState.inputted,
                on_verdict=SpecimenState.judged,
                on_country_changed=SpecimenState.moved,
                on_open=SpecimenState.happened("open"),
                on_close=SpecimenState.happened("close"),
                on_focus=SpecimenState.happened("focus"),
                on_blur=SpecimenState.happened("blur"),
                on_enter=SpecimenState.happened("enter"),
                on_space=SpecimenState.happened("space"),
            ),
            rx.el.button("Send", type="submit"),
            rx.el.button("Reset", type="reset"),
            on_submit=SpecimenState.submit,
            id="specimen",
        ),
        rx.el.output(SpecimenState.sent, id="sent"),
    )


def _type_of(name: str) -> Any:
    if name == "all_countries":
        return list[Country]
    return {list: list[str], dict: dict[str, str]}.get(type(DEFAULTS[name]), type(DEFAULTS[name]))
