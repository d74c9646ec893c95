"""The records that components render: each component declares the texts it needs, and the content modules fill them in."""

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

Item = TypeVar("Item")
DRAWER_ID = "drawer"  # the HTML id of the menu on small screens


def dialog_id(name: str) -> str:
    """Returns the HTML id of a dialog, for a button's commandfor."""
    return f"{name}-dialog"


def dialog_title_id(name: str) -> str:
    return f"{dialog_id(name)}-title"


@dataclass(frozen=True)
class Link:
    """A link with its text."""

    text: str
    href: str


@dataclass(frozen=True)
class Action:
    """A button that opens a dialog; `href` is the page that replaces the dialog without scripts."""

    text: str
    dialog: str
    href: str


@dataclass(frozen=True)
class Section(Generic[Item]):
    """A heading, a sentence below it, and the items that the section lists."""

    heading: str
    intro: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Invitation:
    """The closing text of a page, with a call to action."""

    heading: str
    text: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class CalculatorWords:
    """The texts of a calculator: its two inputs, its two results, and a note. `works` are pairs of value and name."""

    heading: str
    intro: str
    work: str
    works: list[tuple[str, str]]
    people: str
    price: str
    months: str
    note: str
    quote: Action


@dataclass(frozen=True)
class Opening:
    """The hero of a page: headline, intro and the name of its drawing. Its buttons are those of the invitation at the page's end."""

    headline: str
    intro: str
    illustration: str
    invitation: Invitation


@dataclass(frozen=True)
class Point:
    """An entry of a list of benefits or reasons: a short title and a text."""

    slug: str
    title: str
    text: str


@dataclass(frozen=True)
class Step:
    """One step of a numbered list."""

    id: int
    slug: str
    title: str
    text: str


@dataclass(frozen=True)
class Phase:
    """A phase of a project, with its duration."""

    span: str
    text: str


@dataclass(frozen=True)
class Feature:
    """A section about one subject, with an eyebrow above its headline; `facts` are pairs of label and value.

    `label` marks the subject as a sample; `illustration` is the name of a drawing.
    """

    eyebrow: str
    headline: str
    intro: str
    facts: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = ()
    label: str = ""
    illustration: str | None = None


@dataclass(frozen=True)
class Progress:
    """A progress bar: `done` of `total`; `text` says it in words, such as "3 of 4"."""

    label: str
    text: str
    done: int
    total: int


@dataclass(frozen=True)
class ReportSheet:
    """A sample of a weekly report, drawn as a sheet of paper; `label` marks it as a sample, `head` is shown at the top of the sheet.

    `statuses` are triples of kind (done, next or risk), the kind's name, and a sentence.
    """

    head: str
    label: str
    title: str
    statuses: tuple[tuple[str, str, str], ...]
    progress: tuple[Progress, ...]
    link: Link


@dataclass(frozen=True)
class ResultSheet:
    """A sample of the results that a client receives, drawn as a table on a sheet of paper, with the same `head` and `label`.

    Each row has a label, a value, and a verdict: a pair of kind (done, next or risk) and name.
    """

    head: str
    label: str
    title: str
    rows: tuple[tuple[str, str, tuple[str, str]], ...]
    note: str


@dataclass(frozen=True)
class SamplePictures:
    """Pictures side by side of what a client receives, as pairs of path and words for those who do not see it, all of the same size."""

    items: tuple[tuple[str, str], ...]
    width: int
    height: int
    caption: str
    label: str


@dataclass(frozen=True)
class Figure:
    """A number in large type, such as "1 working day", with the text that explains it."""

    value: str
    text: str


@dataclass(frozen=True)
class Entry:
    """An article or case study in a list, with a link to it.

    `note` and `topic` are shown above its title. A case study shows its best result as `figure`, or the `price` of the project. `alt` describes the
    picture; `label` marks a draft or a sample.
    """

    title: str
    text: str
    href: str
    note: str
    topic: str = ""
    figure: Figure | None = None
    price: str = ""
    picture: Path | None = None
    alt: str = ""
    label: str = ""


@dataclass(frozen=True)
class Budget:
    """A price and the work that it pays for; `facts` are pairs of label and value, such as the duration."""

    price: str
    text: str
    facts: tuple[tuple[str, str], ...]
    action: Action


