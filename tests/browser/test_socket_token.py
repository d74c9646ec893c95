"""A visitor's token gives access to their state, so it cannot be guessed."""

import re
from urllib.parse import parse_qs, urlsplit

from tests.browser.visit import Visit, hydrated
from tests.browser.waiting import until_true

VERSION_4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def token_of_a_new_visitor(visit: Visit) -> str:
    """Returns the token of a browser whose Math.random, which Reflex would use, always gives the same number."""
    page = visit("/", wait=False, script="Math.random = () => 0.5")
    tokens: list[str] = []
    page.on("websocket", lambda socket: tokens.extend(parse_qs(urlsplit(socket.url).query)["token"]))
    hydrated(page)
    until_true(page, lambda: tokens)
    return tokens[0]


def test_a_token_does_not_come_from_math_random(visit: Visit) -> None:
    token, other_token = token_of_a_new_visitor(visit), token_of_a_new_visitor(visit)

    assert VERSION_4.fullmatch(token)
    assert token != other_token
