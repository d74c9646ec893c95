"""What the site counts while it runs, once it is asked to; labels are constants of the code and never a visitor's words.

Every room may count; the listener for Prometheus touches store and settings.
"""

from site_app.metrics.counters import (
    answered,
    called,
    delivered,
    lead_acknowledged,
    refused,
    socket_closed,
    socket_opened,
    switch_on,
)
