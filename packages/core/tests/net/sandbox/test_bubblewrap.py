from __future__ import annotations

import os
from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright.net.sandbox import bubblewrap
from turnwright.net.sandbox.bubblewrap import SandboxLimits, bwrap_command, claim_user, refuse_unreadable
from turnwright.net.sandbox.cgroups import Groups, sessions_share
from turnwright.net.sandbox.readable import Program

PROGRAM = Program(("node", "Bot.js"), "/usr/bin", ("/opt/node",))


def words_after(words: list[str], option: str) -> list[str]:
    return [words[at + 1] for at, word in enumerate(words) if word == option]


def test_the_command_shows_only_the_directory_of_its_bot(tmp_path: Path) -> None:
    bot = tmp_path / "root" / "Bot"
    words = bwrap_command(bot, PROGRAM, SandboxLimits(), as_root=False)
    shown = words_after(words, "--ro-bind")
    assert str(bot) in shown
    assert "/opt/node" in shown
    assert not {"/", "/etc", "/home", "/root", "/var", str(bot.parent), str(tmp_path)} & set(shown)
    assert "--bind" not in words
    assert "--dev-bind" in words
    assert words_after(words, "--remount-ro") == ["/", "/dev"]


def test_secrets_are_not_on_the_command_line(tmp_path: Path) -> None:
    words = bwrap_command(tmp_path, PROGRAM, SandboxLimits(), as_root=True)
    assert "--setenv" not in words
    assert not any("SECRET" in word for word in words)


@pytest.mark.parametrize("as_root", [True, False])
def test_all_namespaces_are_its_own_and_roots_bots_get_a_user_id(tmp_path: Path, *, as_root: bool) -> None:
    words = bwrap_command(tmp_path, PROGRAM, SandboxLimits(), as_root=as_root)
    for option in ("--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"):
        assert option in words
    assert ("--unshare-user" in words) is not as_root
    assert ("--disable-userns" in words) is not as_root
    assert words_after(words, "--cap-drop") == ["ALL"]
    assert words_after(words, "--cap-add") == (["CAP_SETUID", "CAP_SETGID"] if as_root else [])


def test_no_two_sandboxes_have_one_user_id() -> None:
    users = [claim_user() for _ in range(5)]
    numbers = [user.id for user in users]
    assert len(set(numbers)) == 5
    assert all(
        bubblewrap.USER_FIRST <= number < bubblewrap.USER_FIRST + bubblewrap.USERS_MAX for number in numbers
    )
    users[0].claim.close()
    again = claim_user()
    assert again.id not in numbers[1:]
    for user in (*users, again):
        user.claim.close()


def test_a_lack_of_free_user_ids_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "USERS_MAX", 1)
    monkeypatch.setattr(bubblewrap, "USER_FIRST", 64_321)
    user = claim_user()
    with pytest.raises(SetupError, match="are taken"):
        claim_user()
    user.claim.close()


def test_a_directory_that_only_its_owner_can_read_is_refused_with_the_cure(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(SetupError, match=r"chmod -R o\+rX"):
        refuse_unreadable(tmp_path, as_root=True)
    refuse_unreadable(tmp_path, as_root=False)
    tmp_path.chmod(0o755)
    refuse_unreadable(tmp_path, as_root=True)
    with pytest.raises(SetupError, match="its own directory"):
        refuse_unreadable(Path("/"), as_root=False)


def test_memory_is_counted_where_no_group_limits_it() -> None:
    limits = SandboxLimits(memory_mib=10)
    assert limits.of_family(Groups(), "m")["memory_bytes"] == 10 << 20
    assert ("nice" in limits.of_family(Groups(), "m")) != sessions_share()
    assert not {"memory_bytes", "nice"} & limits.of_family(Groups(1, {"memory": "/sys/x"}), "m").keys()
    assert limits.of_processes()["RLIMIT_CORE"] == 0


def test_the_launcher_gets_the_user_it_becomes(tmp_path: Path) -> None:
    orders = bubblewrap.launch_orders(["x"], {"A": "b"}, tmp_path, SandboxLimits(), 60_001)
    assert b'"user": 60001' in orders
    assert b"bot:x:60001:60001" in orders
    assert f"bot:x:{os.getuid()}:".encode() in bubblewrap.launch_orders(
        ["x"], {}, tmp_path, SandboxLimits(), None
    )
