"""The parts of `make bench`, in the order they run, and names for several of them."""

from tests.bench import pages
from tests.bench.part import Part

PARTS = (
    Part("pages", "Page speed on a slow phone", 14, pages.mobile),
    Part("desktop", "Page speed on a desktop", 5, pages.desktop),
)
GROUPS: dict[str, tuple[str, ...]] = {}
