"""Structs of JSON messages in pure Python: the part of msgspec that a bot needs.

The bot library of a class has no dependency (docs/decisions/0055), and msgspec is compiled. There the
modules of the protocols import this one in its place, under its name; the structs are the same source.
Not here: the limits of `Meta`, which the server checks, and speed.
"""

from __future__ import annotations

import json as plain_json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")
Reader = Callable[[Any], Any]


class DecodeError(ValueError):
    """Text that is no JSON."""


class ValidationError(DecodeError):
    """JSON of another shape than the expected one."""


class Meta:
    """The limits and the meaning of a field, which are not looked at here."""

    def __init__(self, **_said: Any) -> None:
        """Take what msgspec takes."""


@dataclass(frozen=True)
class StructConfig:
    """The keywords of a class of structs.

    Attributes:
        tag: None, or the value of its tag field.
    """

    rename: str | None = None
    tag_field: str | None = None
    tag: str | None = None
    omit_defaults: bool = False
    frozen: bool = False


@dataclass(frozen=True)
class StructField:
    """A field: its name in Python and in JSON, and its type."""

    name: str
    encode_name: str
    type: Any


@dataclass_transform(field_specifiers=())
class Struct:
    """Base of structs: fields by annotation, as msgspec.Struct has them."""

    __struct_fields__: ClassVar[tuple[str, ...]] = ()
    __struct_encode_fields__: ClassVar[tuple[str, ...]] = ()
    __struct_defaults__: ClassVar[Mapping[str, Any]] = {}
    __struct_config__: ClassVar[StructConfig] = StructConfig()
    _positional: ClassVar[tuple[str, ...]] = ()
    _keywords: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls, kw_only: bool = False, gc: bool = True, **keywords: Any) -> None:
        """Collect the fields of a class and of its bases."""
        super().__init_subclass__()
        given = {**cls._keywords, **keywords}
        own = [name for name in vars(cls).get("__annotations__", {}) if not _is_class_variable(cls, name)]
        defaults = dict(cls.__struct_defaults__)
        for name in own:
            defaults.pop(name, None)
            if name in vars(cls):
                defaults[name] = vars(cls)[name]
                delattr(cls, name)
        inherited = [name for name in cls._positional if name not in own]
        cls._positional = (*inherited, *([] if kw_only else own))
        cls.__struct_fields__ = tuple(dict.fromkeys([*cls.__struct_fields__, *own]))
        camel = given.get("rename") == "camel"
        cls.__struct_encode_fields__ = tuple(_camel(f) if camel else f for f in cls.__struct_fields__)
        cls.__struct_defaults__ = defaults
        cls._keywords = given
        tag = given.get("tag")
        cls.__struct_config__ = StructConfig(
            given.get("rename"),
            given.get("tag_field") if tag is not None else None,
            cls.__name__ if tag is True else tag,
            bool(given.get("omit_defaults")),
            bool(given.get("frozen")),
        )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Set the fields.

        Raises:
            TypeError: one that is missing or unknown.
        """
        cls = type(self)
        if len(arguments) > len(cls._positional):
            raise TypeError(f"{cls.__name__} takes {len(cls._positional)} positional arguments")
        given = dict(zip(cls._positional, arguments, strict=False))
        for name in named:
            if name in given or name not in cls.__struct_fields__:
                raise TypeError(f"{cls.__name__}: unexpected argument {name!r}")
        given |= named
        for name in cls.__struct_fields__:
            if name not in given:
                if name not in cls.__struct_defaults__:
                    raise TypeError(f"Missing required argument '{name}'")
                given[name] = _fresh(cls.__struct_defaults__[name])
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__struct_config__.frozen:
            raise AttributeError("immutable type: " + type(self).__name__)
        if name not in self.__struct_fields__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.__dict__[name] = value

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        if not self.__struct_config__.frozen:
            raise TypeError(f"unhashable type: {type(self).__name__!r}")
        return hash(tuple(getattr(self, name) for name in self.__struct_fields__))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__)
        return f"{type(self).__name__}({said})"


def _is_class_variable(cls: type, name: str) -> bool:
    return "ClassVar" in str(vars(cls)["__annotations__"][name])


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _fresh(default: Any) -> Any:
    return default.copy() if isinstance(default, list | dict | set) else default


# ---- functions on structs --------------------------------------------------------------------------------


def replace(struct: T, **changes: Any) -> T:
    """Return a copy of a struct with some fields changed."""
    return type(struct)(**{**vars(struct), **changes})


def asdict(struct: Struct) -> dict[str, Any]:
    """Return the fields of a struct by name."""
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def fields(struct: type[Struct] | Struct) -> tuple[StructField, ...]:
    """Return the fields of a struct or its class."""
    cls = struct if isinstance(struct, type) else type(struct)
    hints = get_type_hints(cls)
    names = zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True)
    return tuple(StructField(name, encoded, hints[name]) for name, encoded in names)


def to_builtins(value: Any) -> Any:
    """Return what JSON can hold.

    A number that is not finite is None, as msgspec encodes it.
    """
    if isinstance(value, Struct):
        return _struct_to_builtins(value)
    if isinstance(value, dict):
        return {key: to_builtins(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_builtins(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _struct_to_builtins(struct: Struct) -> dict[str, Any]:
    cls, values = type(struct), vars(struct)
    config, defaults = cls.__struct_config__, cls.__struct_defaults__
    said: dict[str, Any] = {} if config.tag_field is None else {config.tag_field: config.tag}
    for name, encoded in zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True):
        value = values[name]
        if config.omit_defaults and name in defaults and _same(value, defaults[name]):
            continue
        said[encoded] = to_builtins(value)
    return said


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


def convert(value: Any, kind: Any) -> Any:
    """Return JSON values as a type.

    Raises:
        ValidationError
    """
    return _reader(kind, {})(value)


# ---- JSON ------------------------------------------------------------------------------------------------


class JsonDecoder:
    """Reads JSON as one type; its readers are made when it first reads."""

    def __init__(self, kind: Any = Any) -> None:
        self._kind = kind
        self._read: Reader | None = None

    def decode(self, data: bytes | str) -> Any:
        """Return a value.

        Raises:
            DecodeError: no JSON, ValidationError for another shape.
        """
        if self._read is None:
            self._read = _reader(self._kind, {})
        try:
            value = plain_json.loads(data, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise DecodeError(f"JSON is malformed: {error}") from None
        return self._read(value)


class JsonEncoder:
    """Writes values as compact JSON in UTF-8."""

    def encode(self, value: Any) -> bytes:
        """Return the bytes."""
        return plain_json.dumps(to_builtins(value), ensure_ascii=False, separators=(",", ":")).encode()


def decode(data: bytes | str, *, type: Any = Any) -> Any:
    """Return JSON as a type."""
    return JsonDecoder(type).decode(data)


encode = JsonEncoder().encode


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


json = SimpleNamespace(Decoder=JsonDecoder, Encoder=JsonEncoder, decode=decode, encode=encode)
structs = SimpleNamespace(replace=replace, asdict=asdict, fields=fields)


# ---- readers: a function for each type -------------------------------------------------------------------


_PLAIN: Mapping[Any, tuple[type, ...]] = {
    bool: (bool,),
    int: (int,),
    str: (str,),
    float: (float, int),
    None: (NoneType,),
    NoneType: (NoneType,),
}


def _reader(kind: Any, known: dict[Any, Reader]) -> Reader:
    """Return the function that reads a type.

    Args:
        known: those of structs that are being made.
    """
    origin = get_origin(kind)
    if origin is Annotated:
        return _reader(get_args(kind)[0], known)
    if kind in _PLAIN:
        return _plain_reader(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _struct_reader(kind, known)
    if origin is Literal:
        return _literal_reader(get_args(kind))
    if origin in (Union, UnionType):
        return _union_reader(get_args(kind), known)
    if origin in (list, tuple):
        return _list_reader(origin, _reader(get_args(kind)[0], known))
    if origin is dict:
        return _dict_reader(_reader(get_args(kind)[1], known))
    assert kind is Any, f"no reader for {kind}"
    return lambda value: value


def _plain_reader(kind: Any) -> Reader:
    accepted, name = _PLAIN[kind], getattr(kind, "__name__", "null")

    def read(value: Any) -> Any:
        if type(value) not in accepted:
            raise _mismatch(name, value)
        return float(value) if kind is float else value

    return read


def _literal_reader(values: tuple[Any, ...]) -> Reader:
    def read(value: Any) -> Any:
        if value not in values:
            raise ValidationError(f"Invalid enum value {value!r:.40}")
        return value

    return read


def _list_reader(make: Callable[[list[Any]], Any], read_one: Reader) -> Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise _mismatch("array", value)
        return make([read_one(one) for one in value])

    return read


def _dict_reader(read_one: Reader) -> Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _mismatch("object", value)
        return {key: read_one(one) for key, one in value.items()}

    return read


def _union_reader(kinds: tuple[Any, ...], known: dict[Any, Reader]) -> Reader:
    tagged = {kind.__struct_config__.tag: _reader(kind, known) for kind in kinds if _is_tagged(kind)}
    fields_of_tags = {kind.__struct_config__.tag_field for kind in kinds if _is_tagged(kind)}
    others = [(kind, _reader(kind, known)) for kind in kinds if not _is_tagged(kind)]

    def read(value: Any) -> Any:
        if tagged and isinstance(value, dict):
            tag = next((value.get(name) for name in fields_of_tags if name is not None), None)
            reader = tagged.get(tag) if isinstance(tag, str) else None
            if reader is None:
                raise ValidationError(f"Invalid value {tag!r:.40} - at `$.type`")
            return reader(value)
        error: ValidationError | None = None
        for kind, one in others:
            try:
                return one(value)
            except ValidationError as failed:
                error = failed if error is None or kind not in _PLAIN else error
        raise error if error is not None else _mismatch("object", value)

    return read


def _is_tagged(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct) and kind.__struct_config__.tag is not None


def _struct_reader(cls: type[Struct], known: dict[Any, Reader]) -> Reader:
    if cls in known:
        return known[cls]
    made: list[tuple[str, str, Reader]] = []
    known[cls] = lambda value: read(value)
    hints = get_type_hints(cls, include_extras=True)
    defaults, new, config = cls.__struct_defaults__, cls.__new__, cls.__struct_config__
    names = zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True)
    made += [(name, encoded, _reader(hints[name], known)) for name, encoded in names]

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _mismatch("object", value)
        if config.tag_field is not None and value.get(config.tag_field, config.tag) != config.tag:
            raise ValidationError(
                f"Invalid value {value[config.tag_field]!r:.40} - at `$.{config.tag_field}`"
            )
        struct = new(cls)
        into = struct.__dict__
        for name, encoded, read_one in made:
            if encoded in value:
                try:
                    into[name] = read_one(value[encoded])
                except ValidationError as error:
                    raise _inside(error, encoded) from None
            elif name in defaults:
                into[name] = _fresh(defaults[name])
            else:
                raise ValidationError(f"Object missing required field `{encoded}`")
        return struct

    return read


_NAMES = {dict: "object", list: "array", NoneType: "null"}


def _mismatch(expected: str, value: Any) -> ValidationError:
    given = _NAMES.get(type(value), type(value).__name__)
    return ValidationError(f"Expected `{expected}`, got `{given}`")


def _inside(error: ValidationError, name: str) -> ValidationError:
    said, mark, path = str(error).partition(" - at `$")
    return ValidationError(f"{said} - at `$.{name}{path if mark else '`'}")
