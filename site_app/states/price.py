"""The inputs of the price calculator and its results."""

import reflex as rx

from site_app.content.prices import MOST_PEOPLE, WORK_BY_SLUG, Estimate, estimate


class PriceState(rx.State):
    """Computes the results on the server from the figures in business.py. Nothing is stored beyond the state."""

    work: str = "web_app"
    people: int = 2

    @rx.var
    def price(self) -> str:
        low, high = self._estimate().price
        return f"£{low:,}" if low == high else f"£{low:,} – £{high:,}"

    @rx.var
    def months(self) -> str:
        shortest, longest = self._estimate().months
        return f"{shortest} – {longest}"

    @rx.event
    def choose_work(self, work: str):
        if work in WORK_BY_SLUG:
            self.work = work

    @rx.event
    def choose_people(self, people: float):
        self.people = max(1, min(int(people), MOST_PEOPLE))

    def _estimate(self) -> Estimate:
        return estimate(WORK_BY_SLUG[self.work], self.people)
