"""Captures log lines."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from typing import Any

import structlog

from site_app.core.logs import configure
from site_app.core.settings import Settings

CANARY = "canary-7f3k@example.org"


@contextmanager
def collected_log(**settings: Any) -> Iterator[StringIO]:
    """Collects the log lines written meanwhile, with the settings of a public site."""
    root = logging.getLogger()
    handlers_before, level = root.handlers, root.level
    out = StringIO()
    configure(replace(Settings(), production=True, **settings), out)
    try:
        yield out
    finally:
        root.handlers = handlers_before
        root.setLevel(level)
        logging.captureWarnings(False)
        structlog.reset_defaults()


def lines(out: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]
