"""The message about a port that cannot be used."""

import re
import socket

from site_app.cli.prepare import port_problem


def proposed_port(problem: str | None) -> int:
    assert problem
    proposal = re.search(r"such as (\d+)", problem)
    assert proposal, problem
    return int(proposal[1])


def test_a_free_port_is_no_problem(taken_port: int) -> None:
    free = proposed_port(port_problem("127.0.0.1", taken_port))

    assert port_problem("127.0.0.1", free) is None


def test_the_port_that_is_proposed_is_neither_taken_nor_that_of_another_setting(taken_port: int) -> None:
    first = proposed_port(port_problem("127.0.0.1", taken_port))

    with socket.create_server(("127.0.0.1", first)):
        second = proposed_port(port_problem("127.0.0.1", taken_port))
    third = proposed_port(port_problem("127.0.0.1", taken_port, avoid=(first,)))

    assert len({taken_port, first, second}) == 3
    assert third != first


def test_a_taken_port_is_reported_with_its_setting(taken_port: int) -> None:
    assert "SITE_METRICS_PORT" in (port_problem("127.0.0.1", taken_port, prefix="SITE_METRICS_") or "")
