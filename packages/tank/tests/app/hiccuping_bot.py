"""A bot on the official protocol that takes a given time for each answer."""

PROGRAM = """
import json, os, sys, time
from websockets.sync.client import connect

HICCUPS, NEEDS_S, IN_ORDER = {hiccups!r}, {needs_s!r}, {in_order!r}
server, ticks = connect(os.environ["SERVER_URL"]), 0
hello = json.loads(server.recv())
server.send(json.dumps({{
    "type": "BotHandshake", "sessionId": hello["sessionId"], "name": "Prompt", "version": "1.0",
    "authors": ["a"], "secret": os.environ.get("SERVER_SECRET"), "debuggerAttached": False,
}}))
for message in server:
    kind = json.loads(message)["type"]
    if kind == "GameStartedEventForBot":
        server.send(json.dumps({{"type": "BotReady"}}))
    if kind != "TickEventForBot":
        continue
    ticks += 1
    time.sleep(HICCUPS.get(ticks, NEEDS_S))
    server.send(json.dumps({{"type": "BotIntent", "turnRate": 5}}))
    if ticks in HICCUPS and not IN_ORDER:
        try:
            while True:
                server.recv(timeout=0.002)  # the older observations
        except TimeoutError:
            pass
"""
