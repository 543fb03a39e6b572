"""Client addresses, also behind proxies (X-Forwarded-For), and concurrency limits for each
address."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import NamedTuple

from pli.errors import BadOption

LOOPBACK = ("127.0.0.0/8", "::1/128")
"""The proxies that are trusted by default: a process on the machine itself could do worse than
forge an address."""

UNKNOWN = "unknown"
"""Stands for all clients without a valid address."""

Network = IPv4Network | IPv6Network


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Ranges such as 10.0.0.0/8, or single addresses."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text, strict=False))
        except ValueError:
            allowed = "10.0.0.0/8, 192.0.2.1, fd00::/8"
            raise BadOption(name="trusted-proxy", value=text, allowed=allowed) from None
    return tuple(found)


class HostPort(NamedTuple):
    """An address to listen on."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def host_port(name: str, text: str) -> HostPort:
    """Reads HOST:PORT; an IPv6 address is in brackets. `name` is that of the option."""
    host, colon, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    host = host[1:-1] if bracketed else host
    well_formed = colon and host and port.isascii() and port.isdigit() and int(port) < 1 << 16
    if not well_formed or bracketed != (":" in host) or any(map(str.isspace, text)):
        raise BadOption(name=name, value=text, allowed="127.0.0.1:9420, [::1]:9420, 10.0.0.5:0")
    return HostPort(host, int(port))


def client_prefix(text: str) -> str:
    """What limits count by: an IPv4 address, or the /64 prefix of an IPv6 one."""
    number = _parse(text)
    if number is None:
        return UNKNOWN
    return str(IPv6Address(int(number) >> 64 << 64) if isinstance(number, IPv6Address) else number)


class Proxies:
    """Trusted proxies. Each appends the address that it saw to X-Forwarded-For; anything before
    those can be forged by the client."""

    def __init__(self, trusted: Iterable[str] = LOOPBACK, hops: int = 1) -> None:
        """`hops` is how many trusted proxies a request passes."""
        self._trusted = networks(trusted)
        self._hops = hops

    def trusts(self, peer: str) -> bool:
        number = _parse(peer)
        return number is not None and any(number in each for each in self._trusted)

    def client(self, peer: str, forwarded: Sequence[str]) -> str:
        """The address of the client, from all X-Forwarded-For headers of a request."""
        if not forwarded or not self.trusts(peer):
            return peer
        addresses = [each.strip() for each in ",".join(forwarded).split(",")]
        # A client that connects to an inner proxy passes fewer of them.
        return addresses[-min(self._hops, len(addresses))]


class ConcurrencyLimit:
    """At most so many of something at a time for each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[str] = Counter()

    def acquire(self, address: str) -> bool:
        """Whether one more is allowed; if so it is counted."""
        if self._held[address] >= self._most:
            return False
        self._held[address] += 1
        return True

    def release(self, address: str) -> None:
        self._held[address] -= 1
        if not self._held[address]:
            del self._held[address]


class SocketLimits:
    """Limits the open sockets, for each address and in all. A proxy opens many for all its clients,
    so behind one the requests in progress are counted instead."""

    def __init__(self, each: int, most: float, proxies: Proxies) -> None:
        self._held = ConcurrencyLimit(each)
        self._most = most
        self.count = 0
        self._proxies = proxies

    def open_socket(self, peer: str) -> str | None:
        """Counts a new connection, or gives the name of the limit that forbids it."""
        if self.count >= self._most:
            return "descriptors"
        if not self._proxies.trusts(peer) and not self._held.acquire(client_prefix(peer)):
            return "sockets"
        self.count += 1
        return None

    def close_socket(self, peer: str) -> None:
        """Of a connection that was counted."""
        self.count -= 1
        if not self._proxies.trusts(peer):
            self._held.release(client_prefix(peer))

    def begin_request(self, peer: str, address: str) -> bool:
        """Whether a request may be handled; if so it is counted."""
        return not self._proxies.trusts(peer) or self._held.acquire(address)

    def end_request(self, peer: str, address: str) -> None:
        if self._proxies.trusts(peer):
            self._held.release(address)


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """With or without a port; an IPv4-mapped IPv6 address as IPv4."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    with suppress(ValueError):
        number = ip_address(text)
        return getattr(number, "ipv4_mapped", None) or number
    return None
