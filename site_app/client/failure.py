"""The one way a call can fail without an answer."""


class ProviderError(Exception):
    """The provider cannot be reached, or says nothing sensible; its text is the one visitors are shown."""

    def __init__(self) -> None:
        super().__init__("Network Error")
