"""The agency's contact details and place of registration, from the settings."""

import re
from urllib.parse import quote

from components.words import ContactDetail, SocialLink
from site_app.core.i18n import current, in_local_words, t
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


def _dial(number: str) -> str:
    return "tel:" + "".join(sign for sign in number if sign in "+0123456789")


def _map(address: str) -> str:
    return f"https://www.openstreetmap.org/search?query={quote(address)}"
