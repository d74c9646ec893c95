"""Samples that a public site must not show: settings and texts that are invented."""

import sys
from collections.abc import Iterator

from site_app.cli.findings import WELL, WRONG, Finding, odd, well, wrong
from site_app.cli.printing import complain
from site_app.content.samples import sample_texts
from site_app.core.settings import NAMED, REFUSED, Settings, samples

_MEND = (
    "Set them, and build again; SITE_ALLOW_SAMPLES=true keeps them for a public demonstration, which then says so on each page."
)


def refuse_samples(settings: Settings) -> None:
    """End the start where a public site would say what is legally false or unreachable; name other samples on the error stream."""
    found = [one for one in samples_are_replaced(settings) if one.state != WELL]
    said = [f"{one.says} {one.mend}" for one in found]
    if any(one.state == WRONG for one in found):
        sys.exit("\n".join(["This site is public (SITE_PRODUCTION), and some of what it says is still a sample.", *said]))
    for one in said:
        complain(one)


def samples_are_replaced(settings: Settings) -> Iterator[Finding]:
    """On a public site nothing is a sample, unless the site is a demonstration."""
    if not settings.production:
        return
    fates = samples(settings)
    refused, named = ([name for name, fate in fates.items() if fate == which] for which in (REFUSED, NAMED))
    if refused:
        judged = odd if settings.allow_samples else wrong
        yield judged("samples", f"False or reaching nobody: {', '.join(refused)}.", _MEND)
    if named:
        yield odd("samples", f"Still as it came: {', '.join(named)}.", "Set them, and build again.")
    if texts := sample_texts():
        mend = "Write real ones in site_app/content and site_app/core/business.py, or remove them."
        yield odd("samples", f"Texts and figures that are samples: {', '.join(texts)}.", mend)
    if not refused and not named and not texts:
        yield well("samples", "Nothing is a sample.")
