"""What is raised for a wrong input: it says where, what is wrong and the way out, in Python's terms."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Sequence, Tuple

# What the C++ library's fields are called here.
_NAMES = {"arguments": "args", "parameters": "params", "set_device": "set", "compiler_flags": "flags",
          "compiler_timeout": "limit", "units": "all_units"}
# Arguments of functions by what they hold.
_MAPPINGS = {"args", "params", "arrays", "trips", "taken", "addresses", "set", "scale", "conflict_degree",
             "transactions"}
_SIZES = {"block", "grid"}
_TEXTS = {"entry", "policy", "compiler", "device", "kernel"}
_LISTS = {"without", "flags"}
_OTHERS = {"assume", "registers", "max_instructions", "dynamic_shared_memory", "groups", "group_size",
           "concurrent_groups", "clock", "ignore_limits", "repeated", "range", "tolerance", "limit", "threads", "vary"}
_FIELD = re.compile(r"`([a-z_]+)(?:( = | )([^`]*))?`")


def in_python(text: str) -> str:
    """Shows the fields that a message names between backquotes as keyword arguments."""
    return _FIELD.sub(_shown, text).replace("`", '"')


def _shown(match: "re.Match[str]") -> str:
    name = _NAMES.get(match[1], match[1])
    value = match[3]
    if value is None:
        return name
    if name in _MAPPINGS:
        key, equals, of = value.partition("=")
        return f'{name}={{"{key}": {_value_of(name, of)}}}' if equals else f'{name}["{key}"]'
    if name in _SIZES:
        return f"{name}=" + (f"X or {name}=(X, Y, Z)" if value.startswith("X[") else value)
    if name in _TEXTS:
        return f'{name}="{value}"'
    if name in _LISTS:
        return f'{name}=["{value}"]'
    if name == "all_units":
        return f"{name}={value == 'all'}"
    if name in _OTHERS:
        return f"{name}={value}"
    return f'"{match[0][1:-1]}"'  # a command, or an expression


def _value_of(name: str, value: str) -> str:
    """What a dictionary holds, as it is written: arrays are numbers here, and patterns are texts."""
    if name == "arrays" and value == "FILE":
        return "NUMBERS"
    return f'"{value}"' if ":" in value else value


class Problem(NamedTuple):
    """One thing that is wrong."""

    where: str  #: a file with its line, or an argument
    problem: str
    found: str  #: what stands there; may be empty
    advice: str  #: the way out; may be empty

    def __str__(self) -> str:
        text = f"{self.where}: {self.problem}" if self.where else self.problem
        return "; ".join(part for part in (text, self.found, self.advice) if part)


class Error(ValueError):
    """Something is wrong with an input. All that is wrong is listed at once."""

    problems: List[Problem]

    def __init__(self, problems: Sequence[Tuple[str, str, str, str]]):
        self.problems = [Problem(*(in_python(part) for part in problem)) for problem in problems]
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(Error):
    """An argument that contradicts what it is for, or names something that is not there."""


class InputError(Error):
    """A file or text that is wrong in itself."""


class UnknownData(InputError):
    """An import lacks what only the user knows: each problem says how to give it; assume=True assumes all of it."""


class ModelError(Error):
    """Inputs that are right, but do not fit together."""


class CompilerFailed(InputError):
    """A compiler failed."""

    printed: str = ""  #: what it printed

    def __str__(self) -> str:
        return "\n".join(part for part in (super().__str__(), self.printed.rstrip()) if part)
