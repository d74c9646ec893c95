"""The ways a row of the outbox leaves, as the settings have them, and the courier who knows them."""

from collections.abc import Callable
from datetime import UTC, datetime

from site_app.mail.courier import Courier, Deliver
from site_app.mail.senders import NotDelivered, Sender, sender_for
from site_app.mail.webhooks import Webhook
from site_app.settings import BrokenSetting, Settings
from site_app.store import Store
from site_app.store.tables import MAIL, WEBHOOK, Outbox

Compose = Callable[[Outbox, Settings], bytes]
Clock = Callable[[], datetime]


def now() -> datetime:
    return datetime.now(UTC)


def courier_for(settings: Settings, store: Store, compose: Compose, clock: Clock = now) -> Courier:
    """The courier of this process; `compose` makes the mail of a row, for words are not this room's business."""
    ways = {MAIL: posting(sender_for(settings), compose, settings), WEBHOOK: calling(settings, clock)}
    return Courier(store, ways, give_up=settings.mail_give_up, clock=clock)


def posting(sender: Sender, compose: Compose, settings: Settings) -> Deliver:
    """Deliver a row as a mail."""

    async def post(row: Outbox) -> None:
        await sender.send(compose(row, settings))

    return post


def calling(settings: Settings, clock: Clock) -> Deliver:
    """Deliver a row to the webhook; one written before the webhook was taken out of the settings waits."""
    webhook = webhook_of(settings, clock)
    if webhook:
        return webhook.call

    async def refuse(row: Outbox) -> None:
        raise NotDelivered("NoWebhook")

    return refuse


def webhook_of(settings: Settings, clock: Clock = now) -> Webhook | None:
    """The webhook of the settings, if there is one."""
    if not settings.webhook_url:
        return None
    try:
        return Webhook(settings.webhook_url, settings.webhook_secret, clock=clock)
    except ValueError:
        raise BrokenSetting("SITE_WEBHOOK_SECRET begins with whsec_, but what follows is not base64") from None
