"""Settings of all tests: signals as before, and the parts of the tests."""

from __future__ import annotations

import contextlib
import gc
import signal
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

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
    """Fail a test that leaves other handlers of Ctrl-C or SIGTERM, and restore them for the later tests."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    after = {number: signal.getsignal(number) for number in before}
    for number, handler in before.items():
        signal.signal(number, handler)
    assert after == before


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--part`, with which `make test` runs."""
    parser.addoption(
        "--part",
        choices=("quick", "impure", "all"),
        default="all",
        help="quick: without what `make test-all` is for; impure: of that, what another system can alter",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugins that leave out the tests of other parts, and of features that are hidden."""
    config.pluginmanager.register(Parts(config), "parts")
    if IS_PORTABLE:
        config.pluginmanager.register(LeftOut(), "portable")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect tests without the garbage collector, which frees nothing then. Later, it ignores them, too."""
    gc.disable()
    _import_tests(session)
    yield
    gc.enable()
    gc.freeze()


def _import_tests(session: pytest.Session) -> None:
    """Let each worker import another part of the tests first.

    All workers import all tests. In a fresh clone each of them would compile every module.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    folders = [Path(session.config.rootpath, place) for place in session.config.args]
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[first:] + files[:first]:
        name = ".".join(file.relative_to(session.config.rootpath).with_suffix("").parts)
        with contextlib.suppress(Exception, pytest.skip.Exception):  # collecting reports it
            import_module(name)
