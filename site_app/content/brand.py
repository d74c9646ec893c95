"""The agency's contact details and place of registration, from the settings; and the layout's own messages."""

import re
from typing import Any
from urllib.parse import quote

from components.words import ContactDetail, SocialLink
from site_app.core.i18n import LOCALES, Locale, current, in_local_words, labelled, t, use
from site_app.core.settings import settings


def contact_details() -> tuple[ContactDetail, ...]:
    """Returns mail, phone, a chat if there is one, and the postal address, with one value per line."""
    agency = settings()
    lines = tuple(part.strip() for part in re.split("[,，]", in_local_words(agency.brand_address)))
    return (
        ContactDetail("email_address", "email-outline", t("Email"), (agency.brand_email,), f"mailto:{agency.brand_email}"),
        ContactDetail("phone_number", "phone-outline", t("Phone"), (agency.brand_phone,), _dial(agency.brand_phone)),
        *_chats(),
        ContactDetail("address", "map-marker-outline", t("Address"), lines, _map(agency.brand_address)),
    )


def _chats() -> tuple[ContactDetail, ...]:
    """Returns the chat that is common in the current language, if the agency uses it."""
    chats = {"th": ("line", "LINE", settings().brand_line), "cn": ("wechat", "微信", settings().brand_wechat)}
    slug, name, link = chats.get(current().id, ("", "", ""))
    return (ContactDetail(slug, "message-text-outline", name, (name,), link),) if link else ()


def social_links() -> tuple[SocialLink, ...]:
    """Returns the agency's pages in social networks, those whose address is set."""
    agency = settings()
    links = (
        SocialLink("Instagram", "instagram", agency.brand_instagram, "instagram"),
        SocialLink("Facebook", "facebook", agency.brand_facebook, "facebook"),
        SocialLink("LinkedIn", "linkedin", agency.brand_linkedin, "linkedin"),
        SocialLink("X", "x", agency.brand_x, "x"),
    )
    return tuple(link for link in links if link.link)


def part_of_the_kingdom(name: str) -> str:
    """Returns a British company's place of registration in the current language."""
    return _PARTS[name]() if name in _PARTS else name


_PARTS = {
    "England and Wales": lambda: t("England and Wales"),
    "Wales": lambda: t("Wales"),
    "Scotland": lambda: t("Scotland"),
    "Northern Ireland": lambda: t("Northern Ireland"),
}


def _dial(number: str) -> str:
    return "tel:" + "".join(sign for sign in number if sign in "+0123456789")


def _map(address: str) -> str:
    return f"https://www.openstreetmap.org/search?query={quote(address)}"


def messages() -> dict[str, dict[str, Any]]:
    """Returns, by language, the labels and buttons of messages, and the two messages that the reader scripts show."""
    return {locale.id: _messages(locale) for locale in LOCALES}


def _messages(locale: Locale) -> dict[str, Any]:
    with use(locale):
        return snackbar_words() | {"notFound": not_found(), "offer": _offer(locale)}


def snackbar_words() -> dict[str, str]:
    return {
        "success": labelled(t("Done")),
        "error": labelled(t("Error")),
        "warning": labelled(t("Please note")),
        "info": labelled(t("Note")),
        "again": t("Try again"),
        "dismiss": t("Dismiss"),
    }


def page_words() -> dict[str, str]:
    return {"failed": t("This page could not be loaded. Check your connection, then try again."), "again": t("Try again")}


def not_found() -> str:
    return t("We couldn’t find the page you asked for, so here is our home page.")


def _offer(locale: Locale) -> dict[str, str]:
    """Returns the offer to read the page in a language, in that language."""
    return {
        "tag": locale.tag,
        "text": t("This page is also available in {language}.", language=locale.title),
        "accept": t("Read it in {language}", language=locale.title),
        "dismiss": t("No, thanks"),
    }
