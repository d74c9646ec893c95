"""Page speed by Lighthouse: the site's pages in turns with their floors, and with AstroWind's home page and its floor."""

import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from statistics import median

from site_app.content.routes import ROUTES
from site_app.core.locales import LOCALES
from tests.support.chromium import chromium_path
from tests.trials.bench.floor import FOLDER, floors
from tests.trials.bench.part import Bar, Extent, Measured, Table, half_range
from tests.trials.bench.peer import astrowind
from tests.trials.bench.stage import CLIENT, LIGHTHOUSE, environment, lighthouse, site, staged_pages
from tests.trials.lab.scorecard import NotRun

MAX_LCP_RATIO, MAX_TBT_MS, MAX_SCRIPT_MS, MAX_CLS, MAX_KB = 1.10, 100, 100, 0.01, 30
_ASTROWIND = "AstroWind"
SCORES = ("performance", "accessibility", "best_practices", "seo")
_COLUMNS = {
    "lcp_ratio": ("LCP / floor", "{:.2f}"),
    "lcp_ms": ("LCP ms", "{:,.0f}"),
    "fcp_ms": ("FCP ms", "{:,.0f}"),
    "tbt_ms": ("TBT ms", "{:,.0f}"),
    "script_ms": ("script ms", "{:,.0f}"),
    "cls": ("CLS", "{:.3f}"),
    "kb": ("kB", "{:.1f}"),
    "requests": ("requests", "{:.0f}"),
    "performance": ("performance", "{:.0f}"),
    "accessibility": ("a11y", "{:.0f}"),
    "best_practices": ("practice", "{:.0f}"),
    "seo": ("SEO", "{:.0f}"),
}
Look = dict[str, float | str]
Looks = dict[str, list[Look]]
Row = dict[str, float]


def mobile(extent: Extent) -> Measured:
    """Lighthouse's slow phone: in a full run every page in English, and one of each kind in every language."""
    if not extent.full:
        return _measured(extent, "mobile", sampled(extent))
    in_english = [_address("", route.path) for route in ROUTES]
    kinds = [_address(locale.prefix, path) for locale in LOCALES for path in _kinds()]
    return _measured(extent, "mobile", list(dict.fromkeys([*in_english, *kinds])))


def desktop(extent: Extent) -> Measured:
    """Lighthouse's desktop: one page of each kind."""
    return _measured(extent, "desktop", sampled(Extent(extent.folder, short=extent.short)))


def sampled(extent: Extent) -> list[str]:
    """Returns every page for a full run; otherwise one page of each kind, and the home page in every language."""
    prefixes = [locale.prefix for locale in LOCALES]
    if extent.full:
        return [_address(prefix, route.path) for prefix in prefixes for route in ROUTES]
    paths = dict.fromkeys([*_kinds(), *(_address(prefix, "/") for prefix in prefixes)])
    return list(paths)[: 2 if extent.short else None]


def _kinds() -> list[str]:
    """Returns the first page of each top-level folder."""
    return list({route.path.split("/")[1]: route.path for route in reversed(ROUTES)}.values())[::-1]


def _address(prefix: str, path: str) -> str:
    return f"{prefix}{path}".rstrip("/") or "/"


def _measured(extent: Extent, form: str, paths: Sequence[str]) -> Measured:
    """Measures all pages and floors in rounds; a page over a bar is measured again, as it may be chance."""
    rounds = extent.pick(3, full=3)
    with site(extent.folder, root=staged_pages(extent.folder, floors(CLIENT, paths))) as running, ExitStack() as peers:
        urls = {f"site {path}": running.url + path for path in paths}
        urls |= {f"floor {path}": f"{running.url}/{FOLDER}{path.rstrip('/')}" for path in paths}
        reason = ""
        try:
            peer = peers.enter_context(astrowind(extent.folder))
            urls |= {f"site {_ASTROWIND}": f"{peer.url}/", f"floor {_ASTROWIND}": f"{peer.url}/{FOLDER}"}
        except NotRun as not_run:
            if extent.full:
                raise  # documents quote AstroWind's figures from the record
            reason = str(not_run)
        looks = _looked(form, urls, rounds)
        doubtful = [path for path, row in _rows(looks, paths).items() if _is_beyond(row)]
        repeated = {name: url for name, url in urls.items() if name.partition(" ")[2] in doubtful}
        if repeated and not extent.short:
            for name, repeated_looks in _looked(form, repeated, rounds).items():
                looks[name] += repeated_looks
    rows = _rows(looks, paths)
    if not rows:
        raise RuntimeError("Lighthouse saw no page to its end: see above")
    peer_row = _rows(looks, [_ASTROWIND]).get(_ASTROWIND)
    if not peer_row:
        print(f"  without AstroWind: {reason or 'its page never loaded'}", flush=True)
    return _reported(looks, rows, peer_row, paths)


def _looked(form: str, urls: Mapping[str, str], rounds: int) -> Looks:
    """Returns the looks at each address; an address that never loads is missing."""
    chrome = chromium_path()
    if not chrome:
        raise NotRun("there is no Chromium on this machine")
    scored = [name for name in urls if not name.startswith("floor ")]
    job = {"modules": str(lighthouse()), "chrome": chrome, "form": form, "runs": rounds, "urls": urls, "scored": scored}
    command = ["node", str(LIGHTHOUSE / "run.mjs"), json.dumps(job)]
    looks: Looks = defaultdict(list)
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            report = json.loads(line)
            looks[report["name"]].append(report["figures"])
    return looks


