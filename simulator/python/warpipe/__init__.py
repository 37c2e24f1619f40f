"""Predicts GPU kernels: how long they run, what limits them and what would change it.

    >>> import warpipe
    >>> warpipe.predict("saxpy", "v100")
    <Prediction saxpy on v100: 11.96 us, limited by pipeline dram>

Times are in seconds, clocks in hertz, sizes in bytes. What is wrong with an input is raised as warpipe.Error, which says
where, what and the way out.
"""

from __future__ import annotations

import atexit
import csv
import difflib
import hashlib
import inspect
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
           "Tuning", "UnknownData", "UsageError", "compile", "device", "devices", "kernel", "kernels", "load", "predict",
           "predict_all", "read_ptx", "sweep", "tune"]
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self._core.json() == other._core.json()

    def __hash__(self) -> int:
        return hash(self._core.json())

    def __reduce__(self) -> Tuple[Any, ...]:
        return _kernel_again, (self._core.json(), self._core.notes, self._core.assumptions)

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self._core.json() == other._core.json()

    def __hash__(self) -> int:
        return hash(self._core.json())

    def __reduce__(self) -> Tuple[Any, ...]:
        return device, (self.to_dict(),)

    def __repr__(self) -> str:
        return f"<Device {self.name}: {self.title}, {self.compute_units} units at {self.clock / 1e9:.4g} GHz>"


def _kernel_again(text: str, notes: List[str], assumptions: List[str]) -> Kernel:
    return Kernel(_core.kept_kernel(text, notes, assumptions))


class Question(NamedTuple):
    """What is to be predicted: one of many of predict_all."""

    kernel: Union[Kernel, str]
    device: Union[Device, str]
    options: Mapping[str, Any] = {}  #: the keyword arguments of predict


class Prediction:
    """What came of a kernel on a device."""

    def __init__(self, made: Optional[_core.Prediction], asked: Tuple[Kernel, Device, Mapping[str, Any]],
                 known: Optional[Mapping[str, Any]] = None):
        self._made = made  # None: of another process, simulated again where `known` does not tell
        self._asked = asked
        self._known = known or {}
        self._dict: Optional[Dict[str, Any]] = None

    @property
    def _core(self) -> _core.Prediction:
        if self._made is None:
            kernel, device, options = self._asked
            self._made = _core.predict((kernel._core, device._core, _options(options)))
        return self._made

    def _said(self, name: str) -> Any:
        return self._known[name] if name in self._known else getattr(self._core, name)

    @property
    def kernel(self) -> str:
        """The kernel's name."""
        return str(self._said("kernel"))

    @property
    def device(self) -> str:
        """The device's name."""
        return str(self._said("device"))

    @property
    def time(self) -> float:
        """The time of the kernel in seconds."""
        return float(self._said("time"))

    @property
    def total_time(self) -> float:
        """The same with the launch overhead."""
        return float(self._said("total_time"))

    @property
    def cycles(self) -> float:
        """The time in cycles of the device's clock."""
        return float(self._said("cycles"))

    @property
    def range(self) -> Optional[Tuple[float, float]]:
        """Low and high end of the time in seconds, between which it lies in 90 of 100 cases; None where not asked for."""
        ends: Optional[Tuple[float, float]] = self._said("range")
        return ends

    @property
    def limiter(self) -> str:
        """What limits it: the highest bound."""
        return str(self._said("limiter"))

    @property
    def warnings(self) -> List[str]:
        """What to keep in mind, and what cannot be true."""
        return list(map(in_python, self._said("warnings")))

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Prediction) and self._core.json(False) == other._core.json(False)

    def __hash__(self) -> int:
        return hash(self._core.json(False))

    def __reduce__(self) -> Tuple[Any, ...]:
        return Prediction, (None, self._asked, {name: self._said(name) for name in _SMALL})

    def __str__(self) -> str:
        return self._core.text()

    def __repr__(self) -> str:
        return f"<Prediction {self.kernel} on {self.device}: {_shown(self.time)}, limited by {self.limiter}>"

    def _repr_html_(self) -> str:
        return _frame(self.html())


_SMALL = ("kernel", "device", "time", "total_time", "cycles", "range", "limiter", "warnings")  #: what is sent along


