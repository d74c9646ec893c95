"""The door: what the site asks of the provider, in this process or elsewhere."""

from site_app.client.answers import refusal
from site_app.client.door import LEADS, OPTIONAL, Provider, embedded, install, provider, remote
from site_app.client.failure import ProviderError
from site_app.client.line import OPTIONAL_SECONDS

__all__ = [
    "LEADS",
    "OPTIONAL",
    "OPTIONAL_SECONDS",
    "Provider",
    "ProviderError",
    "embedded",
    "install",
    "provider",
    "refusal",
    "remote",
]
