"""What the database holds, against what visitors were told."""

from dataclasses import dataclass

from tests.scale.cluster import Cluster
from tests.scale.visitors import Told


@dataclass(frozen=True)
class Ledger:
    """Acknowledged leads that are lost, leads made twice, and leads without a row in the outbox."""

    lost: int
    double: int
    unsent: int

    @property
    def is_clean(self) -> bool:
        return self.lost == self.double == self.unsent == 0

    def __str__(self) -> str:
        return f"{self.lost} lost, {self.double} doubled, {self.unsent} without outbox row"


def ledger(cluster: Cluster, told: Told) -> Ledger:
    """A key that was answered twice with different references counts as doubled too."""
    kept = dict(cluster.rows("SELECT key, reference FROM idempotency_key"))
    leads = [reference for (reference,) in cluster.rows("SELECT reference FROM lead")]
    mailed = {reference for (reference,) in cluster.rows("SELECT DISTINCT reference FROM outbox")}
    there = set(leads)
    lost = sum(kept.get(key) != reference or reference not in there for key, reference in told.acknowledged.items())
    keys = cluster.rows("SELECT count(*) FROM idempotency_key WHERE kind = 'Message'")[0][0]
    return Ledger(lost, len(leads) - keys + told.contradicted, len(there - mailed))
