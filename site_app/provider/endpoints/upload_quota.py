"""How much disk visitors' files may take: those of one network in a day, all together, and with a reserve that stays free."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.provider.endpoints.refusals import NoRoomForFiles
from site_app.provider.store.tables import Attachment

MEGABYTE = 1_000_000
_RETRY = timedelta(hours=1)  # by then old files may have gone, or somebody has made room


class UploadQuota:
    """Each process counts the bytes of a network's day in its own memory; the sum of all files is asked of the database."""

    def __init__(self, settings: Settings, clock: Callable[[], datetime]) -> None:
        self._of_a_network = settings.uploads_a_day_mb * MEGABYTE
        self._in_all = settings.uploads_in_all_mb * MEGABYTE
        self._reserve = settings.uploads_reserve_mb * MEGABYTE
        self._clock = clock
        self._day = date.min
        self._used: dict[str, int] = {}

    @contextmanager
    def reserved(self, network: str, size: int) -> Iterator[None]:
        """Count a file of this size in the network's day; not counted if the block raises."""
        now = self._clock().astimezone(UTC)
        if now.date() != self._day:
            self._day, self._used = now.date(), {}
        if self._used.get(network, 0) + size > self._of_a_network:
            tomorrow = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
            raise NoRoomForFiles(tomorrow - now, for_network=True)
        self._add(network, size)
        try:
            yield
        except BaseException:
            self._add(network, -size)
            raise

    def check_disk(self, directory: Path) -> None:
        """Refuse where so little of the disk is free that leads would soon have no room either."""
        if shutil.disk_usage(directory).free < self._reserve:
            raise NoRoomForFiles(_RETRY)

    def check_all(self, session: Session, size: int) -> None:
        """Refuse a file of this size where those that are kept leave no room for it."""
        kept = session.exec(
            select(func.coalesce(func.sum(col(Attachment.size)), 0))
        ).one()  # those that no lead has yet included
        if kept + size > self._in_all:
            raise NoRoomForFiles(_RETRY)

    def _add(self, network: str, size: int) -> None:
        self._used[network] = max(0, self._used.get(network, 0) + size)
