"""The start of a worker, in a process of its own."""

import subprocess
import sys

from site_app.core.locales import LOCALES
from tests.support.site_server import build

_START = """
import gc
from site_app.pages import translation_coverage

def refuse(*_): raise AssertionError("a page is built")

translation_coverage.page_lookups = refuse
from site_app.asgi import site
from site_app.core.i18n import translate

site()
from site_app.site_app import app

assert gc.isenabled() and gc.get_freeze_count()
print(*sorted(translate._catalogs), app.router("/th/faq"))
"""


def test_a_worker_of_the_built_site_builds_no_page_and_knows_all_addresses() -> None:
    build("http://localhost:3000")

    printed = subprocess.run([sys.executable, "-c", _START], check=True, capture_output=True, text=True).stdout

    assert printed.splitlines()[-1] == " ".join((*sorted(locale.id for locale in LOCALES[1:]), "th/faq"))
