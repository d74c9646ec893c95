"""Finds a Chromium for the browser tests, or installs one: `python -m tests.support.chromium`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_HEADLESS_SHELL = "chromium-headless-shell"  # Chromium without its window: the same pages for a third less processor time
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
# Settings of pages: the mouse that Playwright sets as well, and how far ahead pictures are fetched. The headless shell does not measure the
# connection, and would fetch them as on a slow one.
_PAGE_SETTINGS = (
    "primaryHoverType=2",
    "availableHoverTypes=2",
    "primaryPointerType=4",
    "availablePointerTypes=4",
    "lazyLoadingImageMarginPxUnknown=1250",
)
ARGUMENTS = (
    "--no-sandbox",
    f"--disable-features={','.join(_OF_PLAYWRIGHT + _UNUSED)}",
    f"--blink-settings={','.join(_PAGE_SETTINGS)}",
)
_ADVICE = "The browser tests need Chromium: install it (Debian's package is chromium), or name it with PLAYWRIGHT_CHROMIUM=/path/to/it."


def chromium_path() -> str:
    """Returns the browser's path: PLAYWRIGHT_CHROMIUM, a system browser, or Playwright's own; empty if there is none."""
    if path := os.environ.get("PLAYWRIGHT_CHROMIUM"):
        return path
    of_system = next((path for name in _NAMES if (path := shutil.which(name))), "")
    return of_system or _of_playwright("chromium-*/*/chrome")


def headless_path() -> str:
    """Returns the browser for tests that measure no speed: PLAYWRIGHT_CHROMIUM, a headless shell, or else that of `chromium_path`."""
    return os.environ.get("PLAYWRIGHT_CHROMIUM") or _headless_shell() or chromium_path()


def _headless_shell() -> str:
    return shutil.which(_HEADLESS_SHELL) or _of_playwright("chromium_headless_shell-*/*/*headless*shell")


def _of_playwright(pattern: str) -> str:
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
    return next((str(path) for path in sorted(cache.glob(pattern))), "")


def _install() -> None:
    """Installs a Chromium with Playwright or apt, and a headless shell. Playwright brings both."""
    print("Installing a Chromium for the browser tests …", flush=True)
    if not chromium_path():
        _quietly([sys.executable, "-m", "playwright", "install", "chromium"])
    missing = [name for name, path in (("chromium", chromium_path()), (_HEADLESS_SHELL, _headless_shell())) if not path]
    if missing and _can_use_apt():
        _quietly(["apt-get", "update"])
        for package in missing:  # one at a time: not every system has the headless shell
            _quietly(["apt-get", "install", "--yes", "--no-install-recommends", package])


def _can_use_apt() -> bool:
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def _quietly(command: list[str]) -> None:
    try:
        subprocess.run(command, capture_output=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        print(f"{command[0]} did not end within ten minutes", file=sys.stderr)


if __name__ == "__main__":
    if not chromium_path() or (_can_use_apt() and not _headless_shell()):
        _install()
    if not chromium_path():
        sys.exit(_ADVICE)
