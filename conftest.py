"""Settings of all tests: signals as before, and the parts of the tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests import drawing
from tests.parts import Parts
from tests.portable.left_out import IS_PORTABLE, LeftOut

drawing.load()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job: some tests interrupt
    signal.signal(signal.SIGINT, signal.default_int_handler)


pytest_plugins = ("packages.core.tests.net.fixtures",)


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """Let no test leave behind what it made of Ctrl-C and SIGTERM: later ones would not end."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    after = {number: signal.getsignal(number) for number in before}
    for number, handler in before.items():
        signal.signal(number, handler)
    assert after == before


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `make test` runs with."""
    parser.addoption(
        "--part", choices=("quick", "all"), default="all", help="quick: without what `make test-all` is for"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Leave out what is not of the part asked for."""
    config.pluginmanager.register(Parts(config), "parts")
    if IS_PORTABLE:
        config.pluginmanager.register(LeftOut(), "portable")
