"""Finds a Chromium for the browser tests, or installs one: `python -m tests.support.chromium`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# Features of the browser that no test is about, and that start further processes with each page: the suggestions of the address bar, which are
# pages themselves, and a process in reserve. Without them a page takes half the processor time.
_UNUSED = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")
# Features that Playwright disables as well: Chromium obeys only the last list.
_OF_PLAYWRIGHT = (
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "AimEnabled",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
ARGUMENTS = ("--no-sandbox", f"--disable-features={','.join(_OF_PLAYWRIGHT + _UNUSED)}")
_ADVICE = "The browser tests need Chromium: install it (Debian's package is chromium), or name it with PLAYWRIGHT_CHROMIUM=/path/to/it."


def chromium_path() -> str:
    """Returns the browser's path: PLAYWRIGHT_CHROMIUM, a system browser, or Playwright's own; empty if there is none."""
    if path := os.environ.get("PLAYWRIGHT_CHROMIUM"):
        return path
    of_system = next((path for name in _NAMES if (path := shutil.which(name))), "")
    return of_system or _of_playwright()


def _of_playwright() -> str:
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
    return next((str(path) for path in sorted(cache.glob("chromium-*/*/chrome"))), "")


def _install() -> None:
    print("Installing a Chromium for the browser tests …", flush=True)
    _quietly([sys.executable, "-m", "playwright", "install", "chromium"])
    if not chromium_path() and shutil.which("apt-get") and os.geteuid() == 0:
        _quietly(["apt-get", "update"])
        _quietly(["apt-get", "install", "--yes", "--no-install-recommends", "chromium"])


def _quietly(command: list[str]) -> None:
    try:
        subprocess.run(command, capture_output=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        print(f"{command[0]} did not end within ten minutes", file=sys.stderr)


if __name__ == "__main__":
    if not chromium_path():
        _install()
    if not chromium_path():
        sys.exit(_ADVICE)
