"""The Jinja templates of a package, for every page and mail that is no page of Reflex."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape


@cache
def templates(package: str) -> Environment:
    """Those in the package's folder `templates`: what is filled into HTML is escaped, and a name without a value is an error."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
