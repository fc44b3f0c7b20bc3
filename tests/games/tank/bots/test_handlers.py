"""The handlers that do nothing until they are overridden."""

from __future__ import annotations

import inspect

from turnwright.games.tank.bots.bot import Handlers


def test_every_handler_does_nothing_and_says_what_it_is_for() -> None:
    handlers = Handlers()
    for name, handler in inspect.getmembers(handlers, inspect.ismethod):
        arguments = [None] * len(inspect.signature(handler).parameters)
        assert handler(*arguments) is None
        assert inspect.getdoc(handler), name
