"""The origin of a visitor: marks of the address they arrived at, the host that linked here, and the page they landed on.

One of the marks is the code of an affiliate, as their links carry it: `/?ref=CODE` and `/r/CODE`.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote_plus, urlencode

from pydantic import BeforeValidator

from site_app.contracts.input import SPOKEN_ALPHABET, one_line

CODE_LENGTH = 8  # 38 bits: a guess hits one of a hundred partners once in 3.8 billion
_CODE = re.compile(f"[{SPOKEN_ALPHABET}]{{{CODE_LENGTH}}}")


def partner_code(text: object) -> str:
    """Returns the code in capitals, or "" if the value, of any type and length, is not a code."""
    if not isinstance(text, str) or len(text) != CODE_LENGTH:
        return ""
    code = text.upper()
    return code if _CODE.fullmatch(code) else ""


REF = "ref"  # a partner's code: kept also from visitors who ask not to be tracked, because they chose the partner's link
MARKS = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", REF)  # the parameters that an address may carry
NAMES = (*MARKS, "referrer", "landing_page")
MAX_VALUE_LENGTH = 100
# Encoded characters. The site answers 414 to a query of more than 4096, and a booking's has other parameters.
MAX_LENGTH_IN_ADDRESS = 3500
_MAX_QUERY_LENGTH = 8000  # NAMES with the longest values are shorter, also percent-encoded
_MAX_PARAMETERS = 50
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?")
_PATH = re.compile(r"/(?!/)[^\s?#]*")


def clean_attribution(value: Any) -> dict[str, str]:
    """Returns the known names with usable values, of a query string or a mapping. Never raises: no lead is refused for it."""
    values = _parsed(value) if isinstance(value, str) else value if isinstance(value, Mapping) else {}
    return {name: text for name in NAMES if (text := _clean(name, values.get(name)))}


def attribution_of_query(query: str, *, path: str, is_private: bool) -> str:
    """Returns the marks in the query of a page as a query string, or "" if there are none.

    `is_private`: the visitor's browser sends Do Not Track or Global Privacy Control, so only a partner's code is kept.
    """
    values = clean_attribution(query)
    if is_private:
        code = partner_code(values.get(REF))
        return urlencode({REF: code}) if code else ""
    marks = {name: values[name] for name in MARKS if name in values}
    return urlencode(marks | ({"landing_page": path} if marks else {}))


def shorten_for_address(attribution: str) -> str:
    """Returns the values that fit into one parameter of an address, which encodes them a second time; a partner's code is the last to go."""
    values = clean_attribution(attribution)
    fitting: dict[str, str] = {}
    for name in sorted(values, key=lambda name: name != REF):
        longer = fitting | {name: values[name]}
        if len(quote_plus(urlencode(longer))) <= MAX_LENGTH_IN_ADDRESS:
            fitting = longer
    return urlencode(fitting)


def partner_query_of(attribution: str) -> str:
    """Returns the query that keeps a partner's code in the links of a page without JavaScript, or "" if there is no code."""
    code = partner_code(clean_attribution(attribution).get(REF))
    return f"?{REF}={code}" if code else ""


def _parsed(query: str) -> Mapping[str, str]:
    try:
        pairs = parse_qsl(query, max_num_fields=_MAX_PARAMETERS) if len(query) <= _MAX_QUERY_LENGTH else []
    except ValueError:
        return {}
    return dict(reversed(pairs))  # the first value of a name counts, as in the browser


def _clean(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > _MAX_QUERY_LENGTH:
        return ""
    text = one_line(value.encode(errors="replace").decode())[:MAX_VALUE_LENGTH].rstrip()
    if name == "referrer":
        return text.lower() if _HOST.fullmatch(text.lower()) else ""
    if name == "landing_page":
        return text if _PATH.fullmatch(text) else ""
    if name == REF:
        return partner_code(text) or text
    return text


Attribution = Annotated[dict[str, str], BeforeValidator(clean_attribution)]
