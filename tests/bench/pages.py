"""Page speed: every English page and some in Thai and Chinese, in turns with the floor of each and a default Reflex app."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from site_app.routes import ROUTES
from tests.bench.floor import FOLDER, floors
from tests.bench.part import Bar, Extent, Measured, NotRun, Table, median, worst
from tests.bench.programs import LIGHTHOUSE, environment, lighthouse
from tests.bench.radix_app import build_radix
from tests.bench.stage import CLIENT, build_site, served_folder, staged_site
from tests.browser.chromium import found

ENGLISH = tuple(route.path for route in ROUTES)
SAMPLE = ("/", "/services/it-services-and-branding/web-development", "/faq", "/contact-us")
OTHERS = tuple(f"{prefix}{path}".rstrip("/") for prefix in ("/th", "/cn") for path in SAMPLE)
SMALLEST_RATIO_MS = 1.0
# A task that waits for its neighbours on the machine blocks in one run and not in the next; the median of five such runs is
# chance. Where it comes half as far as the bar, page and floor are looked at ten times more, and all of the runs count.
MOST_TBT_MS = 50.0
_IN_DOUBT_MS = MOST_TBT_MS / 2
_LONGER = 10
KILOBYTE = 1000
_COLUMNS = {
    "performance": "{:.0f}",
    "fcp_ms": "{:,.0f}",
    "lcp_ms": "{:,.0f}",
    "tbt_ms": "{:,.0f}",
    "tbt_cpu_ms": "{:,.0f}",
    "cls": "{:.3f}",
    "bytes_first": "{:.1f}",
    "bytes_all": "{:.1f}",
    "requests": "{:.0f}",
    "script_ms": "{:,.0f}",
    "accessibility": "{:.0f}",
    "best_practices": "{:.0f}",
    "seo": "{:.0f}",
}
_HEAD = (
    "performance",
    "FCP ms",
    "LCP ms",
    "TBT ms",
    "of it own",
    "CLS",
    "kB at first",
    "kB in all",
    "requests",
    "script ms",
    "a11y",
    "practice",
    "SEO",
)
Row = dict[str, float]
Runs = dict[str, list[dict[str, float | str]]]


def mobile(extent: Extent) -> Measured:
    """Lighthouse's slow phone."""
    return _measured(extent, "mobile")


def desktop(extent: Extent) -> Measured:
    """Lighthouse's desktop."""
    return _measured(extent, "desktop")


def _measured(extent: Extent, form: str) -> Measured:
    """All pages, five times or more, with their floors; the home page with a default app as well."""
    rounds = extent.pick(5, 1)
    others = [path for path in (*ENGLISH, *OTHERS) if path != "/"]
    if extent.short:
        others = others[:1]
    build_site()
    radix = build_radix()
    with staged_site(extent.room, floors(CLIENT, ["/", *others])) as site, served_folder(radix, extent.room) as usual:
        pairs: dict[str, str] = {}
        for path in ("/", *sorted(others)):
            pairs |= {f"site {path}": site.url + path, f"floor {path}": f"{site.url}/{FOLDER}{path.rstrip('/')}"}
        home = {name: url for name, url in pairs.items() if name.endswith(" /")} | {"default Reflex": usual.url + "/"}
        runs = _looked(form, home, rounds)
        runs |= _looked(form, {name: url for name, url in pairs.items() if name not in home}, rounds)
        if not extent.short:
            doubtful = in_doubt(runs)
            longer = {name: url for name, url in pairs.items() if name.partition(" ")[2] in doubtful}
            for name, more in _looked(form, longer, _LONGER).items():
                runs[name] += more
    return _reported({name: _median_of(many) for name, many in runs.items()}, form, ["/", *others])


def in_doubt(runs: Runs) -> list[str]:
    """The pages of the site that come near the bar for TBT."""
    return [
        name.partition(" ")[2]
        for name, many in runs.items()
        if name.startswith("site ") and _median_of(many)["tbt_ms"] > _IN_DOUBT_MS
    ]


def _looked(form: str, urls: Mapping[str, str], runs: int) -> Runs:
    """What was read of each address; the rounds go over all of them in turn."""
    if not urls:
        return {}
    job = {"modules": str(lighthouse()), "chrome": _chrome(), "form": form, "runs": runs, "urls": urls}
    command = ["node", str(LIGHTHOUSE / "run.mjs"), json.dumps(job)]
    done = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, text=True, timeout=3600)
    if done.returncode:
        raise RuntimeError("Lighthouse broke off: see above")
    seen: Runs = json.loads(done.stdout)
    return seen


def _median_of(many: Sequence[Mapping[str, float | str]]) -> Row:
    numbers = {key for key, value in many[0].items() if not isinstance(value, str)}
    _VERSIONS.update({key: str(value) for key, value in many[0].items() if isinstance(value, str)})
    return {key: median([float(one[key]) for one in many]) for key in numbers} | {"runs": len(many)}


_VERSIONS: dict[str, str] = {}


