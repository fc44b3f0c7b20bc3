from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Any, Literal

import msgspec
import pytest

from turnwright.wire import plain_structs


def shapes(m: Any) -> ModuleType:
    """Return classes of structs, made by msgspec or by its stand-in."""
    made = ModuleType("shapes")

    class Part(m.Struct, rename="camel", omit_defaults=True):  # type: ignore[name-defined,misc]
        part_id: int
        size: float = 1.0
        name: str | None = None

    class Said(m.Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True):  # type: ignore[name-defined,misc]
        pass

    class Greeting(Said, kw_only=True):
        my_name: str
        parts: tuple[Part, ...] = ()
        counts: dict[str, int] = {}  # noqa: RUF012

    class Farewell(Said):
        why: Literal["bored", "tired"]
        last: bool | None = None

    class Fixed(m.Struct, frozen=True, tag_field="type", tag="fixed"):  # type: ignore[name-defined,misc]
        number: int
        text: str = "x"

    for cls in (Part, Greeting, Farewell, Fixed):
        setattr(made, cls.__name__, cls)
    made.__dict__["Any"] = Greeting | Farewell | Fixed
    return made


both = pytest.mark.parametrize("m", [msgspec, plain_structs], ids=["msgspec", "plain"])


@both
def test_structs_are_built_compared_and_changed_alike(m: Any) -> None:
    s = shapes(m)
    part = s.Part(1, name="a")
    assert (part.part_id, part.size, part.name) == (1, 1.0, "a")
    assert part == s.Part(part_id=1, name="a")
    assert part != s.Part(2)
    part.size = 2.5
    assert m.structs.asdict(part) == {"part_id": 1, "size": 2.5, "name": "a"}
    assert m.structs.replace(part, part_id=3) == s.Part(3, 2.5, "a")
    assert s.Part.__struct_fields__ == ("part_id", "size", "name")
    assert s.Part.__struct_encode_fields__ == ("partId", "size", "name")
    assert s.Greeting.__struct_config__.tag == "Greeting"
    assert s.Greeting(my_name="a").counts is not s.Greeting(my_name="b").counts
    assert hash(s.Fixed(1)) == hash(s.Fixed(1))
    assert [field.encode_name for field in m.structs.fields(s.Part)] == ["partId", "size", "name"]


@both
@pytest.mark.parametrize(
    "make",
    [
        lambda s: s.Part(),
        lambda s: s.Part(1, 2, "a", 4),
        lambda s: s.Part(1, other=2),
        lambda s: s.Part(1, part_id=2),
        lambda s: s.Greeting("positional"),
    ],
)
def test_wrong_arguments_are_type_errors(m: Any, make: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        make(shapes(m))


@both
def test_a_frozen_struct_stays_and_an_open_one_takes_no_new_field(m: Any) -> None:
    s = shapes(m)
    with pytest.raises(AttributeError):
        s.Fixed(1).number = 2
    with pytest.raises(AttributeError):
        s.Part(1).other = 2


@both
def test_values_are_written_alike(m: Any) -> None:
    s = shapes(m)
    greeting = s.Greeting(my_name="Zoë", parts=(s.Part(1), s.Part(2, 0.5)), counts={"a": 1})
    wanted = (
        '{"type":"Greeting","myName":"Zoë","parts":[{"partId":1},{"partId":2,"size":0.5}],"counts":{"a":1}}'
    )
    assert m.json.encode(greeting) == wanted.encode()
    assert m.json.Encoder().encode(s.Farewell("bored")) == b'{"type":"Farewell","why":"bored"}'
    assert m.json.encode(s.Fixed(1)) == b'{"type":"fixed","number":1,"text":"x"}'
    assert m.json.encode([float("nan"), float("inf"), None, True]) == b"[null,null,null,true]"
    assert m.to_builtins(s.Part(1)) == {"partId": 1}


@both
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b'{"type":"Farewell","why":"tired","last":null,"new":[1]}', lambda s: s.Farewell("tired")),
        (b'{"why":"tired","type":"Farewell"}', lambda s: s.Farewell("tired")),
        (b'{"type":"Greeting","myName":"a","parts":[{"partId":1,"size":2}]}',
         lambda s: s.Greeting(my_name="a", parts=(s.Part(1, 2.0),))),
        (b'{"type":"fixed","number":7}', lambda s: s.Fixed(7)),
    ],
)  # fmt: skip
def test_values_are_read_alike(m: Any, text: bytes, wanted: Callable[[Any], Any]) -> None:
    s = shapes(m)
    read = m.json.Decoder(s.Any).decode(text)
    assert read == wanted(s)
    assert type(getattr(read, "parts", ())) is tuple


@both
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"NaN",
        b"[1]",
        b'{"type":"Unknown"}',
        b'{"why":"tired"}',
        b'{"type":"Farewell"}',
        b'{"type":"Farewell","why":"gone"}',
        b'{"type":"Farewell","why":"tired","last":1}',
        b'{"type":"fixed","number":"7"}',
        b'{"type":"fixed","number":true}',
        b'{"type":"fixed","number":7.5}',
        b'{"type":"Greeting","myName":"a","parts":[{"size":2}]}',
        b'{"type":"Greeting","myName":"a","counts":[]}',
    ],
)
def test_other_shapes_are_refused_alike(m: Any, text: bytes) -> None:
    with pytest.raises(m.DecodeError) as caught:
        m.json.Decoder(shapes(m).Any).decode(text)
    assert isinstance(caught.value, ValueError)


def test_an_error_names_the_place() -> None:
    s = shapes(plain_structs)
    with pytest.raises(plain_structs.ValidationError, match=r"`int`.*`str`.*partId"):
        plain_structs.convert({"type": "Greeting", "myName": "a", "parts": [{"partId": "1"}]}, s.Greeting)


@both
def test_limits_may_stand_in_the_types(m: Any) -> None:
    assert m.json.decode(b"5", type=Annotated[int, m.Meta(ge=1, description="n")]) == 5
    assert m.json.decode(b'{"a":[1,null]}') == {"a": [1, None]}
