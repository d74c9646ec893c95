"""The phone input: `phone_input(...)` in a page, `PhoneInputPlugin()` in rx.Config."""

from components.phone_input.component import (
    COUNTRY_NAMES,
    DEFAULTS,
    LIBPHONENUMBER,
    WORDS,
    Country,
    PhoneInput,
    PhonePayload,
    phone_input,
)
from components.phone_input.plugin import PhoneInputPlugin, flags