def _frame(page: str) -> str:
    """A page, as a notebook shows it."""
    return f'<iframe srcdoc="{escape(page, quote=True)}" style="width: 100%; height: 42em; border: 0"></iframe>'


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

    PTX and CUDA source are kernels only with a launch: see load.
    """
    if isinstance(kernel, Mapping):
        return Kernel(_core.read_kernel(json.dumps(kernel), "kernel"))
    name = _name("kernel", kernel)
    if os.path.isfile(name) and name.endswith(_SOURCES + _CODE):
        raise InputError([(name, "this is code, which is a kernel only with a launch", "",
                           f"give load({name!r}, device, block=..., grid=..., args=...)")])
    return Kernel(_core.open_kernel(name))


_SOURCES = (".cu", ".cuh", ".hip")
_CODE = (".ptx", ".cubin")


def _name(kind: str, given: Named) -> str:
    """A name or path, and not a text of many lines."""
    name = os.fspath(given)
    if "\n" not in name:
        return name
    advice = ""
    if name.lstrip().startswith("{"):
        advice = f"give {kind}(json.loads(text))"
    elif kind == "kernel":
        advice = "give load(text, device, block=..., grid=..., args=...)"
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
    args       arguments by name, by position from 0, or "+BYTES" from the first; or a list of all. None stands for a
               pointer, an array of numpy for one to what it holds
    arrays     what arrays hold that control or addresses depend on: numbers, one number N for any below N, or
               "rows:LENGTH" for where rows of that length begin, one behind the other
    trips      of loops that depend on data, by label
    taken      shares of the lanes that take branches that depend on data, 0 to 1, by label
    addresses  where lanes reach an array by data: "random:BYTES" or "coalesced:BYTES"
    assume     assumes all that is not said; Kernel.assumptions says what
    registers  of a thread, as ptxas -v prints; else estimated
    without    rules by which it is not simplified
    """
    request = _request(entry=entry, block=block, grid=grid, args=args, dynamic_shared_memory=dynamic_shared_memory,
                       arrays=arrays, trips=trips, taken=taken, addresses=addresses, assume=assume, registers=registers,
                       max_instructions=max_instructions, without=without)
    return Kernel(_core.import_ptx(text, request, warp_size, name))


def load(what: Union[Named, bytes, Mapping[str, Any]], device: Union[Device, Named, None] = None, *,
         launch: Optional[Mapping[str, Any]] = None, form: str = "", compiler: str = "", flags: Sequence[str] = (),
         limit: float = 600, **further: Any) -> Kernel:
    """Makes a kernel of whatever it is given as.

    what       the path of source (.cu, .hip), PTX, a cubin, assembly or machine code of AMD, or a kernel file; the name of
               a shipped kernel; the text of source, PTX or assembly; the bytes of machine code; what Kernel.to_dict gives
    device     which code is compiled, assembled and imported for; not needed for kernel files
    launch     block, grid, args and others as of read_ptx, in a dictionary or as arguments
    form       what PTX is read as: "ptx", or "cubin" for the machine code that ptxas makes of it; empty: the latter where
               there is a ptxas
    compiler, flags, limit
               as of compile
    """
    asked = {**(launch or {}), **further}
    text = "" if isinstance(what, (bytes, Mapping)) else os.fspath(what)
    path = "" if "\n" in text else text
    if isinstance(what, Mapping) or (not path and text.lstrip().startswith("{")):
        return _without_launch(kernel(what if isinstance(what, Mapping) else json.loads(text)), asked)
    if path and (path.endswith(".json") or not os.path.isfile(path)):
        return _without_launch(kernel(path), asked)
    if device is None:
        raise UsageError([("`device`", "it is missing: code is imported for a device", "", "give `device h100`")])
    on, options = _device(device)._core, _core.CodeOptions(compiler, list(flags), limit, form)
    request = _request(**asked)
    if isinstance(what, bytes):
        return Kernel(_core.load_code(what, request, on, options))
    if not path and "__global__" in text and ".version" not in text and ".amdgcn_target" not in text:
        path = _file_of(text)
    return Kernel(_core.load_file(path, request, on, options) if path else
                  _core.load_code(text.encode(), request, on, options))


def _without_launch(kernel: Kernel, launch: Mapping[str, Any]) -> Kernel:
    """A kernel that is no code: its sizes and parameters are arguments of predict."""
    for name in launch:
        raise UsageError([(f"`{name}`", f"the argument is for code, and {kernel.name!r} is a kernel with a launch", "",
                           "leave it out; predict takes groups, group_size and params")])
    return kernel


