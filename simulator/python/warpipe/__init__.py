"""Predicts GPU kernels: how long they run, what limits them and what would change it.

    >>> import warpipe
    >>> warpipe.predict("saxpy", "v100")
    <Prediction saxpy on v100: 11.96 us, limited by pipeline dram>

Times are in seconds, clocks in hertz, sizes in bytes. What is wrong with an input is raised as warpipe.Error, which says
where, what and the way out.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import operator
import os
import shutil
import tempfile
import threading
import warnings
from html import escape
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core
from .errors import CompilerFailed, Error, InputError, ModelError, Problem, UnknownData, UsageError, in_python

__all__ = ["CompilerFailed", "Device", "Error", "InputError", "Kernel", "ModelError", "Prediction", "Problem", "Question",
           "UnknownData", "UsageError", "compile", "device", "devices", "kernel", "kernels", "predict", "predict_all",
           "read_ptx", "sweep"]
__version__: str = _core.version
_core.search_data(str(Path(__file__).parent / "data"))  # the kernels and devices of the package stand beside it

Sizes = Union[int, Sequence[int]]
Values = Union[Sequence[float], int, str]
Scalar = Union[int, float, str]
Arguments = Union[Mapping[Union[str, int], Scalar], Sequence[Any]]
Named = Union[str, "os.PathLike[str]"]


class Kernel:
    """The instruction dependence graph of a kernel; of one that was imported, for one launch."""

    def __init__(self, core: _core.Kernel):
        self._core = core

    @property
    def name(self) -> str:
        """Its name."""
        return self._core.name

    @property
    def origin(self) -> str:
        """Where the graph came from."""
        return self._core.origin

    @property
    def parameters(self) -> Dict[str, float]:
        """Its parameters and their usual values."""
        return self._core.parameters

    @property
    def notes(self) -> List[str]:
        """What a reader of its times has to know of its import."""
        return list(map(in_python, self._core.notes))

    @property
    def assumptions(self) -> List[str]:
        """What its import had to assume, as sentences."""
        return list(map(in_python, self._core.assumptions))

    def to_dict(self) -> Dict[str, Any]:
        """The kernel file, format "warpipe-kernel"."""
        return dict(json.loads(self._core.json()))

    def __repr__(self) -> str:
        return f"<Kernel {self.name}: {self._core.instructions} instructions>"


class Device:
    """A GPU: its units, its memory and its latency table."""

    def __init__(self, core: _core.Device):
        self._core = core

    @property
    def name(self) -> str:
        """Its short name, as in warpipe.device(name)."""
        return self._core.name

    @property
    def title(self) -> str:
        """Its full name."""
        return self._core.title

    @property
    def compute_units(self) -> int:
        """How many compute units it has."""
        return self._core.compute_units

    @property
    def warp_size(self) -> int:
        """Lanes of a warp."""
        return self._core.warp_size

    @property
    def clock(self) -> float:
        """Its clock in hertz."""
        return self._core.clock

    def derive(self, *, clock: Optional[float] = None, policy: Optional[str] = None,
               set: Optional[Mapping[str, float]] = None, scale: Optional[Mapping[str, float]] = None) -> "Device":
        """Another device that differs in some numbers.

        clock   in hertz
        policy  of the schedulers: "first-ready", ...
        set     numbers of the latency table, {"ffma.issue": 2}, and of the device's file by their paths,
                {"memory/levels/l2/bytes": 4e6}
        scale   factors of the latencies of an op, {"ffma": 2}
        """
        options = _options(dict(clock=clock, policy=policy, set=set, scale=scale))
        return Device(self._core.with_options(options))

    def to_dict(self) -> Dict[str, Any]:
        """The device file, format "warpipe-device"."""
        return dict(json.loads(self._core.json()))

    def __repr__(self) -> str:
        return f"<Device {self.name}: {self.title}, {self.compute_units} units at {self.clock / 1e9:.4g} GHz>"


class Question(NamedTuple):
    """What is to be predicted: one of many of predict_all."""

    kernel: Union[Kernel, str]
    device: Union[Device, str]
    options: Mapping[str, Any] = {}  #: the keyword arguments of predict


class Prediction:
    """What came of a kernel on a device."""

    def __init__(self, core: _core.Prediction):
        self._core = core
        self._dict: Optional[Dict[str, Any]] = None

    @property
    def kernel(self) -> str:
        """The kernel's name."""
        return self._core.kernel

    @property
    def device(self) -> str:
        """The device's name."""
        return self._core.device

    @property
    def time(self) -> float:
        """The time of the kernel in seconds."""
        return self._core.time

    @property
    def total_time(self) -> float:
        """The same with the launch overhead."""
        return self._core.total_time

    @property
    def cycles(self) -> float:
        """The time in cycles of the device's clock."""
        return self._core.cycles

    @property
    def range(self) -> Optional[Tuple[float, float]]:
        """Low and high end of the time in seconds, between which it lies in 90 of 100 cases; None where not asked for."""
        return self._core.range

    @property
    def limiter(self) -> str:
        """What limits it: the highest bound."""
        return self._core.limiter

    @property
    def warnings(self) -> List[str]:
        """What to keep in mind, and what cannot be true."""
        return list(map(in_python, self._core.warnings))

    @property
    def stalls(self) -> Dict[str, Any]:
        """Where the time of the warps goes: by state, instruction, pipeline and unit."""
        return dict(self.to_dict()["stalls"])

    @property
    def levels(self) -> Dict[str, Any]:
        """What each level of the memory does for each access; empty for a device without levels."""
        return dict(self.to_dict().get("memory", {}))

    def to_dict(self) -> Dict[str, Any]:
        """The whole result, format "warpipe-result", with stalls."""
        if self._dict is None:
            self._dict = json.loads(self._core.json(True))
        return self._dict

    def html(self) -> str:
        """A page with charts that needs no network: occupancy, bounds, roofline, stalls."""
        return self._core.html()

    def __str__(self) -> str:
        return self._core.text()

    def __repr__(self) -> str:
        return f"<Prediction {self.kernel} on {self.device}: {_shown(self.time)}, limited by {self.limiter}>"

    def _repr_html_(self) -> str:
        page = escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 42em; border: 0"></iframe>'


