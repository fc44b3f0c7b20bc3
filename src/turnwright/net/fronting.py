"""How a server is reached: by which names, by pages of which origins, behind which proxies."""

from __future__ import annotations

import re
from collections.abc import Iterable

from turnwright.errors import SetupError
from turnwright.host.gate import GateConfig
from turnwright.host.proxies import Proxies

__all__ = ["gate_of"]

_ORIGIN = re.compile(r"null|[a-z][a-z0-9+.-]*://[^\s/?#A-Z]+")
"""A web origin as browsers send it: in lower case, without a path. Source: RFC 6454 §6.1."""


def gate_of(
    host_name: str,
    names: Iterable[str] = (),
    origins: Iterable[str] = (),
    trusted_proxies: Iterable[str] = (),
) -> GateConfig:
    """Return who may come in to a server on `host_name`, as its operator says.

    names: others by which it is reached; origins: of pages of others that may connect; trusted_proxies:
    addresses and networks. Raises: SetupError, in one line, for what is none.
    """
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise SetupError(f"--origin {origin[:80]}: expected it as browsers say it, https://example.org")
    return GateConfig(
        bound_host=host_name,
        hosts=frozenset(names),
        origins=frozenset(origins),
        proxies=_proxies(trusted_proxies),
    )


def _proxies(names: Iterable[str]) -> Proxies:
    given = tuple(names)
    for name in given:
        try:
            Proxies.named([name])
        except ValueError as error:
            raise SetupError(
                f"--trusted-proxy {name[:80]}: {error}; expected where your proxy calls from: localhost, an"
                " address, or a network such as 10.0.0.0/8"
            ) from None
    return Proxies.named(given)