def _request(*, entry: str = "", block: Optional[Sizes] = None, grid: Optional[Sizes] = None,
             args: Optional[Arguments] = None, dynamic_shared_memory: Optional[int] = None,
             arrays: Optional[Mapping[str, Values]] = None, trips: Optional[Mapping[str, int]] = None,
             taken: Optional[Mapping[str, float]] = None, addresses: Optional[Mapping[str, str]] = None,
             assume: bool = False, registers: Optional[int] = None, max_instructions: Optional[int] = None,
             without: Iterable[str] = ()) -> _core.ImportRequest:
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
    for array, data in _arrays_of(args or {}):
        if array not in (arrays or {}):
            request.add_array_bytes(array, data)
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
    return request


def scalars(args: Arguments) -> Mapping[Union[str, int], Scalar]:
    """The scalar arguments by their names or positions: those that are neither None nor an array."""
    return {key: value for key, value in _pairs(args) if value is not None and not _is_array(value)}


def _arrays_of(args: Arguments) -> Iterable[Tuple[str, bytes]]:
    """What lies in memory at arguments that are arrays of numpy, or look like them."""
    for key, value in _pairs(args):
        if _is_array(value) and hasattr(value, "tobytes"):
            yield str(key), value.tobytes()


def _is_array(value: Any) -> bool:
    return getattr(value, "shape", ()) != ()


def _pairs(args: Arguments) -> Iterable[Tuple[Union[str, int], Any]]:
    if isinstance(args, Mapping):
        return args.items()
    if isinstance(args, str) or not isinstance(args, Iterable):
        raise UsageError([("`args`", "these are the arguments by name or position, or a list of all", f"found {args!r}",
                           'give args={"n": 1024}')])
    return enumerate(args)


#: How far the time of a long launch may be off where nothing else is asked for, a fraction of it.
_TOLERANCE: float = _core.usual_tolerance


def predict(kernel: Union[Kernel, Named, bytes, Mapping[str, Any]], device: Union[Device, Named], *,
            groups: Optional[int] = None, group_size: Optional[int] = None, concurrent_groups: Optional[int] = None,
            params: Optional[Mapping[str, float]] = None, policy: Optional[str] = None, all_units: bool = False,
            clock: Optional[float] = None, set: Optional[Mapping[str, float]] = None,
            scale: Optional[Mapping[str, float]] = None, conflict_degree: Optional[Mapping[str, int]] = None,
            transactions: Optional[Mapping[str, int]] = None, ignore_limits: bool = False,
            repeated: bool = False, range: bool = False, tolerance: float = _TOLERANCE, **launch: Any) -> Prediction:
    """Simulates a kernel on a device.

    kernel, device     objects, or names of shipped ones; with a launch whatever load takes
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
    launch             of code: block, grid, args and others as of load
    """
    asked = {name: value for name, value in dict(
        groups=groups, group_size=group_size, concurrent_groups=concurrent_groups, params=params, policy=policy,
        all_units=all_units, clock=clock, set=set, scale=scale, conflict_degree=conflict_degree, transactions=transactions,
        ignore_limits=ignore_limits, repeated=repeated, range=range, tolerance=tolerance).items() if value is not None}
    on = _device(device)
    of = _launched(kernel, on, launch) if launch or isinstance(kernel, (bytes, Mapping)) else _kernel(kernel)
    return Prediction(_core.predict((of._core, on._core, _options(asked))), (of, on, asked))


