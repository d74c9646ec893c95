"""The door: what the site asks of the provider, in this process or elsewhere."""

from site_app.provider.door import Provider, embedded, install, provider, remote
from site_app.provider.failure import ProviderError

__all__ = ["Provider", "ProviderError", "embedded", "install", "provider", "remote"]
