"""The table of pages, each with the function that builds it; `followed_by` adds sections below a page."""

from collections.abc import Callable

import reflex as rx

from site_app.content.legal import LEGAL_PAGES, security_and_data
from site_app.content.price_page import price_page
from site_app.content.routes import REPORT, SCOPE
from site_app.content.sample_documents import report, scope
from site_app.content.services import SERVICES
from site_app.core.service_table import SERVICE_TABLE
from site_app.pages import publications
from site_app.pages.about_us import about_us
from site_app.pages.affiliate_program import affiliate_program
from site_app.pages.contact_us import contact_us
from site_app.pages.faq import faq
from site_app.pages.home import home
from site_app.pages.service import brand_section, service_page
from site_app.pages.text_page import legal, sample_document, text_page

PageFunction = Callable[[], rx.Component]


def followed_by(page: PageFunction, *sections: PageFunction) -> PageFunction:
    """Returns the page with further sections below it, such as a form."""
    return lambda: rx.fragment(page(), *(section() for section in sections))


_EXTRA_SECTIONS = {"digital_marketing": (brand_section,)}  # sections of other services on a service's page

PAGES: dict[str, PageFunction] = {
    "/": home,
    **{
        offer.path: service_page(SERVICES[offer.slug], *_EXTRA_SECTIONS.get(offer.slug, ()))
        for offer in SERVICE_TABLE
        if offer.title
    },
    "/company/about-us": about_us,
    "/company/affiliate-program": affiliate_program,
    "/company/prices": text_page(price_page),
    "/company/security-and-data": text_page(security_and_data),
    SCOPE: sample_document(scope),
    REPORT: sample_document(report),
    "/faq": faq,
    "/contact-us": contact_us,
    **{path: legal(path) for path in LEGAL_PAGES},
    **publications.pages(),
}
