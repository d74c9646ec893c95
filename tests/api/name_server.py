"""A fake name server that dnspython queries like one behind a socket."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
from dns.asyncresolver import Resolver
from dns.message import Message, QueryMessage
from dns.nameserver import Nameserver
from dns.rcode import Rcode

TAKES_MAIL = {"MX": ["10 mail.example.org."]}
NO_MAIL = {"MX": ["0 ."]}
_INTERNET = {".": {"NS": ["a.root-servers.net."]}}


@dataclass
class NameServer(Nameserver):
    """Answers of each domain: records by type, or a response code. Other domains do not exist, except the root."""

    domains: dict[str, dict[str, list[str]] | Rcode] = field(default_factory=dict)
    silent_about: tuple[str, ...] = ()  # types of records, or a type and a name
    queries: list[str] = field(default_factory=list)
    was_asked: asyncio.Event = field(default_factory=asyncio.Event)
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    def resolver(self) -> Resolver:
        new_resolver = Resolver(configure=False)
        new_resolver.nameservers = [self]
        return new_resolver

    async def async_query(self, request: QueryMessage, *_: Any, **__: Any) -> Message:
        [question] = request.question
        name, kind = question.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(question.rdtype)
        self.queries.append(f"{kind} {name}")
        self.was_asked.set()
        await self.may_answer.wait()
        if {kind, f"{kind} {name}"} & {*self.silent_about}:
            await asyncio.Event().wait()
        reply = dns.message.make_response(request)
        records = (_INTERNET | self.domains).get(name, dns.rcode.NXDOMAIN)
        if isinstance(records, Rcode):
            reply.set_rcode(records)
        elif kind in records:
            reply.answer.append(dns.rrset.from_text(question.name, 300, "IN", kind, *records[kind]))
        return dns.message.from_wire(reply.to_wire())

    def __str__(self) -> str:
        return "in hand"

    def is_always_max_size(self) -> bool:
        return True

    def answer_nameserver(self) -> str:
        return "192.0.2.53"

    def answer_port(self) -> int:
        return 53
