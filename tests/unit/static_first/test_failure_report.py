"""The error that stopped a reloaded backend is reported with its place in the project."""

import json
import multiprocessing
from multiprocessing.context import ForkContext, SpawnContext
from pathlib import Path
from typing import Any

import pytest

from site_app.plugins.static_first import NOT_BUILT
from site_app.plugins.static_first.toolchain import end_with_a_sentence, overlay_report, report_failures


def test_a_syntax_error_is_placed_where_python_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "page.py"

    with pytest.raises(SyntaxError) as raised:
        compile("one = 1\nlist = [1,, 2]\n", str(file), "exec")
    error = overlay_report(raised.value, tmp_path)

    assert error["message"].startswith("page.py, line 2: SyntaxError: ")
    assert error["loc"]["file"] == str(file)
    assert error["frame"] == "list = [1,, 2]"


def test_an_error_of_a_library_is_located_at_the_last_line_of_the_project(tmp_path: Path) -> None:
    file = tmp_path / "page.py"
    file.write_text("import json\njson.loads('{')\n")

    with pytest.raises(json.JSONDecodeError) as raised:
        exec(compile(file.read_text(), str(file), "exec"), {})
    error = overlay_report(raised.value, tmp_path)

    assert error["message"].startswith("page.py, line 2: JSONDecodeError: ")
    assert "Traceback" in error["stack"]


def test_a_failed_command_ends_with_the_place_of_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(json.JSONDecodeError) as raised:
        json.loads("{")

    end_with_a_sentence(raised.type, raised.value, raised.tb)

    *_, not_built, sentence = capsys.readouterr().err.splitlines()
    assert not_built == NOT_BUILT
    assert sentence.startswith("tests/unit/static_first/test_failure_report.py, line ")
    assert "JSONDecodeError: Expecting property name" in sentence


def test_an_interrupted_command_says_nothing_more(capsys: pytest.CaptureFixture[str]) -> None:
    end_with_a_sentence(KeyboardInterrupt, KeyboardInterrupt(), None)

    assert NOT_BUILT not in capsys.readouterr().err


def _fail(report: Path, error: BaseException | None) -> None:
    if multiprocessing.get_start_method() == "spawn":
        report_failures(report)  # rxconfig.py does this, and the new process loads it again
    if error:
        raise error


def _ended(context: ForkContext | SpawnContext, report: Path, error: BaseException | None) -> dict[str, Any] | None:
    process = context.Process(target=_fail, args=(report, error))
    process.start()
    process.join(60)
    assert process.exitcode is not None
    return json.loads(report.read_text()) if report.exists() else None


@pytest.mark.parametrize("context", [multiprocessing.get_context("fork"), multiprocessing.get_context("spawn")])
@pytest.mark.parametrize(("error", "is_reported"), [(NameError("no such thing"), True), (SystemExit(1), False), (None, False)])
def test_a_process_that_fails_reports_its_error(
    tmp_path: Path, context: ForkContext | SpawnContext, error: BaseException | None, is_reported: bool
) -> None:
    report = tmp_path / "error.json"
    report_failures(report)

    failure = _ended(context, report, error)

    assert (failure is not None) == is_reported
    assert failure is None or "NameError: no such thing" in failure["message"]


def test_a_page_that_the_plugin_refuses_is_reported_in_its_own_sentence(tmp_path: Path) -> None:
    report = tmp_path / "error.json"
    report_failures(report)

    failure = _ended(multiprocessing.get_context("fork"), report, SystemExit("put: its parameter has no type"))

    assert failure is not None
    assert failure["message"] == "put: its parameter has no type"


def test_the_report_of_an_earlier_server_is_removed(tmp_path: Path) -> None:
    report = tmp_path / "error.json"
    report.write_text("{}")

    report_failures(report)

    assert not report.exists()
