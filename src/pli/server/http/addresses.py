"""Whose address a request is counted by: the peer's, or the one that a trusted proxy names; and how
much each address holds at a time."""

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

from pli.errors import BadOption

LOOPBACK = ("127.0.0.0/8", "::1/128")
"""The proxies that are believed unless others are named: whoever can connect from the machine
itself can do worse than lie about an address."""

UNKNOWN = "unknown"
"""Everybody whose address is none."""

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


def household(text: str) -> str:
    """What limits count: an IPv4 address, or the whole /64 range of an IPv6 one."""
    number = _parse(text)
    if number is None:
        return UNKNOWN
    return str(IPv6Address(int(number) >> 64 << 64) if isinstance(number, IPv6Address) else number)


class Proxies:
    """Which peers are believed when they say for whom they ask. Each of them appends the address
    that it saw to X-Forwarded-For; all before those anybody can have written."""

    def __init__(self, trusted: Iterable[str] = LOOPBACK, hops: int = 1) -> None:
        """`hops` is how many of them a request passes."""
        self._trusted = networks(trusted)
        self._hops = hops

    def trusts(self, peer: str) -> bool:
        number = _parse(peer)
        return number is not None and any(number in each for each in self._trusted)

    def visitor(self, peer: str, forwarded: Sequence[str]) -> str:
        """For whom a peer asks, by all its headers X-Forwarded-For."""
        if not forwarded or not self.trusts(peer):
            return peer
        told = [each.strip() for each in ",".join(forwarded).split(",")]
        # Who came in at an inner proxy passed fewer of them.
        return told[-min(self._hops, len(told))]


class Holding:
    """How much of something each address holds at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[str] = Counter()

    def takes(self, address: str, amount: int = 1) -> bool:
        """Takes so much, if that is not too much for this address."""
        if self._held[address] + amount > self._most:
            return False
        self._held[address] += amount
        return True

    def gives_back(self, address: str, amount: int = 1) -> None:
        self._held[address] -= amount
        if not self._held[address]:
            del self._held[address]


class Sockets:
    """The connections that there are: so many of an address, and so many in all. A proxy has as
    many as it has visitors, so behind one the requests under way are counted instead."""

    def __init__(self, each: int, most: float, proxies: Proxies) -> None:
        self._held = Holding(each)
        self._most = most
        self.count = 0
        self._proxies = proxies

    def opens(self, peer: str) -> str | None:
        """A new connection: the limit that forbids it, or nothing."""
        if self.count >= self._most:
            return "descriptors"
        if not self._proxies.trusts(peer) and not self._held.takes(household(peer)):
            return "sockets"
        self.count += 1
        return None

    def closes(self, peer: str) -> None:
        """One that was not forbidden."""
        self.count -= 1
        if not self._proxies.trusts(peer):
            self._held.gives_back(household(peer))

    def asks(self, peer: str, address: str) -> bool:
        """A request that comes over a connection: whether it may."""
        return not self._proxies.trusts(peer) or self._held.takes(address)

    def answered(self, peer: str, address: str) -> None:
        if self._proxies.trusts(peer):
            self._held.gives_back(address)


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """With or without a port; an IPv4 address in IPv6 clothes as what it is."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    with suppress(ValueError):
        number = ip_address(text)
        return getattr(number, "ipv4_mapped", None) or number
    return None
