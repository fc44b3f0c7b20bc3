"""The lines that a teacher's terminal shows when a server for a class starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from turnwright.app.lan.addresses import machine_addresses
from turnwright.app.lan.class_page import GET_PATH
from turnwright.app.lan.qr import TEXT_BYTES_MAX, qr_lines

_EVERYWHERE = ("", "*", "0.0.0.0", "::")


@dataclass(frozen=True)
class ClassNotice:
    """The addresses and secrets of a class, with their meanings.

    Attributes:
        hosts: addresses, the likeliest first.
        word: the join word.
        operator: the operator's secret. "" means that it is not shown.
    """

    hosts: Sequence[str]
    port: int
    word: str
    operator: str

    @classmethod
    def of(
        cls,
        host_name: str,
        port: int,
        word: str,
        operator: str,
        addresses: Callable[[], Sequence[str]] = machine_addresses,
    ) -> ClassNotice:
        """Return the notice of a server.

        Args:
            addresses: returns the addresses of this machine, for a server that listens on all of them.
        """
        name = host_name.strip("[]")
        if name in _EVERYWHERE:
            return cls(tuple(addresses()), port, word, operator)
        return cls((f"[{name}]" if ":" in name else name,), port, word, operator)

    @property
    def pages(self) -> list[str]:
        """The addresses for students, the likeliest first."""
        return [f"http://{host}:{self.port}{GET_PATH}" for host in self.hosts]

    def lines(self, *, colored: bool | None) -> list[str]:
        """Return the lines to print: addresses, join word, QR code, operator's secret, and their meaning.

        If the machine has no address in a network, return only a line that reports this.

        Args:
            colored: whether the QR code is coloured. None means that there is no QR code.
        """
        if not self.pages:
            return [
                "class: this machine has no address in a network. Connect it to the network of the class, and"
                " start the server again"
            ]
        first, *others = self.pages
        said = [f"class: {first}", *(f"   or: {page}" for page in others), f"join word: {self.word}"]
        said += self._code(first, colored)
        said += [f"operator secret: {self.operator}"] if self.operator else []
        return [
            *said,
            "Everybody in this network can watch. Anyone who knows the join word can play with bots, and"
            " anyone who knows the operator secret can start, pause and stop battles. Nothing is encrypted.",
        ]

    def _code(self, page: str, colored: bool | None) -> list[str]:
        address = f"{page}?word={quote(self.word)}"
        if colored is None or len(address.encode()) > TEXT_BYTES_MAX:
            return []
        return qr_lines(address, colored=colored)
