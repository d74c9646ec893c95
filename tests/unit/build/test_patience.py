"""Reflex's socket as we have it: patient, and not in the task that evaluates the modules."""

from pathlib import Path

import pytest
import reflex_base

from site_app.build.edit import TemplateHasChanged
from site_app.build.patience import patient_socket

THEIRS = Path(reflex_base.__file__).parent / ".templates/web/utils/state.js"


def test_the_installed_template_is_edited_once_and_for_all() -> None:
    edited = patient_socket(THEIRS.read_text())

    assert edited != THEIRS.read_text()
    assert patient_socket(edited) == edited
    assert "queueMicrotask" not in edited
    assert "Math.min(200 * 2 ** failed_attempts, 60000)" in edited


def test_another_template_is_not_taken_for_edited() -> None:
    with pytest.raises(TemplateHasChanged):
        patient_socket("200 * failed_attempts); // Incremental backoff")