def _shown(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.4g} {unit}"
    return f"{seconds * 1e9:.4g} ns"


def devices() -> List[str]:
    """The names of the shipped devices."""
    return _core.device_names()


def kernels() -> List[str]:
    """The names of the shipped kernels."""
    return _core.kernel_names()


def device(device: Union[Named, Mapping[str, Any]]) -> Device:
    """A shipped device by its name, one from a file by its path, or one from what Device.to_dict gives."""
    if isinstance(device, Mapping):
        return Device(_core.read_device(json.dumps(device), "device"))
    return Device(_core.open_device(_name("device", device)))


def kernel(kernel: Union[Named, Mapping[str, Any]]) -> Kernel:
    """A shipped kernel by its name, one from a file by its path, or one from what Kernel.to_dict gives.

    PTX and CUDA source are kernels only with a launch: see read_ptx and compile.
    """
    if isinstance(kernel, Mapping):
        return Kernel(_core.read_kernel(json.dumps(kernel), "kernel"))
    name = _name("kernel", kernel)
    if os.path.isfile(name) and name.endswith(_SOURCES + _CODE):
        what = f"compile({name!r}, device)" if name.endswith(_SOURCES) else f"open({name!r}).read()"
        raise InputError([(name, "this is code, which is a kernel only with a launch", "",
                           f"give read_ptx({what}, block=..., grid=..., args=...)")])
    return Kernel(_core.open_kernel(name))


_SOURCES = (".cu", ".cuh", ".hip")
_CODE = (".ptx",)


def _name(kind: str, given: Named) -> str:
    """A name or path, and not a text of many lines."""
    name = os.fspath(given)
    if "\n" not in name:
        return name
    advice = ""
    if name.lstrip().startswith("{"):
        advice = f"give {kind}(json.loads(text))"
    elif kind == "kernel":
        advice = "give read_ptx(text, block=..., grid=..., args=...); compile makes such text of source"
    raise UsageError([(kind, f"this is the text of a {kind}, where its name or path is expected", "", advice)])


