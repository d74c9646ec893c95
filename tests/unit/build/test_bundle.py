"""What the build edits in Reflex's entry is there to be edited, and is edited once."""

from pathlib import Path

import pytest
import reflex_base

from site_app.build.bundle import early_router
from site_app.build.edit import TemplateHasChanged

THEIRS = Path(reflex_base.__file__).parent / ".templates/web/app/entry.client.js"


def test_the_router_is_made_before_react_starts() -> None:
    edited = early_router(THEIRS.read_text())

    assert edited.index("HydratedRouter({})") < edited.index("hydrateRoot(document")
    assert early_router(edited) == edited


def test_another_entry_is_not_taken_for_edited() -> None:
    with pytest.raises(TemplateHasChanged):
        early_router("hydrateRoot(document);")
