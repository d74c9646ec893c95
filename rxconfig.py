"""Reflex's configuration: the app's name, the site's address, and the plugins: Tailwind, themed pages, static first."""

import reflex as rx
from reflex.constants import StateManagerMode
from reflex.utils.exec import is_prod_mode

from site_app.core.settings import Settings, settings, settings_or_exit
from site_app.plugins.static_first.plugin import StaticFirstPlugin
from site_app.plugins.static_first.themed_pages import ThemedPages
from site_app.plugins.static_first.toolchain import is_reflex_command, prepare_tools

WATCHED = ("site_app", "components", "locales", "rxconfig.py")
SLOW_IMPORTS = [
    "alembic.config",
    "dns.asyncresolver",
    "icalendar",
    "jinja2",
    "markdown_it",
    "phonenumbers",
    "sqlalchemy.dialects.postgresql",
    "sqlmodel",
    "stamina",
    "typer",
]

settings_or_exit()
if is_reflex_command():
    prepare_tools(watched=WATCHED, packages=SLOW_IMPORTS)

# the files with class names; in other files Tailwind would take words of prose for class names
CLASSES = [
    "../components/**/*.py",
    *(f"../site_app/{package}/**/*.py" for package in ("pages", "layout", "forms", "states")),
]

config = rx.Config(
    app_name="site_app",
    plugins=[
        rx.plugins.TailwindV4Plugin(config={"plugins": [], "content": CLASSES}),
        ThemedPages(accent_color="violet", radius="large"),
        StaticFirstPlugin("site_app.layout.static_site:static_site"),
    ],
    disable_plugins=[rx.plugins.SitemapPlugin],
    deploy_url=settings().url,
    # In development any port is allowed: site_app/serving/site.py checks that a socket's origin equals its Host header.
    cors_allowed_origins=list(settings().origins) if is_prod_mode() else ("*",),
    frontend_port=None if settings().port == Settings.port else settings().port,  # with None Reflex takes the next free port
    backend_host=settings().host,
    # States are not stored on disk, because losing them is acceptable. SITE_REDIS_URL shares them among processes.
    state_manager_mode=StateManagerMode.REDIS if settings().redis_url else StateManagerMode.MEMORY,
    redis_url=settings().redis_url or None,
    redis_token_expiration=int(settings().keep_state.total_seconds()),  # applies to states in memory, too
    # In ms: how long a killed process's lock on a visitor's state lasts; none of our handlers holds a lock for a second.
    redis_lock_expiration=3000,
    redis_lock_warning_threshold=1000,
    frontend_lazy_bundled_libraries=True,  # else every page would load whole libraries for dynamic components, of which we have none
    show_built_with_reflex=False,
    react_strict_mode=False,  # in development it would run every on_mount twice
    default_color_mode="system" if settings().theme == "system" else "light",  # until a visitor chooses one
    frontend_compression_formats=[],  # static_first compresses the files, and only those that have changed
)
