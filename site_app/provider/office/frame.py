"""The frame of the office's pages: their layout and navigation, and the messages after a change."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from site_app.core import colors
from site_app.core.http.pages import PAGE_HEADERS, STYLESHEET, asset_route
from site_app.core.http.refusals import retry_header
from site_app.core.templates import templates
from site_app.provider.http.call import ApiContext
from site_app.provider.office.people import Member

_FOLDER = Path(__file__).parent
_PRIVATE = {"Cache-Control": "private, max-age=31536000, immutable", "X-Robots-Tag": "noindex"}
_COLORS = "".join(f"--color-{name}:{value};" for name, value in colors.dark().items())
_DARK = "@media (prefers-color-scheme:dark){:root{color-scheme:dark;" + _COLORS + "}}"
STYLE_ROUTE = asset_route("/office", _FOLDER / "office.css", "text/css", suffix=_DARK, headers=_PRIVATE)
SCRIPT_ROUTE = asset_route("/office", _FOLDER / "office.js", "text/javascript", headers=_PRIVATE)
EDITOR_SCRIPT_ROUTE = asset_route("/office", _FOLDER / "editor.js", "text/javascript", headers=_PRIVATE)
SECTIONS = (  # of the navigation
    ("", "Inbox"),
    ("/calls", "Calls"),
    ("/affiliates", "Affiliates"),
    ("/content", "Content"),
    ("/views", "Views"),
    ("/mail", "Email"),
    ("/state", "State"),
    ("/log", "Log"),
    ("/people", "You"),
)
_SECTIONS_OF_EDITORS = ("/content", "/people")
_OFFICE_PATH = re.compile(r"(?:/(?!\.)[\w.-]+)*(?:\?[\w=&%.+:@~-]*)?", re.ASCII)  # a page of the office, with its query
_MAX_PATH_LENGTH = 1000  # characters
DONE_MESSAGES = {  # messages after a change, by the name of the change
    "handle": "Saved.",
    "note": "The note has been saved.",
    "release": "Released: the emails are being sent now.",
    "undo": "The change has been undone.",
    "erase": "The lead has been deleted.",
    "erase-row": "The lead has been deleted. Another program, such as a backup, is reading the database, so copies of it remain in the database’s files for now. "
    "They will be gone within ten minutes of that program ending.",
    "attended": "Saved: the call took place.",
    "no-show": "Saved as a no-show.",
    "cancel": "The call has been cancelled, and the visitor gets an email.",
    "drop-guest": "The guest has been removed.",
    "write-entry": "The call stays as booked, and is being written to the calendar again.",
    "move": "The call has been moved, and the visitor gets an email.",
    "approve": "Approved: the partner gets an email with their links.",
    "decline": "Declined: the applicant gets an email.",
    "payment": "The payment has been entered.",
    "import": "The file has been imported.",
    "pay": "Marked as paid.",
    "money-back": "The money that came back has been entered.",
    "link": "A new link is on its way to the partner. Earlier ones no longer work.",
    "email": "The email address is saved. A new link is on its way there, and the old address gets an email.",
    "paypal": "The PayPal address is saved, and the partner gets an email.",
    "notice": "Notice has been given: the partner gets an email.",
    "end": "The agreement has ended: the partner gets an email.",
    "block": "The time has been blocked.",
    "unblock": "The time is open again.",
    "retry": "What failed is being sent again.",
    "test": "A test email is on its way to you.",
    "test-notice": "A test is on its way. Reload this page to see whether it has arrived.",
    "saved": "Saved.",
    "unchanged": "Nothing was changed.",
    "merged": "Saved. Someone else had saved in the meantime; both changes are in the text.",
    "picture": "The picture has been added at the end of the text.",
    "picture-placed": "The picture has been added.",
    "publish": "The pages with this text are being built.",
    "publish-unscheduled": "The scheduled change of this text has been cancelled, because this one is newer.",
    "schedule": "The change has been scheduled.",
    "withdraw": "It is being taken off the site. The text is kept here.",
    "withdraw-unscheduled": "Withdrawing it has cancelled its scheduled change. The text is kept here.",
    "restore": "Restored as a new revision: the earlier ones are still listed.",
    "discard": "The draft has been deleted.",
    "cancel-build": "The scheduled change has been cancelled.",
    "dismiss-failure": "The failed attempt is no longer shown. Its text is kept here, as it is.",
    "nothing-new": "There is nothing to publish: the site is already up to date.",
}


def office_page(
    context: ApiContext, request: Request, template: str, title: str, *, status: int = 200, retry_after: int = 0, **values: Any
) -> Response:
    """Renders a template as a page of the office; without the navigation if `values` contain no person."""
    layout = {
        "title": title,
        "brand": context.settings.brand_name,
        "styles": (STYLESHEET, STYLE_ROUTE.path),
        "script": SCRIPT_ROUTE.path,
        "path": request.url.path,
        "person": None,
        "message": "",
        "zone": context.settings.booking_zone,
        "when": _clock_words(context.settings.booking_zone, context.clock()),
    }
    text = templates("site_app.provider.office").get_template(template).render(layout | values)
    return HTMLResponse(text, status, PAGE_HEADERS | retry_header(retry_after))


def _clock_words(zone: str, now: datetime) -> Callable[[datetime], str]:
    """Returns a function that formats datetimes in the agency's time zone: only the time for today, no year for this year."""
    clock = ZoneInfo(zone)
    today = now.astimezone(clock).date()

    def moment_words(moment: datetime) -> str:
        local = moment.astimezone(clock)
        if local.date() == today:
            return f"{local:%H:%M}"
        return f"{local:%a} {local.day} {local:%b}{'' if local.year == today.year else f' {local.year}'}, {local:%H:%M}"

    return moment_words


def refusal_page(
    context: ApiContext, request: Request, status: int, title: str, text: str, *, retry_after: int = 0
) -> Response:
    """Returns a page that says why nothing was done, and leads back."""
    is_content = request.url.path.startswith(("/office/content", "/office/translations"))
    action = ("/office/content", "Go to the texts") if is_content else ("/office", "Go to the inbox")
    return office_page(context, request, "notice.html", title, status=status, retry_after=retry_after, text=text, action=action)


def sections_of(person: Member) -> Sequence[tuple[str, str]]:
    """Returns the sections of the navigation that this person may see."""
    return [section for section in SECTIONS if person.sees_leads or section[0] in _SECTIONS_OF_EDITORS]


def redirect_in_office(path: str) -> Response:
    """Returns a redirect to another page of the office, after a change."""
    return RedirectResponse(f"/office{path}", 303, PAGE_HEADERS)


def path_in_office(path: str) -> str:
    """Returns the path if it is safe to append to /office; otherwise "", which is the inbox."""
    return path if len(path) <= _MAX_PATH_LENGTH and _OFFICE_PATH.fullmatch(path) else ""


def sign_in_path(to: str) -> str:
    """Returns the path of the sign-in page that leads to the page `to` of the office afterwards."""
    to = path_in_office(to)
    return "/sign-in" + (f"?{urlencode({'to': to})}" if to else "")
