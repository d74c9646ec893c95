"""The records of a service page."""

from dataclasses import dataclass

from components.records import Offer, Opening, Phase, Point, ResultSheet, Section, Step, TechnologyCategory
from site_app.content.engagement import EngagementModel


@dataclass(frozen=True)
class ModelFit:
    """The engagement model that suits a service best, and why."""

    model: EngagementModel
    heading: str
    text: str
    omitted_benefits: tuple[str, ...] = ()  # slugs of the model's benefits that mean nothing for this service


@dataclass(frozen=True)
class Service(Opening):
    """A service page; `artefact` is something that its clients get, `questions` are slugs of the FAQ."""

    offer: Offer
    artefact: ResultSheet
    benefits: Section[Point]
    technologies: Section[TechnologyCategory]
    approach: Section[Step]
    timeline: Section[Phase]
    fit: ModelFit
    questions: tuple[str, ...]
