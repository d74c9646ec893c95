"""Where the text of the settings comes from: the process's environment, the file .env, and files that hold one secret each."""

import os
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path

from dotenv.parser import parse_stream

ENV_FILE = "SITE_ENV_FILE"  # names another file than .env; empty: none is read
_LARGEST_SECRET = 64 * 1024


class BrokenSetting(Exception):
    """Variables say something the site cannot run with: a sentence for each, which begins with its name."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


def environment() -> dict[str, str]:
    """The variables of this process, and behind them what .env says."""
    said = dict(os.environ)
    named = said.pop(ENV_FILE, None)
    file = Path(".env" if named is None else named)
    if named and not file.is_file():
        raise BrokenSetting(f"{ENV_FILE} is {named!r}, and there is no such file; it must be the name of one, such as .env")
    return {**(read_env(file) if file.is_file() else {}), **said}


def read_env(file: Path) -> dict[str, str]:
    """The SITE_ lines of a file such as .env. What is in quotes is taken literally, and nothing is filled in."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BrokenSetting(f"{file} cannot be read: {why}; it must be lines like SITE_PORT=3000") from None
    found: dict[str, str] = {}
    for line in parse_stream(StringIO(text)):
        name = line.key or line.original.string.split("=")[0].strip()
        if line.error or (line.value is None and name.startswith("SITE_")):
            where = f"{file}, line {line.original.line}"
            raise BrokenSetting(f"{where}, cannot be read ({name[:40]!r} …); it must be like SITE_PORT=3000")
        if line.value is not None and name.startswith("SITE_"):
            found[name] = line.value
    return found


def with_files(variables: Mapping[str, str], secrets: Iterable[str]) -> dict[str, str]:
    """The same with SITE_SECRET read from the file that SITE_SECRET_FILE names, and so for each secret."""
    read = dict(variables)
    for name in secrets:
        if path := read.pop(f"{name}_FILE", ""):
            if read.get(name):
                raise BrokenSetting(f"{name}_FILE and {name} are both set; one of the two must go")
            read[name] = _secret(f"{name}_FILE", path)
    return read


def _secret(name: str, path: str) -> str:
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            text = file.read(_LARGEST_SECRET).strip()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise BrokenSetting(f"{name} is {path!r}, which cannot be read: {why}; such as /run/secrets/site") from None
    if not text:
        raise BrokenSetting(f"{name} is {path!r}, and that file is empty; it must hold the secret, such as /run/secrets/site")
    return text
