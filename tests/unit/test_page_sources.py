"""A build with the environment that the publisher gives it makes the same pages, and learns no secret."""

import ast
from dataclasses import fields
from pathlib import Path
from typing import TypeGuard

import pytest

from site_app.core.published_pages import baked_in, build_environment, code_digest, content_digest, content_files
from site_app.core.settings import Settings, load
from tests.support.site_server import ROOT

SECRETS = {
    "SITE_SECRET": "s" * 24 + "hunter2",
    "SITE_DATABASE_URL": "postgresql+psycopg://site:hunter2@127.0.0.1/site",
    "SITE_REDIS_URL": "redis://:hunter2@127.0.0.1:6379/0",
    "SITE_SMTP_PASSWORD": "hunter2",
    "SITE_CALDAV_PASSWORD": "hunter2",
    "SITE_BOOKING_FEED_KEY": "k" * 24 + "hunter2",
    "SITE_BOOKING_BUSY_URL": "https://calendar.example.com/hunter2.ics",
    "SITE_COUNTRY_LOOKUP_URL": "https://geo.example.com/{address}?key=hunter2",
    "SITE_NOTIFY": ";".join(
        (
            "slack=https://hooks.slack.com/services/hunter2 all",
            "teams=https://hunter2.logic.azure.com/x all",
            "discord=https://discord.com/api/webhooks/hunter2 all",
            f"telegram=12345:hunter2{'x' * 30}/12345 all",
            f"webhook=https://example.com/hunter2 all key=hunter2{'x' * 24}",
        )
    ),
    "SITE_PUBLISH_REMOTE": "https://site:hunter2@git.example.com/site.git",
    "SITE_WEBHOOK_SECRET": "hunter2" + "x" * 24,
}

_COMPILED = ("components", "site_app/content", "site_app/forms", "site_app/layout", "site_app/pages")
_NOT_IN_PAGES = {"content"}  # the folder of the texts, whose contents have a digest of their own


def test_pages_of_a_build_without_secrets_have_the_same_text() -> None:
    everything = {"SITE_BRAND_NAME": "Acme, 'Sons' & \"Co\"", "SITE_HOSTS": "a.example,b.example", "SITE_KEEP_LEADS": "90d"}
    settings = load({**SECRETS, **everything, "SITE_NOTIFY_NAMES": "true", "SITE_BRAND_LINE": "", "SITE_BOOKING_REMINDERS": ""})

    environment = build_environment(settings, {"PATH": "/bin", "AWS_SECRET_ACCESS_KEY": "hunter2", "SITE_SECRET": "hunter2"})

    assert "hunter2" not in str(environment)
    assert environment["PATH"] == "/bin"
    assert baked_in(load({name: text for name, text in environment.items() if name != "SITE_ENV_FILE"})) == baked_in(settings)


def test_every_secret_setting_is_among_those_tested() -> None:
    secret = {f"SITE_{field.name.upper()}" for field in fields(Settings) if field.metadata["secret"]}

    assert secret - set(SECRETS) == {"SITE_WEBHOOK_URL"} & secret


def test_texts_change_the_digest_of_the_content_only(tmp_path: Path) -> None:
    articles = tmp_path / "site_app/content/articles"
    articles.mkdir(parents=True)
    (tmp_path / "site_app/page.py").write_text("one")
    (articles / "a.md").write_text("one")
    content = tmp_path / "site_app/content"
    digests = code_digest(Settings(), tmp_path), content_digest(content)

    (articles / "a.md").write_text("two")
    after_text = code_digest(Settings(), tmp_path), content_digest(content)
    (tmp_path / "site_app/page.py").write_text("two")
    after_code = code_digest(Settings(), tmp_path), content_digest(content)

    assert after_text[0] == digests[0] != after_code[0]
    assert digests[1] != after_text[1] == after_code[1]


@pytest.mark.parametrize("name", [".hidden.md", "link.md", "folder.md"])
def test_only_regular_files_are_content(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "a.md").write_text("text")
    if name == "link.md":
        (folder / name).symlink_to(folder / "a.md")
    elif name == "folder.md":
        (folder / name).mkdir()
    else:
        (folder / name).touch()

    assert content_files(tmp_path) == [folder / "a.md"]


def test_translations_of_the_office_change_the_digest_of_the_content_only(tmp_path: Path) -> None:
    content = tmp_path / "site_app/content"
    (content / "translations").mkdir(parents=True)
    digests = code_digest(Settings(), tmp_path), content_digest(content)

    (content / "translations/th.po").write_text("words")

    assert code_digest(Settings(), tmp_path) == digests[0]
    assert content_digest(content) != digests[1]


def test_every_setting_that_the_pages_are_made_of_is_passed_to_builds_and_changes_the_digest() -> None:
    read = set[str]()
    for folder in _COMPILED:
        for file in (ROOT / folder).rglob("*.py"):
            read |= {node.attr for node in ast.walk(ast.parse(file.read_text())) if _is_setting(node)}
    names = {f"SITE_{name.upper()}" for name in read - _NOT_IN_PAGES}

    assert len(names) > 10
    assert names <= baked_in(Settings()).keys()


def _is_setting(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """Returns True for `settings().name` and `settings.name`."""
    if not isinstance(node, ast.Attribute) or node.attr not in {field.name for field in fields(Settings)}:
        return False
    return ast.unparse(node.value) in ("settings", "settings()")
