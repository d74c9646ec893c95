"""The baselines say what the page says, and nothing else."""

from tests.bench.floor import floor
from tests.bench.radix_app import words

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Home</title><meta name="description" content="About us"/><style>.a{}</style></head>
<body class="x"><script>1</script><main class="y"><h1 class="z">We <em>build</em> &amp; mend</h1><svg><title>no</title></svg>
<a class="b" href="/faq">Questions</a><dialog><p>Hidden</p></dialog><button>Ask</button></main></body></html>"""


def test_the_floor_has_the_words_and_no_class_script_or_picture() -> None:
    bare = floor(PAGE)

    assert "<h1>We build &amp; mend</h1>" in bare
    assert '<a href="/faq">Questions</a>' in bare
    assert "<title>Home</title>" in bare
    assert 'lang="en"' in bare
    assert not any(gone in bare for gone in ("class=", "<script", "<svg", "Hidden"))


def test_the_default_app_is_given_every_text_with_its_kind() -> None:
    said = words(PAGE)

    assert said["blocks"] == [("h1", "We build & mend", ""), ("a", "Questions", "/faq"), ("button", "Ask", "")]
