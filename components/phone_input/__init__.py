"""The phone input: `phone_input(...)` in a page, `PhoneInputPlugin()` in rx.Config."""

from components.phone_input.phone_input import WORDS, Country, PhoneInput, PhonePayload, phone_input

__all__ = ["WORDS", "Country", "PhoneInput", "PhonePayload", "phone_input"]
