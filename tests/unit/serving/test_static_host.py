"""An export contains the server's headers and redirects as files."""

from pathlib import Path

import pytest

from site_app.core.locales import LOCALES
from site_app.core.settings import Settings
from site_app.serving.static_host import write_static
from tests.browser.static_host import read_redirects, redirect_of

PAGE = (
    '<!DOCTYPE html><html><head><meta charSet="utf-8"/><title>x</title><script>t()</script><style>a{}</style><script data-boot '
    'data-route="r" data-src="/assets/boot-1.js">b()</script></head><body><form class="f" action="/contact-us"></form>'
    '<a class="l" href="/book">Book</a><a href="/faq">FAQ</a></body></html>'
)
ELSEWHERE = Settings(url="https://www.example.com", backend_url="https://api.example.com")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    for path in ("", "faq", "th", "th/faq", "cn"):
        file = tmp_path / "built" / path / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PAGE)
        file.with_name("index.html.br").write_bytes(b"br")
    (tmp_path / "built/assets").mkdir()
    (tmp_path / "built/assets/boot-1.js").write_text("boot()")
    return tmp_path / "built"


@pytest.fixture
def out(built: Path, tmp_path: Path) -> Path:
    write_static(built, tmp_path / "out", ELSEWHERE)
    return tmp_path / "out"


def test_a_page_is_a_file_that_answers_to_its_clean_address(out: Path) -> None:
    files = {file.relative_to(out).as_posix() for file in out.rglob("*") if file.is_file()}

    assert {"index.html", "faq.html", "th.html", "th/faq.html", "assets/boot-1.js", "404.html", "th/404.html"} <= files
    assert not [name for name in files if name.endswith(".br")]


def test_a_page_knows_where_its_api_is(out: Path) -> None:
    page = (out / "faq.html").read_text()

    assert 'data-boot data-backend="https://api.example.com" ' in page
    assert 'action="https://api.example.com/contact-us"' in page
    assert 'href="https://api.example.com/book"' in page
    assert 'href="/faq"' in page


def test_pages_beside_their_api_name_no_host(built: Path, tmp_path: Path) -> None:
    write_static(built, tmp_path / "out", Settings())

    page = (tmp_path / "out/faq.html").read_text()
    assert "data-backend" not in page
    assert 'action="/contact-us"' in page
    assert "/book" not in (tmp_path / "out/_redirects").read_text()


def test_only_english_pages_look_for_another_language(out: Path) -> None:
    prefixes = f"({'|'.join(locale.id for locale in LOCALES if locale.prefix)})"

    assert prefixes in (out / "faq.html").read_text()
    assert prefixes not in (out / "th/faq.html").read_text()
    assert prefixes not in (out / "th.html").read_text()


def test_other_sites_may_show_the_pictures(out: Path) -> None:
    assert "cross-origin-resource-policy" not in (out / "_headers").read_text()


def test_header_rules_never_overlap_and_fit_the_limits_of_hosts(built: Path, tmp_path: Path) -> None:
    """Cloudflare Pages reads 100 rules; a site has more pages."""
    for number in range(100):
        (built / f"page-{number:03}").mkdir()
        (built / f"page-{number:03}/index.html").write_text(PAGE)

    write_static(built, tmp_path / "out", ELSEWHERE)

    blocks = (tmp_path / "out/_headers").read_text().split("\n/")
    common, *folders = ({line.split(":")[0].strip() for line in block.splitlines()[1:]} for block in blocks)
    assert {"x-content-type-options", "content-security-policy"} <= common
    assert all(common.isdisjoint(names) for names in folders)
    assert len(blocks) < 100
    assert max(map(len, "".join(blocks).splitlines())) < 2000


@pytest.mark.parametrize(("page", "scripts"), [("faq.html", 3), ("th/faq.html", 2)])
def test_a_pages_policy_precedes_its_scripts_and_allows_them_the_api_and_the_socket(out: Path, page: str, scripts: int) -> None:
    before, _, policy_and_page = (out / page).read_text().partition('<meta http-equiv="content-security-policy" content="')
    policy, _, content = policy_and_page.partition('"')

    assert "<script" not in before
    assert content.count("<script") == scripts == policy.partition("script-src")[2].partition(";")[0].count("sha256-")
    assert "connect-src 'self' https://api.example.com wss://api.example.com;" in policy
    assert "form-action 'self' https://api.example.com" in policy


def test_moved_pages_and_provider_pages_are_redirected(out: Path) -> None:
    redirects = (out / "_redirects").read_text().splitlines()

    assert "/th/company /th/company/about-us 301" in redirects
    for path in ("/th/meetings/", "/confirm/", "/partners/", "/cn/book/"):
        assert f"{path}* https://api.example.com{path}:splat 302" in redirects
    assert "/book https://api.example.com/book 302" in redirects


PARTNER_LINKS = {
    "": "/",
    "/": "/",
    "/faq": "/faq",
    "/th": "/th",
    "/th/faq": "/th/faq",
    "/cn": "/cn",
    # whatever else follows the code leads to the front page, or stays in a folder of pages
    "/nowhere": "/",
    "/assets/boot-1.js": "/",
    "//evil.example": "/",
    "///evil.example": "/",
    "/%2Fevil.example": "/",
    "/%5Cevil.example": "/",
    "/https://evil.example": "/",
    "/th//evil.example": "/th//evil.example",
}


@pytest.mark.parametrize(("page", "target"), PARTNER_LINKS.items())
def test_a_partners_short_link_leads_to_a_page_with_the_code(out: Path, page: str, target: str) -> None:
    assert redirect_of(read_redirects(out), f"/r/A2C3D4E5{page}") == (f"{target}?ref=A2C3D4E5", 302)


def test_no_rule_begins_an_address_with_what_the_visitor_asked_for(out: Path) -> None:
    """A host that keeps double slashes would lead /r/CODE//evil.example to //evil.example."""
    targets = [new for _, new, _ in read_redirects(out)]

    assert not [new for new in targets if new.startswith(("/:", ":"))]


def test_without_a_remote_backend_the_server_answers_partners_links(built: Path, tmp_path: Path) -> None:
    write_static(built, tmp_path / "out", Settings())

    assert redirect_of(read_redirects(tmp_path / "out"), "/r/A2C3D4E5") is None
