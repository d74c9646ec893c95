"""What the spec counts."""

from site_app.content import testimonials
from site_app.content.brand import contact_details, social_links
from site_app.content.engagement import engagement_models
from site_app.content.frame import footer
from site_app.content.offers import offers
from site_app.content.process import working_process


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

    assert [(group.slug, len(group.links)) for group in words.groups] == [("company", 2), ("services", 5), ("support", 2)]
    assert len(words.policies) == 4
