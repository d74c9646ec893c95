"""Quotas for the files that visitors upload."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from sqlmodel import Session, col, func, select

from site_app.core.settings import Settings
from site_app.provider.http.refusals import NoRoomForFiles
from site_app.provider.store.tables import Attachment

MEGABYTE = 1_000_000
_RETRY = timedelta(hours=1)  # by then old files may be deleted, or somebody has made room


class UploadQuota:
    """Limits uploads per network and day, counted in the memory of each process, and in total, summed from the database."""

    def __init__(self, settings: Settings, clock: Callable[[], datetime]) -> None:
        self._network_quota = settings.uploads_a_day_mb * MEGABYTE
        self._total_quota = settings.uploads_in_all_mb * MEGABYTE
        self._reserve = settings.uploads_reserve_mb * MEGABYTE
        self._clock = clock
        self._day = date.min
        self._used: dict[str, int] = {}

    @contextmanager
    def reserved(self, network: str, size: int) -> Iterator[None]:
        """Counts a file of this size for the network's day. If the block raises, the file is not counted."""
        now = self._clock().astimezone(UTC)
        if now.date() != self._day:
            self._day = now.date()
            self._used = {}
        if self._used.get(network, 0) + size > self._network_quota:
            tomorrow = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
            raise NoRoomForFiles(tomorrow - now, for_network=True)
        self._add(network, size)
        try:
            yield
        except BaseException:
            self._add(network, -size)
            raise

    def check_disk(self, directory: Path) -> None:
        """Raises NoRoomForFiles if less disk space is free than the reserve for leads."""
        if shutil.disk_usage(directory).free < self._reserve:
            raise NoRoomForFiles(_RETRY)

    def check_total(self, session: Session, size: int) -> None:
        """Raises NoRoomForFiles if a file of this size does not fit into the total quota."""
        # Includes files that belong to no lead yet.
        stored_bytes = session.exec(select(func.coalesce(func.sum(col(Attachment.size)), 0))).one()
        if stored_bytes + size > self._total_quota:
            raise NoRoomForFiles(_RETRY)

    def _add(self, network: str, size: int) -> None:
        self._used[network] = max(0, self._used.get(network, 0) + size)
