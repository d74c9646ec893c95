"""The rows of the scorecard, with the trial of each."""

from tests.faults import leads, socket_rows
from tests.faults.scorecard import Promise

PROMISES = (
    Promise(2, "a retry never duplicates", "1 made, 99 replays with the same reference; other words: 422", leads.retry),
    Promise(3, "what was acknowledged is kept", "0 lost, 0 double, 0 without outbox row", leads.kill),
    Promise(4, "a deploy is not noticed", "0 lost, 0 double; each client done ≤ 10 s; exit ≤ 15 s", leads.deploy),
    Promise(5, "a crashed worker comes back", "answers ≤ 5 s by itself", leads.crash),
    Promise(6, "a busy database is a clear wait", "503 + Retry-After ≤ 5.5 s, later accepted", leads.lock),
    Promise(7, "a full disk loses nothing", "0 acknowledged lost, recovers without a restart", leads.full_disk),
    Promise(16, "the socket never breaks", "0 unlisted handlers, 0 tracebacks, others' p95 ≤ 50 ms", socket_rows.frames),
    Promise(18, "floods are contained", "cut; 429 + Retry-After; others' p95 ≤ 50 ms; RSS ≤ +100 MB", socket_rows.floods),
)
