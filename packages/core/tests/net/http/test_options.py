from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.errors import SetupError
from turnwright.host.admission import AdmissionConfig
from turnwright.net.http.options import FILE_BYTES_MAX, gate_of, gather, gather_one, parse


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("", set()),
        (" ", set()),
        ("a", {"a"}),
        (" a b , c,,", {"ab", "c"}),
        ("a,a\t,\n", {"a"}),
    ],
)
def test_secrets_are_read_as_the_official_server_reads_them(text: str, secrets: set[str]) -> None:
    assert parse(text) == secrets


def test_a_role_has_its_own_variable() -> None:
    environment = {"TURNWRIGHT_BOT_SECRETS": "b1,b2", "TURNWRIGHT_CONTROLLER_SECRETS": "c1"}
    assert gather("bot", environment=environment).accepted == {"b1", "b2"}
    assert gather("controller", environment=environment).accepted == {"c1"}
    assert gather("bot", environment={}).accepted == frozenset()
    assert gather("bot", environment=environment).warnings == ()


def test_a_file_holds_one_a_line_and_adds_to_the_variable(tmp_path: Path) -> None:
    path = tmp_path / "secrets"
    path.write_text("f1\nf2, f3\n\n")
    found = gather("bot", file=path, environment={"TURNWRIGHT_BOT_SECRETS": "b1"})
    assert found.accepted == {"b1", "f1", "f2", "f3"}


def test_a_command_line_works_with_a_warning_that_does_not_repeat_the_secret() -> None:
    found = gather("controller", option="hush,quiet", environment={})
    assert found.accepted == {"hush", "quiet"}
    [warning] = found.warnings
    assert "TURNWRIGHT_CONTROLLER_SECRETS" in warning
    assert "hush" not in warning + repr(found)


@pytest.mark.parametrize("content", [None, b"", b"\n ,\n", b"\xff\xfe", b"x" * (FILE_BYTES_MAX + 1)])
def test_a_file_without_secrets_is_reported_to_the_operator_in_one_line(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "secrets"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SetupError) as caught:
        gather("bot", file=path, environment={})
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_client_gives_one_secret_the_nearest_one(tmp_path: Path) -> None:
    environment = {"TURNWRIGHT_CONTROLLER_SECRETS": "e2,e1"}
    path = tmp_path / "secret"
    path.write_text("f1\n")
    assert gather_one(environment={}) == (None, ())
    assert gather_one(environment=environment) == ("e1", ())
    assert gather_one(file=path, environment=environment) == ("f1", ())
    secret, warnings = gather_one(option=" typed ", file=path, environment=environment)
    assert secret == "typed"
    assert len(warnings) == 1
    assert "typed" not in warnings[0]


def test_a_clients_file_without_a_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("\n")
    with pytest.raises(SetupError, match=r"--secret-file is .*, a file without a secret"):
        gather_one(file=path, environment={})


# What an operator says of how the server is reached.


def test_by_default_no_proxy_is_trusted_and_no_host_is_added() -> None:
    assert gate_of("localhost") == AdmissionConfig(bound_host="localhost")


def test_options_arrive_in_the_gate() -> None:
    gate = gate_of("::1", ["game.example"], ["https://a.example"], ["localhost", "10.0.0.0/8", "fd00::7"])
    assert gate.bound_host == "::1"
    assert gate.hosts == {"game.example"}
    assert gate.origins == {"https://a.example"}
    for peer in ("127.0.0.1", "::1", "10.1.2.3", "fd00::7"):
        assert gate.proxies.client(peer, {"x-forwarded-for": "203.0.113.9"}) == "203.0.113.9"
    assert gate.proxies.client("fd00::8", {"x-forwarded-for": "203.0.113.9"}) == "fd00::8"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("proxy.example", "not appear to be"),
        ("10.0.0.1/8", "has host bits set"),
        ("0.0.0.0/0", "trust everybody"),
        ("x" * 500, "not appear to be"),
    ],
)
def test_an_invalid_proxy_is_refused_in_one_line(name: str, why: str) -> None:
    with pytest.raises(SetupError, match=why) as caught:
        gate_of("localhost", trusted_proxies=["127.0.0.1", name])
    text = str(caught.value)
    assert text.startswith(f"--trusted-proxy is {name[:80]}")
    assert not missing(text, "localhost", "address", "network")
    assert "\n" not in text
