"""Play one conformance scenario against any server that speaks the protocol, and keep what every client saw.

A scenario (scenario.json) has a game setup, bots with scripted intents and a controller with scripted
actions; its fields are explained in README.md. Nothing here knows which server it talks to.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import Any

import websockets

from packages.tank.tests.conformance.scenarios import segment_of, within

Message = dict[str, Any]
CONTROLLER_SECRET, BOT_SECRET = "csec", "bsec"
PATIENCE_S, LOOK_EVERY_S = 0.1, 0.005


@dataclass
class Run:
    """The messages of one run.

    Attributes:
        received: by client, in order.
        ids: bot name → id.
        finished: in time.
    """

    received: dict[str, list[Message]] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    finished: bool = True


class Client:
    """One connection, and the messages that came in on it."""

    def __init__(self, name: str, run: Run) -> None:
        self.name = name
        self.received = run.received.setdefault(name, [])
        self.closed = False

    async def connect(self, url: str) -> None:
        self.socket = await websockets.connect(url, max_size=None, ping_interval=None, compression=None)
        self.hello = await self.socket.recv()
        self.session: str = json.loads(self.hello)["sessionId"]

    async def send(self, message: Message | str) -> None:
        text = message if isinstance(message, str) else json.dumps(message, separators=(",", ":"))
        try:
            await self.socket.send(text)
        except websockets.ConnectionClosed:
            self.closed = True

    async def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        with contextlib.suppress(TimeoutError, websockets.WebSocketException):
            await asyncio.wait_for(self.socket.close(), 2)

    async def loop(self) -> None:
        self.received.append(json.loads(self.hello))
        try:
            async for text in self.socket:
                message = json.loads(text)
                self.received.append(message)
                await self.on(message)
        except websockets.ConnectionClosed:
            pass
        self.closed = True

    async def on(self, message: Message) -> None:
        """Answer a message. An observer does nothing."""

    async def introduce(self, kind: str) -> None:
        await self.send(
            {
                "type": kind,
                "sessionId": self.session,
                "name": f"peer-{self.name}",
                "version": "1.0",
                "secret": CONTROLLER_SECRET,
            }
        )


class Bot(Client):
    """A bot that follows its script in each turn."""

    def __init__(self, spec: Message, scenario: Message, run: Run) -> None:
        super().__init__("bot-" + spec["name"], run)
        self.spec, self.scenario, self.run = spec, scenario, run
        self.controller: Controller | None = None
        self.delayed: set[asyncio.Future[None]] = set()

    async def handshake(self) -> None:
        await self.send(
            {
                "type": "BotHandshake",
                "sessionId": self.session,
                "name": self.spec["name"],
                "version": "1.0",
                "authors": ["peer"],
                "countryCodes": ["dk"],
                "gameTypes": [self.scenario["setup"]["gameType"]],
                "platform": "Script",
                "programmingLang": "JSON",
                "isDroid": False,
                "secret": BOT_SECRET,
                **self.spec.get("handshake", {}),
            }
        )

    async def on(self, message: Message) -> None:
        kind = message.get("type")
        if kind == "GameStartedEventForBot":
            self.run.ids[self.spec["name"]] = message["myId"]
            if not self.spec.get("noReady"):
                await asyncio.sleep(self.spec.get("readyDelayMs", 0) / 1000)
                await self.send({"type": "BotReady"})
        elif kind == "TickEventForBot":
            segment = segment_of(self.spec, message["roundNumber"], message["turnNumber"])
            if segment.get("silent"):
                return
            await self._let_the_controller_act(message["roundNumber"], message["turnNumber"] - 1)
            if segment.get("delayMs"):
                self.delayed.add(asyncio.ensure_future(self._act(segment)))
            else:
                await self._act(segment)

    async def _let_the_controller_act(self, round_number: int, turn_number: int) -> None:
        """Wait up to PATIENCE_S until the controller has done its action for a turn."""
        for _ in range(round(PATIENCE_S / LOOK_EVERY_S)):
            if self.controller is None or not self.controller.is_to_act(round_number, turn_number):
                return
            await asyncio.sleep(LOOK_EVERY_S)

    async def _act(self, segment: Message) -> None:
        await asyncio.sleep(segment.get("delayMs", 0) / 1000)
        says_nothing = not segment.keys() & {"intent", "intents", "raw"}
        for intent in segment.get("intents") or ([segment["intent"]] if "intent" in segment else []):
            await self.send({"type": "BotIntent", **intent})
        if says_nothing:
            await self.send({"type": "BotIntent"})
        for text in segment.get("raw", []):
            await self.send(text)
        if segment.get("disconnect"):
            await self.close()


class Controller(Client):
    """Does its actions in order: each waits for a message, then for a delay, then sends."""

    def __init__(self, scenario: Message, bots: list[Bot], run: Run) -> None:
        super().__init__("controller", run)
        self.scenario, self.bots = scenario, bots
        self.queue: asyncio.Queue[Message] = asyncio.Queue()
        self.actions: list[Message] = list(scenario.get("controller", []))

    def is_to_act(self, round_number: int, turn_number: int) -> bool:
        """Return whether its next action is for this turn, and this turn alone."""
        when = (self.actions[0].get("when") if self.actions else None) or {}
        tick = {"type": "TickEventForObserver", "roundNumber": round_number, "turnNumber": turn_number}
        return isinstance(when.get("turn"), int) and self._matches(when, tick)

    async def on(self, message: Message) -> None:
        await self.queue.put(message)

    def start_game(self, override: Message | None = None) -> Message:
        names = self.scenario.get("participants") or [bot.spec["name"] for bot in self.bots]
        there = [bot for bot in self.bots if bot.spec["name"] in names and hasattr(bot, "socket")]
        return {
            "type": "StartGame",
            "gameSetup": self.scenario["setup"],
            "botAddresses": [
                {"host": "127.0.0.1", "port": bot.socket.local_address[1]} for bot in there if not bot.closed
            ],
            **self.scenario.get("startGame", {}),
            **(override or {}),
        }

    async def direct(self) -> None:
        """Do all actions, and return when the messages that end the scenario have come."""
        actions = self.actions
        end = self.scenario.get(
            "endWhen", {"types": ["GameEndedEventForObserver", "GameAbortedEvent"], "count": 1}
        )
        ends_left: int = end["count"]
        await self._do_unconditional(actions)
        while True:
            message = await self.queue.get()
            if actions and self._matches(actions[0]["when"], message):
                await self._do(actions[0])
                del actions[0]
                await self._do_unconditional(actions)
            if message["type"] in end["types"]:
                ends_left -= 1
                if ends_left == 0:
                    return

    async def _do_unconditional(self, actions: list[Message]) -> None:
        while actions and actions[0].get("when") is None:
            await self._do(actions[0])
            del actions[0]

    @staticmethod
    def _matches(when: Message, message: Message) -> bool:
        return (
            message.get("type") == when.get("type", "TickEventForObserver")
            and within(message.get("roundNumber", 0), when.get("round"))
            and within(message.get("turnNumber", 0), when.get("turn"))
        )

    async def _do(self, action: Message) -> None:
        await asyncio.sleep(action.get("delayMs", 0) / 1000)
        message = action["send"]
        if message == "$StartGame":
            message = self.start_game(action.get("override"))
        elif isinstance(message, dict) and "$bot" in message:
            name = message["$bot"]
            bot = next(bot for bot in self.bots if bot.spec["name"] == name)
            rest = {key: value for key, value in message.items() if key != "$bot"}
            message = {**rest, "botId": bot.run.ids[name]}
        if message is not None:
            await self.send(message)


async def _connect_in_order_of_session(bots: list[Bot], url: str) -> None:
    """Connect bots so that session ids rise in their order. The official server numbers bots by them."""
    for bot in bots:
        await bot.connect(url)
    opened = sorted((bot.session, bot.socket, bot.hello) for bot in bots)
    for bot, (session, socket, hello) in zip(bots, opened, strict=True):
        bot.session, bot.socket, bot.hello = session, socket, hello


async def _join_late(bot: Bot, url: str) -> None:
    await asyncio.sleep(bot.spec["joinLate"] / 1000)
    await bot.connect(url)
    await bot.handshake()
    await bot.loop()


async def _watch_late(watcher: Client, url: str, delay_ms: float) -> None:
    await asyncio.sleep(delay_ms / 1000)
    await watcher.connect(url)
    await watcher.introduce("ObserverHandshake")
    await watcher.loop()


async def play(scenario: Message, url: str) -> Run:
    """Play a scenario on the server at `url` and return the messages of its clients."""
    run = Run()
    bots = [Bot(spec, scenario, run) for spec in scenario["bots"]]
    controller = Controller(scenario, bots, run)
    for bot in bots:
        bot.controller = controller
    clients: list[Client] = [*bots, controller]
    early = [bot for bot in bots if not bot.spec.get("joinLate")]
    await _connect_in_order_of_session(early, url)
    tasks: list[asyncio.Future[None]] = []
    watchers: list[tuple[Client, str]] = [(controller, "ControllerHandshake")]
    if scenario.get("observer", True):
        watchers.append((Client("observer", run), "ObserverHandshake"))
    for watcher, kind in watchers:
        await watcher.connect(url)
        await watcher.introduce(kind)
        tasks.append(asyncio.ensure_future(watcher.loop()))
        clients.append(watcher)
    for bot in early:
        await bot.handshake()
        tasks.append(asyncio.ensure_future(bot.loop()))
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.25)
    await controller.send(controller.start_game())
    tasks += [asyncio.ensure_future(_join_late(bot, url)) for bot in bots if bot.spec.get("joinLate")]
    if scenario.get("lateObserverMs"):
        late = Client("observer-late", run)
        tasks.append(asyncio.ensure_future(_watch_late(late, url, scenario["lateObserverMs"])))
        clients.append(late)
    try:
        await asyncio.wait_for(controller.direct(), scenario.get("timeoutS", 60))
    except TimeoutError:
        run.finished = False
    await asyncio.sleep(0.3)
    await _finish(clients, tasks)
    return run


async def _finish(clients: list[Client], tasks: list[asyncio.Future[None]]) -> None:
    for client in clients:
        if hasattr(client, "socket"):
            await client.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def play_now(scenario: Message, port: int) -> Run:
    """Do the same as `play` on a server of this machine, from a thread without an event loop."""
    return asyncio.run(play(scenario, f"ws://127.0.0.1:{port}"))
