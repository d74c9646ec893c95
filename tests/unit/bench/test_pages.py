"""A page near the bar is looked at more often: five runs of what comes and goes are chance."""

from tests.bench.pages import Runs, in_doubt


def _runs(**blocked: list[float]) -> Runs:
    return {name.replace("_", " /"): [{"tbt_ms": ms} for ms in many] for name, many in blocked.items()}


def test_pages_near_the_bar_are_looked_at_more_often() -> None:
    runs = _runs(site_faq=[0, 70, 80, 0, 30], site_book=[0, 90, 0, 10, 20], floor_book=[60, 60, 60, 60, 60])

    assert in_doubt(runs) == ["/faq"]
