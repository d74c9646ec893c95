"""Settings of mail and webhook that cannot work stop the start, with the variable's name."""

import pytest

from site_app.settings import BrokenSetting, load

SECRET = "s" * 24


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"SITE_MAIL_FROM": "The team <team@example.com>"}, "SITE_MAIL_FROM"),
        ({"SITE_MAIL_TEAM": "a@example.com, b@example.com"}, "SITE_MAIL_TEAM"),
        ({"SITE_BRAND_EMAIL": "hello"}, "SITE_BRAND_EMAIL"),
        ({"SITE_SMTP_SECURITY": "none", "SITE_SMTP_PASSWORD": "secret"}, "SITE_SMTP_PASSWORD"),
        ({"SITE_SMTP_SECURITY": "perhaps"}, "SITE_SMTP_SECURITY"),
        ({"SITE_WEBHOOK_URL": "http://crm.example.com/", "SITE_WEBHOOK_SECRET": SECRET}, "SITE_WEBHOOK_URL"),
        ({"SITE_WEBHOOK_URL": "https://crm.example.com/", "SITE_WEBHOOK_SECRET": "short"}, "SITE_WEBHOOK_SECRET"),
        ({"SITE_KEEP_LEADS": "1h"}, "SITE_KEEP_LEADS"),
    ],
)
def test_what_cannot_work_is_refused_by_name(environment: dict[str, str], named: str) -> None:
    with pytest.raises(BrokenSetting, match=named):
        load(environment)


def test_a_secret_is_not_in_the_text_of_the_settings() -> None:
    assert "hunter2" not in repr(load({"SITE_SMTP_PASSWORD": "hunter2"}))
