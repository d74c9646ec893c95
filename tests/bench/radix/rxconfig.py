"""A default Reflex app: what `reflex init` writes, with compressed files beside the plain ones."""

import reflex as rx

config = rx.Config(
    app_name="radix_app",
    plugins=[rx.plugins.SitemapPlugin(), rx.plugins.TailwindV4Plugin(), rx.plugins.RadixThemesPlugin()],
    frontend_compression_formats=["brotli", "gzip"],
    telemetry_enabled=False,
)
