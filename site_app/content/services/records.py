"""The shape of a service page."""

from dataclasses import dataclass

from site_app.content.engagement import EngagementModel
from site_app.content.offers import Offer
from site_app.content.records import Invitation, Point, Section, Step
from site_app.content.technologies import TechnologyCategory


@dataclass(frozen=True)
class ModelFit:
    """The engagement model that suits a service best, and why."""

    model: EngagementModel
    heading: str
    text: str


@dataclass(frozen=True)
class Phase:
    """How long something takes."""

    slug: str
    span: str
    text: str


@dataclass(frozen=True)
class Service:
    """A service page; `questions` are slugs of the FAQ."""

    offer: Offer
    illustration: str
    claim: str
    lead: str
    benefits: Section[Point]
    technologies: Section[TechnologyCategory]
    approach: Section[Step]
    timeline: Section[Phase]
    fit: ModelFit
    questions: tuple[str, ...]
    invitation: Invitation
