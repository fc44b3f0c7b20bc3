"""Secrets, names, origins and trusted proxies of a server."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.host.admission import AdmissionConfig
from turnwright.host.proxies import Proxies

BOT_VARIABLE = "TURNWRIGHT_BOT_SECRETS"
CONTROLLER_VARIABLE = "TURNWRIGHT_CONTROLLER_SECRETS"
"""The environment variables with the secrets of bots and of controllers, separated by commas."""
FILE_BYTES_MAX = 65_536


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of one role, and one-line warnings for the operator.

    If there are no secrets, the role needs none.
    """

    accepted: frozenset[str]
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return a text that contains only the number of secrets, so that no secret gets into a log."""
        return f"Secrets({len(self.accepted)} accepted, warnings={self.warnings!r})"


def parse(text: str) -> frozenset[str]:
    """Return the secrets in a text.

    Commas separate the secrets. All whitespace is removed, also inside a secret, and empty secrets are
    dropped.

    The format is the same as in the options --bot-secrets and --controller-secrets of the official server.
    """
    return frozenset("".join(text.split()).split(",")) - {""}


def gather(
    role: str,
    *,
    option: str | None = None,
    file: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Secrets:
    """Return all secrets of a role from these sources.

    Args:
        role: "bot" or "controller".
        option: the value of the option on the command line.
        file: the path of a file of secrets, separated by commas or line ends.
        environment: the environment. The default is os.environ.

    Raises:
        SetupError: a file cannot be read or contains no secret.
    """
    variables = os.environ if environment is None else environment
    variable = BOT_VARIABLE if role == "bot" else CONTROLLER_VARIABLE
    accepted = parse(variables.get(variable, ""))
    if file is not None:
        accepted |= _from_file(f"--{role}-secrets-file", Path(file))
    if option is None:
        return Secrets(accepted)
    advice = (
        f"--{role}-secrets on a command line can be read by everyone on this machine; "
        f"use --{role}-secrets-file or the environment variable {variable}"
    )
    return Secrets(accepted | parse(option), (advice,))


def gather_one(
    *,
    option: str | None = None,
    file: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[str | None, tuple[str, ...]]:
    """Return a client's secret, and one-line warnings for its user.

    The client is a controller or an observer. If there are several secrets, any one of them is enough, so the
    function returns one.

    Args:
        option, file: the values of --secret, which takes precedence, and --secret-file. Without these
            options, the secret comes from the environment.

    Returns:
        The secret, or None if there is none, and the warnings.

    Raises:
        SetupError: the file cannot be read or contains no secret.
    """
    variables = os.environ if environment is None else environment
    if option is not None:
        advice = (
            "--secret on a command line can be read by everyone on this machine; "
            f"use --secret-file or the environment variable {CONTROLLER_VARIABLE}"
        )
        return option.strip() or None, (advice,)
    known = parse(variables.get(CONTROLLER_VARIABLE, ""))
    if file is not None:
        known = _from_file("--secret-file", Path(file))
    return min(known, default=None), ()


def _from_file(option: str, path: Path) -> frozenset[str]:
    try:
        with path.open("rb") as stream:
            data = stream.read(FILE_BYTES_MAX + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise SetupError(f"{option} is {path} ({why}): give a text file of secrets") from None
    if len(data) > FILE_BYTES_MAX:
        raise SetupError(f"{option} {path} is longer than {FILE_BYTES_MAX} bytes")
    secrets = parse(text.replace("\n", ","))
    if not secrets:
        raise SetupError(f"{option} is {path}, a file without a secret: write one on each line")
    return secrets


_ORIGIN = re.compile(r"null|[a-z][a-z0-9+.-]*://[^\s/?#A-Z]+")
"""A web origin as browsers send it: in lower case, without a path. Source: RFC 6454 §6.1."""


def gate_of(
    host_name: str,
    names: Iterable[str] = (),
    origins: Iterable[str] = (),
    trusted_proxies: Iterable[str] = (),
) -> AdmissionConfig:
    """Return the admission settings of a server that listens on `host_name`.

    Args:
        names: further names of the server.
        origins: further origins of web pages that may connect.
        trusted_proxies: addresses and networks of proxies.

    Raises:
        SetupError: a value is wrong. The message has one line.
    """
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise SetupError(f"--origin is {origin[:80]}: give an origin such as https://example.org")
    return AdmissionConfig(
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
                f"--trusted-proxy is {name[:80]} ({error}): give the address of your proxy:"
                " localhost, an IP address, or a network such as 10.0.0.0/8"
            ) from None
    return Proxies.named(given)
