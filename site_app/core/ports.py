"""Which port a server can listen on; needs Python alone, since prepare.py asks before anything is installed."""

import errno
import socket

_PORTS_TRIED = 100


def port_problem(host, port, prefix="SITE_", avoid=()):
    """Return a sentence that says why nothing can listen there and what to set instead, or None.

    `prefix` begins the names of the two settings, SITE_PORT and SITE_HOST. The ports in `avoid` are not proposed.
    """
    error = _bind_error(host, port)
    if error is None:
        return None
    beginning = f"Port {port} on {host} cannot be used ({error.strerror}): "
    if error.errno == errno.EADDRNOTAVAIL:
        return beginning + f"set {prefix}HOST to an address of this machine, such as 127.0.0.1."
    free = _free_port(host, port, avoid)
    another = f"another one, such as {free}" if free else "another one"
    return beginning + f"set {prefix}PORT to {another}, or stop what has it."


def _free_port(host, taken, avoid):
    """Return the next port above that is free now, or None."""
    above = range(max(taken, 1023) + 1, min(max(taken, 1023) + 1 + _PORTS_TRIED, 65536))
    return next((port for port in above if port not in avoid and _bind_error(host, port) is None), None)


def _bind_error(host, port):
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None
