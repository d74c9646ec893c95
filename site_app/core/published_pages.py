"""Finds the finished pages, those of `make build` and those that were published last, and tells if they are current.

Pages are made of the code, the texts of SITE_CONTENT, and the settings whose values are written into them. Two digests tell if pages are
current: one of the code and these settings, one of the texts. Both are stored beside the pages.

A folder of pages has `client/` with the files that are served, and the manifest `built-with.json`, which says what they were made of.
Published ones have `earlier/` too: files that pages of earlier folders need while a visitor still has them open. The file `current`
names the folder that counts. It is replaced by one rename, so whoever reads it finds either all old pages or all new ones.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from site_app.core.i18n.office_catalogs import TRANSLATIONS_FOLDER
from site_app.core.settings import Settings, as_text, variable

BUILT = Path(".web/build")
CLIENT, EARLIER = "client", "earlier"
MANIFEST_FILE = "built-with.json"
_TAGS_FILE = "tags.json"
SOURCE_PATHS = ("site_app", "components", "locales", "assets", "rxconfig.py", "requirements-build.txt", "reflex.lock")
PUBLICATION_FOLDERS = ("case_studies", "articles")  # below SITE_CONTENT
CONTENT_FOLDERS = (*PUBLICATION_FOLDERS, TRANSLATIONS_FOLDER)
_SHIPPED_CONTENT = Path("site_app/content")
_LEFT_OUT = tuple(_SHIPPED_CONTENT / folder for folder in CONTENT_FOLDERS)
# settings whose values are written into the built files: addresses, the agency's data, and promises of forms and policies
BAKED_IN = (
    *("url", "backend_url", "hosts", "production", "allow_samples", "api_key", "theme"),
    *("booking_zone", "booking_hours", "booking_holidays", "booking_languages", "booking_language_hours"),
    *("booking_length", "booking_hold", "booking_reminders"),
    *("keep_leads", "keep_affiliates", "keep_quarantine", "keep_page_views", "keep_unclaimed_files"),
)
# further settings that a build reads: none is a secret, and `baked_in` has what the pages say about them
_READ_BY_BUILDS = ("startup_delay", "booking_room", "notify_names", "port")
_STAND_INS = {  # valid targets without a real address: the pages only name the services that are notified
    "slack": "slack=https://hooks.slack.com/services/x all",
    "teams": "teams=https://x.logic.azure.com/x all",
    "discord": "discord=https://discord.com/api/webhooks/x all",
    "telegram": f"telegram=12345:{'x' * 35}/12345 all",
    "webhook": f"webhook=https://webhook.invalid/x all key={'x' * 24}",
}
_LOOKUP_STAND_IN = "https://lookup.invalid/{address}"
_PROVIDER_STAND_IN = "https://provider.invalid"
_MACHINE = (  # variables of the machine that Python, node and npm may need
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH"),
    *("NPM_CONFIG_REGISTRY", "NPM_CONFIG_CAFILE", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"),
)


class SourceDigests(NamedTuple):
    """The digest of the code and of the settings in the pages, and the digest of the texts and pictures of SITE_CONTENT."""

    code: str
    content: str


def source_digests(settings: Settings, root: Path = Path()) -> SourceDigests:
    """Returns the digests of what pages made now in the checkout `root` would be made of."""
    return SourceDigests(code_digest(settings, root), content_digest(settings.content_folder))


def code_digest(settings: Settings, root: Path = Path()) -> str:
    """Returns a digest of the names and contents of all source files except the texts, and of the settings baked into the pages."""
    digest = hashlib.sha256()
    for file in _files(SOURCE_PATHS, root):
        name = file.relative_to(root)
        if name.parent not in _LEFT_OUT:
            digest.update(name.as_posix().encode() + b"\0" + hashlib.sha256(_bytes_of(file, name)).digest())
    digest.update(repr(sorted(baked_in(settings).items())).encode())
    return digest.hexdigest()


def content_digest(folder: Path) -> str:
    """Returns a digest of the names and contents of all texts and pictures."""
    digest = hashlib.sha256()
    for file in content_files(folder):
        name = file.relative_to(folder).as_posix()
        digest.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def content_files(folder: Path) -> list[Path]:
    """Returns the texts, pictures and translations of SITE_CONTENT: regular files that are not hidden, in order."""
    return [
        file
        for name in CONTENT_FOLDERS
        for file in sorted((folder / name).glob("*"))
        if not file.name.startswith(".") and not file.is_symlink() and file.is_file()
    ]


def baked_in(settings: Settings) -> dict[str, str]:
    """Returns the variables whose values are written into the pages, with these values; of secrets only what the pages say about them."""
    names = [name for name in vars(settings) if name in BAKED_IN or name.startswith("brand_")]
    # Addresses may hold a key. The privacy policy names the services that are notified, not their addresses; the pages name the room's host.
    values = {
        variable("provider_url"): "set" if settings.provider_url else "",
        variable("country_lookup_url"): "set" if settings.country_lookup_url else "",
        variable("notify"): ",".join(sorted({target.service for target in settings.targets})),
        variable("notify_names"): as_text(settings.notify_names),
        variable("booking_room"): urlsplit(settings.booking_room).hostname or "",
    }
    return {variable(name): as_text(getattr(settings, name)) for name in names} | values


def build_environment(settings: Settings, machine: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Returns an environment in which a build makes the same pages as here, without the secrets of the settings."""
    names = [name for name in vars(settings) if name in (*BAKED_IN, *_READ_BY_BUILDS) or name.startswith("brand_")]
    services = sorted({target.service for target in settings.targets})
    return {
        **{name: machine[name] for name in _MACHINE if name in machine},
        **{variable(name): as_text(getattr(settings, name)) for name in names},
        variable("notify"): ";".join(_STAND_INS[service] for service in services),
        variable("provider_url"): _PROVIDER_STAND_IN if settings.provider_url else "",
        variable("country_lookup_url"): _LOOKUP_STAND_IN if settings.country_lookup_url else "",
        "SITE_ENV_FILE": "",
    }


