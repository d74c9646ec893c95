"""A Reflex project of one page, around nothing but the phone input."""

import os

import reflex as rx

from components.phone_input import PhoneInputPlugin

url = os.environ["PROJECT_URL"]
config = rx.Config(
    app_name="phone_app",
    plugins=[PhoneInputPlugin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
    api_url=url,
    cors_allowed_origins=[url],
    frontend_lazy_bundled_libraries=True,
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
