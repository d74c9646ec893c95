"""The states of a text: who saved them and when, two of them compared, and an earlier one restored."""

from functools import partial

from sqlmodel import Session
from starlette.responses import Response

from site_app.provider.endpoints.refusals import EntryNotFound
from site_app.provider.office.access import Visit, number, redirected
from site_app.provider.office.content_desk import LANGUAGES, ContentDesk
from site_app.provider.publishing import drafts
from site_app.provider.publishing.merging import compared
from site_app.provider.store.tables import Revision


class History:
    def __init__(self, desk: ContentDesk) -> None:
        self._desk = desk

    async def show(self, visit: Visit) -> Response:
        """GET lists the states of a text; POST restores one, which becomes a new state."""
        edited = await self._desk.edited(visit)
        if visit.request.method == "POST" and visit.context.settings.publish:
            return await self._restore(visit)
        states = await visit.context.store.read(lambda session: drafts.history(session, edited.key))
        published = drafts.summary_of(edited.file).digest if edited.file is not None else ""
        words = {
            "key": edited.key,
            "history": states,
            "published": published,
            "language": LANGUAGES[edited.key.language],
            "may_write": visit.person.writes and bool(visit.context.settings.publish),
        }
        return visit.show("content_history.html", f"History of {edited.key.slug}", **words)

    async def compare(self, visit: Visit) -> Response:
        """Shows what changed from one state to another: by default from the one before it, and from 0 on from what is published."""
        edited, query = await self._desk.edited(visit), visit.request.query_params

        def look(session: Session) -> tuple[Revision | None, Revision | None]:
            second = drafts.revision(session, edited.key, number(query.get("to", ""))) or drafts.draft(session, edited.key)
            if "from" in query or second is None:
                return drafts.revision(session, edited.key, number(query.get("from", ""))), second
            return drafts.state_before(session, edited.key, second), second

        before, after = await visit.context.store.read(look)
        if after is None:
            raise EntryNotFound("state")
        earlier = before.text if before else edited.file or ""
        lines = compared(*(drafts.ordered_text(edited.key, text) for text in (earlier, after.text)))
        words = {
            "key": edited.key,
            "before": before,
            "after": after,
            "lines": lines,
            "may_write": visit.person.writes and bool(visit.context.settings.publish),
        }
        return visit.show("content_compare.html", f"Changes of {edited.key.slug}", **words)

    async def _restore(self, visit: Visit) -> Response:
        edited = await self._desk.edited(visit)
        number_of_state = number(visit.form.get("number", ""))

        def restore(session: Session) -> None:
            state = drafts.revision(session, edited.key, number_of_state)
            if state is None:
                raise EntryNotFound("state")
            base = edited.current.digest if edited.current else ""
            save = partial(drafts.save, session, edited.key, state.text, visit.actor)
            save(base=base, file=edited.file)

        await visit.context.store.write(restore)
        return redirected(f"/content/{edited.key.reference}?done=restore")
