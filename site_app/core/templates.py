"""The Jinja templates of a package, for all mails and the pages that Reflex does not build."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape


@cache
def templates(package: str) -> Environment:
    """Returns the templates in the package's folder `templates`. Escapes values in HTML; an undefined name is an error."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
