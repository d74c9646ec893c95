"""Reads settings from the environment, from .env for variables that it lacks, and from files with one secret each."""

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

from site_app.core.settings.table import Settings
from site_app.core.settings.values import BrokenSetting, as_text, masked, quoted, value_of, variable

ENV_FILE = "SITE_ENV_FILE"  # names a file to read instead of .env; empty: no file is read
_MAX_SECRET_BYTES = 64 * 1024


@cache
def settings() -> Settings:
    """Returns the settings from the process's environment and .env; reads them once."""
    return load(environment())


def settings_or_exit() -> Settings:
    """Returns the settings to Reflex and Alembic; exits with an error's message, because they would show a traceback."""
    try:
        return settings()
    except BrokenSetting as error:
        sys.exit(str(error))


def load(environment: Mapping[str, str]) -> Settings:
    """Returns the settings from this environment; raises BrokenSetting with every mistake in its SITE_* variables."""
    table = {variable(field.name): field for field in fields(Settings)}
    variables = with_files(environment, [name for name, field in table.items() if field.metadata["secret"]])
    mistakes = list(_unknown(variables, table))
    values: dict[str, Any] = {}
    for name, field in table.items():
        if name in variables:
            try:
                values[field.name] = _parse(name, variables[name], field)
            except BrokenSetting as error:
                mistakes.append(str(error))
    if mistakes:
        raise BrokenSetting(*mistakes)
    values.setdefault("url", f"http://localhost:{values.get('port', Settings.port)}")
    return Settings(**values)


def environment() -> dict[str, str]:
    """Returns the variables of this process, and those of .env that it does not set."""
    variables = dict(os.environ)
    env_file = variables.pop(ENV_FILE, None)
    file = Path(".env" if env_file is None else env_file)
    if env_file and not file.is_file():
        raise BrokenSetting(f"{ENV_FILE} is {env_file!r}, and there is no such file; it must be the name of one, such as .env")
    return {**(read_env(file) if file.is_file() else {}), **variables}


def read_env(file: Path) -> dict[str, str]:
    """Returns the SITE_ variables of a file such as .env. Takes quoted values literally and expands no variables."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BrokenSetting(f"{file} cannot be read: {reason}; it must be lines like SITE_PORT=3000") from None
    variables: dict[str, str] = {}
    for line in parse_stream(StringIO(text)):
        name = line.key or line.original.string.split("=")[0].strip()
        is_ours = name.upper().startswith("SITE_")  # of a name in small letters `load` says what was meant
        if line.error or (line.value is None and is_ours):
            place = f"{file}, line {line.original.line}"
            raise BrokenSetting(f"{place}, cannot be read ({name[:40]!r} …); it must be like SITE_PORT=3000")
        if line.value is not None and is_ours:
            variables[name] = line.value
    return variables


def with_files(variables: Mapping[str, str], secrets: Iterable[str]) -> dict[str, str]:
    """Returns the variables with each secret, such as SITE_SECRET, read from the file that SITE_SECRET_FILE names."""
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
            text = file.read(_MAX_SECRET_BYTES).strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise BrokenSetting(f"{name} is {path!r}, which cannot be read: {reason}; such as /run/secrets/site") from None
    if not text:
        raise BrokenSetting(f"{name} is {path!r}, and that file is empty; it must hold the secret, such as /run/secrets/site")
    return text


def _unknown(variables: Mapping[str, str], table: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(variables):
        if name.upper().startswith("SITE_") and name not in table:
            similar = difflib.get_close_matches(name.upper(), table, n=1, cutoff=0.6)
            yield f"{name} is not a setting of this site; " + (
                f"did you mean {similar[0]}?" if similar else "docs/operate/settings.md lists those there are"
            )


def _parse(name: str, text: str, setting: Any) -> Any:
    if setting.metadata["secret"] and text and not text.strip():
        raise BrokenSetting(f"{name} is nothing but spaces; it must have a value, or be left out")
    text = text.strip()
    about = setting.metadata
    try:
        value = _value(text, setting)
        choices = about["choices"]
        least = about["least"]
        greatest = about["greatest"]
        if choices and value not in choices:
            raise ValueError(f"it must be one of: {', '.join(choices)}")
        number = value.total_seconds() if isinstance(value, timedelta) else value
        if (least is not None and number < least) or (greatest is not None and number > greatest):
            raise ValueError(f"{_bounds(setting.type, least, greatest)}, such as {as_text(setting.default)}")
        return about["rule"](value) if about["rule"] and value not in ("", ()) else value
    except ValueError as error:
        hidden = about["secret"] and not setting.name.endswith("_url")
        was = f"set to {len(text)} characters that are not shown" if hidden else quoted(masked(text, setting))
        raise BrokenSetting(f"{name} is {was}; {error}") from None


def _value(text: str, setting: Any) -> Any:
    if any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 or 0xD800 <= ord(sign) < 0xE000 for sign in text):
        raise ValueError("it must be readable text without control characters" + _such_as(setting))
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and not setting.metadata["secret"]:
        raise ValueError(
            "it must be without the quotes, which the program that read the file did not remove; like " + text[1:-1]
        )
    is_required = not setting.metadata["optional"] and setting.default != ()
    if not text and is_required and setting.type not in (bool, int, timedelta):
        raise ValueError("it must not be empty" + _such_as(setting))
    try:
        value = value_of(text, setting.type)
    except ValueError as error:
        raise ValueError(f"{error}{'' if 'such as' in str(error) or setting.type is bool else _such_as(setting)}") from None
    if value == () and is_required:  # nothing but commas
        raise ValueError("it must not be empty" + _such_as(setting))
    return value


def _such_as(setting: Any) -> str:
    return f", such as {as_text(setting.default)}" if as_text(setting.default) else ""


def _bounds(kind: Any, least: float | None, greatest: float | None) -> str:
    ends = [("at least", least), ("at most", greatest)]
    words = (lambda end: as_text(timedelta(seconds=end))) if kind is timedelta else str
    return "it must be " + " and ".join(f"{bound} {words(end)}" for bound, end in ends if end is not None)
