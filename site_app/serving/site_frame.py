"""The site's links around its plain pages, which are written without Reflex."""

from collections.abc import Iterable

from components.art.icons import path_of
from components.records import Link
from site_app.content.navigation import footer_words, navigation_words
from site_app.content.publications import CASES
from site_app.core.http.pages import SiteFrame, TextAndUrl
from site_app.core.i18n import href

_PAGES_IN_HEAD = ("/company/about-us", CASES.path, "/company/prices")


def site_frame() -> SiteFrame:
    """Returns the links around the site's own pages, in the current language, for its plain pages."""
    navigation, words = navigation_words(), footer_words()
    in_head = [link for link in navigation.company_links if link.href in {href(path) for path in _PAGES_IN_HEAD}]
    services = Link(navigation.services, navigation.groups[0].offers[0].href)
    contact = tuple(("\n".join(detail.values), detail.href) for detail in words.details)
    return SiteFrame(
        label=navigation.label,
        links=_pairs((services, *in_head, *navigation.links)),
        headline=words.headline,
        groups=(*((group.title, _pairs(group.links)) for group in words.groups), (words.contact_title, contact)),
        policies_label=words.policies_title,
        policies=_pairs(words.policies),
        social_label=words.social_title,
        social=tuple((profile.name, profile.link) for profile in words.social),
        small_print=words.small_print,
        themes=(
            ("light", navigation.dark_theme, path_of("moon-waning-crescent")),
            ("dark", navigation.light_theme, path_of("white-balance-sunny")),
        ),
    )


def _pairs(links: Iterable[Link]) -> tuple[TextAndUrl, ...]:
    return tuple((link.text, link.href) for link in links)
