"""The tree of refusals in the docstrings, from which developers choose one, is complete."""

import re
from importlib import import_module
from pkgutil import walk_packages

from site_app import provider
from site_app.provider.booking import refusals as of_booking
from site_app.provider.http import refusals
from site_app.provider.http.refusals import ProviderRefusal


def test_each_refusal_of_the_provider_is_in_the_tree() -> None:
    for module in walk_packages(provider.__path__, "site_app.provider."):
        import_module(module.name)

    listed = set(re.findall(r"[├└]── (\w+)", f"{refusals.__doc__}{of_booking.__doc__}")) - {"those", "without"}

    defined = {refusal.__name__ for refusal in ProviderRefusal.__subclasses__() if refusal.__module__.startswith("site_app.")}
    assert listed == defined
