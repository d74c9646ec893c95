"""The table of languages."""

from dataclasses import dataclass

_SCRIPT_LENGTH = 4  # of a script in a tag, such as Hans


@dataclass(frozen=True, kw_only=True)
class Locale:
    """A language of the site with everything that depends on it."""

    id: str  # in the cookie and the code, and the first part of its paths
    tag: str  # in <html lang>, hreflang and Intl
    label: str  # short name in its own script
    title: str  # full name in its own script
    country: str  # where most of its readers live: decides date formats and local phone numbers
    zone: str  # the time zone of most of its readers; empty: the founder's
    sentence_separator: str = " "  # between two sentences
    family_name_first: bool = False  # and without a space between the two names
    min_summary: int = 50  # characters of a publication's summary

    @property
    def prefix(self) -> str:
        """The prefix of its paths; empty for English."""
        return f"/{self.id}" if self.id != "en" else ""

    @property
    def babel(self) -> str:
        """Its Babel identifier: en_GB, zh_Hans_CN. The country takes the place of a region in the tag, as in pt-BR and es-419."""
        language, *subtags = self.tag.split("-")
        scripts = [subtag for subtag in subtags if len(subtag) == _SCRIPT_LENGTH]
        return "_".join((language, *scripts, self.country))

    @property
    def open_graph(self) -> str:
        """Its Open Graph locale, for cards on other sites: en_GB, zh_CN."""
        return f"{self.tag.partition('-')[0]}_{self.country}"


ENGLISH = Locale(id="en", tag="en", label="EN", title="English", country="GB", zone="")
LOCALES = (
    ENGLISH,
    Locale(id="th", tag="th", label="ไทย", title="ภาษาไทย", country="TH", zone="Asia/Bangkok"),
    # No space between sentences, because Chinese punctuation is as wide as a character.
    Locale(
        id="cn",
        tag="zh-Hans",
        label="中文",
        title="简体中文",
        country="CN",
        zone="Asia/Shanghai",
        sentence_separator="",
        family_name_first=True,
        min_summary=25,  # a Chinese character says about twice as much
    ),
)
BY_ID = {locale.id: locale for locale in LOCALES}
