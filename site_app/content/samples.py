"""Which texts and figures of the site are samples, told by the records themselves."""

from site_app.content.people import founder
from site_app.content.sample_documents import report, scope
from site_app.content.testimonials import testimonials
from site_app.core.business import SAMPLES
from site_app.core.i18n import ENGLISH, use


def sample_texts() -> list[str]:
    """Each in a word or two: what it is, and whose."""
    with use(ENGLISH):
        voices = [f"testimonial of {voice.name}" for voice in testimonials().items if voice.is_sample]
        documents = [one.head for one in (scope(), report()) if one.is_sample]
        return [*voices, *(["words of the founder"] if founder().label else []), *documents, *SAMPLES]
