"""Compares and hashes passphrases on a thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from turnwright.host.accounts import SALT_BYTES, hash_passphrase, matches
from turnwright.net.clock import now_ns
from turnwright_world.host import effects as fx
from turnwright_world.host.accounts import Account
from turnwright_world.host.host import WorldHost

_THREADS = 1
"""Passphrases are compared one at a time, because each comparison needs 32 MiB."""


class PassphraseThread:
    """The thread that compares and hashes passphrases.

    Args:
        call: runs a function that calls the host. Any thread may use it.
    """

    def __init__(self, host: WorldHost, call: Callable[[Callable[[], None]], None]) -> None:
        self._host = host
        self._call = call
        self._thread = ThreadPoolExecutor(_THREADS, "passphrases")

    def check(self, effect: fx.CheckPassphrase) -> None:
        """Compare a passphrase with an account's. Later, `WorldHost.checked` gets the result."""
        work = self._thread.submit(matches, effect.passphrase, effect.account.hashed)
        work.add_done_callback(
            lambda done: self._call(lambda: self._host.checked(effect.conn, done.result(), now_ns()))
        )

    def make_account(self, effect: fx.MakeAccount) -> None:
        """Hash the passphrase of a new account. Later, `WorldHost.account_made` gets the account."""
        work = self._thread.submit(hash_passphrase, effect.passphrase, os.urandom(SALT_BYTES))
        work.add_done_callback(
            lambda done: self._call(
                lambda: self._host.account_made(effect.conn, Account(effect.name, done.result()), now_ns())
            )
        )

    def close(self) -> None:
        """Drop the waiting comparisons and hashes. Do not wait for the running one."""
        self._thread.shutdown(wait=False, cancel_futures=True)
