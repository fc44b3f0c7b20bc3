"""Sessions, found by connection, body and name."""

from __future__ import annotations

from turnwright_world.host.sessions import Session, Sessions


def seated(*names: str) -> Sessions:
    sessions = Sessions()
    for number, name in enumerate(names, 1):
        session = Session(number, "telnet", "127.0.0.1")
        sessions.add(session)
        sessions.name(session, name)
        sessions.embody(session, 100 + number)
    return sessions


def test_a_session_is_found_by_connection_body_and_name() -> None:
    sessions = seated("Anna", "Bert")
    anna = sessions.of(1)
    assert anna is not None
    assert sessions.of_body(101) is anna
    assert sessions.named("ANNA") is anna
    assert anna.playing
    assert [s.name for s in sessions.players()] == ["Anna", "Bert"]


def test_a_name_may_be_cut_short_when_only_one_begins_so() -> None:
    sessions = seated("Anna", "Annika", "Bert")
    assert [getattr(sessions.find(t), "name", None) for t in ("b", "ann", "anna", "x", "")] == [
        "Bert",
        None,
        "Anna",
        None,
        None,
    ]


def test_a_removed_session_is_not_found_and_its_body_is_free() -> None:
    sessions = seated("Anna")
    anna = sessions.of(1)
    assert anna is not None
    sessions.remove(anna)
    assert (len(sessions), sessions.of_body(101), sessions.named("anna"), anna.stage) == (
        0,
        None,
        None,
        "gone",
    )


def test_removing_an_older_session_leaves_the_body_to_the_newer_one() -> None:
    sessions = seated("Anna")
    older, newer = sessions.of(1), Session(2, "gmcp", "127.0.0.1")
    assert older is not None
    sessions.add(newer)
    sessions.name(newer, "Anna")
    sessions.embody(newer, 101)
    sessions.remove(older)
    assert sessions.of_body(101) is newer
    assert sessions.named("anna") is newer


def test_near_follows_arrivals_departures_and_moves() -> None:
    sessions = seated("Anna", "Bert", "Cleo")
    anna, bert, cleo = sessions.players()
    for session in (anna, bert, cleo):
        session.place = "yard"
        sessions.moved(session)
    assert sessions.near(anna) == [bert, cleo]
    bert.place = "shed"
    sessions.moved(bert)
    assert (sessions.near(anna), sessions.near(bert)) == ([cleo], [])
    sessions.remove(cleo)
    assert sessions.near(anna) == []
    sessions.embody(cleo, 103)
    assert sessions.near(anna) == [cleo]
    newer = Session(9, "telnet", "127.0.0.1", place="yard")
    sessions.embody(newer, 103)
    assert sessions.near(anna) == [newer]
    sessions.remove(cleo)
    assert sessions.near(anna) == [newer]
    sessions.remove(newer)
    sessions.remove(anna)
    sessions.remove(bert)
    assert sessions.places == set()
    sessions.embody(newer, 103)
    assert sessions.places == {"yard"}
    sessions.remove(newer)
    assert sessions.places == set()
