"""A fake name server on a port of this machine: answers with the given TXT records; other names do not exist, except the root."""

import socketserver
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
from dns.asyncresolver import Resolver
from dns.message import Message, QueryMessage

from tests.unit.cli.local_server import running

ROOT_SERVERS = ["a.root-servers.net."]


class _Server(socketserver.ThreadingUDPServer):
    daemon_threads = True

    def __init__(self, records: Mapping[str, Sequence[str]], *, has_root: bool) -> None:
        self.records, self.has_root = records, has_root
        super().__init__(("127.0.0.1", 0), _Handler)

    def answer(self, request: Message) -> Message:
        [question] = request.question
        name, kind = question.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(question.rdtype)
        reply = dns.message.make_response(request)
        if kind == "TXT" and name in self.records:
            texts = [f'"{text}"' for text in self.records[name]]
            if texts:
                reply.answer.append(dns.rrset.from_text(question.name, 300, "IN", kind, *texts))
        elif kind == "NS" and self.has_root:
            reply.answer.append(dns.rrset.from_text(question.name, 300, "IN", kind, *ROOT_SERVERS))
        else:
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return reply


class _Handler(socketserver.DatagramRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Server)
        request = dns.message.from_wire(self.packet)
        assert isinstance(request, QueryMessage)
        self.wfile.write(self.server.answer(request).to_wire())


def resolver_at(port: int) -> Resolver:
    """Returns a resolver that asks only this port of this machine."""
    resolver = Resolver(configure=False)
    resolver.nameservers = ["127.0.0.1"]
    resolver.port = port
    resolver.timeout = 0.3
    return resolver


@contextmanager
def small_name_server(records: Mapping[str, Sequence[str]], *, has_root: bool = True) -> Iterator[int]:
    """Runs the server on a free port and returns the port. Without the root it is that of a closed network."""
    with running(_Server(records, has_root=has_root)) as port:
        yield port
