"""Pages of meetings: a week with its meetings and blocked times, and moving a meeting."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlmodel import Session
from starlette.responses import Response

from site_app.contracts.days import days_of
from site_app.provider.booking.busy import calendar_warnings
from site_app.provider.booking.entries import differences
from site_app.provider.booking.rules import SlotTaken
from site_app.provider.booking.slots import Availability
from site_app.provider.office import actions, inbox, lead_pages, week
from site_app.provider.office.access import Visit, number, redirected


async def week_page(visit: Visit) -> Response:
    """GET shows a week, POST blocks a time, unblocks it, or has a call written into the host's calendar again."""
    context, form, zone = visit.context, visit.form, visit.context.settings.booking_zone
    settings, now = context.settings, context.clock()
    monday = week.monday_of(visit.request.query_params.get("week", ""), now.astimezone(ZoneInfo(zone)).date())
    problem = ""
    if form.get("do") == "unblock":
        await context.store.write(lambda session: actions.unblock(session, number(form.get("number", "")), visit.actor))
        return redirected(f"/calls?week={monday}&done=unblock")
    if form.get("do") == "write-entry":
        reference = form.get("reference", "")
        await context.store.write(lambda session: actions.write_entry_again(session, reference, visit.actor, settings))
        context.wake()
        return redirected(f"/calls?week={monday}&done=write-entry")
    if form.get("do") == "block":
        begin = week.moment(form.get("from", ""), form.get("from_time", ""), zone)
        end = week.moment(form.get("to", "") or form.get("from", ""), form.get("to_time", ""), zone, is_end=True)
        if begin is not None and end is not None and end > begin:
            note = form.get("why", "")[:200]
            await context.store.write(lambda session: actions.block(session, begin, end, visit.actor, reason=note))
            return redirected(f"/calls?week={form['from']}&done=block")
        problem = "Please give a day, or a time that ends after it begins."

    def look(session: Session) -> dict[str, Any]:
        return {
            "days": week.days_from(session, monday, settings=settings, now=now),
            "calendar_warnings": calendar_warnings(session, settings),
            "differences": differences(session, now=now),
        }

    reading = await context.store.read(look)
    days = reading["days"]
    words = {
        **reading,
        "clashing": week.booked_in_blocked_times(days, now),
        "monday": monday,
        "before": monday - timedelta(7),
        "after": monday + timedelta(7),
        "hours": week.hours_in(zone),
        "problem": problem,
        "typed": form if problem else {},
    }
    return visit.show("week.html", "Calls", status=422 if problem else 200, **words)


async def move(visit: Visit) -> Response:
    """GET lists free times, POST moves the meeting to the chosen time."""
    context, reference, zone = visit.context, visit.reference, ZoneInfo(visit.context.settings.booking_zone)
    problem, now = "", context.clock()
    if slot := visit.form.get("slot"):
        await context.read_calendars(slot)
        try:
            await context.store.write(lambda session: actions.move(session, reference, slot, visit.actor, context.settings))
        except SlotTaken:
            problem = "That time has just been taken. Please choose another one."
        else:
            context.wake()
            return redirected(lead_pages.address(visit, reference, done="move"))

    def look(session: Session) -> tuple[Any, Any]:
        meeting = actions.upcoming_meeting(session, reference, now, lock=False)
        return meeting, Availability(session, context.settings, now, own_meeting=meeting).slots()

    meeting, slots = await context.store.read(look)
    days = days_of(slots, zone, ZoneInfo(meeting.time_zone))
    day_text = visit.request.query_params.get("day", "")
    words = {
        "list": inbox.list_of(visit.request.query_params),
        "lead_address": lead_pages.address(visit, reference),
        "days": [(day.date.isoformat(), day.words) for day in days],
        "day": next((day for day in days if day.date.isoformat() >= day_text), days[-1] if days else None),
    }
    status = 409 if problem else 200
    return visit.show("move.html", f"Move {reference}", status=status, meeting=meeting, problem=problem, **words)
