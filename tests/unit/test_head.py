"""Structured data about the agency in a page's head, and the script of its first theme."""

from dataclasses import replace
from typing import Any

import pytest

from site_app.content.routes import BY_PATH
from site_app.core.settings import Settings
from site_app.layout import static_site
from site_app.layout.head import structured_data


def organization(settings: Settings) -> dict[str, Any]:
    return next(entry for entry in structured_data(BY_PATH["/"], settings) if entry["@type"] == "Organization")


def test_the_organization_names_the_profiles_that_are_set() -> None:
    settings = replace(Settings(), brand_facebook="", brand_x="")

    assert organization(settings)["sameAs"] == [settings.brand_instagram, settings.brand_linkedin]


def test_an_organization_without_profiles_has_no_empty_list_of_them() -> None:
    settings = replace(Settings(), brand_facebook="", brand_x="", brand_instagram="", brand_linkedin="")

    assert "sameAs" not in organization(settings)


@pytest.mark.parametrize("theme", ["light", "system"])
def test_the_first_theme_is_that_of_the_setting(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_site, "settings", lambda: replace(Settings(), theme=theme))

    script = static_site.static_site().head_script

    assert f'theme = "{theme}"' in script
