"""Settings come from the environment, then from .env; secrets may come from files of their own."""

from dataclasses import fields
from pathlib import Path

import pytest

from site_app.core.settings import BrokenSetting, Settings, as_text, environment, load, read_env, variable


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the .env to read."""
    monkeypatch.delenv("SITE_ENV_FILE")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "SITE_BRAND_NAME=Acme & Sons",
        'SITE_BRAND_NAME="Acme & Sons"',
        "SITE_BRAND_NAME='Acme & Sons'",
        "export SITE_BRAND_NAME='Acme & Sons'",
        " SITE_BRAND_NAME = Acme & Sons  # the agency",
        "\ufeffSITE_BRAND_NAME=Acme & Sons",
        "\ufeff# a comment\r\n\r\nSITE_BRAND_NAME=Acme & Sons\r\nPOSTGRES_PASSWORD=\r\n",
    ],
)
def test_an_env_file_is_read_as_other_programs_read_it(root: Path, line: str) -> None:
    (root / ".env").write_text(line, encoding="utf-8")

    assert load(environment()).brand_name == "Acme & Sons"


def test_the_environment_overrides_the_env_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".env").write_text("SITE_BRAND_NAME=file\nSITE_BRAND_FOUNDER=file\n")
    monkeypatch.setenv("SITE_BRAND_NAME", "environment")

    read = load(environment())

    assert (read.brand_name, read.brand_founder) == ("environment", "file")


def test_the_address_of_the_site_follows_its_port_unless_it_is_set(root: Path) -> None:
    (root / ".env").write_text("SITE_PORT=3456\n")

    assert load(environment()).url == "http://localhost:3456"
    assert load({"SITE_PORT": "3456", "SITE_URL": "https://www.example.com"}).url == "https://www.example.com"


def test_a_variable_names_another_settings_file_or_none(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".env").write_text("SITE_BRAND_NAME=one\n")
    (root / "other").write_text("SITE_BRAND_NAME=two\n")

    monkeypatch.setenv("SITE_ENV_FILE", "other")
    assert load(environment()).brand_name == "two"

    monkeypatch.setenv("SITE_ENV_FILE", "")
    assert load(environment()).brand_name == load({}).brand_name


def test_a_named_file_that_is_missing_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_ENV_FILE", "nowhere")

    with pytest.raises(BrokenSetting, match="SITE_ENV_FILE"):
        environment()


@pytest.mark.parametrize("text", [b"SITE_PORT\n", b"SITE_PORT 3000\n", b"SITE_BRAND_NAME='open\n", b"\xff\xfeS\x00"])
def test_an_unreadable_line_is_reported(root: Path, text: bytes) -> None:
    (root / ".env").write_bytes(b"# first\n" * (text[0] < 128) + text)

    with pytest.raises(BrokenSetting, match=r"\.env.*SITE_"):
        read_env(root / ".env")


@pytest.mark.parametrize("name", [field.name for field in fields(Settings) if field.metadata["secret"]])
def test_a_secret_is_read_from_the_file_that_is_named(tmp_path: Path, name: str) -> None:
    texts = {"database_url": "sqlite:////tmp/x.db", "redis_url": "redis://localhost"}
    texts["notify"] = "slack=https://hooks.slack.com/services/x all"
    texts["publish_remote"] = "https://site:key@git.example.com/site.git"
    text = texts.get(name, "https://example.com/x" if name.endswith("url") else "k" * 30)
    (tmp_path / "key").write_text(f"{text}\n")

    read = load({f"{variable(name)}_FILE": str(tmp_path / "key")})

    assert as_text(getattr(read, name)) == text


@pytest.mark.parametrize("name", ["gone", "empty", "no text", "."])
def test_a_file_without_a_secret_is_reported_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").write_bytes(b"\n")
    (tmp_path / "no text").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(BrokenSetting, match="SITE_SECRET_FILE"):
        load({"SITE_SECRET_FILE": str(tmp_path / name)})


def test_a_secret_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k" * 30)

    with pytest.raises(BrokenSetting, match="SITE_SECRET_FILE"):
        load({"SITE_SECRET": "s" * 30, "SITE_SECRET_FILE": str(tmp_path / "key")})


def test_only_secrets_are_read_from_files() -> None:
    with pytest.raises(BrokenSetting, match="SITE_PORT_FILE"):
        load({"SITE_PORT_FILE": "/etc/hostname"})


def test_a_name_in_small_letters_is_reported_from_the_env_file_too(root: Path) -> None:
    (root / ".env").write_text("site_port=3456\nother=1\n")

    with pytest.raises(BrokenSetting, match="site_port is not a setting of this site; did you mean SITE_PORT"):
        load(environment())
