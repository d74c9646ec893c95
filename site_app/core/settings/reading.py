"""Reads the settings: from the process's environment, the file .env behind it, and files that hold one secret each."""

import difflib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import timedelta
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from dotenv.parser import parse_stream

from site_app.core.settings.rules import BrokenSetting, masked, shown, value_of, variable, written
from site_app.core.settings.table import Settings

ENV_FILE = "SITE_ENV_FILE"  # names another file than .env; empty: none is read
_LARGEST_SECRET = 64 * 1024


@cache
def settings() -> Settings:
    """The table as the process's environment and .env set it, read once."""
    return load(environment())


def settings_or_exit() -> Settings:
    """The same for Reflex and Alembic, which would show a traceback: a mistake ends them with its sentence."""
    try:
        return settings()
    except BrokenSetting as error:
        sys.exit(str(error))


def load(environment: Mapping[str, str]) -> Settings:
    """The table as this environment sets it; raises BrokenSetting with all that is wrong about its SITE_* variables."""
    table = {variable(one.name): one for one in fields(Settings)}
    said = with_files(environment, [name for name, one in table.items() if one.metadata["secret"]])
    wrong = list(_unknown(said, table))
    values: dict[str, Any] = {}
    for name, one in table.items():
        if name in said:
            try:
                values[one.name] = _parse(name, said[name], one)
            except BrokenSetting as error:
                wrong.append(str(error))
    if wrong:
        raise BrokenSetting(*wrong)
    values.setdefault("url", f"http://localhost:{values.get('port', Settings.port)}")
    return Settings(**values)


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


def _unknown(said: Mapping[str, str], table: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(said):
        if name.upper().startswith("SITE_") and name not in table:
            near = difflib.get_close_matches(name.upper(), table, n=1, cutoff=0.6)
            yield f"{name} is not a setting of this site; " + (
                f"did you mean {near[0]}?" if near else "docs/operate/settings.md lists those there are"
            )


def _parse(name: str, text: str, one: Any) -> Any:
    if one.metadata["secret"] and text and not text.strip():
        raise BrokenSetting(f"{name} is nothing but spaces; it must have a value, or be left out")
    text, about = text.strip(), one.metadata
    try:
        value = _value(text, one)
        choices, least, most = about["choices"], about["least"], about["most"]
        if choices and value not in choices:
            raise ValueError(f"it must be one of: {', '.join(choices)}")
        number = value.total_seconds() if isinstance(value, timedelta) else value
        if (least is not None and number < least) or (most is not None and number > most):
            raise ValueError(f"{_bounds(one.type, least, most)}, such as {written(one.default)}")
        return about["rule"](value) if about["rule"] and value not in ("", ()) else value
    except ValueError as error:
        hidden = about["secret"] and not one.name.endswith("_url")
        was = f"set to {len(text)} characters that are not shown" if hidden else shown(masked(text, one))
        raise BrokenSetting(f"{name} is {was}; {error}") from None


def _value(text: str, one: Any) -> Any:
    if any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 or 0xD800 <= ord(sign) < 0xE000 for sign in text):
        raise ValueError("it must be readable text without control characters" + _such_as(one))
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and not one.metadata["secret"]:
        raise ValueError(
            "it must be without the quotes, which whatever read the file took for a part of it; like " + text[1:-1]
        )
    must_be_said = not one.metadata["optional"] and one.default != ()
    if not text and must_be_said and one.type not in (bool, int, timedelta):
        raise ValueError("it must not be empty" + _such_as(one))
    try:
        return value_of(text, one.type)
    except ValueError as error:
        raise ValueError(f"{error}{'' if 'such as' in str(error) or one.type is bool else _such_as(one)}") from None


def _such_as(one: Any) -> str:
    return f", such as {written(one.default)}" if written(one.default) else ""


def _bounds(kind: Any, least: float | None, most: float | None) -> str:
    ends = [("at least", least), ("at most", most)]
    say = (lambda end: written(timedelta(seconds=end))) if kind is timedelta else str
    return "it must be " + " and ".join(f"{which} {say(end)}" for which, end in ends if end is not None)
