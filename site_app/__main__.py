"""The operator's commands: python -m site_app …"""

import typer

from site_app.commands import words as catalogs
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


@app.command()
def words(check: bool = False, status: bool = False) -> None:
    """Bring the catalogs of words up to the code; --check only looks, --status counts."""
    (catalogs.check if check else catalogs.status if status else catalogs.renew)()


if __name__ == "__main__":
    app()
