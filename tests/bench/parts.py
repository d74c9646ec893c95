"""The parts of `make bench`, in the order they run, and names for several of them."""

from tests.bench import builds, calls, files, growth, interaction, pages, sockets
from tests.bench.part import Part

PARTS = (
    Part("pages", "Page speed on a slow phone", 48, pages.mobile),
    Part("desktop", "Page speed on a desktop", 36, pages.desktop),
    Part("interaction", "Interaction speed on a slow phone", 5, interaction.interaction),
    Part("files", "Pages a second", 4, files.files),
    Part("calls", "Calls of the API", 2, calls.calls),
    Part("sockets", "Sockets and their visitors", 3, sockets.sockets),
    Part("start", "Start", 1, builds.start),
    Part("build", "Build", 4, builds.build),
    Part("growth", "Cost of growth", 4, growth.grown),
)
GROUPS = {"server": ("files", "calls", "sockets", "start", "build")}
