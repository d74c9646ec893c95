"""Requests of a page that get no answer until the test releases them."""

import re

from playwright.sync_api import Page, Route

from tests.browser.waiting import until_true


class HeldRequests:
    """The held requests, in their order."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._is_released = False
        self.routes: list[Route] = []

    def take(self, route: Route) -> None:
        if self._is_released:
            route.continue_()
        else:
            self.routes.append(route)

    def wait_for_first(self) -> None:
        """Waits until the page has sent the first one."""
        until_true(self._page, lambda: self.routes)

    def release(self) -> None:
        """Lets the held requests through, and all later ones."""
        self._is_released = True  # without unroute, after which Playwright would answer some of them itself
        for route in self.routes:
            route.continue_()


def hold(page: Page, pattern: str | re.Pattern[str]) -> HeldRequests:
    """Holds the requests for addresses that match the pattern, from now on."""
    requests = HeldRequests(page)
    page.route(pattern, requests.take)
    return requests
