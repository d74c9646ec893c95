"""The inputs of the price calculator and its results: a state for each kind of work that a page opens on."""

import reflex as rx

from site_app.content.prices import MAX_PEOPLE, WORK_BY_SLUG, Estimate, estimate, pounds


class PriceCalculator(rx.State, mixin=True):
    """Computes the results on the server from the figures in business.py. Nothing is stored beyond the state."""

    work: str = "web_app"
    people: int = 1

    @rx.var
    def price(self) -> str:
        low, high = self._estimate().price
        return pounds(low) if low == high else f"{pounds(low)}–{pounds(high)}"

    @rx.var
    def months(self) -> str:
        shortest, longest = self._estimate().months
        return f"{shortest}–{longest}"

    @rx.event
    def choose_work(self, work: str):
        if work in WORK_BY_SLUG:
            self.work = work

    @rx.event
    def choose_people(self, people: float):
        self.people = max(1, min(int(people), MAX_PEOPLE))

    def _estimate(self) -> Estimate:
        return estimate(WORK_BY_SLUG[self.work], self.people)


class PriceState(PriceCalculator, rx.State):
    """The calculator of the home page and of web development."""


class MobilePriceState(PriceCalculator, rx.State):
    work: str = "mobile_app"


class AiPriceState(PriceCalculator, rx.State):
    work: str = "ai_product"


class BlockchainPriceState(PriceCalculator, rx.State):
    work: str = "smart_contract"


# Maintenance and marketing are not priced by months of a team.
BY_SERVICE: dict[str, type[PriceCalculator]] = {
    "web_development": PriceState,
    "mobile_development": MobilePriceState,
    "ai_and_deep_learning": AiPriceState,
    "blockchain_development": BlockchainPriceState,
}
