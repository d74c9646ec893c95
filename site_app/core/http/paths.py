"""The paths that a server answers for each request, unlike those of built pages and files."""

from starlette.routing import compile_path

from site_app.core.i18n import split_language
from site_app.core.settings import Settings

HEALTH_PATHS = ("/healthz", "/readyz")  # for probes, which use our IP address instead of a host name
API = "/v1.0"
OFFICE = "/office"
# Pages for visitors, in every language: their paths may have the language's prefix.
PROVIDER_PAGES = (
    "/book",
    "/book/details",
    "/book/done",
    "/confirm/{token}",
    "/meetings/{token}",
    "/meetings/{token}/move",
    "/meetings/{token}/call.ics",
    "/partners/{token}",
)
PROVIDER_FOLDERS = ("calendar", "plain")  # the host's calendar feed; styles and scripts of plain pages
# First parts of paths that no page of the site may have.
PROVIDER_PARTS = frozenset({path.split("/")[1] for path in (*HEALTH_PATHS, OFFICE, *PROVIDER_PAGES)} | {*PROVIDER_FOLDERS})
_API_FOLDERS = (f"{API}/", *(f"/{folder}/" for folder in PROVIDER_FOLDERS))
_PAGE_PATTERNS = [compile_path(path)[0] for path in PROVIDER_PAGES]


def is_api(path: str) -> bool:
    """Returns True for paths that the API app answers: calls have one path each, plain pages one in every language."""
    return path.startswith(_API_FOLDERS) or path == "/readyz" or is_provider_page(path)


def is_office(path: str, host: str, settings: Settings) -> bool:
    """Returns True for a page of the office, if one is configured; with an office host name, only on that host."""
    is_on_host = not settings.office_host or host == settings.office_host
    return bool(settings.office) and is_on_host and (path == OFFICE or path.startswith(f"{OFFICE}/"))


def is_provider_page(path: str) -> bool:
    """Returns True for paths that show visitors a page, as opposed to data."""
    _, page = split_language(path)
    return any(pattern.fullmatch(page) for pattern in _PAGE_PATTERNS)
