"""What Reflex must know: the app's name, the site's address, and the plugin that makes the build static first."""

import reflex as rx

from site_app.build.plugin import StaticFirstPlugin
from site_app.settings import settings

# where class names stand: prose elsewhere would be read as utilities
CLASSES = ["../components/**/*.py", *(f"../site_app/{room}/**/*.py" for room in ("pages", "shell", "dialogs", "forms"))]

config = rx.Config(
    app_name="site_app",
    plugins=[rx.plugins.TailwindV4Plugin(config={"plugins": [], "content": CLASSES}), StaticFirstPlugin(settings())],
    disable_plugins=[rx.plugins.SitemapPlugin],
    api_url=settings().url,
    deploy_url=settings().url,
    cors_allowed_origins=list(settings().origins),
    frontend_lazy_bundled_libraries=True,
    show_built_with_reflex=False,
    react_strict_mode=False,
    default_color_mode="light",
    frontend_compression_formats=["brotli", "gzip"],
)
