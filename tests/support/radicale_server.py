"""A Radicale, the CalDAV server, on a loopback port, with one user, their calendars and a folder of its own."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from icalendar import Calendar, Event

from tests.support.site_server import free_port

USER, PASSWORD = "ada", "a password of the calendar"
_CONFIGURATION = """
[server]
hosts = 127.0.0.1:{port}
[auth]
type = htpasswd
htpasswd_filename = {folder}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = {folder}/collections
[logging]
level = error
"""
_MAKE_CALENDAR = '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"/>'


@dataclass(frozen=True)
class Radicale:
    """A running server. Its methods do what the host does in their calendar program."""

    url: str
    folder: Path

    def calendar(self, name: str = "calls") -> str:
        """Returns the address of a calendar."""
        return f"{self.url}/{USER}/{name}/"

    def make(self, name: str) -> None:
        self.ask("MKCALENDAR", self.calendar(name), _MAKE_CALENDAR)

    def ask(self, method: str, url: str, content: str = "", **headers: str) -> httpx.Response:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        response = httpx.request(method, url, auth=(USER, PASSWORD), content=content.encode(), headers=headers, trust_env=False)
        assert response.status_code < 300, response.text
        return response

    def put(self, event: str, *, calendar: str = "calls", name: str = "event") -> None:
        """Writes an event, given as its lines between BEGIN and END."""
        body = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//host//EN\nBEGIN:VEVENT\n{event}\nEND:VEVENT\nEND:VCALENDAR\n"
        text = body.replace("\n", "\r\n")
        self.ask("PUT", f"{self.calendar(calendar)}{name}.ics", text, Content_Type="text/calendar")

    def files(self, calendar: str = "calls") -> dict[str, str]:
        """Returns the text of each entry by its file name."""
        folder = self.folder / "collections" / "collection-root" / USER / calendar
        return {file.name: file.read_text() for file in folder.glob("*.ics")}

    def events(self, calendar: str = "calls") -> list[Event]:
        return [event for text in self.files(calendar).values() for event in Calendar.from_ical(text).walk("VEVENT")]  # pyright: ignore


@contextmanager
def radicale(folder: Path, *calendars: str) -> Iterator[Radicale]:
    """Starts a server with these calendars, and stops it after the block."""
    port = free_port()
    (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
    (folder / "configuration").write_text(_CONFIGURATION.format(port=port, folder=folder))
    process = subprocess.Popen([sys.executable, "-m", "radicale", "--config", str(folder / "configuration")])
    server = Radicale(f"http://127.0.0.1:{port}", folder)
    try:
        _wait_until_it_answers(server, process)
        for name in calendars:
            server.make(name)
        yield server
    finally:
        process.terminate()
        process.wait()


def _wait_until_it_answers(server: Radicale, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            httpx.get(server.url, trust_env=False)
        except httpx.TransportError:
            assert process.poll() is None, "Radicale did not start"
            assert time.monotonic() < deadline, "Radicale does not answer"
            time.sleep(0.05)
        else:
            return
