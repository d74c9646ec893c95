"""The client of API v1.0: what the site asks of the provider, in this process or elsewhere.

It may touch contracts, lead kinds, i18n and settings; it knows nothing of how the provider works.
"""

from site_app.client.answers import ProviderError, refusal
from site_app.client.calls import LEADS, OPTIONAL, Provider, embedded, install, provider, remote
from site_app.client.transport import OPTIONAL_SECONDS

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
