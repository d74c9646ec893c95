"""Signed tokens: form tokens prove that a form was opened here and when; confirmation tokens prove access to our mail."""

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from itsdangerous import BadSignature, TimestampSigner

from site_app.core.files import UNFINISHED, create_durably
from site_app.core.http.context import Clock
from site_app.core.settings import BrokenSetting, Settings

MAX_TOKEN_LENGTH = 64  # of a link or cookie; ours have 43 characters
_MIN_SECRET_LENGTH = 24


class Tokens:
    """Creates and verifies tokens. A token is valid only for its own purpose."""

    def __init__(self, secret: str, clock: Clock) -> None:
        self._clock = clock
        self._mac = hmac.new(secret.encode(), digestmod="sha256")
        self._form = _Signer(secret, "form", clock)
        self._confirmation = _Signer(secret, "confirmation", clock)

    def form_token(self) -> str:
        """Returns a token that contains the time at which the form was opened."""
        return self._form.sign(secrets.token_urlsafe(9)).decode()

    def age(self, form_token: str) -> timedelta | None:
        """Returns the time since the form was opened, or None if the signature is invalid."""
        try:
            _, opened_at = self._form.unsign(form_token, return_timestamp=True)
        except BadSignature:
            return None
        return self._clock() - opened_at

    def keyed_hash(self, text: str) -> str:
        """Returns a keyed hash (HMAC-SHA256, shortened) of the text."""
        # A copy, because the key needs to be hashed once only. `hmac.digest` would also let another thread take over each time.
        mac = self._mac.copy()
        mac.update(text.encode())
        return mac.hexdigest()[:20]

    def confirmation_token(self, reference: str) -> str:
        return self._confirmation.sign(reference).decode()

    def confirmed_reference(self, token: str) -> str | None:
        """Returns the reference of the lead whose sender got this token by mail, or None if the signature is invalid."""
        try:
            return self._confirmation.unsign(token).decode()
        except BadSignature:
            return None


class _Signer(TimestampSigner):
    def __init__(self, secret: str, purpose: str, clock: Clock) -> None:
        super().__init__(secret, salt=f"site_app.{purpose}")
        self._clock = clock

    def get_timestamp(self) -> int:
        return int(self._clock().timestamp())


def hash_of(token: str) -> str:
    """Returns the hash under which a token of a link or cookie is stored. A token has 256 random bits, so a fast hash is as safe as a slow one."""
    return hashlib.sha256(token.encode()).hexdigest()


def load_secret(settings: Settings) -> str:
    """Returns the secret of the settings, or that of the file in SITE_VAR, which is created at the first start."""
    if settings.secret:
        if len(settings.secret.strip()) < _MIN_SECRET_LENGTH:
            raise BrokenSetting(
                "SITE_SECRET is too short; it must have 24 characters or more, like those of: openssl rand -hex 24"
            )
        return settings.secret
    file = settings.var / "secret"
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        if not file.exists():
            _write_once(file, secrets.token_urlsafe(32))
        secret = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenSetting(f"{file} cannot be read or made ({type(error).__name__}); or set SITE_SECRET") from None
    if len(secret.strip()) < _MIN_SECRET_LENGTH:
        raise BrokenSetting(
            f"{file} is empty or too short to sign with: put back the one of your last backup, or delete it and a new one is made "
            "(links in mails already sent then lead nowhere)"
        )
    return secret


def _write_once(file: Path, text: str) -> None:
    """Writes the file atomically unless it exists: of several processes the first one wins, and the others read its file."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}{UNFINISHED}")
    create_durably(unfinished, text.encode())
    with suppress(FileExistsError):
        os.link(unfinished, file)
    unfinished.unlink()
