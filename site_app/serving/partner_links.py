"""The short links of affiliates: /r/CODE leads to the front page, /r/CODE/th/faq to that page, both with ?ref=CODE."""

from collections.abc import Callable

from site_app.contracts.partner_code import partner_code

_PREFIX = "/r/"


def partner_link_target(path: str, query: str, is_page: Callable[[str], bool]) -> str | None:
    """Returns the address that a partner's short link leads to, or None if the path is no such link.

    It is always a page of this site: whatever else follows the code leads to the front page.
    """
    if not path.startswith(_PREFIX):
        return None
    code, _, page = path.removeprefix(_PREFIX).partition("/")
    if not (code := partner_code(code)):
        return None
    page = "/" + page.rstrip("/")
    other_parameters = [part for part in query.split("&") if part and part.partition("=")[0] != "ref"]
    return (page if is_page(page) else "/") + "?" + "&".join([f"ref={code}", *other_parameters])
