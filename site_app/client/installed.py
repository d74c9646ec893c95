"""The client that this process uses."""

from site_app.client.calls import Provider

_installed: list[Provider] = []


def install(provider_client: Provider) -> None:
    """Makes this client the site's. Each process calls it once, at its start."""
    _installed[:] = [provider_client]


def provider() -> Provider:
    """Returns the site's client of its provider."""
    return _installed[0]
