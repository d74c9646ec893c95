"""What the visitor asks the price calculator, and what it answers."""

import reflex as rx

from site_app.content.prices import MOST_PEOPLE, WORK_BY_SLUG, Estimate, estimate


class PriceState(rx.State):
    """The answers are computed on the server from the figures of business.py; nothing of it is kept."""

    work: str = "web_app"
    people: int = 2

    @rx.var
    def price(self) -> str:
        low, high = self._estimate().price
        return f"£{low:,}" if low == high else f"£{low:,} – £{high:,}"

    @rx.var
    def months(self) -> str:
        least, most = self._estimate().months
        return f"{least} – {most}"

    @rx.event
    def choose_work(self, work: str):
        if work in WORK_BY_SLUG:
            self.work = work

    @rx.event
    def choose_people(self, people: float):
        self.people = max(1, min(int(people), MOST_PEOPLE))

    def _estimate(self) -> Estimate:
        return estimate(WORK_BY_SLUG[self.work], self.people)
