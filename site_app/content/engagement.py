"""The three engagement models and their terms."""

from dataclasses import dataclass, replace
from typing import Literal

from site_app.content.prices import pounds
from site_app.core import business
from site_app.core.i18n import t

MODELS = "models"  # the anchor on the page of prices
ModelId = Literal["dedicated_teams", "fixed_price_projects", "hybrid_model"]


@dataclass(frozen=True)
class ModelBenefit:
    slug: str
    text: str


@dataclass(frozen=True)
class EngagementModel:
    """An engagement model; the fields from `billing` on are its terms."""

    id: ModelId
    name: str
    description: str
    benefits: tuple[ModelBenefit, ...]
    billing: str
    price: str
    best_for: str
    team: str
    scope_changes: str
    commitment: str
    you_get: str
    further_benefits: str  # those that no other term says

    def points(self, omitted_benefits: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Returns the texts of the benefits, except those whose slugs are in `omitted_benefits`."""
        return tuple(benefit.text for benefit in self.benefits if benefit.slug not in omitted_benefits)


def engagement_models() -> tuple[EngagementModel, ...]:
    return (_dedicated_teams(), _fixed_price_projects(), _hybrid_model())


def engagement_model(model_id: ModelId) -> EngagementModel:
    return next(model for model in engagement_models() if model.id == model_id)


def fixed_price_from(amount: int) -> EngagementModel:
    """Returns the fixed-price model with the lowest price of a service that costs more than the smallest project."""
    return replace(engagement_model("fixed_price_projects"), price=_from_price(amount))


def hybrid_model_from(first_release: int) -> EngagementModel:
    """Returns the hybrid model with the lowest price of the part that comes first."""
    price = t("From {first}, then from {day} a day", first=pounds(first_release), day=pounds(business.DAY_RATE_POUNDS))
    return replace(engagement_model("hybrid_model"), price=price)


def models_heading() -> str:
    return t("Three ways to work with us")


def models_intro() -> str:
    return t("How you pay should match how much you already know. If you’re not sure, we’ll tell you which one we would pick.")


def model_terms() -> dict[str, str]:
    """Returns the label of each term by the name of its field."""
    return {
        "billing": t("Billing"),
        "price": t("Price excluding VAT"),
        "best_for": t("Best for"),
        "team": t("Your team"),
        "scope_changes": t("Changes of scope"),
        "commitment": t("Commitment"),
        "you_get": t("You get"),
        "further_benefits": t("Further benefits"),
    }


def _dedicated_teams() -> EngagementModel:
    return EngagementModel(
        id="dedicated_teams",
        name=t("Dedicated Teams"),
        description=t(
            "Named people who work on your product, full time or for a set number of days a month, in your tools and in your meetings."
        ),
        benefits=(
            ModelBenefit("same_people", t("People you know by name; whoever leaves hands over properly")),
            ModelBenefit("your_priorities", t("You set the priorities, every week if you like")),
            ModelBenefit(
                "scale_by_month",
                t(
                    "Shrink the team with {days} days’ notice, or grow it when one of us is free",
                    days=business.MONTHLY_NOTICE_DAYS,
                ),
            ),
        ),
        billing=t("Monthly, for the days worked"),
        price=t("From {amount} a day", amount=pounds(business.DAY_RATE_POUNDS)),
        best_for=t("Large, long-term projects"),
        team=t("The people named in your contract"),
        scope_changes=t("Any time: you set the priorities"),
        commitment=t("Month to month, {days} days’ notice", days=business.MONTHLY_NOTICE_DAYS),
        you_get=t("Steady progress and a team that knows your product"),
        further_benefits=t("Whoever leaves hands over properly; the team can grow when one of us is free"),
    )


def _fixed_price_projects() -> EngagementModel:
    return EngagementModel(
        id="fixed_price_projects",
        name=t("Fixed Price Projects"),
        description=t("A written scope, a price and a date. You pay as each milestone is delivered and accepted."),
        benefits=(
            ModelBenefit("known_cost", t("The full cost is known before work starts")),
            ModelBenefit("pay_on_acceptance", t("You pay for a milestone once you have accepted it")),
            ModelBenefit(
                "warranty", t("Bugs reported within {days} days of launch are fixed free", days=business.WARRANTY_DAYS)
            ),
        ),
        billing=t("By milestone, on acceptance"),
        price=_from_price(business.PROJECT_POUNDS),
        best_for=t("Small to medium projects"),
        team=t("Our team, with one point of contact"),
        scope_changes=t("Priced in writing before we start on them"),
        commitment=t("The agreed scope; you can stop after any milestone"),
        you_get=t("A finished release at the agreed price"),
        further_benefits=t(
            "The full cost is known before work starts; bugs reported within {days} days of launch are fixed free",
            days=business.WARRANTY_DAYS,
        ),
    )


def _hybrid_model() -> EngagementModel:
    one_contract = t("One contract: you can move from fixed to monthly without a new one")
    return EngagementModel(
        id="hybrid_model",
        name=t("Hybrid model"),
        description=t("A fixed price for what is already clear, a monthly rate for what still has to be worked out."),
        benefits=(
            ModelBenefit("certainty_first", t("A fixed price for the part that is clear today")),
            ModelBenefit("room_to_learn", t("Monthly time for whatever real use shows you need")),
            ModelBenefit("one_contract", one_contract),
        ),
        billing=t("Mixed: milestones for the fixed part, monthly for the rest"),
        price=t("Two parts, two prices"),
        best_for=t("Medium to large projects"),
        team=t("A fixed core, plus specialists as needed"),
        scope_changes=t("Flexible in the monthly part, priced in the fixed part"),
        commitment=t("The fixed part, which you can stop after any milestone; then month to month"),
        you_get=t("A firm first release, with room to grow after it"),
        further_benefits=one_contract,
    )


def _from_price(amount: int) -> str:
    return t("From {amount} a project", amount=pounds(amount))
