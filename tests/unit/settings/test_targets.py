"""SITE_NOTIFY is easy to write, and a mistake in it is named by its entry, without its secret."""

import pytest

from site_app.core.settings import BrokenSetting, Settings, load
from site_app.core.settings.targets import EVENTS, LEAD_CREATED, MEETING_BOOKED

SLACK = "https://hooks.slack.com/services/T000/B000/canary"
BOT = "123456:AAcanaryAAcanaryAAcanaryAAcanary"
KEY = "canary" * 5


def read(text: str, **options: str) -> Settings:
    return load({"SITE_NOTIFY": text} | options)


def test_each_entry_is_a_target_with_its_events() -> None:
    teams = (
        "https://prod-1.westeurope.logic.azure.com:443/workflows/a/triggers/manual/paths/invoke?api-version=1&sp=%2Frun&sig=x-y"
    )
    entries = (
        f"slack={SLACK} lead.created,meeting.booked",
        f"slack:sales={SLACK}2 all",
        f"teams={teams} status",
        "discord=https://discord.com/api/webhooks/1/x lead.created, lead.released",
        f"telegram={BOT}/-100123 all",
        f"webhook:n8n=https://n8n.example.com/webhook/x key={KEY} all",
    )

    targets = {target.name: target for target in read("; ".join((*entries, ""))).targets}

    assert [*targets] == ["slack", "slack:sales", "teams", "discord", "telegram", "webhook:n8n"]
    assert [*targets["slack"].events] == [LEAD_CREATED, MEETING_BOOKED]
    assert [*targets["slack:sales"].events] == [*EVENTS]
    assert [*targets["discord"].events] == ["lead.created", "lead.released"]
    assert targets["teams"].url == teams
    assert (targets["telegram"].url, targets["telegram"].chat) == (f"https://api.telegram.org/bot{BOT}/sendMessage", "-100123")
    assert targets["webhook:n8n"].key == KEY
    assert "canary" not in repr(targets)


def test_the_first_webhook_is_unchanged_and_its_secret_signs_the_others() -> None:
    address = {"SITE_WEBHOOK_URL": "https://crm.example.com/", "SITE_WEBHOOK_SECRET": KEY}

    first, second = read("webhook:crm=https://crm.example.com/2 all", **address).targets

    assert (first.name, first.key, second.key) == ("webhook", KEY, KEY)
    assert set(first.events.values()) == {LEAD_CREATED}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{SLACK} lead.created", "entry 1 must begin with one of slack="),
        (f"slak={SLACK} lead.created", "entry 1 must begin with one of slack="),
        (f"slack={SLACK} all; canary", "entry 2 must begin"),
        (f"slack={SLACK}", "entry 1 (slack) names no event"),
        (f"slack={SLACK} lead.create", "did you mean lead.created?"),
        (f"slack={SLACK} canary{KEY}", "entry 1 (slack) names an event that there is not"),
        ("slack=http://hooks.slack.com/canary all", "https://"),
        ("slack= all", "entry 1 (slack) must have an address"),
        ("slack=https://discord.com/api/webhooks/1/canary all", "entry 1 (slack) has an address of discord"),
        (f"slack={SLACK} all; slack={SLACK} all", "entry 2 is named slack like an earlier one"),
        (f"slack:SALES={SLACK} all", "entry 1 (slack) must have a name of small letters"),
        (f"slack={SLACK} key={KEY} all", "which only a webhook has"),
        (f"telegram=https://api.telegram.org/bot{BOT}/ all", "entry 1 (telegram) must be the bot's token"),
        (f"telegram={BOT} all", "entry 1 (telegram) must be the bot's token"),
        ("webhook=https://a.example.com/canary key=canary all", "24 characters or more"),
        ("webhook=https://a.example.com/canary key=whsec_????canary all", "not base64"),
        ("webhook=https://a.example.com/canary all", "SITE_WEBHOOK_SECRET is too short"),
    ],
)
def test_a_mistake_is_one_sentence_that_names_the_entry_and_no_secret(text: str, reason: str) -> None:
    with pytest.raises(BrokenSetting) as refused:
        read(text)

    (sentence,) = refused.value.args
    assert reason in sentence
    assert "canary" not in sentence


def test_a_webhook_without_a_name_beside_the_first_one_is_refused() -> None:
    address = {"SITE_WEBHOOK_URL": "https://crm.example.com/", "SITE_WEBHOOK_SECRET": KEY}

    with pytest.raises(BrokenSetting, match="webhook:crm="):
        read("webhook=https://crm.example.com/2 all", **address)


def test_notices_link_to_the_leads() -> None:
    with pytest.raises(BrokenSetting, match="SITE_NOTIFY names targets"):
        read(f"slack={SLACK} all", SITE_PROVIDER_URL="https://provider.example.com")
