"""The phone input as a field of a form."""

import reflex as rx

from components.phone_input.phone_input import PhoneInput


class PhoneField(PhoneInput):
    """Takes what phone_input takes; its error and its earlier country come from the ReliableForm around it."""

    library = "$/components/ui/phone_field"
    tag = "PhoneField"
    optional: rx.Var[str]