def compile(source: Named, device: Union[Device, Named, None] = None, *, compiler: str = "", flags: Sequence[str] = (),
            limit: float = 600) -> str:
    """Compiles CUDA source to PTX, with nvcc or clang++ found on this machine.

    source    the text, or the path of a file: .cu, .cuh, .hip
    device    which it is compiled for
    compiler  its path or name; empty: nvcc, else clang++, of the PATH
    flags     more flags, a word each
    limit     seconds, after which the compiler is cut off
    """
    path = os.fspath(source)
    if "\n" in path or not (path.endswith(_SOURCES) or os.path.isfile(path)):
        path = _file_of(path)
    core = None if device is None else _device(device)._core
    text, _, warning = _core.compile(path, core, compiler, list(flags), limit)
    if warning:
        warnings.warn(in_python(warning), stacklevel=2)
    return text


_folders: Dict[int, str] = {}  # by process, since a fork must not remove its parent's
_writing = threading.Lock()


def _file_of(source: str) -> str:
    """A file with the text, for as long as this process runs: code names the file that it was made of, and read_ptx finds
    the names of its parameters there."""
    process = os.getpid()
    with _writing:
        if process not in _folders:
            _folders[process] = tempfile.mkdtemp(prefix="warpipe-")
            atexit.register(_remove_folder, process)
        folder = Path(_folders[process], hashlib.sha256(source.encode()).hexdigest()[:16])
        folder.mkdir(exist_ok=True)
        path = folder / "kernel.cu"
        if not path.exists():  # which another thread may be compiling
            path.write_text(source, encoding="utf-8")
    return str(path)


