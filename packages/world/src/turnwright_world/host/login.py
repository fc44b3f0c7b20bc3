"""The login dialogue: name or `guest`, passphrase, and a body.

A guest's body belongs to the guest's name while the body is in the world. A guest who logs in with the same
name from the same address gets the body back. The server stores no address, only a keyed hash of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from turnwright.host.accounts import Attempts, check_name, check_passphrase, fold
from turnwright_world.host import effects as fx
from turnwright_world.host.accounts import RESERVED_NAMES, Account
from turnwright_world.host.host_context import HostContext
from turnwright_world.host.limits import ACCOUNTS_MAX, ACCOUNTS_WINDOW_NS, NAME_ATTEMPTS_MAX
from turnwright_world.host.pace import STANDS
from turnwright_world.host.sessions import Session
from turnwright_world.rules.entities import Creature

ASK_NAME = "Your name, or guest: "
_ASK_PASSPHRASE = "Your passphrase: "
_GUEST = "guest:"
_LEAVING = frozenset(("quit", "exit", "logout"))
_TRIES_MAX = 3
_GUESTS_MAX = 100_000


class Login:
    """Decides which character a session may play.

    Only this machine may create new characters with operators' names.
    """

    def __init__(self, context: HostContext, accounts: Iterable[Account]) -> None:
        self.accounts = {fold(account.name): account for account in accounts}
        self.attempts = Attempts()
        self.name_attempts = Attempts(NAME_ATTEMPTS_MAX)
        self._new_accounts = Attempts(ACCOUNTS_MAX, ACCOUNTS_WINDOW_NS)
        self._context = context
        self._sessions = context.sessions
        self._guests: dict[str, tuple[int, str]] = {}
        """Body and owner of each guest, by folded name."""
        self._next_guest = 1
        self._checking: dict[int, Session] = {}
        """Sessions whose passphrases are being compared, by connection.

        A session stays here if its connection ends.
        """
        context.join_events.on_guest_gone = self.forget_body

    # ---- bodies of guests ----------------------------------------------------------------------------------

    def remember(self, creatures: Iterable[Creature]) -> None:
        """Note the bodies of guests in a restored world, so that their owners get them back."""
        for creature in creatures:
            if creature.owner.startswith(_GUEST):
                self._guests[fold(creature.name)] = creature.id, creature.owner

    def keeps(self, creature: Creature) -> bool:
        """Return whether a body waits for its player without a time limit because the player has an account.

        The stored world may still show an account's body as a guest's.
        """
        account = self.accounts.get(fold(creature.name))
        has_account = account is not None and account.body == creature.id
        return has_account or not creature.owner.startswith(_GUEST)

    def note_body(self, session: Session) -> None:
        """Note the body that a session has received."""
        assert session.body is not None
        if session.account is None:
            self._guests[fold(session.name)] = session.body, session.owner
        elif session.account.body != session.body:
            self.keep(session, replace(session.account, body=session.body))

    def note_lost(self, creature: Creature) -> None:
        """Note that an account's body has entered the world although its player's connection is already lost.

        The body waits for its player.
        """
        account = self.accounts.get(fold(creature.name))
        if account is not None and account.body is None and creature.owner == _owner_of(account):
            self._store(replace(account, body=creature.id))

    def forget_body(self, body: int) -> None:
        """Forget a body that has left the world."""
        for name in [name for name, (number, _) in self._guests.items() if number == body]:
            del self._guests[name]

    def keep(self, session: Session, account: Account) -> None:
        """Store a new or changed account of a session."""
        session.account = account
        self._store(account)

    def set_brief(self, session: Session, brief: bool) -> None:
        """Set whether a session gets descriptions of places only after the command `look`.

        An account remembers the setting.
        """
        session.brief = brief
        if session.account is not None and session.account.brief != brief:
            self.keep(session, replace(session.account, brief=brief))

    def _store(self, account: Account) -> None:
        self.accounts[fold(account.name)] = account
        self.forget_body(account.body or 0)
        self._context.emit(fx.SaveAccount(account))

    # ---- the dialogue --------------------------------------------------------------------------------------

    def name_given(self, session: Session, text: str, now_ns: int) -> None:
        """Handle a name: ask for its passphrase, let the session enter, or refuse the name."""
        if fold(text.strip()) == "guest":
            self._enter_as(session, self._guest_name())
            return
        if fold(text.strip()) in _LEAVING:
            self._context.end(session, "Farewell.")
            return
        name, problem = check_name(text, RESERVED_NAMES)
        if problem is not None:
            self._again(session, problem)
        elif fold(name) in self.accounts:
            self._ask_passphrase(session, self.accounts[fold(name)], now_ns)
        elif fold(name) in self._context.config.operators and not session.loopback:
            self._again(session, f"Nobody else can be called {name}. Take another name.")
        elif self._sessions.named(name) is not None:
            self._again(session, f"{name} is here already. Take another name.")
        else:
            held = self._guests.get(fold(name))
            if held is not None and held[1] != self._owner(session, name):
                self._again(session, f"{name} was here a moment ago and may come back. Take another name.")
            else:
                self._enter_as(session, name, held[0] if held is not None else None)

    def program_hello(self, session: Session, name: str, passphrase: str, now_ns: int) -> None:
        """Handle a program's name, and its passphrase if the name has an account."""
        self.name_given(session, name, now_ns)
        if session.account is not None:
            self.passphrase_given(session, passphrase, now_ns)

    def passphrase_given(self, session: Session, text: str, now_ns: int) -> None:
        """Start to compare a passphrase. If too many passphrases were wrong, end the session instead."""
        account = session.account
        if session.stage != "passphrase" or account is None or self._must_wait(session, account, now_ns):
            return
        self.attempts.made(session.address, now_ns)
        if not self._is_home(session, account):
            self.name_attempts.made(fold(account.name), now_ns)
        session.stage = "checking"
        self._checking[session.conn] = session
        self._context.emit(fx.HideInput(session.conn, False))
        self._context.emit(fx.CheckPassphrase(session.conn, account, text))

    def checked(self, conn: int, good: bool, now_ns: int) -> None:
        """Handle the result of comparing a passphrase.

        The result also counts if the connection has been lost since.
        """
        session = self._checking.pop(conn, None)
        account = session.account if session is not None else None
        if session is None or account is None:
            return
        if good:
            self.attempts.take_back(session.address)
            self.name_attempts.forget(fold(account.name))
            if session.stage == "checking":
                self._admit(session, self.accounts.get(fold(account.name), account))
            return
        if session.stage != "checking":
            return
        session.misses += 1
        if session.misses >= _TRIES_MAX or session.client_kind == "program":
            self._context.end(session, "That is not the passphrase.")
            return
        self._context.say(session, "That is not the passphrase.")
        self._ask_passphrase(session, account, now_ns)

    def _ask_passphrase(self, session: Session, account: Account, now_ns: int) -> None:
        if self._must_wait(session, account, now_ns):
            return
        session.account, session.stage = account, "passphrase"
        self._context.emit(fx.HideInput(session.conn, True))
        self._context.ask(session, _ASK_PASSPHRASE)

    def _must_wait(self, session: Session, account: Account, now_ns: int) -> bool:
        """End the session if too many passphrases were wrong, and return whether it ended.

        Failed attempts from other addresses do not lock out the address of the owner's last login.
        """
        here_s, where = self.attempts.wait_s(session.address, now_ns), "from your address"
        name_s = self.name_attempts.wait_s(fold(account.name), now_ns)
        if name_s > here_s and not self._is_home(session, account):
            here_s, where = name_s, "for this name"
        if here_s:
            why = f"Too many wrong passphrases were given {where}; try again in {here_s} s."
            if any(other.address == session.address for other in self._checking.values()):
                why = "Passphrases from your address are being compared; try again in a moment."
            self._context.end(session, why)
        return here_s > 0

    def _is_home(self, session: Session, account: Account) -> bool:
        """Return whether a session comes from the address of the account's last login."""
        return account.origin != "" and account.origin == self._hash(session, account.name)

    def _admit(self, session: Session, account: Account) -> None:
        older = self._sessions.named(account.name)
        if older is not None and older is not session:
            if older.stage == "entering":
                self._context.end(session, "You are logging in from elsewhere at this moment; try again.")
                return
            self._context.end(older, "You have logged in from elsewhere.")
        session.account, session.owner, session.brief = account, _owner_of(account), account.brief
        self._sessions.name(session, account.name)
        if not self._is_home(session, account):
            self.keep(session, replace(account, origin=self._hash(session, account.name)))
        self._enter(session, account.body)

    def _enter(self, session: Session, body: int | None) -> None:
        """Let a session enter the world with the next turn.

        Args:
            body: the session's creature, or None for a new one.
        """
        session.stage, session.secret = "entering", ""
        if self._context.turns.pace.control.stands:
            self._context.say(session, f"{STANDS} You come in when it continues.")
        creatures = self._context.turns.state.world.creatures
        self._context.join_events.join(session, creatures.get(body) if body is not None else None)

    def _enter_as(self, session: Session, name: str, body: int | None = None) -> None:
        session.owner = self._owner(session, name)
        self._sessions.name(session, name)
        self._enter(session, body)

    def _again(self, session: Session, problem: str) -> None:
        if session.client_kind == "program":
            self._context.end(session, problem)
            return
        session.stage = "name"
        self._context.say(session, problem)
        self._context.ask(session, ASK_NAME)

    def _guest_name(self) -> str:
        """Return an unused name: "Guest" and letters that encode a number."""
        for _ in range(_GUESTS_MAX):
            name = f"Guest{_letters(self._next_guest)}"
            self._next_guest += 1
            taken = fold(name) in self.accounts or fold(name) in self._guests
            if not taken and self._sessions.named(name) is None:
                break
        return name

    def _owner(self, session: Session, name: str) -> str:
        return f"{_GUEST}{self._hash(session, name)}"

    def _hash(self, session: Session, name: str) -> str:
        data = f"{session.address}/{fold(name)}".encode()
        return hashlib.blake2b(data, key=self._context.config.salt[:64], digest_size=8).hexdigest()

    # ---- a new account -------------------------------------------------------------------------------------

    def begin_account(self, session: Session, now_ns: int) -> None:
        """Ask a guest for the passphrase of a new account, or report why there can be no account."""
        if session.account is not None:
            self._context.say(session, "Your character is saved already.")
            return
        if wait_s := self._new_accounts.wait_s(session.address, now_ns):
            text = f"{ACCOUNTS_MAX} characters were saved from your address; try again in {wait_s} s."
            self._context.say(session, text)
            return
        session.stage = "new"
        self._context.emit(fx.HideInput(session.conn, True))
        self._context.ask(session, "Choose a passphrase (empty cancels): ")

    def new_passphrase(self, session: Session, text: str, now_ns: int) -> None:
        """Handle the passphrase of a new account, typed or repeated. An empty line cancels the account."""
        if not text:
            self._end_account(session, "Your character is not saved.")
        elif (problem := check_passphrase(text, session.name)) is not None:
            self._end_account(session, f"{problem} Your character is not saved; type keep to try again.")
        elif session.stage == "new":
            session.stage, session.secret = "again", text
            self._context.ask(session, "Repeat it: ")
        elif text != session.secret:
            self._end_account(session, "That was not the same. Type keep to try again.")
        else:
            session.stage, session.secret = "making", ""
            if not session.loopback:
                self._new_accounts.made(session.address, now_ns)
            self._context.emit(fx.HideInput(session.conn, False))
            self._context.emit(fx.MakeAccount(session.conn, session.name, text))

    def account_made(self, session: Session, account: Account) -> None:
        """Save a new account with the session's body, unless the name has been taken in the meantime."""
        if session.stage != "making":
            return
        if fold(account.name) in self.accounts:
            text = f"{account.name} was saved by another player in the meantime. Your character is not saved."
            self._end_account(session, text)
        else:
            session.stage, session.owner = "playing", _owner_of(account)
            origin = self._hash(session, account.name)
            self.keep(session, replace(account, body=session.body, origin=origin, brief=session.brief))
            self._context.say(session, f"{account.name} is saved. Log in with your passphrase next time.")

    def _end_account(self, session: Session, text: str) -> None:
        session.stage, session.secret = "playing", ""
        self._context.emit(fx.HideInput(session.conn, False))
        self._context.say(session, text)


def _owner_of(account: Account) -> str:
    return f"account:{fold(account.name)}"


def _letters(number: int) -> str:
    """Return a number written with the letters A to Z: 1 is A, 27 is AA."""
    word = ""
    while number:
        number, digit = divmod(number - 1, 26)
        word = chr(ord("A") + digit) + word
    return word
