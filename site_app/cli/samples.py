"""Samples that a public site must not show: settings and texts that are invented."""

import sys
from collections.abc import Iterator

from site_app.cli.findings import Finding, odd, well, wrong
from site_app.cli.printing import complain
from site_app.content.samples import sample_texts
from site_app.settings import REFUSED, Settings, samples

_MEND = (
    "Set them, and build again; SITE_ALLOW_SAMPLES=true keeps them for a public demonstration, which then says so on each page."
)


def refuse_samples(settings: Settings) -> None:
    """End the start where a public site would say what is legally false or unreachable; name other samples on the error stream."""
    if not settings.production:
        return
    refused, named = _apart(settings)
    if refused and not settings.allow_samples:
        also = f"\nSamples too, which do not stop the start: {', '.join([*named, *sample_texts()])}."
        sys.exit(
            f"This site is public (SITE_PRODUCTION), and these settings are still samples: {', '.join(refused)}. {_MEND}{also}"
        )
    if rest := [*refused, *named, *sample_texts()]:
        complain(f"Still samples: {', '.join(rest)}.")


def samples_are_replaced(settings: Settings) -> Iterator[Finding]:
    """On a public site nothing is a sample, unless the site is a demonstration."""
    if not settings.production:
        return
    refused, named = _apart(settings)
    if refused:
        judged = odd if settings.allow_samples else wrong
        yield judged("samples", f"False or reaching nobody: {', '.join(refused)}.", _MEND)
    if named:
        yield odd("samples", f"Still as it came: {', '.join(named)}.", "Set them, and build again.")
    if texts := sample_texts():
        mend = "Write real ones in site_app/content and site_app/business.py, or remove them."
        yield odd("samples", f"Texts and figures that are samples: {', '.join(texts)}.", mend)
    if not refused and not named and not texts:
        yield well("samples", "Nothing is a sample.")


def _apart(settings: Settings) -> tuple[list[str], list[str]]:
    found = samples(settings)
    return [name for name, fate in found.items() if fate == REFUSED], [name for name, fate in found.items() if fate != REFUSED]
