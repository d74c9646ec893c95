"""The counts and names of the client's specification, sentence by sentence. More than it requires is no fault."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice

from components.phone_input import DEFAULTS
from site_app.content.about_us import core_values
from site_app.content.affiliate_program import affiliate_program_words
from site_app.content.contact_us import contact_details, contact_us_words, social_links
from site_app.content.engagement import engagement_models
from site_app.content.faq import ItemList, faq_categories, pick_questions
from site_app.content.form_words import sent_message
from site_app.content.legal_values import legal_values, stored_item
from site_app.content.navigation import footer_words
from site_app.content.people import testimonials
from site_app.content.routes import BY_PATH, REDIRECTS
from site_app.content.services import SERVICES
from site_app.content.services.offers import offers, service_groups
from site_app.content.technologies import (
    ai_technologies,
    blockchain_technologies,
    marketing_technologies,
    mobile_technologies,
    web_technologies,
)
from site_app.content.ways_of_working import (
    brand_creation_approach,
    development_approach,
    maintenance_approach,
    marketing_approach,
    working_process,
)
from site_app.contracts.kinds import LEAD_KINDS
from site_app.core import business, colors
from site_app.core.locales import ENGLISH, LOCALES
from site_app.core.settings import Settings
from site_app.forms.views.consultation import CONSULTATION
from site_app.layout.dialogs import consultation_dialog

Faults = Iterator[str]


@dataclass(frozen=True)
class Sentence:
    """A sentence of the specification, and a function that yields what no longer holds."""

    requirements: str
    text: str
    faults: Callable[[], Faults]


SENTENCES: list[Sentence] = []


def sentence(requirements: str, text: str) -> Callable[[Callable[[], Faults]], Callable[[], Faults]]:
    """Adds a check to the list; it yields a line for each fault."""

    def add(faults: Callable[[], Faults]) -> Callable[[], Faults]:
        SENTENCES.append(Sentence(requirements, text, faults))
        return faults

    return add


def lacking(subject: str, expected: Collection[object], actual: Collection[object]) -> Faults:
    yield from (f"{subject}: {entry!r} is missing" for entry in expected if entry not in actual)


def fewer(subject: str, expected: int, actual: Collection[object]) -> Faults:
    if len(actual) < expected:
        yield f"{subject}: {len(actual)} instead of {expected}"


def differing(subject: str, expected: object, actual: object) -> Faults:
    if expected != actual:
        yield f"{subject}: {actual!r} instead of {expected!r}"


@sentence("R1", "The company offers: web development … brand creation")
def seven_services() -> Faults:
    expected = ["web_development", "mobile_development", "software_maintenance", "blockchain_development"]
    yield from lacking("services", [*expected, "ai_and_deep_learning", "digital_marketing", "brand_creation"], offers())
    yield from lacking("pages or sections of services", list(offers()), SERVICES)


@sentence("R2", "Engagement models: Dedicated Teams: monthly … Fixed Price Projects: milestone … Hybrid model: mixed billing")
def engagement() -> Faults:
    models = {model.id: model for model in engagement_models()}
    expected = {
        "dedicated_teams": ("Monthly", "large, long-term projects"),
        "fixed_price_projects": ("By milestone", "small to medium projects"),
        "hybrid_model": ("Mixed", "medium to large projects"),
    }
    yield from lacking("engagement models", expected, models)
    for name in expected.keys() & models.keys():
        billing = re.split("[,:]", models[name].billing)[0]
        yield from differing(name, expected[name], (billing, models[name].best_for.lower()))
        yield from fewer(f"benefits of {name}", 1, models[name].benefits)


@sentence("R3", "Each has 4 key benefits, technology expertise and an approach list of 6 steps")
def services() -> Faults:
    for slug, service in SERVICES.items():
        words = service()
        yield from fewer(f"key benefits of {slug}", 4, {benefit.slug for benefit in words.benefits.items})
        yield from fewer(f"technologies of {slug}", 1, words.technologies.items)
        yield from lacking(f"approach of {slug}", range(1, 7), [step.id for step in words.approach.items])


@sentence("R4", "The contact page says the team is available 24/7")
def availability() -> Faults:
    if "24/7" not in contact_us_words().availability:
        yield f"the contact page says {contact_us_words().availability!r}"


@sentence("R5", "The dialog is titled “Free Consultation Call: 30 min” … and names the host as Founder & CEO")
def title_and_host() -> Faults:
    dialog = str(consultation_dialog())
    yield from (
        f"the dialog lacks {text!r}" for text in ("Free Consultation Call: 30 min", "Founder & CEO") if text not in dialog
    )


@sentence("R6", "Steps: submit the form, schedule a call, start promoting once approved, get paid monthly. Benefits: …")
def affiliates() -> Faults:
    words = affiliate_program_words()
    yield from lacking(
        "steps", ["submit_form", "schedule_call", "start_promoting", "get_paid"], [step.slug for step in words.steps.items]
    )
    expected = ["competitive_commissions", "premium_support", "flexibility", "growth_opportunity"]
    yield from lacking("benefits", expected, [benefit.slug for benefit in words.benefits.items])


@sentence("R7", "Languages: English (default and fallback), Thai (th) and Chinese (cn)")
def languages() -> Faults:
    yield from lacking("languages", ["en", "th", "cn"], [locale.id for locale in LOCALES])
    yield from differing("the default language", ("en", ""), (ENGLISH.id, ENGLISH.prefix))


@sentence("R8", "Core values: creativity, excellence, integrity, limitless_innovation. A four-step process: …")
def about_us() -> Faults:
    expected = ["creativity", "excellence", "integrity", "limitless_innovation"]
    yield from lacking("core values", expected, [value.slug for value in core_values().items])
    steps = ["consultation", "quotation_and_timeline", "contract_review_and_payment_agreement", "kickoff_and_progress_updates"]
    yield from lacking("steps of the process", steps, [step.slug for step in working_process().items])


@sentence("R9", "5 testimonials, each with id, description, name, position, client and image")
def voices() -> Faults:
    yield from fewer("testimonials", 5, testimonials().items)
    for item in testimonials().items:
        empty = [name for name in ("id", "description", "name", "position", "client", "image") if not getattr(item, name)]
        yield from (f"testimonial {item.id} has no {name}" for name in empty)


@sentence("R11, R12", "Screens and routes")
def routes() -> Faults:
    branding, advanced = "/services/it-services-and-branding", "/services/advanced-technology"
    expected = [
        *("/", "/faq", "/contact-us", "/company/about-us", "/company/affiliate-program", "/services/digital-marketing"),
        *(f"{branding}/{page}" for page in ("web-development", "mobile-development", "software-maintenance")),
        *(f"{advanced}/{page}" for page in ("blockchain-development", "ai-and-deep-learning")),
        *(f"/legals/{page}" for page in ("terms-of-service", "privacy-policy", "legal-notice", "cookies-policy")),
        "/legals/affiliate-program-terms-conditions",
    ]
    yield from lacking("pages", expected, BY_PATH)
    redirects = {
        "/services": f"{branding}/web-development",
        "/legals": "/legals/terms-of-service",
        "/company": "/company/about-us",
    }
    for path, target in redirects.items():
        yield from differing(f"redirect of {path}", target, REDIRECTS.get(path))


@sentence("R10", "Footer quick links … Policy pages … Service groups")
def footer_links() -> Faults:
    groups = {group.slug: [link.href for link in group.links] for group in footer_words().groups}
    services = [offer.href for group in service_groups() for offer in group.offers]
    yield from lacking("company", ["/company/about-us", "/company/affiliate-program"], groups["company"])
    yield from lacking("services", services, groups["services"])
    yield from fewer("services", 5, groups["services"])
    yield from lacking("support", ["/contact-us", "/faq"], groups["support"])
    policies = [f"/legals/{page}" for page in ("terms-of-service", "privacy-policy", "cookies-policy", "legal-notice")]
    yield from lacking("policies", policies, [link.href for link in footer_words().policies])


@sentence("R19", "Service groups: it_services_and_branding (web, mobile, maintenance) and advanced_technology (blockchain, AI)")
def groups_of_services() -> Faults:
    groups = {group.slug: [offer.slug for offer in group.offers] for group in service_groups()}
    branding = ["web_development", "mobile_development", "software_maintenance"]
    yield from lacking("it_services_and_branding", branding, groups.get("it_services_and_branding", []))
    yield from lacking(
        "advanced_technology", ["blockchain_development", "ai_and_deep_learning"], groups.get("advanced_technology", [])
    )


@sentence("R20", "FAQ: general_inquiries (4 questions), services (6 questions) and privacy_and_legal (3 questions)")
def questions() -> Faults:
    categories = {category.slug: category.questions for category in faq_categories()}
    for slug, expected in (("general_inquiries", 4), ("services", 6), ("privacy_and_legal", 3)):
        yield from fewer(slug, expected, categories.get(slug, ()))
    yield from (
        f"{question.slug} starts open" for category in categories.values() for question in category if question.expanded
    )


@sentence("R21", "The services answers include a process list (planning … maintenance) and an engagement-model choice")
def process_list() -> Faults:
    lists = [block for block in pick_questions(("development_process",))[0].content if isinstance(block, ItemList)]
    expected = ["Planning", "Design", "Development", "Testing", "Deployment", "Maintenance"]
    yield from lacking("process", expected, [item.title for process in lists for item in process.items])


@sentence("R21", "Web app timelines run from 2 to 3 months up to 12 or more months")
def timelines() -> Faults:
    yield from differing("months", ((2, 3), 12), (business.WEB_APP_MONTHS, business.VERY_LARGE_WEB_APP_MONTHS))


@sentence("R23", "Contact detail: slug (email_address, address, phone_number) and a list of values")
def contact() -> Faults:
    details = {detail.slug: detail.values for detail in contact_details()}
    yield from lacking("contact details", ["email_address", "address", "phone_number"], details)
    yield from (f"{slug} is empty" for slug, values in details.items() if not any(values))


@sentence("R24", "Technology catalogues exist for web, mobile, AI and deep learning, blockchain and digital marketing")
def catalogues() -> Faults:
    expected = ["web", "mobile", "ai_and_deep_learning", "blockchain", "digital_marketing"]
    catalogue_functions = (
        web_technologies,
        mobile_technologies,
        ai_technologies,
        blockchain_technologies,
        marketing_technologies,
    )
    yield from lacking("catalogues", expected, [catalogue().slug for catalogue in catalogue_functions])


@sentence("R25", "Social link: name, slug, link. There are 4: Instagram, Facebook, LinkedIn, X")
def social() -> Faults:
    yield from lacking("social links", ["instagram", "facebook", "linkedin", "x"], [link.slug for link in social_links()])


@sentence("R26", "Approach step: id 1-6 and slug. There are four lists: development, marketing, brand creation, maintenance")
def approaches() -> Faults:
    lists = (development_approach(), marketing_approach(), brand_creation_approach(), maintenance_approach())
    yield from fewer("different lists", 4, {tuple(step.slug for step in steps) for steps in lists})
    yield from (
        f"an approach begins {step_ids}"
        for steps in lists
        if (step_ids := [step.id for step in islice(steps, 6)]) != [*range(1, 7)]
    )


@sentence("R27", "Form field labels: full name, first name, last name, email address … your message")
def field_labels() -> Faults:
    expected = [
        *("full name", "first name", "last name", "email address", "phone number", "company", "company website"),
        *("country", "time zone", "currency", "preferred currency", "subject", "services"),
        *("project description", "project information", "additional notes", "additional files", "your message"),
    ]
    labels = {kind.label(name).casefold() for kind in (*LEAD_KINDS, CONSULTATION) for name in kind.fields}
    yield from lacking("labels", expected, labels)


@sentence("R28", "Cookie: one technical session cookie named lang")
def cookie() -> Faults:
    if stored_item("cookie", "lang") is None:
        yield "the cookies policy does not list it"


@sentence("R29", "Light colours: primary #6141ac, secondary #a992e7 … background #fff")
def light_colours() -> Faults:
    expected = {
        "primary": "#6141ac",
        "secondary": "#a992e7",
        "error": "#f95d5d",
        "warning": "#f1c40f",
        "surface-variant": "#6141ac",
        "background": "#ffffff",
    }
    for name, color in expected.items():
        yield from differing(name, color, colors.light().get(name))


@sentence("R46", "“Your message has been sent successfully”")
def success() -> Faults:
    yield from differing("success", "Your message has been sent successfully", sent_message())


@sentence("R31", "Startup: set loading to true, wait 2 seconds")
def startup() -> Faults:
    yield from differing("the wait", 2.0, Settings().startup_delay.total_seconds())


@sentence("R49, R50, R51", "Business constants and limits")
def business_constants() -> Faults:
    expected = {
        "commission": "20%",
        "payout_threshold": "£100",
        "payout_time": "30 days",
        "conversion_window": "3 months",
        "minimum_subscription": "one month",
        "prior_opportunity": "90 days",
        "commission_years": "first year",
        "unpaid_time": "60 days",
        "termination_notice": "60 days",
        "non_solicitation": "one year",
        "liability_period": "6 months",
        "effective_date": "14 August 2024",
        "consultation": "30 minutes",
    }
    for name, value in expected.items():
        yield from differing(name, value, legal_values().get(name))


@sentence("R42", "Phone input defaults")
def phone_defaults() -> Faults:
    expected = {
        "auto_format": True,
        "mode": "auto",
        "auto_default_country": True,
        "show_dial_code_in_list": True,
        "show_dial_code_in_selection": False,
        "show_flags": True,
        "show_search_box": False,
        "max_length": 25,
        "type": "tel",
        "name": "telephone",
        "placeholder": "Enter a phone number",
        "auto_complete": "on",
        "tab_index": 0,
        "valid_characters_only": False,
        "custom_pattern": "",
        "invalid_text": "",
    }
    for name, value in expected.items():
        yield from differing(name, value, DEFAULTS.get(name))
