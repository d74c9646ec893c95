"""Which function builds which page."""

from collections.abc import Callable

import reflex as rx

from site_app.content.legal_pages import LEGAL_PAGES
from site_app.content.services.ai_and_deep_learning import ai_and_deep_learning
from site_app.content.services.blockchain_development import blockchain_development
from site_app.content.services.digital_marketing import digital_marketing
from site_app.content.services.mobile_development import mobile_development
from site_app.content.services.software_maintenance import software_maintenance
from site_app.content.services.web_development import web_development
from site_app.pages.about_us import about_us
from site_app.pages.affiliate_program import affiliate_program
from site_app.pages.brand_section import brand_section
from site_app.pages.contact_us import contact_us
from site_app.pages.faq import faq
from site_app.pages.home import home
from site_app.pages.legal import legal
from site_app.pages.service import service_page

_BRANDING = "/services/it-services-and-branding"
_ADVANCED = "/services/advanced-technology"

PAGES: dict[str, Callable[[], rx.Component]] = {
    "/": home,
    f"{_BRANDING}/web-development": service_page(web_development),
    f"{_BRANDING}/mobile-development": service_page(mobile_development),
    f"{_BRANDING}/software-maintenance": service_page(software_maintenance),
    f"{_ADVANCED}/blockchain-development": service_page(blockchain_development),
    f"{_ADVANCED}/ai-and-deep-learning": service_page(ai_and_deep_learning),
    "/services/digital-marketing": service_page(digital_marketing, brand_section),
    "/company/about-us": about_us,
    "/company/affiliate-program": affiliate_program,
    "/faq": faq,
    "/contact-us": contact_us,
    **{path: legal(path) for path in LEGAL_PAGES},
}
