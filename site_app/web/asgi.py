"""What granian serves: the app as it was built, in a factory called by every worker."""

from pathlib import Path

from reflex.constants import Env
from reflex_base.environment import environment
from starlette.applications import Starlette
from starlette.types import ASGIApp

from site_app.settings import settings
from site_app.web.site import serve

STATIC = Path(".web/build/client")


def site() -> ASGIApp:
    """The site around Reflex's app, which is told not to compile again.

    Reflex calls the variable internal, but not the object it is set through, and its own `reflex run` sets it just so; without
    it each worker would compile the frontend for seconds at its start. Only the build's output and the sources are read.
    """
    environment.REFLEX_SKIP_COMPILE.set(True)
    environment.REFLEX_ENV_MODE.set(Env.PROD)
    from site_app.site_app import app  # reads the environment set above

    return serve(app(), api=Starlette(), settings=settings(), static=STATIC)
