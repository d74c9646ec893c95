"""Reads the commands of a guide: the code blocks below a heading, each split into the commands that a shell would run one by one."""

import re
import subprocess

_FENCE = re.compile(r"^```")
_HEADING = re.compile(r"^(#+) (.*)$")


def blocks(markdown: str, heading: str) -> list[str]:
    """Returns the code blocks below this heading, those of its subsections included; raises LookupError without such a heading."""
    result: list[str] = []
    level, block, is_there = 0, None, False  # the level is 0 outside of the heading's section
    for line in markdown.splitlines():
        if _FENCE.match(line):
            if block is not None and level:
                result.append("\n".join(block))
            block = [] if block is None else None
        elif block is not None:
            block.append(line)
        elif match := _HEADING.match(line):
            if level and len(match[1]) <= level:
                level = 0
            if match[2] == heading:
                level, is_there = len(match[1]), True
    if not is_there:
        raise LookupError(f"no heading {heading!r}")
    return result


def commands(block: str) -> list[str]:
    """Splits a block where a shell has read a complete command; comments by themselves are left out."""
    result: list[str] = []
    pending = ""
    for line in block.splitlines():
        pending += line + "\n"
        if line.endswith("\\") or not _is_complete(pending):
            continue
        if any(part and not part.startswith("#") for part in map(str.strip, pending.splitlines())):
            result.append(pending.strip())
        pending = ""
    if pending:
        raise ValueError(f"a command without an end: {pending.strip()}")
    return result


def script(parts: list[str]) -> str:
    """Returns a shell script that runs the commands in one shell and stops at the first that fails, naming it by its number."""
    return "".join(f"{{ {part}\n}} || {{ echo 'failed: {number}' >&2; exit 1; }}\n" for number, part in enumerate(parts))


def _is_complete(text: str) -> bool:
    """Returns True if bash can parse it; of a here-document without an end it only warns."""
    process = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
    return process.returncode == 0 and not process.stderr
