"""Which mailbox an e-mail address leads to, however it is spelt."""

_GMAIL = ("gmail.com", "googlemail.com")


def mailbox_of(email: str) -> str:
    """The same text for every spelling of one mailbox: without capitals, tags after a plus, and the dots that Gmail ignores."""
    local, _, domain = email.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _GMAIL:
        local, domain = local.replace(".", ""), _GMAIL[0]
    return f"{local}@{domain}"
