"""A page with a form answers every input, and every body that is not a form."""

from itertools import cycle
from urllib.parse import urlencode

import httpx
import pytest

from site_app.serving.plain_leads import posted_kinds
from tests.support.builders import message

pytestmark = pytest.mark.anyio
ODD = (
    "", " ", "\x00", "\u202eevil", "a\r\nBcc: x@y.z", "=1+1", "' OR 1=1 --", "<script>alert(1)</script>", "{{7*7}}", "%s%n", "字" * 3000,
    "x" * 60_000, "a@" + "b" * 250 + ".com", "javascript:alert(1)", "+44 20 7946 0958 ext. " + "9" * 40, "2030-02-30T25:61Z", "20300102T0930Z",
    "99991231T2345Z", "-1", "9" * 500, "Etc/GMT+12",
)  # fmt: skip
KINDS = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain; charset=utf-16", "")
FIELDS = (*message(), "slot", "zone", "do", "hold", "check", "first", "language", "page", "referrer")


@pytest.mark.parametrize(
    "path", ["/contact-us", "/th/contact-us", "/book", "/book/details", "/meetings/x/move", "/v1.0/pageView"]
)
async def test_malformed_forms_cause_no_server_error(browser: httpx.AsyncClient, path: str) -> None:
    payloads = [message() | {field: odd} for field, odd in zip(FIELDS, cycle(ODD), strict=False)]
    payloads += [dict.fromkeys(FIELDS, odd) for odd in ODD]
    sent = [(urlencode(payload).encode(), KINDS[0]) for payload in payloads]
    sent += [(body, kind) for body in (b"%", b"a=%ff&=&&b", b"\xff" * 100, b"{", b"--x\r\n") for kind in KINDS]

    for body, kind in sent:
        response = await browser.post(path, content=body, headers={"Content-Type": kind})
        assert response.status_code < 500, (body[:200], kind)


@pytest.mark.parametrize("path", posted_kinds())
async def test_an_empty_form_is_shown_again_with_its_fields_marked(browser: httpx.AsyncClient, path: str) -> None:
    response = await browser.post(path, data={"email": ""})

    assert (response.status_code, "data-wrong" in response.text) == (422, True)
