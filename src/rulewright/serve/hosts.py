"""Names that a server answers to.

In:  the Host of a request.
Out: whether it is one of ours.

A stranger's page can have its own name point to this machine, and would then be taken for the server's own.
It cannot make an address in numbers mean something else, nor the names by which this machine knows itself;
any other name has to be allowed.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence


class Hosts:
    """The names; `*` allows any."""

    def __init__(self, names: Sequence[str]) -> None:
        here = socket.gethostname().lower()
        own = {"localhost", here, f"{here}.local"} if here else {"localhost"}
        self.names = frozenset({name.lower() for name in names} or own)
        self.closed = bool(names)
        self.known: set[str] = set()

    def allows(self, host: str) -> bool:
        """Whether a request for this host is for us."""
        if host in self.known or "*" in self.names:
            return True
        allowed = self._allows(_name(host.lower()))
        if allowed and len(self.known) < 100:
            self.known.add(host)
        return allowed

    def _allows(self, name: str) -> bool:
        if name in self.names:
            return True
        if name.endswith(".localhost"):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        # Who lists names means them; health checks of the machine itself still come by its own address.
        return address.is_loopback or not self.closed


def _name(host: str) -> str:
    """Without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
