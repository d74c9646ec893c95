"""Which texts of the site are samples, told by the records themselves."""

from site_app.content.testimonials import testimonials
from site_app.i18n import ENGLISH, use


def sample_texts() -> list[str]:
    """Each in a word or two: what it is, and whose."""
    with use(ENGLISH):
        return [f"testimonial of {voice.name}" for voice in testimonials().items if voice.is_sample]
