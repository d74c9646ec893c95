"""Starting the site's processes."""

import ctypes
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from site_app.cli.site import most_connections, server_environment
from site_app.core.settings import Settings
from tests.support.site_server import free_port

_THREADS_THAT_ALLOCATE = """
import ctypes, sys, threading

together = threading.Barrier(6)

def allocate():
    together.wait()
    held = [bytes(2000) for _ in range(100)]
    together.wait()
    return held

threads = [threading.Thread(target=allocate) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="only glibc gives each thread a heap")
def test_the_threads_of_the_site_share_one_heap(tmp_path: Path) -> None:
    file = tmp_path / "heaps"

    subprocess.run([sys.executable, "-c", _THREADS_THAT_ALLOCATE, str(file)], check=True, env=server_environment(Settings()))

    assert file.read_text().count("<heap ") == 1  # glibc's default is one heap for each thread


def test_connections_are_limited_by_the_file_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    raised = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 900))
    monkeypatch.setattr(resource, "setrlimit", lambda _, bounds: raised.append(bounds))

    assert most_connections() < 450
    assert raised == [(900, 900)]


def test_a_metrics_directory_that_cannot_be_recreated_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    port = free_port()
    (tmp_path / f"site-metrics-{port}").write_text("another user's")

    with pytest.raises(SystemExit, match=f"site-metrics-{port} cannot be made anew"):
        server_environment(Settings(metrics_port=port))
