"""The finder of forgotten English finds it everywhere."""

from tests.support.latin import latin_words, visible_texts

PAGE = """<html lang="th"><head><title>หน้าแรก – Plumbline</title><meta name="description" content="Forgotten one"></head>
<body><script>const hidden = "code"</script><a aria-label="Forgotten two" href="/th">ไทย</a><p lang="en">English on purpose</p>
<input placeholder="Forgotten three"><p>ถึง hello@example.com <b>forgotten</b> four</p>
<script type="application/ld+json">{"@type": "Question", "name": "Forgotten five"}</script></body></html>"""

UNWRITTEN = "xx"  # a language without a catalog, so that no word of today's pages counts as known


def test_english_is_found_in_texts_labels_descriptions_and_data() -> None:
    assert latin_words(visible_texts(PAGE), UNWRITTEN) == {"Forgotten", "one", "two", "three", "forgotten", "four", "five"}
