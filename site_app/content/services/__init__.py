"""The texts of each service page, by the slug in site_app/core/service_table.py."""

from collections.abc import Callable

from site_app.content.services import (
    ai_and_deep_learning,
    blockchain_development,
    digital_marketing,
    mobile_development,
    software_maintenance,
    web_development,
)
from site_app.content.services.offers import Service

SERVICES: dict[str, Callable[[], Service]] = {
    "web_development": web_development.web_development,
    "mobile_development": mobile_development.mobile_development,
    "software_maintenance": software_maintenance.software_maintenance,
    "blockchain_development": blockchain_development.blockchain_development,
    "ai_and_deep_learning": ai_and_deep_learning.ai_and_deep_learning,
    "digital_marketing": digital_marketing.digital_marketing,
    "brand_creation": digital_marketing.brand_creation,
}
