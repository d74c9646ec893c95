#!/usr/bin/python3
"""Stands in for certbot where no public authority can reach the machine: an authority of its own, and the same files and hooks.

Copied into the trial's Debian root. Like the original it first asks for a file that it put below the webroot, by each name, over http.
"""

import argparse
import json
import secrets
import subprocess
import sys
import urllib.request
from pathlib import Path

_HOME = Path("/etc/letsencrypt")
AUTHORITY = _HOME / "authority.pem"
_ORDERS = _HOME / "orders"


def issue(order: dict) -> None:
    for name in order["domains"]:
        _challenge(name, Path(order["webroot"]))
    folder = _HOME / "live" / order["domains"][0]
    folder.mkdir(parents=True, exist_ok=True)
    key, request, extensions = folder / "privkey.pem", folder / "request.pem", folder / "extensions"
    _openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={order['domains'][0]}")
    extensions.write_text("subjectAltName=" + ",".join(f"DNS:{name}" for name in order["domains"]))
    authority = ("-CA", AUTHORITY, "-CAkey", AUTHORITY.with_suffix(".key"), "-set_serial", str(secrets.randbits(100)))
    _openssl(
        "x509", "-req", "-in", request, "-days", "90", *authority, "-extfile", extensions, "-out", folder / "fullchain.pem"
    )


def _challenge(name: str, webroot: Path) -> None:
    token = secrets.token_urlsafe(16)
    file = webroot / ".well-known/acme-challenge" / token
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(token)
    address = f"http://{name}/.well-known/acme-challenge/{token}"
    try:
        if urllib.request.urlopen(address, timeout=10).read().decode() != token:
            sys.exit(f"{address} leads elsewhere.")
    except OSError as error:
        sys.exit(f"{address}: {error}")
    finally:
        file.unlink()


def _openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=("certonly", "renew"))
    parser.add_argument("--webroot", action="store_true")
    parser.add_argument("--webroot-path", dest="path")
    parser.add_argument("--deploy-hook", dest="hook")
    parser.add_argument("-d", dest="domains", action="append", default=[])
    options = parser.parse_args()
    _ORDERS.mkdir(parents=True, exist_ok=True)
    if not AUTHORITY.exists():
        kind = ("-x509", "-newkey", "rsa:2048", "-nodes", "-days", "365", "-subj", "/CN=Local authority")
        _openssl("req", *kind, "-keyout", AUTHORITY.with_suffix(".key"), "-out", AUTHORITY)
    if options.verb == "certonly":
        order = {"domains": options.domains, "webroot": options.path, "hook": options.hook}
        (_ORDERS / options.domains[0]).write_text(json.dumps(order))
    for file in _ORDERS.iterdir():
        order = json.loads(file.read_text())
        issue(order)
        if order["hook"]:
            subprocess.run(order["hook"], shell=True, check=True)


if __name__ == "__main__":
    main()
