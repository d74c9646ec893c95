"""The files that search engines and other programs look for: sitemap.xml, robots.txt, llms.txt and security.txt."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

from site_app.content.routes import ROUTES
from site_app.core.i18n import ENGLISH, LOCALES, use
from site_app.core.settings import Settings
from site_app.plugins.static_first.check import Page

_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"


def write_machine_files(static: Path, settings: Settings) -> None:
    """Writes the files. The sitemap takes each page's languages from the built page, which links to them."""
    (static / "sitemap.xml").write_bytes(_sitemap(static, settings.url))
    (static / "robots.txt").write_text(_robots_txt(settings))
    (static / "llms.txt").write_text(_llms_txt(settings))
    (static / ".well-known").mkdir(exist_ok=True)
    (static / ".well-known/security.txt").write_text(_security_txt(settings))


def _sitemap(static: Path, url: str) -> bytes:
    ElementTree.register_namespace("", _SITEMAP_NAMESPACE)
    ElementTree.register_namespace("xhtml", _XHTML_NAMESPACE)
    urls = ElementTree.Element(f"{{{_SITEMAP_NAMESPACE}}}urlset")
    for route in ROUTES:
        head, _, _ = (static / route.path.lstrip("/") / "index.html").read_text().partition("<body")
        english = Page(route.path, head)
        for path in dict.fromkeys([route.path, *english.alternates.values()]):
            entry = ElementTree.SubElement(urls, f"{{{_SITEMAP_NAMESPACE}}}url")
            ElementTree.SubElement(entry, f"{{{_SITEMAP_NAMESPACE}}}loc").text = url + path
            if route.changed:
                ElementTree.SubElement(entry, f"{{{_SITEMAP_NAMESPACE}}}lastmod").text = route.changed.isoformat()
            for tag, alternate in english.alternates.items():
                attributes = {"rel": "alternate", "hreflang": tag, "href": url + alternate}
                ElementTree.SubElement(entry, f"{{{_XHTML_NAMESPACE}}}link", attributes)
    return ElementTree.tostring(urls, encoding="utf-8", xml_declaration=True)


def _robots_txt(settings: Settings) -> str:
    if not settings.production:
        return "# not the public site: SITE_PRODUCTION is off\nUser-agent: *\nDisallow: /\n"
    return f"User-agent: *\nDisallow: /meetings/\nDisallow: /v1.0/\n\nSitemap: {settings.url}/sitemap.xml\n"


def _llms_txt(settings: Settings) -> str:
    with use(ENGLISH):
        pages = "".join(f"- [{route.title()}]({settings.url + route.path}): {route.description()}\n" for route in ROUTES)
        home = ROUTES[0]
        return f"# {settings.brand_name}\n\n> {home.description()}\n\n## Pages\n\n{pages}"


def _security_txt(settings: Settings) -> str:
    # RFC 9116 requires an expiry date; the end of next year keeps builds of the same commit identical.
    expires = datetime(datetime.now(UTC).year + 1, 12, 31, tzinfo=UTC) + timedelta(hours=23)
    return (
        f"Contact: mailto:{settings.brand_email}\nExpires: {expires:%Y-%m-%dT%H:%M:%SZ}\n"
        f"Preferred-Languages: {', '.join(locale.tag.partition('-')[0] for locale in LOCALES)}\nCanonical: {settings.url}/.well-known/security.txt\n"
    )
