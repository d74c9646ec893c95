"""The Jinja templates of packages, for all mails and the pages that Reflex does not build."""

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape


@cache
def templates(*packages: str) -> Environment:
    """Returns the templates in the folders `templates` of these packages. Escapes values in HTML; an undefined name is an error."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
