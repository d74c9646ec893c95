"""The finder of forgotten English finds it, wherever it is said."""

from tests.latin.finder import latin, said

PAGE = """<html lang="th"><head><title>หน้าแรก – Plumbline</title><meta name="description" content="Forgotten one"></head>
<body><script>const hidden = "code"</script><a aria-label="Forgotten two" href="/th">ไทย</a><p lang="en">English on purpose</p>
<input placeholder="Forgotten three"><p>iOS ถึง hello@example.com <b>forgotten</b> four</p>
<script type="application/ld+json">{"@type": "Question", "name": "Forgotten five"}</script></body></html>"""


def test_english_is_found_in_texts_labels_descriptions_and_data() -> None:
    assert latin(said(PAGE), "th") == {"Forgotten", "one", "two", "three", "forgotten", "four", "five"}


def test_what_chinese_writes_in_latin_letters_thai_does_not() -> None:
    assert latin(["Cookie 政策"], "cn") == set()
    assert latin(["นโยบาย Cookie"], "th") == {"Cookie"}


def test_a_name_is_allowed_as_a_whole_and_not_in_parts() -> None:
    assert latin(["Play Console", "Play now"], "th") == {"Play", "now"}