def _rows(looks: Looks, paths: Sequence[str]) -> dict[str, Row]:
    """Returns the medians of each page, with the ratio of its LCP to its floor's."""
    rows = {}
    for path in paths:
        if f"site {path}" in looks and f"floor {path}" in looks:
            row, floor = _medians(looks[f"site {path}"]), _medians(looks[f"floor {path}"])
            rows[path] = row | {"lcp_ratio": row["lcp_ms"] / floor["lcp_ms"], "floor_lcp_ms": floor["lcp_ms"]}
            rows[path] |= {"floor_tbt_ms": floor["tbt_ms"], "runs": len(looks[f"site {path}"])}
    return rows


def _medians(looks: Sequence[Look]) -> Row:
    names = {name for look in looks for name, value in look.items() if not isinstance(value, str)}
    return {name: median([float(look[name]) for look in looks if name in look]) for name in names}


def _is_beyond(row: Row) -> bool:
    return row["lcp_ratio"] > MAX_LCP_RATIO or row["tbt_ms"] > MAX_TBT_MS or row["script_ms"] > MAX_SCRIPT_MS


def _reported(looks: Looks, rows: Mapping[str, Row], peer: Row | None, paths: Sequence[str]) -> Measured:
    all_looks = [look for many in looks.values() for look in many]
    measured = Measured(versions={name: str(all_looks[0][name]) for name in ("lighthouse", "browser")})
    measured.versions |= {f"face for {language}": _face(language) for language in ("th", "zh-cn")}
    measured.figures = {
        f"worst_{name}": max(row[name] for row in rows.values()) for name in ("lcp_ratio", "tbt_ms", "script_ms")
    }
    measured.figures["pages"] = len(rows)
    if home := rows.get("/"):
        measured.figures |= {"home.lcp_s": home["lcp_ms"] / 1000, "floor.lcp_s": home["floor_lcp_ms"] / 1000}
        measured.figures |= {f"home.{name}": home[name] for name in ("lcp_ratio", "tbt_ms", "script_ms", "kb")}
        if peer:
            measured.figures |= {f"astrowind.{name}": peer[name] for name in ("lcp_ratio", "tbt_ms", "script_ms", "kb")}
        measured.tables.append(_comparison(home, peer))
    measured.tables.append(_all_pages(rows))
    measured.bars = [Bar("pages that never loaded", {"": len(paths) - len(rows)}, most=0), *_bars(looks, rows)]
    if home and peer:
        measured.bars.append(Bar("TBT of the home page against AstroWind's in ms", {"/": home["tbt_ms"]}, most=peer["tbt_ms"]))
    return measured


def _bars(looks: Looks, rows: Mapping[str, Row]) -> list[Bar]:
    def bar(title: str, name: str, limit: float) -> Bar:
        values = {path: row[name] for path, row in rows.items()}
        path = max(values, key=lambda address: values[address])
        key, scale = ("lcp_ms", rows[path]["floor_lcp_ms"]) if name == "lcp_ratio" else (name, 1)
        return Bar(title, values, most=limit, noise=half_range([float(look[key]) / scale for look in looks[f"site {path}"]]))

    return [
        bar("LCP against the floor", "lcp_ratio", MAX_LCP_RATIO),
        bar("TBT in ms", "tbt_ms", MAX_TBT_MS),
        bar("script in ms", "script_ms", MAX_SCRIPT_MS),
        bar("CLS", "cls", MAX_CLS),
        bar("kB until the network is quiet", "kb", MAX_KB),
        *(
            Bar(f"score: {name.replace('_', ' ')}", {path: row[name] for path, row in rows.items()}, least=100)
            for name in SCORES
        ),
    ]


def _comparison(home: Row, peer: Row | None) -> Table:
    lines = [
        [label, form.format(home[name]), form.format(peer[name]) if peer else ""] for name, (label, form) in _COLUMNS.items()
    ]
    note = "The floor is the same text in plain tags with a line of style, from the same server. kB: until the network is quiet, headers and all."
    if peer:
        note += (
            " AstroWind is built from its source and measured in the same rounds, compressed alike, against the floor of its own text; "
            "the pictures that its page takes from other servers count only where the machine reaches them."
        )
    return Table("The home page", ("", "site", _ASTROWIND if peer else f"{_ASTROWIND} (not built in this run)"), lines, note)


def _all_pages(rows: Mapping[str, Row]) -> Table:
    lines = [
        [
            path,
            *(form.format(row[name]) for name, (_, form) in _COLUMNS.items()),
            f"{row['floor_tbt_ms']:,.0f}",
            f"{row['runs']:.0f}",
        ]
        for path, row in rows.items()
    ]
    note = "The floor's TBT tells how much other programs on this machine took. A page beyond a bar was looked at again; all runs count."
    head = ("page", *(label for label, _ in _COLUMNS.values()), "floor's TBT ms", "runs")
    return Table("Every page measured, medians", head, lines, note)


def _face(language: str) -> str:
    """Returns this machine's font for the language. DejaVu lacks its letters: boxes and the search for each are measured then."""
    if not shutil.which("fc-match"):
        return "unknown"
    command = ["fc-match", "--format=%{family[0]}", f"sans-serif:lang={language}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
