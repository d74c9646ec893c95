"""Texts, bodies, frames and heads that cost a parser most, and the milliseconds that one may take."""

from site_app.core.http.bodies import MAX_BODY_BYTES
from site_app.plugins.socket_guard.frames import MAX_FRAME_BYTES

MAX_MS = 50


def repeated(pattern: str, size: int) -> str:
    return (pattern * (size // len(pattern) + 1))[:size]


# Composing sorts the marks behind a letter by class: long unsorted runs take longest.
TEXTS = {
    "marks out of order": "\u0301\u0323",
    "marks of many classes": "\u0345\u035c\u0301\u031b\u0323\u0327\u0338",
    "signs that are two marks each": "\u0f73",
    "signs that are two marks each, and others": "\u0f81\u0f71\u0344",
    "letters that unfold": "\ufdfa",
    "jamo": "\u1100\u1161\u11a8",
    "blanks": " \u2003\u00a0\u2028",
    "breaks": "\r\n\x85\r",
    "controls": "\x01\u202e\ufeff",
    "brackets": "+(",
    "digits": "1",
    "digits of another script": "๑",
    "numbers and marks of an extension": "12 x1,;#~",
    "commas": "1 ,(",
    "letters": "ü",
    "points": "ü.",
    "slashes": "/@:[",
    "quotes": '"\\',
    "joiners": "\u0627\u200d",
    "capital letters": "İ",
    "smileys": "👩\u200d🚀",
}


BODIES = {
    "deep lists": repeated("[", MAX_BODY_BYTES),
    "deep objects": repeated('{"a":', MAX_BODY_BYTES),
    "a long number": '{"subject":' + repeated("9", MAX_BODY_BYTES - 20) + "}",
    "a long fraction": '{"subject":0.' + repeated("9", MAX_BODY_BYTES - 20) + "}",
    "a long exponent": '{"subject":1e' + repeated("9", MAX_BODY_BYTES - 20) + "}",
    "many keys": "{" + ",".join(f'"{number:x}":1' for number in range(12_000)) + "}",
    "one key many times": "{" + ",".join('"a":1' for _ in range(20_000)) + "}",
    "many items": '{"services":[' + repeated("1,", MAX_BODY_BYTES - 40) + "1]}",
    "many wrong items": '{"services":[' + ",".join('"a"' for _ in range(30_000)) + "]}",
    "many items that are no ids": '{"attachments":[' + ",".join('"a"' for _ in range(30_000)) + "]}",
    "escaped marks": '{"subject":"' + repeated("\\u0301\\u0323", MAX_BODY_BYTES - 40) + '"}',
    "half characters": '{"subject":"' + repeated("\\ud800", MAX_BODY_BYTES - 40) + '"}',
    "blanks": repeated(" ", MAX_BODY_BYTES),
    "a long key": '{"' + repeated("é", MAX_BODY_BYTES // 2 - 10) + '":1}',
    "a long date": '{"first":"' + repeated("2", MAX_BODY_BYTES - 40) + '"}',
}

FRAMES = {
    "a fraction": "[0." + repeated("9", MAX_FRAME_BYTES - 40) + "]",
    "fractions": "[" + repeated("1e1,", MAX_FRAME_BYTES - 40) + "1]",
    "an exponent": "[1e-" + repeated("9", MAX_FRAME_BYTES - 40) + "]",
    "keys": "{" + ",".join(f'"{number:x}":1' for number in range(6_500)) + "}",
    "deep": repeated("[", MAX_FRAME_BYTES - 20),
    "wide": "[" + repeated("[],", MAX_FRAME_BYTES - 40) + "[]]",
    "escapes": '["' + repeated("\\u0301\\u0323", MAX_FRAME_BYTES - 40) + '"]',
    "whole numbers": "[" + repeated("1,", MAX_FRAME_BYTES - 40) + "1]",
    "texts": "[" + repeated('"",', MAX_FRAME_BYTES - 40) + '""]',
    "a ping's beginning": '["ping"' + repeated(" ", MAX_FRAME_BYTES - 40) + "]",
    "beyond the size": repeated("[", 2**22),
}

HEADERS = {
    "blanks": " ", "semicolons": ";", "commas": ",", "quotes": '"', "escaped quotes": '\\"', "parts": "; ", "languages": "th,",
    "cookies": "lang=en; ", "cookies with blanks": ";lang=th   ", "addresses": "127.0.0.1,", "no addresses": "1:", "points": ".",
    "escapes": '\\073', "parameters": "; a*1*=utf-8''%41", "letters": "a", "tabs": "lang=\t",
}  # fmt: skip
