"""The rows of the scorecard, with the trial of each."""

from tests.faults import (
    booking_row,
    door_row,
    engines_row,
    headers_row,
    hostile_row,
    leads,
    mail_row,
    outside_row,
    pictures_row,
    redis_row,
    secrecy_row,
    soak_row,
    socket_rows,
    unfinished_row,
    upload_row,
)
from tests.faults.by_tests import by_tests
from tests.lab.scorecard import Promise, together

_DELIVERY = ("browser/forms/test_forms_delivery.py", "browser/forms/test_forms_every_way.py")
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
    Promise(11, "a dead network is noticed", "message ≤ 10 s; later exactly one lead", by_tests(*_DELIVERY)),
    Promise(12, "typed text survives", "100 % of fields", by_tests("browser/test_language_in_use.py", *_DELIVERY)),
    Promise(13, "slow clients do no harm", "p95 ≤ 500 ms, 0 refused", unfinished_row.slow_clients),
    Promise(
        14,
        "upload limits hold",
        "100 % 4xx, RSS ≤ +50 MB for 300 MB, 0 orphan files after 10 min",
        together(by_tests("api/test_attachments.py"), upload_row.uploads),
    ),
    Promise(
        15,
        "the API never breaks",
        "0 5xx, 0 tracebacks, 0 invalid rows",
        by_tests("api/test_description.py", "api/test_odd_forms.py", "unit/contracts", "api/test_submissions.py"),
    ),
    Promise(
        16,
        "the socket never breaks",
        "0 unlisted handlers, 0 tracebacks, others' p95 ≤ 50 ms",
        together(by_tests("repo/test_events.py"), socket_rows.frames),
    ),
    Promise(17, "origin, host, redirects", "all foreign refused; 421; 0 off-site locations", door_row.doors),
    Promise(18, "floods are contained", "cut; 429 + Retry-After; others' p95 ≤ 50 ms; RSS ≤ +100 MB", socket_rows.floods),
    Promise(19, "no visitor's data in logs", "0 of 50 canaries and more", secrecy_row.secrecy),
    Promise(20, "headers", "Observatory ≥ 130 (A+); 0 violations on every route in Chromium", headers_row.headers),
    Promise(
        21,
        "the calendar is right",
        "0 double, 0 missing instants; .ics = database",
        by_tests("unit/booking/test_slots.py", "unit/booking/test_calendar_files.py", "api/test_booking_pages.py"),
    ),
    Promise(
        22,
        "data goes away",
        "0 rows or files past the retention; erasure by reference in one command",
        by_tests("api/test_forgetting.py", "unit/services/test_retention.py", "unit/cli/test_leads.py"),
    ),
    Promise(23, "soak", "RSS ≤ 10 MB/h, 0 5xx, flat descriptors", soak_row.soak),
    Promise(
        24,
        "no input stops the loop",
        "event loop blocked ≤ 50 ms, others' p95 ≤ 100 ms",
        together(by_tests("unit/test_hostile_input.py"), hostile_row.hostile_input),
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
        pictures_row.pictures,
    ),
    Promise(
        27,
        "nobody empties the calendar",
        "≤ 5 future calls, ≤ 3 open holds; others see ≥ 95 % of the slots",
        by_tests("unit/booking/test_shares.py", "unit/test_forms_delivery.py", "api/test_admission.py", "api/test_relay.py"),
    ),
    Promise(
        28,
        "no relay",
        "≤ 2 mails to one stranger a day, 0 with words of the sender's before the address has confirmed",
        by_tests("unit/services/test_mailboxes.py", "unit/mails", "unit/booking/test_meetings.py"),
    ),
    Promise(29, "the disk is not for strangers", "quota holds; leads taken; pages up", by_tests("api/test_upload_quota.py")),
    Promise(
        30,
        "a lead needs nothing but the provider's seven calls",
        "100 % of the leads, 0 console errors beyond one warning",
        by_tests("browser/forms/test_forms_seven_calls.py"),
    ),
    Promise(
        31,
        "clocks and databases lie",
        "nothing erased that should stay; `/readyz` red ≤ 10 s; a clear sentence",
        by_tests(
            "unit/cli/test_doctor.py", "unit/services/test_clock.py", "unit/mail/test_courier.py", "api/test_readiness.py"
        ),
    ),
    Promise(32, "three engines", "all errands pass; print and full-page picture whole", engines_row.three_engines),
    Promise(
        33,
        "the office is the agency's alone",
        "0 of 600 forged, replayed, foreign and reader's requests do anything; no answer tells who is a member; axe 0",
        by_tests("api/office", "unit/serving/test_office.py", "browser/test_office.py"),
    ),
)
