"""What the spec counts."""

import re

import pytest

from site_app import constants
from site_app.content import testimonials
from site_app.content.about_us import core_values
from site_app.content.affiliate_program import affiliate_program
from site_app.content.approaches import (
    brand_creation_approach,
    development_approach,
    maintenance_approach,
    marketing_approach,
)
from site_app.content.brand import contact_details, social_links
from site_app.content.contact_us import contact_us
from site_app.content.engagement import engagement_models
from site_app.content.faq.page import faq_categories, pick_questions
from site_app.content.faq.records import ItemList
from site_app.content.frame import footer
from site_app.content.offers import offers, service_groups
from site_app.content.process import working_process
from site_app.content.services.records import Service
from site_app.content.services.table import SERVICES
from site_app.content.technologies import technology_catalogues
from site_app.i18n import LOCALES
from site_app.routes import BY_PATH


@pytest.fixture(params=list(SERVICES))
def service(request: pytest.FixtureRequest) -> Service:
    return SERVICES[request.param]()


def test_seven_services_are_offered():
    assert list(offers()) == [
        "web_development",
        "mobile_development",
        "software_maintenance",
        "blockchain_development",
        "ai_and_deep_learning",
        "digital_marketing",
        "brand_creation",
    ]


def test_there_are_three_engagement_models():
    assert [model.id for model in engagement_models()] == ["dedicated_teams", "fixed_price_projects", "hybrid_model"]
    assert all(model.benefits for model in engagement_models())


def test_the_models_are_billed_and_meant_as_the_spec_says():
    assert [(model.name, re.split("[,:]", model.billing)[0], model.best_for) for model in engagement_models()] == [
        ("Dedicated Teams", "Monthly", "Large, long-term projects"),
        ("Fixed Price Projects", "By milestone", "Small to medium projects"),
        ("Hybrid model", "Mixed", "Medium to large projects"),
    ]


def test_the_services_stand_in_two_groups():
    assert {group.slug: [offer.slug for offer in group.offers] for group in service_groups()} == {
        "it_services_and_branding": ["web_development", "mobile_development", "software_maintenance"],
        "advanced_technology": ["blockchain_development", "ai_and_deep_learning"],
    }


def test_the_contact_page_says_that_somebody_is_there_day_and_night():
    assert contact_us().availability.startswith("Available 24/7")


def test_a_web_app_takes_two_to_three_months_up_to_twelve_or_more():
    assert (constants.WEB_APP_MONTHS, constants.LARGE_WEB_APP_MONTHS) == ((2, 3), 12)


def test_there_are_five_testimonials():
    assert [voice.id for voice in testimonials.testimonials().items] == [1, 2, 3, 4, 5]


def test_there_are_four_social_links():
    assert [link.slug for link in social_links()] == ["instagram", "facebook", "linkedin", "x"]


def test_the_contact_details_are_mail_address_and_phone():
    assert {detail.slug for detail in contact_details()} == {"email_address", "address", "phone_number"}


def test_the_process_has_its_four_steps():
    assert [(step.id, step.slug) for step in working_process().items] == [
        (1, "consultation"),
        (2, "quotation_and_timeline"),
        (3, "contract_review_and_payment_agreement"),
        (4, "kickoff_and_progress_updates"),
    ]


def test_the_footer_lists_its_three_groups_and_four_policies():
    words = footer()

    assert {group.slug: [link.href for link in group.links] for group in words.groups} == {
        "company": ["/company/about-us", "/company/affiliate-program"],
        "services": [
            "/services/it-services-and-branding/web-development",
            "/services/it-services-and-branding/mobile-development",
            "/services/it-services-and-branding/software-maintenance",
            "/services/advanced-technology/blockchain-development",
            "/services/advanced-technology/ai-and-deep-learning",
        ],
        "support": ["/contact-us", "/faq"],
    }
    assert [link.href.removeprefix("/legals/") for link in words.policies] == [
        "terms-of-service",
        "privacy-policy",
        "cookies-policy",
        "legal-notice",
    ]


def test_every_offer_has_its_service_page():
    assert {slug: service().offer for slug, service in SERVICES.items()} == offers()


def test_a_service_has_four_key_benefits(service: Service):
    assert len({benefit.slug for benefit in service.benefits.items}) == 4


def test_an_approach_has_six_steps(service: Service):
    assert [step.id for step in service.approach.items] == [1, 2, 3, 4, 5, 6]


def test_a_service_names_its_technologies(service: Service):
    assert service.technologies.items
    assert all(category.technologies for category in service.technologies.items)


def test_a_service_answers_three_questions(service: Service):
    assert len({question.slug for question in pick_questions(service.questions)}) == 3


def test_there_are_four_approach_lists():
    lists = (development_approach(), marketing_approach(), brand_creation_approach(), maintenance_approach())

    assert len({tuple(step.slug for step in steps) for steps in lists}) == 4


def test_the_maintenance_marketing_and_brand_pages_have_approaches_of_their_own():
    assert SERVICES["software_maintenance"]().approach.items == maintenance_approach()
    assert SERVICES["digital_marketing"]().approach.items == marketing_approach()
    assert SERVICES["brand_creation"]().approach.items == brand_creation_approach()


def test_there_are_five_technology_catalogues_without_a_slug_twice():
    catalogues = technology_catalogues()
    slugs = [technology.slug for one in catalogues for category in one.categories for technology in category.technologies]

    assert [one.slug for one in catalogues] == ["web", "mobile", "ai_and_deep_learning", "blockchain", "digital_marketing"]
    assert len(slugs) == len(set(slugs))


def test_the_core_values_are_four():
    assert [value.slug for value in core_values().items] == ["creativity", "excellence", "integrity", "limitless_innovation"]


def test_the_faq_has_four_six_and_three_closed_questions():
    counts = {category.slug: len(category.questions) for category in faq_categories()}
    questions = [question for category in faq_categories() for question in category.questions]

    assert counts == {"general_inquiries": 4, "services": 6, "privacy_and_legal": 3}
    assert len({question.slug for question in questions}) == 13
    assert not any(question.expanded for question in questions)


def test_the_faq_lists_the_process_from_planning_to_maintenance():
    (process,) = pick_questions(("development_process",))
    (steps,) = (block for block in process.content if isinstance(block, ItemList))

    assert [item.title for item in steps.items] == [
        "Planning",
        "Design",
        "Development",
        "Testing",
        "Deployment",
        "Maintenance",
    ]


def test_the_affiliate_program_has_four_steps_and_four_benefits():
    words = affiliate_program()

    assert [step.slug for step in words.steps.items] == ["submit_form", "schedule_call", "start_promoting", "get_paid"]
    assert [benefit.slug for benefit in words.benefits.items] == [
        "competitive_commissions",
        "premium_support",
        "flexibility",
        "growth_opportunity",
    ]


def test_there_are_three_languages():
    assert [locale.id for locale in LOCALES] == ["en", "th", "cn"]


def test_the_route_of_the_affiliate_program_names_the_commission():
    assert f"{constants.commission_percent()}%" in BY_PATH["/company/affiliate-program"].description()