def _reported(rows: Mapping[str, Row], form: str, paths: Sequence[str]) -> Measured:
    measured = Measured(versions=_VERSIONS | {f"face for {language}": _face(language) for language in ("th", "zh-cn")})
    home, bare, usual = rows["site /"], rows["floor /"], rows["default Reflex"]
    for name, row in (("home", home), ("floor", bare), ("radix", usual)):
        measured.figures |= {f"{name}.{key}": value for key, value in row.items()}
        measured.figures |= {f"{name}.lcp_s": row["lcp_ms"] / 1000, f"{name}.kb_first": row["bytes_first"] / KILOBYTE}
        measured.figures |= {f"{name}.kb_all": row["bytes_all"] / KILOBYTE, f"{name}.kb_script": row["bytes_script"] / KILOBYTE}
    sites = {path: rows[f"site {path}"] for path in paths}
    ratios = {path: row["lcp_ms"] / rows[f"floor {path}"]["lcp_ms"] for path, row in sites.items()}
    measured.figures |= {
        "pages": len(sites),
        "worst_lcp_ratio": max(ratios.values()),
        "worst_tbt_ms": max(row["tbt_ms"] for row in sites.values()),
        "worst_tbt_floor_ms": max(rows[f"floor {path}"]["tbt_ms"] for path in paths),
        "worst_tbt_cpu_ms": max(row["tbt_cpu_ms"] for row in sites.values()),
        "worst_cls": max(row["cls"] for row in sites.values()),
        "worst_performance": min(row["performance"] for row in sites.values()),
        "lcp_of_radix": usual["lcp_ms"] / home["lcp_ms"],
        "script_of_radix": usual["script_ms"] / max(home["script_ms"], SMALLEST_RATIO_MS),
    }
    measured.tables = [
        _compared(home, bare, usual),
        _all_pages(sites, ratios, {path: rows[f"floor {path}"]["tbt_ms"] for path in paths}),
    ]
    measured.bars = _bars(sites, ratios, form)
    return measured


def _compared(home: Row, bare: Row, usual: Row) -> Table:
    lines = []
    for key, heading in zip(_COLUMNS, _HEAD, strict=True):
        values = [row[key] / (KILOBYTE if key.startswith("bytes") else 1) for row in (home, bare, usual)]
        ratios = [f"{values[0] / other:.2f}" if other and not key.startswith(("cls", "perf")) else "" for other in values[1:]]
        lines.append([heading, *(_COLUMNS[key].format(value) for value in values), *ratios])
    note = (
        "The floor is the same text in plain tags with a line of style, from the same server. The default Reflex app has the same "
        "text in Radix components and no state, so no socket; its export is served compressed and from memory by the same file layer, which "
        "favours it. kB at first: without images, until half a second after load; kB in all: with what idleness brings (React, socket)."
    )
    return Table("The home page", ("", "site", "floor", "default Reflex", "site / floor", "site / default"), lines, note)


def _all_pages(sites: Mapping[str, Row], ratios: Mapping[str, float], bare: Mapping[str, float]) -> Table:
    lines = [
        [
            path,
            *(_COLUMNS[key].format(row[key] / (KILOBYTE if key.startswith("bytes") else 1)) for key in _COLUMNS),
            f"{ratios[path]:.2f}",
            f"{bare[path]:,.0f}",
            f"{row['runs']:.0f}",
        ]
        for path, row in sites.items()
    ]
    note = (
        "“Of it own” is the TBT by the processor time that the page's tasks took, from the very start on: in the time by the clock, which "
        "the bar holds, is also what other programs on this machine took from them. The floor's TBT beside it tells how much that was. "
        "A page whose TBT came near the bar was looked at more often, as was its floor; all runs count."
    )
    return Table("Every page measured, medians", ("page", *_HEAD, "LCP / floor", "floor's TBT ms", "runs"), lines, note)


def _bars(sites: Mapping[str, Row], ratios: Mapping[str, float], form: str) -> list[Bar]:
    def of(key: str, best: bool = False) -> tuple[str, float]:
        values = {path: -row[key] if best else row[key] for path, row in sites.items()}
        page, value = worst(values)
        return page, abs(value)

    page, ratio = worst(ratios)
    blocked, longest = of("tbt_ms")
    jumpy, shift = of("cls")
    slowest, score = of("performance", best=True)
    bars = [
        Bar(f"LCP against the floor, worst page ({page})", ratio, most=1.15),
        Bar(f"TBT in ms, worst page ({blocked})", longest, most=MOST_TBT_MS),
        Bar(f"CLS, worst page ({jumpy})", shift, most=0.1),
        Bar(f"performance, worst page ({slowest})", score, least=100),
    ]
    if form == "mobile":
        home, heaviest = sites["/"], of("bytes_html")
        bars += [
            Bar("HTML with style of the home page, kB", home["bytes_html"] / KILOBYTE, most=14),
            Bar(f"HTML with style of the heaviest page ({heaviest[0]}), kB", heaviest[1] / KILOBYTE, most=20),
            Bar("first load of the home page without images, kB", home["bytes_first"] / KILOBYTE, most=30),
            Bar("home page in all after idle, kB", home["bytes_all"] / KILOBYTE, most=160),
        ]
    bars += [
        Bar(f"{key.replace('_', ' ')}, worst page", of(key, best=True)[1], least=100)
        for key in ("accessibility", "best_practices", "seo")
    ]
    return bars


def _face(language: str) -> str:
    """What sets this language on this machine; DejaVu has no letters of ours: then boxes are measured, and a search for each."""
    if not shutil.which("fc-match"):
        return "unknown"
    command = ["fc-match", "--format=%{family[0]}", f"sans-serif:lang={language}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _chrome() -> str:
    if not (path := found()):
        raise NotRun("there is no Chromium on this machine")
    return path
