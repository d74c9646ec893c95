"""The operator's commands: python -m site_app …"""

import typer

from site_app.commands.build import build as build_pages
from site_app.commands.serve import serve as serve_site
from site_app.settings import settings

app = typer.Typer(no_args_is_help=True)


@app.command()
def build(anew: bool = False) -> None:
    """Build the pages, unless they are built from these sources already."""
    build_pages(settings(), anew=anew)


@app.command()
def serve() -> None:
    """Serve the built site until Ctrl-C."""
    serve_site(settings())


if __name__ == "__main__":
    app()
