"""The code of an affiliate, as their links carry it: `/?ref=CODE` and `/r/CODE`."""

import re

# Codes are read out over the phone, like references: no letters that look like digits.
CODE_ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"
CODE_LENGTH = 8  # 38 bits: a guess hits one of a hundred partners once in 3.8 billion
_CODE = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")


def partner_code(text: object) -> str:
    """Returns the code in capitals, or "" if the text has not the shape of one, whatever its type or length."""
    if not isinstance(text, str) or len(text) != CODE_LENGTH:
        return ""
    code = text.upper()
    return code if _CODE.fullmatch(code) else ""
