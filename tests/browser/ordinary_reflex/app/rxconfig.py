"""A project of ordinary Reflex pages, built static first and guarded."""

import os

import reflex as rx

from site_app.plugins.static_first.plugin import StaticFirstPlugin
from site_app.plugins.static_first.themed_pages import ThemedPages

url = os.environ["PROJECT_URL"]
config = rx.Config(
    app_name="ordinary",
    plugins=[ThemedPages(), StaticFirstPlugin("ordinary.site:static_site")],
    disable_plugins=[rx.plugins.SitemapPlugin],
    api_url=url,
    deploy_url=url,
    cors_allowed_origins=[url],
    frontend_lazy_bundled_libraries=True,
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
