"""make trial NAME=attacks ARGS="[--short] [row …]": attack the site, print each row, and fail when a promise falls short.

Here are the attacks with each row's promise. Promises covered by tests are in tests/trials/promises.md.
"""

import logging
from collections.abc import Sequence

import structlog

from tests.support.site_server import build
from tests.trials.attacks import (
    booking_row,
    door_row,
    engines_row,
    headers_row,
    hostile_row,
    leads,
    mail_row,
    outside_row,
    redis_row,
    secrecy_row,
    soak_row,
    socket_rows,
    unfinished_row,
    upload_rows,
)
from tests.trials.lab.scorecard import Card, Promise, try_all

PROMISES = (
    Promise(1, "a slot is sold once", "1 success, 199 clear refusals, 0 5xx, p99 ≤ 2.5 s", booking_row.one_slot),
    Promise(2, "a retry never duplicates", "1 made, 99 replays with the same reference; other words: 422", leads.retry),
    Promise(3, "what was acknowledged is kept", "0 lost, 0 double, 0 without outbox row", leads.kill),
    Promise(4, "a deploy is not noticed", "0 lost, 0 double; each client done ≤ 10 s; exit ≤ 15 s", leads.deploy),
    Promise(5, "a crashed worker comes back", "answers ≤ 5 s by itself", leads.crash),
    Promise(6, "a busy database is a clear wait", "503 + Retry-After ≤ 5.5 s, later accepted", leads.lock),
    Promise(7, "a full disk loses nothing", "0 acknowledged lost, recovers without a restart", leads.full_disk),
    Promise(
        8,
        "mail trouble is not noticed",
        "all sent in the end, submit p95 ≤ 300 ms, one bad mail blocks nobody, same Message-ID on a doubtful resend",
        mail_row.mail_trouble,
    ),
    Promise(9, "Redis gone", "HTTP submissions 100 %; message ≤ 3 s; back ≤ 5 s", redis_row.redis_gone),
    Promise(
        10,
        "bad outside services are harmless",
        "fallback ≤ 2 s, 0 5xx, 0 calls to private networks",
        outside_row.outside_faults,
    ),
    Promise(13, "slow clients do no harm", "p95 ≤ 500 ms, 0 refused", unfinished_row.slow_clients),
    Promise(
        14,
        "upload limits hold",
        "100 % 4xx, RSS ≤ +50 MB for 300 MB, 0 orphan files after 10 min",
        upload_rows.uploads,
    ),
    Promise(
        16,
        "the socket never breaks",
        "0 unlisted handlers, 0 tracebacks, others' p95 ≤ 50 ms",
        socket_rows.frames,
    ),
    Promise(17, "origin, host, redirects", "all foreign refused; 421; 0 off-site locations", door_row.doors),
    Promise(18, "floods are contained", "cut; 429 + Retry-After; others' p95 ≤ 50 ms; RSS ≤ +100 MB", socket_rows.floods),
    Promise(19, "no visitor's data in logs", "0 of 50 canaries and more", secrecy_row.secrecy),
    Promise(20, "headers", "Observatory ≥ 130 (A+); 0 violations on every route in Chromium", headers_row.headers),
    Promise(23, "soak", "RSS ≤ 10 MB/h, 0 5xx, flat descriptors", soak_row.soak),
    Promise(
        24,
        "no input stops the loop",
        "event loop blocked ≤ 50 ms, others' p95 ≤ 100 ms",
        hostile_row.hostile_input,
    ),
    Promise(
        25,
        "unfinished requests do no harm",
        "others' p95 ≤ 500 ms, 0 refused; each cut ≤ 15 s; RSS ≤ +100 MB",
        unfinished_row.unfinished,
    ),
    Promise(
        26,
        "pictures are cheap",
        "RSS ≤ +150 MB, text files ≤ 1 s",
        upload_rows.pictures,
    ),
    Promise(32, "three engines", "all errands pass; print and full-page picture whole", engines_row.three_engines),
)


CARD = Card(
    name="attacks",
    title="Attacks",
    about="`make trial NAME=attacks`; the code of each row is in `tests/trials/attacks/`. A row that falls short is listed first until it is mended.",
)


def main(arguments: Sequence[str]) -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))  # for APIs that run in this process
    build("http://localhost:3000")
    return try_all(PROMISES, arguments, CARD)
