"""The factory that granian calls in each worker: returns the built app."""

import gc

from reflex.constants import Env
from reflex_base.environment import environment
from starlette.types import ASGIApp

from site_app.core.i18n import catalog
from site_app.core.locales import LOCALES
from site_app.core.logs import configure
from site_app.core.public_holidays import prepare_holidays
from site_app.core.settings import settings
from site_app.serving import live_tokens
from site_app.serving.office_cors import OfficeWithoutCors


def site() -> ASGIApp:
    """Returns Reflex's app in production, which must not compile again.

    Without REFLEX_SKIP_COMPILE each worker would compile the frontend for seconds at its start. Reflex calls this variable internal;
    we set it through the public object `environment`, as its own `reflex run` does.
    """
    configure(settings())
    gc.disable()  # collections took a seventh of the start and freed next to nothing
    if settings().metrics_port:
        from site_app.core.metrics.listener import measure  # keeps its meters as the environment says when it is imported
        from site_app.provider.store.gauges import Gauges

        measure(settings(), Gauges.from_settings(settings()))
    environment.REFLEX_SKIP_COMPILE.set(True)
    environment.REFLEX_ENV_MODE.set(Env.PROD)
    live_tokens.install()
    from site_app.site_app import app  # reads the environment set above

    served: ASGIApp = app()
    prepare_holidays(settings().booking_holidays)  # the rule of the setting does not see its default
    for locale in LOCALES[1:]:
        catalog(locale.id)  # reads it now, so that nobody waits for it later, and so that it is frozen below
    # Exclude the imported objects from collection: otherwise each full collection looks through them and stops all visitors for a
    # tenth of a second.
    gc.collect()
    gc.freeze()
    gc.enable()
    # Sockets that closed within the last half minute still make it long, so it comes a third as often as by default.
    gc.set_threshold(700, 10, 30)
    configure(settings())  # again, for the loggers that came with the import: some bring handlers of their own
    return OfficeWithoutCors(served, settings())
