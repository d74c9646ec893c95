"""Options that connections inherit from the listening socket."""

import errno
import socket
from pathlib import Path

import pytest

from site_app.serving.socket_options import set_user_timeout

pytestmark = pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux ends connections by itself")


def test_an_unread_response_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended_count = set_user_timeout(1)
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as answering:
            answering.settimeout(10)
            with pytest.raises(OSError, match="timed out") as ended:
                answering.sendall(b"a" * 50_000_000)

    assert ended_count >= 1
    assert ended.value.errno == errno.ETIMEDOUT  # the kernel's timeout, not the test's


def test_the_descriptors_of_the_process_are_as_many_as_before(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w"), socket.create_server(("127.0.0.1", 0)):
        descriptors_before = sorted(Path("/proc/self/fd").iterdir())

        set_user_timeout()

        assert sorted(Path("/proc/self/fd").iterdir()) == descriptors_before
