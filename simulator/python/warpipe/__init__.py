"""Predicts GPU kernels: how long they run, what limits them and what would change it.

    >>> import warpipe
    >>> warpipe.predict("saxpy", "v100")
    <Prediction saxpy on v100: 11.96 us, limited by pipeline dram>

Times are in seconds, clocks in hertz, sizes in bytes. What is wrong with an input is raised as warpipe.Error, which says
where, what and the way out.
"""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from html import escape
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

# The kernels and devices of the package stand beside it.
_data = Path(__file__).parent / "data"
if "WARPIPE_DATA" not in os.environ and _data.is_dir():
    os.environ["WARPIPE_DATA"] = str(_data)

from . import _core  # noqa: E402
from .errors import CompilerFailed, Error, InputError, ModelError, Problem, UnknownData, UsageError  # noqa: E402

__all__ = ["CompilerFailed", "Device", "Error", "InputError", "Kernel", "ModelError", "Prediction", "Problem", "Question",
           "UnknownData", "UsageError", "compile", "device", "devices", "kernel", "kernels", "predict", "predict_all",
           "read_ptx", "sweep"]
__version__: str = _core.version

Sizes = Union[int, Sequence[int]]
Values = Union[Sequence[float], int, str]


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
        return self._core.notes

    @property
    def assumptions(self) -> List[str]:
        """What its import had to assume, as sentences."""
        return self._core.assumptions

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
        return self._core.warnings

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


def device(device: Union[str, Mapping[str, Any]]) -> Device:
    """A shipped device by its name, one from a file by its path, or one from what Device.to_dict gives."""
    if isinstance(device, Mapping):
        return Device(_core.read_device(json.dumps(device), "device"))
    return Device(_core.open_device(os.fspath(device)))


def kernel(kernel: Union[str, Mapping[str, Any]]) -> Kernel:
    """A shipped kernel by its name, one from a file by its path, or one from what Kernel.to_dict gives.

    PTX and CUDA source are kernels only with a launch: see read_ptx and compile.
    """
    if isinstance(kernel, Mapping):
        return Kernel(_core.read_kernel(json.dumps(kernel), "kernel"))
    return Kernel(_core.open_kernel(os.fspath(kernel)))


def compile(source: str, device: Union[Device, str, None] = None, *, compiler: str = "", flags: Sequence[str] = (),
            limit: float = 600) -> str:
    """Compiles CUDA source to PTX, with nvcc or clang++ found on this machine.

    source    the text, or the path of a .cu file
    device    which it is compiled for
    compiler  its path or name; empty: nvcc, else clang++, of the PATH
    flags     more flags, a word each
    limit     seconds, after which the compiler is cut off
    """
    if source.endswith((".cu", ".cuh")) and "\n" not in source:
        return _compile(source, device, compiler, flags, limit)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cu")
        Path(path).write_text(source, encoding="utf-8")
        return _compile(path, device, compiler, flags, limit)


def _compile(path: str, device: Union[Device, str, None], compiler: str, flags: Sequence[str], limit: float) -> str:
    core = None if device is None else _device(device)._core
    text, _, warning = _core.compile(path, core, compiler, list(flags), limit)
    if warning:
        warnings.warn(warning, stacklevel=3)
    return text


