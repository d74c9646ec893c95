"""Events letter by letter as the site's own pages write them: what is written so is good without being parsed.

Parsing is most of what the guard costs, and nearly every event has this form. Anything else takes the long way, in frames.py.
"""

import re
from collections.abc import Mapping

from site_app.socket_guard.events import Allowed

Usual = Mapping[str, re.Pattern[str]]

LONGEST = 4096
_TEXT = r'"[^"\\\x00-\x1f]*"'
_KINDS = {"text": _TEXT, "integer": "(?:0|[1-9][0-9]{0,14})", "texts": rf"\[(?:{_TEXT}(?:,{_TEXT})*)?\]"}
_PATH = r'"/[ !#-\[\]-~]*"'
_BEGINNING = '42/_event,["event",{"name":"'


def usual_forms(allowed: Allowed) -> Usual:
    """By the name on the wire what follows it; events with records or keys that may be missing have no usual form."""
    return {name: re.compile(_rest(keys)) for name, keys in allowed.items() if set(keys.values()) <= _KINDS.keys()}


def usual_name(text: str, usual: Usual) -> str:
    """The name of an allowed event in its usual form; empty for any other frame."""
    if len(text) > LONGEST or not text.startswith(_BEGINNING):
        return ""
    end = text.find('"', len(_BEGINNING))
    name = text[len(_BEGINNING) : end]
    form = usual.get(name)
    return name if form is not None and form.fullmatch(text, end) is not None else ""


def _rest(keys: Mapping[str, str]) -> str:
    payload = r",".join(f'"{re.escape(name)}":{_KINDS[kind]}' for name, kind in keys.items())
    said = rf',"payload":\{{{payload}\}}' if keys else ""
    return rf'"{said},"router_data":\{{"pathname":{_PATH},"asPath":{_PATH}\}}\}}\]'
