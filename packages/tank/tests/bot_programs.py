"""Programs of bots over Tank Royale's protocol, for tests that start processes."""

from __future__ import annotations

SPINNING_BOT = """
from turnwright_tank.bots import Bot

class Spinning(Bot):
    def on_tick(self, observation):
        self.turn_rate, self.target_speed = 5, 6
        self.fire(3)

Spinning.main()
"""

SILENT_BOT = """
import json, os, sys
from websockets.sync.client import connect

with connect(os.environ["SERVER_URL"]) as socket:
    session = json.loads(socket.recv())["sessionId"]
    hello = {"type": "BotHandshake", "sessionId": session, "secret": os.environ["SERVER_SECRET"]}
    me = {"name": os.environ["BOT_NAME"], "version": os.environ["BOT_VERSION"], "authors": ["Ann"]}
    socket.send(json.dumps(hello | me))
    print("silent bot connected", file=sys.stderr, flush=True)
    while True:
        socket.recv()
"""
"""Connects, and then sends nothing."""
