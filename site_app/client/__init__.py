"""The client of API v1.0, through which the site reaches its provider in this process or elsewhere. It has one method per call."""

from site_app.client.calls import (
    LEADS,
    OPTIONAL,
    ListName,
    ProviderClient,
    embedded,
    install,
    named_codes,
    parse_refusal,
    provider,
    remote,
)
from site_app.client.transport import OPTIONAL_SECONDS, ProviderError
