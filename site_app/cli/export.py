"""python -m site_app export: the pages for a host that only has files."""

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from site_app.cli.build import build
from site_app.cli.samples import refuse_samples
from site_app.core.settings import settings
from site_app.serving.files import STATIC
from site_app.serving.static_host import write_static

_OURS = "_headers"  # every export has this file; a folder without it is none and is not replaced


def export(to: Annotated[Path, typer.Argument(help="A folder; an earlier export in it is replaced.")] = Path("out")) -> None:
    """Write the pages, with _headers and _redirects, for a static host; SITE_BACKEND_URL says where API and socket are."""
    refuse_samples(settings())
    if to.exists() and any(to.iterdir()) and not (to / _OURS).is_file():
        sys.exit(f"{to} holds something that is no export: name another folder.")
    build()
    draft = to.with_name(f".{to.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    count = write_static(STATIC, draft, settings())
    shutil.rmtree(to, ignore_errors=True)
    draft.rename(to)
    backend = settings().backend_url or "at the same host, which must pass them on"
    print(f"{count} pages are in {to}/; API and socket: {backend}.")
