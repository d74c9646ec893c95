"""The figures of the capacity trial as a page, and the part of docs/operate/scale.md that quotes them and plans with them."""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PEAK = 4  # the busiest hour against the day's mean
_TOUCH, _STAY_SECONDS = (
    0.1,
    180,
)  # of the views, those whose visitor means to do something and so opens a socket, and for how long
_SUBMIT = 0.001  # of the views, those that send a form
_SOCKETS_A_PROCESS = 2000  # SITE_LIMIT_ALL_SOCKETS as it is
_MARKS = re.compile(r"(<!-- capacity: [^>]*-->\n).*?(<!-- /capacity -->)", re.DOTALL)


def written(found: Mapping[str, Any]) -> str:
    """The whole page of figures."""
    lines = [
        "# Capacity",
        "",
        f"As `make capacity` measured it last, {found['measured']}: {found['machine']}. Load (wrk, 64 connections), engines and site",
        "share the machine; the processor milliseconds of each program per answer say what each would need alone.",
        *_loads("Pages a second (`/`, brotli)", found["pages"]),
        *_loads("Submissions a second (`sendMessage`, each with a key of its own)", found["submissions"]),
        *_loads("At half as many submissions", found["submissions at half"]),
        "",
        f"Four processes carry {_ratio(found['submissions'])} × the submissions of one, and {_ratio(found['pages'])} × the pages.",
        "",
        *_bounds(found["submissions"]),
        "",
        "## Open pages",
        "",
        "| site | open pages | opened a second | KiB of server memory each | of the last ones each | page p95 ms | socket p95 ms | % of a core, idle |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, seen in found["open pages"].items():
        before = {"sockets": 0, "kib_each": 0.0}
        for one in seen:
            more = one["sockets"] * one["kib_each"] - before["sockets"] * before["kib_each"]
            last = more / (one["sockets"] - before["sockets"])
            lines.append(
                f"| {name} | {one['sockets']} | {one['opened_per_second']:.0f} | {one['kib_each']:.0f} | {last:.0f} | {one['page_p95_ms']:.1f} "
                f"| {one['socket_p95_ms']:.1f} | {one['core_percent']:.0f} |"
            )
            before = one
    return "\n".join([*lines, ""])


def _loads(title: str, seen: Mapping[str, Any]) -> list[str]:
    head = [
        "",
        f"## {title}",
        "",
        "| site | a second (slowest–fastest) | p50 ms | p99 ms | refused, broken | processor ms each | machine busy |",
    ]
    rows = [
        f"| {name} | {one['per_second']} ({one['slowest']}–{one['fastest']}) | {one['p50_ms']} | {one['p99_ms']} "
        f"| {one['refused']}, {one['broken']} | {', '.join(f'{who} {ms}' for who, ms in one['processor_ms_each'].items())} "
        f"| {one['machine_busy_percent']} % |"
        for name, one in seen.items()
    ]
    return [*head, "|---|---|---|---|---|---|---|", *rows]


def _ratio(seen: Mapping[str, Any]) -> float:
    return round(seen["four processes"]["per_second"] / seen["one process"]["per_second"], 2)


def _bounds(seen: Mapping[str, Any]) -> list[str]:
    """Whose cores were busy while submissions came, and how many a second all cores could carry at that price."""
    who = ("site", "PostgreSQL", "Redis", "client", "others", "disk", "idle")
    rows = [
        f"| {name} | {' | '.join(str(one['cores'].get(part, '–')) for part in who)} | {one['room_for']} | {one['per_second']} |"
        for name, one in seen.items()
    ]
    return [
        "## What bounds the submissions",
        "",
        "Cores kept busy by each while they came; `others` is what else ran on the machine and the kernel's own work, `disk` what waited",
        "for it. What all cores could carry is their number by what one submission costs site, engines and client together; one process",
        "runs Python on one core at a time and has at most 1 of them.",
        "",
        f"| site | {' | '.join(who)} | all cores could carry | carried |",
        "|---|" + "---|" * (len(who) + 2),
        *rows,
    ]


def renew(document: Path, found: Mapping[str, Any]) -> None:
    """Put the figures into a document, between its marks."""
    text = document.read_text()
    document.write_text(_MARKS.sub(lambda marks: f"{marks[1]}{_quoted(found)}{marks[2]}", text))


def _quoted(found: Mapping[str, Any]) -> str:
    reads, writes, halves = found["pages"], found["submissions"], found["submissions at half"]
    memory, shared = (seen[-1] for seen in found["open pages"].values())
    rows = [
        ("pages a second", *(one["per_second"] for one in reads.values())),
        ("submissions a second", *(one["per_second"] for one in writes.values())),
        ("of these, p99", *(f"{one['p99_ms']:.0f} ms" for one in writes.values())),
        ("at half as many, p99", *(f"{one['p99_ms']:.0f} ms" for one in halves.values())),
        ("the machine was busy by", *(f"{one['machine_busy_percent']} %" for one in writes.values())),
        ("all its cores could carry", *(one["room_for"] for one in writes.values())),
    ]
    table = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join(
        [
            f"{found['measured']}, {found['machine']}; clients and engines on the same machine (`tests/bench/capacity.md`):",
            "",
            "| | one process on SQLite | one on PostgreSQL and Redis | four on these |",
            "|---|---|---|---|",
            *table,
            "",
            f"On PostgreSQL four processes carry {_ratio(writes)} × the submissions of one. One keeps a core busy, and engines and client take "
            f"of the other: all cores have room for {writes['one process']['room_for'] / writes['one process']['per_second']:.2f} × (what bounds them: "
            "the table in `tests/bench/capacity.md`).",
            "",
            f"An open, idle page takes {memory['kib_each']:.0f} KiB of server memory at {memory['sockets']} of them "
            f"({shared['kib_each']:.0f} with Redis), and {memory['core_percent']:.0f} % of a core for all; a page that is only read "
            "opens none (`make bench`, reading).",
            "",
            *_plan(memory["kib_each"], writes["one process"]["per_second"], shared["opened_per_second"]),
            "",
        ]
    )


def _plan(kib: float, submissions: float, opened: float) -> list[str]:
    lines = [
        f"On paper: the busiest hour has {_PEAK} times the day's mean; {_TOUCH:.0%} of the views touch the page and keep a socket "
        f"for {_STAY_SECONDS // 60} minutes, {_SUBMIT:.1%} send a form; pages come from a CDN.",
        "",
        "| page views a day | views a second at the peak | sockets at once | memory for them | new sockets a second | submissions a second | app processes |",
        "|---|---|---|---|---|---|---|",
    ]
    for millions in (1, 10, 100):
        peak = _PEAK * millions * 1e6 / 86_400
        sockets, arriving, sent = peak * _TOUCH * _STAY_SECONDS, peak * _TOUCH, peak * _SUBMIT
        needed = max(sockets / _SOCKETS_A_PROCESS, arriving / (opened / 2), sent / (submissions / 2))
        lines.append(
            f"| {millions} million | {peak:,.0f} | {sockets:,.0f} | {sockets * kib / 2**20:.1f} GiB | {arriving:,.0f} | {sent:.2g} "
            f"| {max(2, math.ceil(needed) + 1)} |"
        )
    return lines
