"""Who is believed and how often one may call: what cannot be read stops the start, with the variable's name."""

import pytest

from site_app.settings import BrokenSetting, load


@pytest.mark.parametrize("proxies", ["proxy.local", "127.0.0.1, proxy.local", "10.0.0.0/40"])
def test_a_proxy_without_an_address_stops_the_start(proxies: str) -> None:
    with pytest.raises(BrokenSetting, match="SITE_TRUSTED_PROXIES"):
        load({"SITE_TRUSTED_PROXIES": proxies})


@pytest.mark.parametrize("proxies", ["", "127.0.0.1", "10.0.0.1/8, ::1, 2001:db8::/32"])
def test_addresses_and_networks_of_proxies_are_taken(proxies: str) -> None:
    load({"SITE_TRUSTED_PROXIES": proxies})


@pytest.mark.parametrize("name", ["SUBMISSIONS", "UPLOADS", "HOLDS", "READS"])
@pytest.mark.parametrize("limit", ["", "many", "10", "10/fortnight", "10/minute;", "0/minute", "10/minute;0/hour"])
def test_a_limit_that_cannot_be_counted_stops_the_start(name: str, limit: str) -> None:
    with pytest.raises(BrokenSetting, match=f"SITE_LIMIT_{name}"):
        load({f"SITE_LIMIT_{name}": limit})


def test_several_limits_are_taken_at_once() -> None:
    load({"SITE_LIMIT_READS": "10/minute;60/hour"})
