"""What the page of each service says, by the slug of site_app/offered.py."""

from collections.abc import Callable

from site_app.content.services.ai_and_deep_learning import ai_and_deep_learning
from site_app.content.services.blockchain_development import blockchain_development
from site_app.content.services.brand_creation import brand_creation
from site_app.content.services.digital_marketing import digital_marketing
from site_app.content.services.mobile_development import mobile_development
from site_app.content.services.records import Service
from site_app.content.services.software_maintenance import software_maintenance
from site_app.content.services.web_development import web_development

SERVICES: dict[str, Callable[[], Service]] = {
    "web_development": web_development,
    "mobile_development": mobile_development,
    "software_maintenance": software_maintenance,
    "blockchain_development": blockchain_development,
    "ai_and_deep_learning": ai_and_deep_learning,
    "digital_marketing": digital_marketing,
    "brand_creation": brand_creation,
}
