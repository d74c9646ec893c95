"""A W3C WebDriver session: over HTTP (Chromium, WebKitGTK), or by the same commands over Firefox's own Marionette protocol.

Debian has no geckodriver, which only translates between the two.
"""

import json
import socket
from collections.abc import Mapping
from typing import Any

import httpx

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's key for an element, in requests and replies
_SECONDS = 60  # for one command, on a shared machine
# Marionette's name of each command, by the WebDriver method and path.
_MARIONETTE = {
    "POST url": "WebDriver:Navigate",
    "POST back": "WebDriver:Back",
    "POST execute/sync": "WebDriver:ExecuteScript",
    "POST actions": "WebDriver:PerformActions",
    "GET window/handles": "WebDriver:GetWindowHandles",
    "POST window": "WebDriver:SwitchToWindow",
    "POST window/rect": "WebDriver:SetWindowRect",
    "GET screenshot": "WebDriver:TakeScreenshot",
    "POST print": "WebDriver:Print",
    "DELETE cookie": "WebDriver:DeleteAllCookies",
    "POST moz/context": "Marionette:SetContext",
}


class WebDriverError(Exception):
    """The browser's error reply: the protocol's code and the browser's message."""


class HttpSession:
    """A session of a driver that listens on a local port."""

    def __init__(self, port: int, capabilities: Mapping[str, Any]) -> None:
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=_SECONDS, trust_env=False)
        session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": dict(capabilities)}})
        self._path = f"/session/{session['sessionId']}"

    def call(self, command: str, body: Mapping[str, Any] | None = None) -> Any:
        method, path = command.split()
        return self._ask(method, f"{self._path}/{path}", body or {})

    def _ask(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        response = self._client.request(method, path, json=body if method == "POST" else None)
        value = response.json()["value"]
        if response.is_error:
            raise WebDriverError(f"{value['error']}: {value.get('message', '')}")
        return value


class MarionetteSession:
    """The session of a Firefox started with --marionette: JSON with its length before it, over a socket."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), _SECONDS)
        self._file = self._socket.makefile("rwb")
        self._number = 0
        self._read()  # its greeting
        self._ask("WebDriver:NewSession", {})

    def call(self, command: str, body: Mapping[str, Any] | None = None) -> Any:
        value = self._ask(_MARIONETTE[command], body or {})
        return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

    def _ask(self, name: str, parameters: Mapping[str, Any]) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, name, parameters]).encode()
        self._file.write(b"%d:%s" % (len(message), message))
        self._file.flush()
        _, number, error, value = self._read()
        assert number == self._number, "Marionette answered another command"
        if error:
            raise WebDriverError(f"{error['error']}: {error['message']}")
        return value

    def _read(self) -> Any:
        length = b""
        while (sign := self._file.read(1)) != b":":
            if not sign:
                raise ConnectionError("Firefox has closed the connection")
            length += sign
        return json.loads(self._file.read(int(length)))


Session = HttpSession | MarionetteSession