def _remove_folder(process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(_folders[process], ignore_errors=True)


def read_ptx(text: str, *, entry: str = "", block: Optional[Sizes] = None, grid: Optional[Sizes] = None,
             args: Optional[Arguments] = None, dynamic_shared_memory: Optional[int] = None,
             arrays: Optional[Mapping[str, Values]] = None, trips: Optional[Mapping[str, int]] = None,
             taken: Optional[Mapping[str, float]] = None, addresses: Optional[Mapping[str, str]] = None,
             assume: bool = False, registers: Optional[int] = None, max_instructions: Optional[int] = None,
             without: Iterable[str] = (), warp_size: int = 32, name: str = "kernel.ptx") -> Kernel:
    """Makes a kernel of PTX for one launch.

    entry      the kernel in the text, or a part of its name that no other has; needed if there are several
    block      threads of a group along x, y and z
    grid       groups along x, y and z
    args       the scalar arguments, by name, by position from 0, or "+BYTES" from the first; or a list of all arguments,
               of which None and arrays stand for pointers
    arrays     what arrays hold that control or addresses depend on: numbers, one number N for any below N, or
               "rows:LENGTH" for where rows of that length begin, one behind the other
    trips      of loops that depend on data, by label
    taken      shares of the lanes that take branches that depend on data, 0 to 1, by label
    addresses  where lanes reach an array by data: "random:BYTES" or "coalesced:BYTES"
    assume     assumes all that is not said; Kernel.assumptions says what
    registers  of a thread, as ptxas -v prints; else estimated
    without    rules by which it is not simplified
    """
    request = _core.ImportRequest()
    request.entry = entry
    request.assume = assume
    if registers is not None:
        request.registers = _whole("registers", registers)
    if max_instructions is not None:
        request.max_instructions = _whole("max_instructions", max_instructions)
    if block is not None:
        request.set_block(_sizes("block", block))
    if grid is not None:
        request.set_grid(_sizes("grid", grid))
    if dynamic_shared_memory is not None:
        request.set_dynamic_shared_memory(_whole("dynamic_shared_memory", dynamic_shared_memory))
    for key, value in scalars(args or {}).items():
        request.add_argument(str(key), _text(value))
    for array, values in (arrays or {}).items():
        if isinstance(values, str):
            request.add_array_like(array, values)
        elif (limit := _index(values)) is not None:
            request.add_array_like(array, f"uniform:{limit}")
        else:
            request.add_array(array, list(values))  # type: ignore[arg-type]
    for label, count in (trips or {}).items():
        request.add_trips(label, _whole(f"trips {label}", count))
    for label, share in (taken or {}).items():
        request.add_taken(label, _number(f"taken {label}", share))
    for array, pattern in (addresses or {}).items():
        request.add_address(array, pattern)
    for rule in without:
        request.leave_out_rule(rule)
    return Kernel(_core.import_ptx(text, request, warp_size, name))


def scalars(args: Arguments) -> Mapping[Union[str, int], Scalar]:
    """The scalar arguments by their names or positions: of a list, those that are neither None nor an array."""
    if isinstance(args, Mapping):
        return args
    if isinstance(args, str) or not isinstance(args, Iterable):
        raise UsageError([("`args`", "these are the arguments by name or position, or a list of all", f"found {args!r}",
                           'give args={"n": 1024}')])
    return {position: value for position, value in enumerate(args)
            if value is not None and getattr(value, "shape", ()) == ()}


#: How far the time of a long launch may be off where nothing else is asked for, a fraction of it.
_TOLERANCE: float = _core.usual_tolerance


def predict(kernel: Union[Kernel, str], device: Union[Device, str], *, groups: Optional[int] = None,
            group_size: Optional[int] = None, concurrent_groups: Optional[int] = None,
            params: Optional[Mapping[str, float]] = None, policy: Optional[str] = None, all_units: bool = False,
            clock: Optional[float] = None, set: Optional[Mapping[str, float]] = None,
            scale: Optional[Mapping[str, float]] = None, conflict_degree: Optional[Mapping[str, int]] = None,
            transactions: Optional[Mapping[str, int]] = None, ignore_limits: bool = False,
            repeated: bool = False, range: bool = False, tolerance: float = _TOLERANCE) -> Prediction:
    """Simulates a kernel on a device.

    kernel, device     objects, or names of shipped ones
    groups             of the launch
    group_size         threads
    concurrent_groups  of a compute unit; else as many as fit
    params             parameters of the kernel
    policy             of the schedulers
    all_units          simulates each unit, not one for all
    clock              in hertz
    set, scale         as Device.derive; also {"load_a.conflict_degree": 2} of an instruction
    conflict_degree    of shared memory and atomics, by instruction
    transactions       of global memory, by instruction
    ignore_limits      accepts more concurrent groups than fit
    repeated           one of many launches of the same: caches beyond the units still hold what fits them
    range              also says where the time lies, by two further predictions
    tolerance          how far the time of a long launch may be off, a fraction of it; 0: exact
    """
    options = _options(dict(groups=groups, group_size=group_size, concurrent_groups=concurrent_groups, params=params,
                            policy=policy, all_units=all_units, clock=clock, set=set, scale=scale,
                            conflict_degree=conflict_degree, transactions=transactions, ignore_limits=ignore_limits,
                            repeated=repeated, range=range, tolerance=tolerance))
    return Prediction(_core.predict((_kernel(kernel)._core, _device(device)._core, options)))


def predict_all(questions: Iterable[Union[Question, Tuple[Any, ...]]], *, threads: int = 0) -> List[Union[Prediction, Error]]:
    """Makes many predictions on all cores in one call, the same ones as one by one.

    questions  (kernel, device) or (kernel, device, {keyword arguments of predict})
    threads    at most so many; 0: all cores
    returns    in the order of the questions a Prediction, or the Error for which there is none
    """
    opened: Dict[str, Any] = {}
    results: List[Any] = []
    asked = []
    for question in questions:
        of, on, options = Question(*question)
        try:
            asked.append((_opened(opened, "kernel", of), _opened(opened, "device", on), _options(options)))
            results.append(None)
        except Error as error:
            results.append(error)
    answers = iter(_core.predict_all(asked, threads))
    for place, result in enumerate(results):
        if result is None:
            made = next(answers)
            results[place] = made if isinstance(made, Error) else Prediction(made)
    return results


def sweep(kernel: Union[Kernel, str], device: Union[Device, str], vary: Mapping[str, Union[str, Iterable[Any]]], *,
          threads: int = 0, as_frame: Optional[bool] = None, **options: Any) -> Any:
    """Predicts all combinations of some values.

    vary      what varies, and over which values: {"concurrent_groups": range(1, 9), "ffma.issue": [1, 2]}; of a kernel
              from PTX also block, grid (16 or (16, 16)) and "arg.NAME"; {"policy": ["oldest", "first-ready"]}
    as_frame  whether the result is a pandas.DataFrame (default: where pandas is there) or a list of dictionaries
    options   those of predict that are the same everywhere
    returns   a row for each combination, the last name varying fastest: the values, cycles, time_us, limiter, error ...
    """
    varied = [f"{name}={values if isinstance(values, str) else ','.join(map(_value, values))}"
              for name, values in vary.items()]
    question = (_kernel(kernel)._core, _device(device)._core, _options({"tolerance": _TOLERANCE, **options}))
    rows = [json.loads(line) for line in _core.sweep(question, varied, threads).splitlines()]
    if as_frame is False:
        return rows
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        if as_frame:
            raise
        return rows
    return pandas.DataFrame(rows)


def _value(value: Any) -> str:
    return "x".join(map(_text, value)) if isinstance(value, (tuple, list)) else _text(value)


def _text(value: Any) -> str:
    """A number as it is read back exactly, whatever its type: of Python, of numpy."""
    if hasattr(value, "item"):
        value = value.item()
    return str(int(value)) if isinstance(value, bool) else value if isinstance(value, str) else repr(value)


def _index(value: Any) -> Optional[int]:
    """A whole number of any type; None for anything else, also an array of one."""
    try:
        return operator.index(value) if getattr(value, "shape", ()) == () else None
    except TypeError:
        return None


def _whole(name: str, value: Any) -> int:
    number = _index(value)
    if number is None:
        raise UsageError([(f"`{name}`", "this is a whole number", f"found {value!r}", "")])
    return number


def _number(name: str, value: Any) -> float:
    if not isinstance(value, str) and hasattr(value, "__float__"):
        return float(value)
    raise UsageError([(f"`{name}`", "this is a number", f"found {value!r}", "")])


def _switch(name: str, value: Any) -> bool:
    if hasattr(value, "__bool__"):  # of numpy, too; texts and lists have none
        return bool(value)
    raise UsageError([(f"`{name}`", "this is True or False", f"found {value!r}", "")])


def _sizes(name: str, sizes: Sizes) -> List[int]:
    single = _index(sizes)
    along = [single] if single is not None else sizes
    if isinstance(along, str) or not isinstance(along, Iterable) or not 1 <= len(list(along)) <= 3:
        raise UsageError([(f"`{name}`", "this is one size, or two or three along axes", f"found {sizes!r}",
                           f"give `{name} X[,Y[,Z]]`")])
    return ([_whole(name, size) for size in along] + [1, 1])[:3]


def _kernel(of: Union[Kernel, Named]) -> Kernel:
    return of if isinstance(of, Kernel) else kernel(of)


def _device(on: Union[Device, Named]) -> Device:
    return on if isinstance(on, Device) else device(on)


def _opened(known: Dict[str, Any], kind: str, what: Any) -> Any:
    """Each name is read once."""
    if isinstance(what, (Kernel, Device)):
        return what._core
    name = f"{kind} {what}"
    if name not in known:
        known[name] = _kernel(what)._core if kind == "kernel" else _device(what)._core
    return known[name]


_WHOLES = ("groups", "group_size", "concurrent_groups")
_SWITCHES = ("ignore_limits", "repeated", "range", "all_units")
_MAPPINGS = {"params": _number, "conflict_degree": _whole, "transactions": _whole, "set": _number, "scale": _number}


def _tolerance(value: Any) -> float:
    tolerance = _number("tolerance", value)
    if not 0 <= tolerance <= 0.1:
        raise UsageError([("`tolerance`", "this is a fraction of the time, at most 0.1", f"found {value!r}",
                           "give 0.005 for half a percent")])
    return tolerance


def _options(given: Mapping[str, Any]) -> _core.LaunchOptions:
    options = _core.LaunchOptions()
    for name, value in given.items():
        if value is None:
            continue
        if name in _WHOLES:
            setattr(options, name, _whole(name, value))
        elif name in _SWITCHES:
            setattr(options, name, _switch(name, value))
        elif name == "policy":
            options.set_policy(value)
        elif name == "clock":
            options.set_clock(_number(name, value))
        elif name == "tolerance":
            options.tolerance = _tolerance(value)
        elif name not in _MAPPINGS:
            known = sorted((*_WHOLES, *_SWITCHES, *_MAPPINGS, "policy", "clock", "tolerance"))
            raise TypeError(f"predict has no argument {name!r}; it has {', '.join(known)}")
        elif not isinstance(value, Mapping):
            raise UsageError([(f"`{name}`", "this is a dictionary", f"found {value!r}", "")])
        else:
            numbers = {key: _MAPPINGS[name](f"{name} {key}", of) for key, of in value.items()}
            if name in ("set", "scale"):
                for key, of in numbers.items():
                    getattr(options, name)(key, of)
            else:
                setattr(options, name, numbers)
    return options