@dataclass(frozen=True)
class Budgets(Section[Budget]):
    """Budgets side by side, with a note below them."""

    note: str


@dataclass(frozen=True)
class Comparison(Section[tuple[str, tuple[str, ...]]]):
    """A table that compares what `heads` name; its items are pairs of a row's label and its values. `anchor` is the section's id.

    Phones show only the rows with the labels `main_rows` until the visitor presses `all_rows`.
    """

    heads: tuple[str, ...]
    anchor: str
    main_rows: tuple[str, ...]
    all_rows: str


@dataclass(frozen=True)
class PersonCard:
    """A person of the team. `facts` are their years of experience and languages.

    `reviews` says what this person checks before a client receives it; `label` marks an invented person.
    """

    name: str
    initials: str
    role: str
    facts: str
    reviews: str
    label: str = ""


@dataclass(frozen=True)
class Offer:
    """A row in the list of services: name, one line of text, and the path of the service's page."""

    slug: str
    name: str
    line: str
    href: str
    icon: str
    api_slug: str  # with hyphens, as in addresses


@dataclass(frozen=True)
class OfferGroup:
    """Services under a common heading, in the menu."""

    slug: str
    name: str
    text: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True)
class Testimonial:
    """A quote of a client; `image` is the URL of the picture, `role` the person's position and company."""

    id: int
    description: str
    name: str
    position: str
    client: str
    image: str
    role: str
    is_sample: bool = True  # False for a real client who has agreed


@dataclass(frozen=True)
class Testimonials(Section[Testimonial]):
    """The testimonials with the label that marks them as samples."""

    label: str
    note: str


@dataclass(frozen=True)
class Technology:
    slug: str
    name: str


@dataclass(frozen=True)
class TechnologyCategory:
    slug: str
    name: str
    technologies: tuple[Technology, ...]


@dataclass(frozen=True)
class Sum:
    """A row of a worked example: a payment, and the commission on it."""

    label: str
    payment: str
    commission: str


@dataclass(frozen=True)
class Example(Section[Sum]):
    """The table of a worked example; `heads` are its column headings."""

    heads: tuple[str, str, str]
    note: str


@dataclass(frozen=True)
class PointList:
    """A short list under a title; the icon precedes each point."""

    icon: str
    title: str
    points: tuple[str, ...]


@dataclass(frozen=True)
class PointLists(Section[PointList]):
    """Short lists side by side, with a note and buttons below them."""

    note: str
    actions: tuple[Action, ...]


Span = tuple[float, float]  # hours since midnight


@dataclass(frozen=True)
class PlaceHours:
    """The team's working hours on the clock of a place, and those within its own office hours, in winter and in summer.

    `texts` say the two shared spans in words.
    """

    place: str
    team: Span
    shared: tuple[Span, Span]
    texts: tuple[str, str]


@dataclass(frozen=True)
class Hours(Section[PlaceHours]):
    """`heads` are the column headings. The second column is a chart that only repeats what the other columns say in text."""

    heads: tuple[str, ...]
    legend: tuple[tuple[str, str], ...]
    office: Span


@dataclass(frozen=True)
class ContactDetail:
    """A way to reach the agency; `href` opens it."""

    slug: str
    icon: str
    label: str
    values: tuple[str, ...]
    href: str


@dataclass(frozen=True)
class SocialLink:
    name: str
    slug: str
    link: str
    icon: str


@dataclass(frozen=True)
class Navigation:
    """The bar's links, and the labels of its menus and buttons."""

    label: str
    skip: str
    home: Link
    services: str
    groups: tuple[OfferGroup, ...]
    company: str
    company_links: tuple[Link, ...]
    links: tuple[Link, ...]
    actions: tuple[Action, ...]
    open_menu: str
    close_menu: str
    language: str
    light_theme: str
    dark_theme: str


@dataclass(frozen=True)
class LinkGroup:
    slug: str
    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Footer:
    headline: str
    groups: tuple[LinkGroup, ...]
    contact_title: str
    details: tuple[ContactDetail, ...]
    social_title: str
    social: tuple[SocialLink, ...]
    policies_title: str
    policies: tuple[Link, ...]
    small_print: str