def read_ptx(text: str, *, entry: str = "", block: Optional[Sizes] = None, grid: Optional[Sizes] = None,
             args: Optional[Mapping[Union[str, int], Union[int, float, str]]] = None, dynamic_shared_memory: Optional[int] = None,
             arrays: Optional[Mapping[str, Values]] = None, trips: Optional[Mapping[str, int]] = None,
             taken: Optional[Mapping[str, float]] = None, addresses: Optional[Mapping[str, str]] = None,
             assume: bool = False, registers: Optional[int] = None, max_instructions: Optional[int] = None,
             without: Iterable[str] = (), warp_size: int = 32, name: str = "kernel.ptx") -> Kernel:
    """Makes a kernel of PTX for one launch.

    entry      the kernel in the text, or a part of its name that no other has; needed if there are several
    block      threads of a group along x, y and z
    grid       groups along x, y and z
    args       the scalar arguments, by name, by position from 0, or "+BYTES" from the first
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
    request.registers = registers
    request.max_instructions = max_instructions
    if block is not None:
        request.set_block(_sizes(block))
    if grid is not None:
        request.set_grid(_sizes(grid))
    if dynamic_shared_memory is not None:
        request.set_dynamic_shared_memory(dynamic_shared_memory)
    for key, value in (args or {}).items():
        request.add_argument(str(key), str(value))
    for array, values in (arrays or {}).items():
        if isinstance(values, int):
            request.add_array_like(array, f"uniform:{values}")
        elif isinstance(values, str):
            request.add_array_like(array, values)
        else:
            request.add_array(array, list(values))
    for label, count in (trips or {}).items():
        request.add_trips(label, count)
    for label, share in (taken or {}).items():
        request.add_taken(label, share)
    for array, pattern in (addresses or {}).items():
        request.add_address(array, pattern)
    for rule in without:
        request.leave_out_rule(rule)
    return Kernel(_core.import_ptx(text, request, warp_size, name))


def predict(kernel: Union[Kernel, str], device: Union[Device, str], *, groups: Optional[int] = None,
            group_size: Optional[int] = None, concurrent_groups: Optional[int] = None,
            params: Optional[Mapping[str, float]] = None, policy: Optional[str] = None, all_units: bool = False,
            clock: Optional[float] = None, set: Optional[Mapping[str, float]] = None,
            scale: Optional[Mapping[str, float]] = None, conflict_degree: Optional[Mapping[str, int]] = None,
            transactions: Optional[Mapping[str, int]] = None, ignore_limits: bool = False,
            repeated: bool = False, range: bool = False) -> Prediction:
    """Simulates a kernel on a device.

    kernel, device     objects, or names of shipped ones
    groups             of the launch
    group_size         threads
    concurrent_groups  of a compute unit; else as many as fit
    params             parameters of the kernel
    policy             of the schedulers
    all_units          simulates each unit, not one for all
    clock              in hertz
    set, scale         as Device.derive
    conflict_degree    of shared memory and atomics, by instruction
    transactions       of global memory, by instruction
    ignore_limits      accepts more concurrent groups than fit
    repeated           one of many launches of the same: caches beyond the units still hold what fits them
    range              also says where the time lies, by two further simulations
    """
    options = _options(dict(groups=groups, group_size=group_size, concurrent_groups=concurrent_groups, params=params,
                            policy=policy, all_units=all_units, clock=clock, set=set, scale=scale,
                            conflict_degree=conflict_degree, transactions=transactions, ignore_limits=ignore_limits,
                            repeated=repeated, range=range))
    return Prediction(_core.predict((_kernel(kernel)._core, _device(device)._core, options)))


def predict_all(questions: Iterable[Union[Question, Tuple[Any, ...]]], *, threads: int = 0) -> List[Union[Prediction, Error]]:
    """Makes many predictions on all cores in one call, the same ones as one by one.

    questions  (kernel, device) or (kernel, device, {keyword arguments of predict})
    threads    at most so many; 0: all cores
    returns    in the order of the questions a Prediction, or the Error for which there is none
    """
    opened: Dict[str, Any] = {}
    asked = []
    for question in questions:
        of, on, options = Question(*question)
        kernel_core = _opened(opened, "kernel", of)
        device_core = _opened(opened, "device", on)
        asked.append((kernel_core, device_core, _options(options)))
    return [made if isinstance(made, Error) else Prediction(made) for made in _core.predict_all(asked, threads)]


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
    question = (_kernel(kernel)._core, _device(device)._core, _options(options))
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
    if isinstance(value, str):
        return value
    return "x".join(map(str, value)) if isinstance(value, (tuple, list)) else repr(value)


def _sizes(sizes: Sizes) -> List[int]:
    along = [sizes] if isinstance(sizes, int) else list(sizes)
    return along + [1] * (3 - len(along))


def _kernel(of: Union[Kernel, str]) -> Kernel:
    return of if isinstance(of, Kernel) else kernel(of)


def _device(on: Union[Device, str]) -> Device:
    return on if isinstance(on, Device) else device(on)


def _opened(known: Dict[str, Any], kind: str, what: Any) -> Any:
    """Each name is read once."""
    if isinstance(what, (Kernel, Device)):
        return what._core
    name = f"{kind} {what}"
    if name not in known:
        known[name] = _kernel(what)._core if kind == "kernel" else _device(what)._core
    return known[name]


_FIELDS = ("groups", "group_size", "concurrent_groups", "params", "conflict_degree", "transactions", "ignore_limits",
           "repeated", "range")
_OTHERS = ("policy", "all_units", "clock", "set", "scale")


def _options(given: Mapping[str, Any]) -> _core.LaunchOptions:
    options = _core.LaunchOptions()
    for name, value in given.items():
        if value is None:
            continue
        if name in _FIELDS:
            setattr(options, name, dict(value) if isinstance(value, Mapping) else value)
        elif name == "all_units":
            if value:
                options.set_all_units()
        elif name == "policy":
            options.set_policy(value)
        elif name == "clock":
            options.set_clock(value)
        elif name == "set":
            for number, to in value.items():
                options.set(number, to)
        elif name == "scale":
            for op, factor in value.items():
                options.scale(op, factor)
        else:
            raise TypeError(f"predict has no argument {name!r}; it has {', '.join(sorted(_FIELDS + _OTHERS))}")
    return options