def _bytes_of(file: Path, name: Path) -> bytes:
    """Returns the file's bytes. The keys of npm's lock file are sorted, because Reflex changes their order at every build."""
    if name.parts[0] != "reflex.lock":
        return file.read_bytes()
    return json.dumps(json.loads(file.read_bytes()), sort_keys=True).encode()


def _files(names: Iterable[str], root: Path) -> Iterable[Path]:
    for place in (root / name for name in names):
        if place.is_file():
            yield place
        else:
            yield from sorted(file for file in place.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def publishing_folder(var: Path) -> Path:
    """Returns the folder in SITE_VAR where publishing stores its files."""
    return var / "publishing"


def pages_folder(var: Path) -> Path:
    return publishing_folder(var) / "pages"


def pointer_file(var: Path) -> Path:
    """Returns the file that names the folder of the pages published last."""
    return publishing_folder(var) / "current"


def published_folder(var: Path) -> Path | None:
    """Returns the folder of the pages published last, or None if there is none."""
    try:
        name = pointer_file(var).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    folder = pages_folder(var) / name
    return folder if name and Path(name).name == name and has_pages(folder) else None


def has_pages(folder: Path) -> bool:
    """Returns True if the folder has pages; a folder that is still being written has another name."""
    return (folder / CLIENT / "index.html").is_file() and (folder / MANIFEST_FILE).is_file()


def read_digests(folder: Path) -> SourceDigests:
    """Returns the digests of the sources of the pages in this folder; empty ones if they are unknown."""
    manifest = read_manifest(folder)
    return SourceDigests(str(manifest.get("code", "")), str(manifest.get("content", "")))


def read_manifest(folder: Path) -> Mapping[str, Any]:
    """Returns what was stored with the pages: their digests, and the settings written into them."""
    return _read(folder / MANIFEST_FILE)


def write_manifest(folder: Path, made_from: SourceDigests, settings: Mapping[str, str]) -> None:
    (folder / MANIFEST_FILE).write_text(json.dumps({**made_from._asdict(), **settings}))


def page_tags(folder: Path) -> Mapping[str, str]:
    """Returns the tag of each page by its path, under which its views are counted."""
    return _read(folder / _TAGS_FILE)


def write_page_tags(folder: Path, tags: Mapping[str, str]) -> None:
    (folder / _TAGS_FILE).write_text(json.dumps(tags, indent=1))


def pages_to_serve(var: Path, code: str, built: Path = BUILT) -> Path:
    """Returns the folder of the pages that were published last, if they are of this code, else that of `make build`.

    So a new release is not hidden by pages of an older one, and the texts of a build do not hide those published after it.
    """
    folder = published_folder(var)
    return folder if folder is not None and read_digests(folder).code == code else built


def _read(file: Path) -> dict[str, Any]:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
