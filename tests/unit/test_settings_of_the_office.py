"""Settings of the office that cannot work stop the start, with the variable's name."""

import pytest

from site_app.settings import BrokenSetting, load


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"SITE_OFFICE": "ada@example.com"}, "SITE_OFFICE"),
        ({"SITE_OFFICE": "ada@example.com:admin"}, "SITE_OFFICE"),
        ({"SITE_OFFICE": "ada:owner"}, "SITE_OFFICE"),
        ({"SITE_OFFICE": "ada@example.com:owner,Ada@example.com:reader"}, "SITE_OFFICE"),
        ({"SITE_OFFICE_HOST": "https://office.example.com"}, "SITE_OFFICE_HOST"),
        ({"SITE_OFFICE_HOST": "localhost"}, "SITE_OFFICE_HOST"),
        ({"SITE_LIMIT_SIGN_IN": "none"}, "SITE_LIMIT_SIGN_IN"),
        ({"SITE_OFFICE": "ada@example.com:owner", "SITE_PROVIDER_URL": "https://provider.example.com"}, "SITE_OFFICE"),
    ],
)
def test_what_cannot_work_is_refused_by_name(environment: dict[str, str], named: str) -> None:
    with pytest.raises(BrokenSetting, match=named):
        load(environment)


@pytest.mark.parametrize(
    ("environment", "origin"),
    [
        ({}, "http://localhost:3000"),
        ({"SITE_OFFICE_HOST": "office.localhost"}, "http://office.localhost:3000"),
        ({"SITE_URL": "https://www.example.com", "SITE_OFFICE_HOST": "office.example.com"}, "https://office.example.com"),
        ({"SITE_URL": "https://www.example.com", "SITE_BACKEND_URL": "https://api.example.com"}, "https://api.example.com"),
    ],
)
def test_links_lead_to_where_the_office_answers(environment: dict[str, str], origin: str) -> None:
    assert load({"SITE_OFFICE": "Ada@Example.com:owner"} | environment).office_origins[0] == origin
