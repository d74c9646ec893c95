"""A foreign Reflex project that uses the static pages, the guard, the phone input and the reliable form."""

import os

import reflex as rx

from components.phone_input import PhoneInputPlugin
from components.reliable_form import ReliableFormPlugin
from site_app.plugins.static_first.plugin import StaticFirstPlugin

url = os.environ["PROJECT_URL"]
config = rx.Config(
    app_name="another_app",
    plugins=[PhoneInputPlugin(), ReliableFormPlugin(), StaticFirstPlugin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
    api_url=url,
    cors_allowed_origins=[url],
    frontend_lazy_bundled_libraries=True,
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
