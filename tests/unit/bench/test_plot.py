"""A plot says truly how cost grows."""

import xml.etree.ElementTree as ET

import pytest

from tests.bench.plot import growth, plot


@pytest.mark.parametrize("exponent", [0, 0.5, 1, 2])
def test_the_exponent_of_a_power_is_found(exponent: float) -> None:
    found = growth([(work, 3 * work**exponent) for work in (10, 100, 1000)])

    assert found.exponent == pytest.approx(exponent)
    assert found.at(50) == pytest.approx(3 * 50**exponent)


def test_one_amount_of_work_says_nothing_of_growth() -> None:
    with pytest.raises(ValueError, match="two amounts"):
        growth([(10, 1), (10, 2)])


def test_a_drawing_stays_inside_its_frame_and_says_what_it_shows() -> None:
    drawing = ET.fromstring(plot("Calls", [(10, 0.5), (1000, 80)], work="rows", cost="ms"))

    circles = [one for one in drawing.iter() if one.tag.endswith("circle")]
    assert all(0 < float(one.get("cx", 0)) < 560 and 0 < float(one.get("cy", 0)) < 320 for one in circles)
    assert drawing.get("aria-label") == "Calls: ms grows as rows to the power of 1.10"
