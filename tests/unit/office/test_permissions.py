"""Each role's permissions in each area of the office."""

from typing import get_args

import pytest

from site_app.core.settings.rules import ROLES
from site_app.provider.office.people import Area, Member, may_change, may_read

# (may read, may change)
PERMISSIONS = {
    ("owner", "leads"): (True, True),
    ("owner", "texts"): (True, True),
    ("owner", "own sessions"): (True, True),
    ("editor", "leads"): (False, False),
    ("editor", "texts"): (True, True),
    ("editor", "own sessions"): (True, True),
    ("reader", "leads"): (True, False),
    ("reader", "texts"): (True, False),
    ("reader", "own sessions"): (True, True),
}


@pytest.mark.parametrize("area", get_args(Area))
@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_its_permissions(role: str, area: Area) -> None:
    person = Member("ada@example.com", role)

    assert (may_read(person, area), may_change(person, area)) == PERMISSIONS[role, area]


@pytest.mark.parametrize("area", get_args(Area))
def test_an_unknown_role_permits_nothing(area: Area) -> None:
    person = Member("ada@example.com", "guest")

    assert not may_read(person, area)
    assert not may_change(person, area)
