"""Two sample documents, a scope and a weekly report of an invented project; and the list of all sample texts."""

import re
from dataclasses import dataclass

from components.records import Invitation, Point, Progress, ReportSheet, Section
from site_app.content.about_us import founder
from site_app.content.people import people, person, testimonials
from site_app.content.prices import pounds
from site_app.content.publications import all_publications
from site_app.content.records import PageLink, book_call, get_quote
from site_app.content.routes import REPORT, SCOPE
from site_app.core import business
from site_app.core.business import SAMPLES
from site_app.core.i18n import labelled, t, use
from site_app.core.locales import ENGLISH
from site_app.core.settings import settings

CLIENT = "Larkfield Freight"
DELIVERY_LEAD = "hannah-boyd"  # signs the report
_DAYS = (8, 26, 28, 10)  # working days, by milestone
_KINDS = ("done", "next", "risk")  # of the first parts of a report
_VERDICT = re.compile(r"\*\*(.+?)[.。]?\*\*[.。]?\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class PaperSheet:
    """A sheet of a paper document; `markdown` is its text.

    A report has a `verdict` beside its heading, and `progress`; its first parts are of these `kinds` (done, next or risk).
    """

    heading: str
    markdown: str
    foot: str
    verdict: str | None = None
    kinds: tuple[str, ...] = ()
    progress: tuple[Progress, ...] = ()


@dataclass(frozen=True)
class SampleDocument:
    headline: str
    intro: str
    note: str
    label: str
    head: str  # the header of every sheet
    sheets: tuple[PaperSheet, ...]
    other_document: PageLink
    invitation: Invitation
    is_sample: bool = True
    reading: Section[Point] | None = None  # how to read it, beside its only sheet


def scope() -> SampleDocument:
    texts = (_purpose(), _work(), _price(), _risks())
    return SampleDocument(
        headline=t("A four-page project scope"),
        intro=t(
            "This is what you sign with the contract, and what we are measured by: short enough to read over coffee, precise enough for us to hold the price."
        ),
        note=_note(),
        label=t("Sample"),
        head=t("Scope: dispatch board for {client}", client=CLIENT),
        sheets=tuple(
            PaperSheet(heading, text, t("Page {page} of {pages}", page=page, pages=len(texts)))
            for page, (heading, text) in enumerate(texts, start=1)
        ),
        other_document=PageLink(t("Open the weekly report of the same project"), REPORT),
        invitation=Invitation(
            t("What would yours say?"),
            t(
                "Describe your project in a few lines. We’ll reply within one working day with questions or a first estimate; the written quote is free."
            ),
            (get_quote(), book_call()),
        ),
    )


def report() -> SampleDocument:
    return SampleDocument(
        headline=t("A weekly report on one page"),
        intro=t(
            "Every Friday, from the people who did the work: what is done, what is next, what is at risk and what we need from you."
        ),
        note=_note(),
        label=t("Sample"),
        head=t("Weekly report: dispatch board for {client}", client=CLIENT),
        sheets=(_report_sheet(),),
        other_document=PageLink(t("Open the scope of the same project"), SCOPE),
        invitation=Invitation(
            t("Know where you stand, every Friday"),
            t(
                "A report like this comes every week while we build, at a fixed price or monthly. Maintenance and marketing are reported once a month."
            ),
            (book_call(), get_quote()),
        ),
        reading=Section(
            t("How to read it"),
            t("Two minutes to read; five if you try the link and answer."),
            (
                Point(
                    "risks",
                    t("First, what is at risk"),
                    t("It comes with a cause and a suggestion, while there is still time to decide."),
                ),
                Point(
                    "requests",
                    t("Then, what we need from you"),
                    t("Every line says who, and by when. A decision that waits moves the date."),
                ),
                Point("figures", t("Last, the figures"), t("Days of work and milestones, counted in the same way every week.")),
            ),
        ),
    )


def _report_sheet() -> PaperSheet:
    """Returns the week's report; the bold words at its beginning become the verdict."""
    match = _VERDICT.fullmatch(_week())
    verdict, markdown = match.groups() if match else (None, _week())
    days, milestones = _table_rows(markdown.split("### ")[-1])[:2]
    return PaperSheet(
        t("Week\u00a06 of\u00a012"),
        markdown,
        _signature(),
        verdict=verdict,
        kinds=_KINDS,
        progress=(_progress(days), _progress(milestones)),
    )


@dataclass(frozen=True)
class SheetExcerpt:
    """The beginning of one sheet of a document."""

    head: str
    label: str
    heading: str
    markdown: str


def price_excerpt() -> SheetExcerpt:
    """Returns the table of dates and prices of the sample scope."""
    document = scope()
    heading, markdown = _price()
    return SheetExcerpt(document.head, document.label, heading, markdown.partition("\n\n")[0])


def week_at_a_glance() -> ReportSheet:
    """Returns the sample report as three sentences and two bars, taken from its text, so that both say the same."""
    document = report()
    (sheet,) = document.sheets
    finished, following, risks = [part.partition("\n") for part in sheet.markdown.split("### ")[1 : len(sheet.kinds) + 1]]
    risk, reason, _ = _table_rows(risks[2])[0]
    texts = (_first_point(finished[2]), _first_point(following[2]), labelled(risk, reason))
    return ReportSheet(
        head=document.head,
        label=document.label,
        title=sheet.heading,
        statuses=tuple(
            (kind, part[0], text) for kind, part, text in zip(sheet.kinds, (finished, following, risks), texts, strict=True)
        ),
        progress=sheet.progress,
        link=PageLink(t("Open a sample report"), REPORT),
    )


def _first_point(markdown: str) -> str:
    """Returns the first point of a list, without its full stop: beside its label it is no sentence."""
    return next(line.removeprefix("- ").rstrip(".。") for line in markdown.splitlines() if line.startswith("- "))


def _table_rows(markdown: str) -> list[list[str]]:
    """Returns the cells of each row of a table below its head."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def _progress(row: list[str]) -> Progress:
    label, _, text = row
    finished, total = (int(number) for number in re.findall(r"\d+", text))
    return Progress(label, text, min(finished, total), max(finished, total))


def _note() -> str:
    return t("Sample: the client, the project and its figures are fictional. Print the page to see how it looks on paper.")


def _purpose() -> tuple[str, str]:
    return t("What it is for"), t("""Dispatchers plan about 650 deliveries a day on a whiteboard and by phone. When a driver runs late, the customer is the last to know.

### How we’ll know it works

Three months after launch, nine out of ten customers hear about a delay from Larkfield before they have to ask. Today it is two out of ten.

### Who will use it

| Who | What for | Where |
|---|---|---|
| 6 dispatchers | plan runs, move deliveries | two screens in the office |
| 45 drivers | see the next stop, confirm a delivery | phone, often without a signal |
| Customers | follow their delivery | link in a text message |

### What is not included

- Invoicing: it stays in the accounting system.
- Automatic route planning: it waits until the board holds three months of real data.
- Devices and app stores: drivers keep their own phones, and the driver app opens from a link in the browser.""")


def _work() -> tuple[str, str]:
    return t("What we will build"), t("""| Part | Done when |
|---|---|
| **Dispatch board** | a dispatcher plans a run of 20 stops in under two minutes, and a second dispatcher sees it at once |
| **Driver app** | a delivery confirmed without a signal is kept on the phone, and sent as soon as the app is open with a signal |
| **Customer page** | each customer is texted a link that opens without signing in and shows the expected time, recalculated after each confirmed delivery; if it runs late, a second message says so |
| **Orders** | new orders appear on the board within a minute, and none appears twice |
| **Accounts** | the office adds or removes a driver without us |
| **Training** | before launch, each dispatcher has planned a run and each driver confirmed a delivery |

### It also has to

- run in current browsers, and on Android phones and iPhones up to five years old
- be usable by keyboard, with a screen reader and in large type, to WCAG 2.2 AA
- open the board, the driver app and the customer page within 2 seconds on a mid-range phone on 4G
- keep working for a day if the order system is down
- run in Larkfield’s own cloud account, on servers in the UK, from a repository in Larkfield’s name""")


def _price() -> tuple[str, str]:
    costs = [pounds(days * business.DAY_RATE_POUNDS) for days in _DAYS]
    return t("Dates and price"), t(
        """| Milestone | Weeks | You can try | Price |
|---|---|---|---:|
| **1 Screens** | 1–2 | every screen, as a clickable draft | {first} |
| **2 Board** | 3–6 | planning with real orders, in the office | {second} |
| **3 Drivers** | 7–10 | a trial with five drivers on the road | {third} |
| **4 Launch** | 11–12 | all runs, all drivers, all customers | {fourth} |
| **Total** | 12 | | **{total}** |

The price is fixed and excludes VAT. A milestone counts as accepted when you say so in writing, put it to use in your business beyond a trial, or report no defect in writing within {acceptance} working days of its delivery. We then invoice it; the invoice is due {invoice} days after its date. Bugs reported within {warranty} days of launch are fixed free of charge.

### Assumptions

- A copy of the order system’s data can be read in week\u00a01.
- Drivers’ phones are at most five years old, with mobile data.
- Larkfield answers a question within two working days.

### After launch

| Running costs | A month |
|---|---:|
| Servers and backups | £140 |
| Text messages, one for each delivery and another if it runs late: about 15,000 | £600 |
| Maintenance, optional, one day | {day} |""",
        first=costs[0],
        second=costs[1],
        third=costs[2],
        fourth=costs[3],
        total=pounds(sum(_DAYS) * business.DAY_RATE_POUNDS),
        acceptance=business.ACCEPTANCE_DAYS,
        invoice=business.INVOICE_DAYS,
        warranty=business.WARRANTY_DAYS,
        day=pounds(business.DAY_RATE_POUNDS),
    )


def _risks() -> tuple[str, str]:
    return t("Risks, decisions, signatures"), t(
        """| Risk | What we do about it |
|---|---|
| The order system has no documentation | we read its data in week\u00a01; if that fails, we tell you in week\u00a02, and you decide whether to go on before the second milestone costs anything |
| Drivers see the app as surveillance | two drivers test the drafts; the app sends confirmed deliveries, never a position |
| Text messages arrive late | we measure two providers for a week, and you choose |

### What we need from you

| What | From | By |
|---|---|---|
| Access to a copy of the order system | IT | week 1 |
| Two dispatchers for an hour a week | Operations | from week 1 |
| Decision on the text-message provider | Operations | week 8 |

### If something changes

We price a change in writing before anyone starts on it. If an assumption turns out to be wrong, we agree with you how to proceed before we go on. You can stop after any milestone; what you have paid for is yours.

### Signed

| | {client} | {name} |
|---|---|---|
| Name | Amara Osei | {founder} |
| Date, signature | | |""",
        client=CLIENT,
        name=settings().brand_name,
        founder=settings().brand_founder,
    )


def _week() -> str:
    return t("""**On schedule and within budget.** Planning with real orders works; the second milestone is ready for you to accept.

### Done

- The board shows new orders 20 seconds after they come in.
- Two dispatchers planned all of Thursday’s deliveries on it. One run took 95 seconds; the target is two minutes.
- Fixed: a delivery moved by two people at once was shown twice.

### Next week

- The driver app’s first screens, on your own phones.
- Confirming a delivery without a signal, tested in the depot’s basement.

### At risk

| What | Why | What we suggest |
|---|---|---|
| Text messages | one provider took 4 minutes to deliver on Tuesday | test the second one a week earlier |

### What we need from you

| What | From | By |
|---|---|---|
| Accept the second milestone | Amara | Wednesday, if you can |
| Names of five drivers for the trial | Operations | Friday |

### In figures

| | This week | So far |
|---|---|---|
| Days of work | 6 | 34 of 72 |
| Milestones accepted | 0 | 1 of 4 |
| Bugs found / fixed | 5 / 5 | 31 / 30 |""")


def _signature() -> str:
    """Returns the foot of the report; without a delivery lead among the people, the founder signs."""
    signer = person(DELIVERY_LEAD)
    return t(
        "Signed by {name}, {role}. Sent on Friday, with a link to the working version",
        name=signer.name if signer else settings().brand_founder,
        role=signer.role if signer else t("Founder & CEO"),
    )


def sample_texts() -> list[str]:
    """Returns a short description of each sample: testimonials, the founder's quote, documents and figures."""
    with use(ENGLISH):
        voices = [f"testimonial of {voice.name}" for voice in testimonials().items if voice.is_sample]
        documents = [document.head for document in (scope(), report()) if document.is_sample]
        persons = [f"person {person.name}" for person in people() if person.is_sample]
        texts = [f"{text.kind.name} {text.slug}" for text in all_publications() if text.facts.sample]
        return [*voices, *(["words of the founder"] if founder().label else []), *persons, *documents, *texts, *SAMPLES]