def _launched(kernel: Any, device: Device, launch: Mapping[str, Any]) -> Kernel:
    known = {**inspect.signature(load).parameters, **inspect.signature(_request).parameters}
    for name in launch:
        if name not in known or name == "further":
            near = difflib.get_close_matches(name, {**known, **inspect.signature(predict).parameters}, 1)
            raise TypeError(f"predict has no argument {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return _without_launch(kernel, launch) if isinstance(kernel, Kernel) else load(kernel, device, **launch)


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
            one = (_opened(opened, "kernel", of), _opened(opened, "device", on), options)
            asked.append((one[0]._core, one[1]._core, _options(options)))
            results.append(one)
        except Error as error:
            results.append(error)
    answers = iter(_core.predict_all(asked, threads))
    for place, result in enumerate(results):
        if not isinstance(result, Error):
            made = next(answers)
            results[place] = made if isinstance(made, Error) else Prediction(made, result)
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
        return what
    name = f"{kind} {what}"
    if name not in known:
        known[name] = _kernel(what) if kind == "kernel" else _device(what)
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


class Tuning:
    """A space of configurations, ranked."""

    def __init__(self, core: _core.Tuning):
        self._core = core

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """Each configuration on each device: its values, block, grid, state, rank, time_us, error ..."""
        return [{name: _cell(cell) for name, cell in row.items()} for row in csv.DictReader(self._core.csv().splitlines())]

    @property
    def best(self) -> List[Dict[str, Any]]:
        """The best configurations, those of the first device first."""
        return [dict(row, device=of["device"]) for of in self.to_dict()["devices"] for row in of["best"]]

    def score(self, device: Optional[str] = None) -> Optional[Dict[str, Any]]:
        """How well the order agrees with times that were measured; of the first device where none is named."""
        for of in self.to_dict()["devices"]:
            if device in (None, of["device"]):
                return dict(of["score"]) if "score" in of else None
        raise UsageError([("`device`", "the space was not ranked for this device", f"found {device!r}", "")])

    def to_dict(self) -> Dict[str, Any]:
        """The best of each device, counts, reasons of failures and scores, format "warpipe-tuning"."""
        return dict(json.loads(self._core.json()))

    def html(self) -> str:
        """A page with charts that needs no network."""
        return self._core.html()

    def __str__(self) -> str:
        return self._core.text()

    def __repr__(self) -> str:
        return f"<Tuning of {len(self.rows)} configurations>"

    def _repr_html_(self) -> str:
        return _frame(self.html())


def _cell(cell: str) -> Any:
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell or None


def tune(space: Union[Named, Mapping[str, Any]], devices: Union[Device, Named, Sequence[Union[Device, Named]]],
         source: Optional[Named] = None, *, entry: str = "", block: Any = (), grid: Any = (),
         args: Optional[Mapping[str, Any]] = None, macros: Optional[Mapping[str, Any]] = None,
         dynamic_shared_memory: Any = None, where: Union[str, Sequence[str]] = (),
         measured: Union[Named, Sequence[Named]] = (), top: int = 10, all: bool = False, range: bool = True,
         budget: Optional[int] = None, seed: int = 1, tolerance: float = _core.tolerance_of_ranking, form: str = "", compiler: str = "",
         flags: Sequence[str] = (), limit: float = 600, threads: int = 0) -> Tuning:
    """Ranks a space of configurations of a source: macros, blocks, grids and arguments.

    space      the path of a file: warpipe's own form, a T1 input or a cache of Kernel Tuner, what KTT writes; or what a
               file of the own form holds, as a dictionary
    devices    one, or several
    source     its path or its text; else as the space says
    entry      the kernel in it, where there are several
    block, grid, args, macros, dynamic_shared_memory
               formulas of the tunables that go before those of the space: block=("x", "y"), args={"n": "x * 1024"}
    where      formulas that must hold
    measured   files of measured times
    top        how many are ranked; all others are simulated only as far as one of them may be among these, or `all`
    range      also says where the times of the best lie
    budget     draws so many configurations, by the seed
    tolerance  how far times may be off, a fraction of them
    form, compiler, flags, limit
               as of load
    """
    request = _core.TuningRequest()
    if isinstance(space, Mapping):
        request.space, request.file = json.dumps(space), "space"
    else:
        request.file = os.fspath(space)
        request.space = Path(request.file).read_text(encoding="utf-8")
    if source is not None:
        request.source = _file_of(os.fspath(source)) if "\n" in os.fspath(source) else os.fspath(source)
    request.entry = entry
    several = [devices] if isinstance(devices, (Device, str, os.PathLike)) else devices
    request.devices = [_device(one)._core for one in several]
    request.block, request.grid = _texts(block), _texts(grid)
    request.arguments = {str(name): _text(value) for name, value in (args or {}).items()}
    request.macros = {name: _text(value) for name, value in (macros or {}).items()}
    if dynamic_shared_memory is not None:
        request.dynamic_shared_memory = _text(dynamic_shared_memory)
    request.where = _texts(where)
    of_others = [measured] if isinstance(measured, (str, os.PathLike)) else measured
    request.measured = [os.fspath(one) for one in of_others]
    request.top, request.all, request.range = _whole("top", top), _switch("all", all), _switch("range", range)
    request.budget = None if budget is None else _whole("budget", budget)
    request.seed, request.threads, request.tolerance = _whole("seed", seed), threads, _tolerance(tolerance)
    request.code = _core.CodeOptions(compiler, list(flags), limit, form)
    return Tuning(_core.tune(request))


def _texts(formulas: Any) -> List[str]:
    """Formulas, of which one may stand alone."""
    alone = isinstance(formulas, str) or not isinstance(formulas, Iterable)
    return [_text(one) for one in ([formulas] if alone else formulas)]
