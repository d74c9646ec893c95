"""The links of affiliates: /r/CODE leads to the front page, /r/CODE/th/faq to that page, both with ?ref=CODE.

A page that is asked for with ?ref=CODE carries the code on in its links, because a visitor without JavaScript has no other memory.
"""

import re
from collections.abc import Callable

from site_app.contracts.attribution import partner_code, partner_query_of
from site_app.serving.stored_files import StoredFile

_PREFIX = "/r/"
# Scripts and styles are matched as a whole and left alone: the policy of the page has their hashes.
_LINKS = re.compile(rb"<(script|style)\b.*?</\1>|(<a\s(?:[^>]*?\s)?href=\")(/[^\"?#]*)(\?[^\"#]*)?", re.DOTALL | re.IGNORECASE)


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


def with_partner_query(file: StoredFile, query: bytes, is_page: Callable[[str], bool]) -> StoredFile:
    """Returns the page with the code of this query in its links to pages, or the page itself if the query has no code."""
    if b"ref=" not in query or not (code := partner_query_of(query.decode("latin-1")).removeprefix("?").encode()):
        return file

    def link_with_code(match: re.Match[bytes]) -> bytes:
        begin, path, query_of_link = match.group(2, 3, 4)
        if not begin or not is_page(path.decode("utf-8", "replace")):
            return match[0]
        return begin + path + (query_of_link + b"&amp;" if query_of_link else b"?") + code

    return file.changed(lambda body: _LINKS.sub(link_with_code, body), code.decode().removeprefix("ref="))
