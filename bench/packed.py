"""Counts the bytes of threats on the real port: 100 players with 3 each.

    python bench/packed.py [--players 100] [--seconds 20] [--page]

Document 003's option 1, telling every timer in every tick, costs 38.4 kB/s for them, beside what it costs
that threats begin and end. Here everything is counted that the server sends to programs as `WorldBot` is
one: packed messages, of each turn what has changed; frames included, TCP's own bytes not. Every player stands
in a place of its own, and is struck by three creatures each second; every blow lands and takes health.
With --page they are spoken to as the page is: packed messages, and all text with its prompts.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
from collections import Counter

from turnwright.games.world.client.bot import WorldBot
from turnwright.games.world.content.read import read_content
from turnwright.games.world.game import WorldGame
from turnwright.games.world.host.host import WorldConfig
from turnwright.games.world.net.open_world import open_world
from turnwright.games.world.net.server import WorldServer
from turnwright.games.world.wire.packed import pack_message, unpack_message
from turnwright.net.clock import now_ns

OPTION_1 = 38_400
VERB = """
from turnwright.games.world.rules.fight import insert_threat
from turnwright.games.world.rules.verbs import Verb


class Drill(Verb):
    name, duration_turns = "drill", 10_000

    def begin(self, act):
        act.world.move(act.actor, f"p{int(act.text)}")

    def each_turn(self, act):
        if act.world.turn % 4 == 0:
            for other in act.here():
                insert_threat(act.world, act.rules, other, act.actor, "blow", 5, 1_000_000)
"""


def content(players: int) -> dict[str, str]:
    """Return a land with a place and three creatures for every player."""
    parts = ['[settings]\nstart = "start"\nhome = "start"\n[kind.person]\nname = "person"\nhealth = 100000']
    parts += ['[kind.archer]\nname = "archer"', place("start", "p0")]
    for number in range(players):
        parts += [place(f"p{number}", "start"), f'[[spawn]]\nkind = "archer"\nplace = "p{number}"\ncount = 3']
    return {"land.toml": "\n".join(parts), "verbs/drill.py": VERB}


def place(name: str, way: str) -> str:
    return (
        f'[place.{name}]\nname = "A place"\ntext = "A place."\narea = "{name}"\nexits = {{ north = "{way}" }}'
    )


class Player(WorldBot):
    """One program over a bare socket that counts. down, up: bytes; by: of them, those of each package."""

    def __init__(self, number: int, page: bool) -> None:
        self.page = page
        self.name = "Bot" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")
        super().__init__()
        self.number, self.down, self.up, self.by, self.many = number, 0, 0, Counter[str](), Counter[str]()

    async def play(self, port: int) -> None:
        reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ("GET / HTTP/1.1", f"Host: localhost:{port}", "Upgrade: websocket", "Connection: Upgrade")
        lines += ("Sec-WebSocket-Protocol: packed.",) if self.page else ()
        more = (f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", "")
        self.writer.write("\r\n".join((*lines, *more)).encode())
        await reader.readuntil(b"\r\n\r\n")
        self.type(self.name) if self.page else self.tell(self.hello())
        pinging = asyncio.create_task(self.pings())
        try:
            while True:
                await self.frame(reader)
        except (asyncio.IncompleteReadError, ConnectionError):
            pinging.cancel()

    async def frame(self, reader: asyncio.StreamReader) -> None:
        head = await reader.readexactly(2)
        size, extra = head[1], 0
        if size in (126, 127):
            extra = 2 if size == 126 else 8
            size = int.from_bytes(await reader.readexactly(extra), "big")
        payload = await reader.readexactly(size)
        package, data = unpack_message(payload) if head[0] & 15 == 2 else ("text", {})
        self.down += 2 + extra + size
        self.by[package] += 2 + extra + size
        self.many[package] += 1
        if package == "Welcome":
            self.type(f"drill {self.number}") if self.page else self.command(f"drill {self.number}")
        self.tell(self.receive(package, data, now_ns() // 1000))

    async def pings(self) -> None:
        while True:
            await asyncio.sleep(0.1)
            self.tell(self.ping(now_ns() // 1000))

    def type(self, line: str) -> None:
        self.writer.write(bytes((0x81, 0x80 | len(line) + 1, 0, 0, 0, 0)) + f"{line}\n".encode())

    def tell(self, messages: list[dict[str, object]]) -> None:
        for message in messages:
            fields = {name: value for name, value in message.items() if name != "type"}
            payload = pack_message(str(message["type"]), fields)
            assert len(payload) < 126
            self.writer.write(bytes((0x82, 0x80 | len(payload), 0, 0, 0, 0)) + payload)
            self.up += 6 + len(payload)


async def measure(players: int, seconds: float, page: bool) -> None:
    opened = open_world(WorldGame(read_content(content(players)).rules), seed=1)
    server = WorldServer(opened, WorldConfig(salt=opened.salt), telnet_port=None)
    await server.start()
    bots = [Player(number, page) for number in range(players)]
    tasks = [asyncio.create_task(bot.play(server.port)) for bot in bots]
    await asyncio.sleep(5)
    for bot in bots:
        bot.down = bot.up = 0
        bot.by.clear()
        bot.many.clear()
    began_ns = now_ns()
    await asyncio.sleep(seconds)
    took_s = (now_ns() - began_ns) / 1e9
    threats = sum(len(bot.view["threats"]) for bot in bots)
    down, up = sum(bot.down for bot in bots) / took_s, sum(bot.up for bot in bots) / took_s
    by, many = sum((bot.by for bot in bots), Counter()), sum((bot.many for bot in bots), Counter())
    print(f"{players} players, {threats / players:.1f} threats each now")
    for package, size in by.most_common():
        print(f"  {package:20} {many[package] / took_s:8.0f}/s {size / took_s / 1000:8.2f} kB/s")
    option = OPTION_1 * players / 100_000
    print(f"down {down / 1000:.1f} kB/s, up {up / 1000:.1f} kB/s; option 1: {option:.1f} kB/s")
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    asyncio.run(measure(given.players, given.seconds, given.page))


if __name__ == "__main__":
    main()
