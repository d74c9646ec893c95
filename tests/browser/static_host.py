"""A host for static files, like Netlify and Cloudflare Pages: clean addresses, _headers, _redirects, 404.html."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from threading import Thread


class _Host(BaseHTTPRequestHandler):
    root: Path
    headers_by_path: list[tuple[str, list[tuple[str, str]]]]
    redirects: "Redirects"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if (file := self._file(path)) is not None:
            self._send(200, file, path)
            return
        if redirect := redirect_of(self.redirects, path, query):
            location, status = redirect
            self.send_response(status)
            self.send_header("location", location)
            self.end_headers()
            return
        self._send(404, self.root / "404.html", path)

    do_HEAD = do_GET  # noqa: N815  the library finds it by this name

    def _file(self, path: str) -> Path | None:
        names = ("index.html",) if path == "/" else (path.strip("/"), f"{path.strip('/')}.html")
        return next((file for file in (self.root / name for name in names) if file.is_file()), None)

    def _send(self, status: int, file: Path, path: str) -> None:
        body = file.read_bytes()
        self.send_response(status)
        self.send_header(
            "content-type", "text/javascript" if file.suffix == ".js" else guess_type(file.name)[0] or "text/plain"
        )
        self.send_header("content-length", str(len(body)))
        for pattern, headers in self.headers_by_path:
            if re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), path):
                for name, value in headers:
                    self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if self.command == "GET" else b"")

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Discards the log."""


@contextmanager
def hosted(root: Path, port: int) -> Iterator[str]:
    """Serves the folder and yields its address."""
    attributes = {
        "root": root,
        "headers_by_path": _rules((root / "_headers").read_text()),
        "redirects": read_redirects(root),
    }
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Host", (_Host,), attributes))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


Redirects = list[tuple[str, str, int]]


def read_redirects(root: Path) -> Redirects:
    lines = [line.split() for line in (root / "_redirects").read_text().splitlines()]
    return [(old, new, int(status)) for old, new, status in lines]


def redirect_of(redirects: Redirects, path: str, query: str = "") -> tuple[str, int] | None:
    """Returns address and status by the first rule for the path: `*` matches anything, a `:name` one part of the path that is not empty."""
    for old, new, status in redirects:
        pattern = re.sub(r":([a-z]+)", r"(?P<\1>[^/]+)", re.escape(old)).replace(r"\*", "(?P<splat>.*)")
        if match := re.fullmatch(pattern, path):
            location = re.sub(r":([a-z]+)", lambda name: match.groupdict().get(name[1], name[0]), new)
            return location + (f"{'&' if '?' in location else '?'}{query}" if query else ""), status
    return None


def _rules(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    rules: list[tuple[str, list[tuple[str, str]]]] = []
    for line in text.splitlines():
        if line.startswith("/"):
            rules.append((line, []))
        else:
            name, _, value = line.strip().partition(": ")
            rules[-1][1].append((name, value))
    return rules
