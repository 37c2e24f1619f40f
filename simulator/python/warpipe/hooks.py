"""What compilers and autotuners of Python hand over, as predictions.

Neither Triton nor Kernel Tuner is needed: the functions take what these give, by the names that they use.
"""

from __future__ import annotations

import itertools
import math
import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import (Arguments, Device, Error, Kernel, Named, Prediction, UsageError, compile, device, predict_all, read_ptx,
               scalars)

__all__ = ["Ranked", "rank", "tune_kernel", "triton_kernel"]


def triton_kernel(compiled: Any, grid: Union[int, Sequence[int]], args: Optional[Arguments] = None,
                  **further: Any) -> Kernel:
    """A kernel of what Triton returns from `kernel[grid](...)` or `triton.compile(...)`.

    compiled  has `asm["ptx"]`, and `metadata` with `name`, `num_warps`, `shared` and, where it says it, `target`
    grid      groups along x, y and z
    args      the scalar arguments by their positions among those of the PTX
    further   other arguments of read_ptx
    """
    metadata = compiled.metadata
    said = metadata if isinstance(metadata, Mapping) else metadata._asdict()
    target = said.get("target")
    lanes = target.get("warp_size") if isinstance(target, Mapping) else getattr(target, "warp_size", None)
    lanes = lanes or 32
    return read_ptx(compiled.asm["ptx"], entry=said.get("name", ""), block=said["num_warps"] * lanes, grid=grid, args=args,
                    dynamic_shared_memory=said.get("shared", 0), warp_size=lanes, **further)


class Ranked(NamedTuple):
    """A configuration of a tuner."""

    configuration: Dict[str, Any]
    prediction: Optional[Prediction]  #: None where it cannot run
    error: Optional[Error]  #: why it cannot


def rank(configurations: Iterable[Mapping[str, Any]], make: Callable[[Dict[str, Any]], Kernel],
         on: Union[Device, Named], *, top: Optional[int] = None, threads: int = 0) -> List[Ranked]:
    """Predicts configurations, the fastest first; those that cannot run come last.

    make    makes the kernel of a configuration, several at a time; an Error that it raises is the configuration's
    top     how many are returned; None: all
    raises  the Error of the first configuration where none can run
    """
    chosen = on if isinstance(on, Device) else device(on)
    every = [dict(configuration) for configuration in configurations]

    def attempt(one: Dict[str, Any]) -> Union[Kernel, Error]:
        try:
            return make(one)
        except Error as error:
            return error

    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        made = list(pool.map(attempt, every))
    answers = iter(predict_all([(kernel, chosen) for kernel in made if isinstance(kernel, Kernel)], threads=threads))
    ranked = []
    for one, kernel in zip(every, made):
        answer = next(answers) if isinstance(kernel, Kernel) else kernel
        ranked.append(Ranked(one, None, answer) if isinstance(answer, Error) else Ranked(one, answer, None))
    if ranked and ranked[0].error and not any(one.prediction for one in ranked):
        raise ranked[0].error
    ranked.sort(key=lambda one: one.prediction.time if one.prediction else math.inf)
    return ranked[:top]


Expression = Union[int, str]
PerAxis = Union[Expression, Sequence[Expression], Callable[[Dict[str, Any]], Any]]
Restriction = Union[str, Callable[[Dict[str, Any]], Any]]

# What tune_kernel of Kernel Tuner takes for measuring, for searching and for showing: nothing is measured here, and all
# configurations are predicted.
_OF_MEASURING = {"answer", "atol", "verify", "verbose", "quiet", "platform", "cmem_args", "texmem_args", "log",
                 "iterations", "strategy", "strategy_options", "cache", "metrics", "simulation_mode", "observers",
                 "objective", "objective_higher_is_better"}
_USUAL_DEVICE = "h100"
_LANGUAGES = {"CUDA", "CUPY", "NVCUDA", "HIP"}


def tune_kernel(kernel_name: str, kernel_source: Union[Named, Callable[[Dict[str, Any]], str]], problem_size: PerAxis,
                arguments: Arguments, tune_params: Mapping[str, Sequence[Any]],
                device: Union[Device, Named, None] = None, grid_div_x: Optional[PerAxis] = None,
                grid_div_y: Optional[PerAxis] = None, grid_div_z: Optional[PerAxis] = None,
                restrictions: Union[Restriction, Sequence[Restriction], None] = None, *,
                lang: Optional[str] = None, smem_args: Optional[Mapping[str, Any]] = None, compiler: Optional[str] = None,
                compiler_options: Sequence[str] = (), defines: Optional[Mapping[str, Any]] = None,
                block_size_names: Sequence[str] = ("block_size_x", "block_size_y", "block_size_z"),
                to_ptx: Optional[Callable[[Dict[str, Any]], str]] = None, top: Optional[int] = None,
                threads: int = 0, **further: Any) -> List[Ranked]:
    """Ranks the configurations that Kernel Tuner's tune_kernel would run: those to measure are at the front.

    kernel_name, kernel_source, problem_size, tune_params, grid_div_x, grid_div_y, grid_div_z, restrictions, lang,
    smem_args, compiler, compiler_options, defines, block_size_names
                 as there: the names of tune_params become macros, block_size_x, block_size_y and block_size_z are the
                 block, and the grid is the problem size divided by what grid_div_... say, rounded up
    arguments    the list of arguments, as there: numpy's scalars count, and arrays are pointers; or a dictionary of
                 scalar arguments, as of read_ptx
    device       the name of a GPU; None: "h100", of which a warning says so
    to_ptx       makes the PTX of a configuration; None: the source is compiled with its macros
    further      other arguments of read_ptx; those of Kernel Tuner that say how to measure, search and show are taken
                 and change nothing
    raises       the Error of the first configuration where none can run
    """
    if device is None:
        device = _USUAL_DEVICE
        warnings.warn(f"no `device` was given: predicted for {device}; give device=... of warpipe.devices()", stacklevel=2)
    if not isinstance(device, (Device, str, os.PathLike)):
        raise UsageError([("`device`", "this is the name of a GPU, which need not be there", f"found {device!r}",
                           "give `device h100` or another of warpipe.devices()")])
    if lang is not None and lang.upper() not in _LANGUAGES:
        raise UsageError([("lang", "kernels in this language are not compiled here", f"found {lang!r}",
                           "give CUDA or HIP source, or to_ptx")])
    restricting = [restrictions] if isinstance(restrictions, str) or callable(restrictions) else restrictions or ()
    options = {name: value for name, value in further.items() if name not in _OF_MEASURING}

    def allowed(one: Dict[str, Any]) -> bool:
        return all(rule(one) if callable(rule) else _value_of(rule, one) for rule in restricting)

    def shape_of(one: Dict[str, Any]) -> Tuple[List[int], List[int]]:
        """The block and the grid."""
        divisors = [[name] if div is None else div
                    for name, div in zip(block_size_names, (grid_div_x, grid_div_y, grid_div_z))]
        size = problem_size(one) if callable(problem_size) else problem_size
        extents = [size] if isinstance(size, (int, str)) or hasattr(size, "__index__") else list(size)
        return ([int(one.get(name, usual)) for name, usual in zip(block_size_names, (256, 1, 1))],
                [math.ceil(_value_of(extent, one) / _divisor(div, one)) for extent, div in zip(extents, divisors)])

    def compiled(one: Dict[str, Any]) -> str:
        block, grid = shape_of(one)
        macros: Dict[str, Any] = {"kernel_tuner": 1, **dict(zip(("grid_size_x", "grid_size_y", "grid_size_z"), grid)),
                                  **dict(zip(block_size_names, block)), **one}
        if defines is not None:
            macros = {name: value(one) if callable(value) else value for name, value in defines.items()}
        source = kernel_source(one) if callable(kernel_source) else kernel_source
        return compile(source, device, compiler=compiler or "",
                       flags=[*(f"-D{name}={value}" for name, value in macros.items()), *compiler_options])

    def make(one: Dict[str, Any]) -> Kernel:
        block, grid = shape_of(one)
        shared = (smem_args or {}).get("size")
        if shared is not None:
            shared = int(shared(one) if callable(shared) else _value_of(shared, one))
        return read_ptx((to_ptx or compiled)(one), entry=kernel_name, block=block, grid=grid, args=scalars(arguments),
                        **({} if shared is None else {"dynamic_shared_memory": shared}), **options)

    names = list(tune_params)
    every = (dict(zip(names, values)) for values in itertools.product(*tune_params.values()))
    return rank([one for one in every if allowed(one)], make, device, top=top, threads=threads)


def _value_of(expression: Any, configuration: Mapping[str, Any]) -> Any:
    """A number, or what an expression in the names of a configuration gives."""
    return eval(expression, {"__builtins__": {}}, dict(configuration)) if isinstance(expression, str) else expression


def _divisor(div: PerAxis, configuration: Dict[str, Any]) -> int:
    """The product of what divides the problem along an axis. A name that the configuration lacks divides by 1."""
    if callable(div):
        return int(div(configuration))
    parts = [div] if isinstance(div, (int, str)) else div
    return math.prod(int(configuration.get(part, 1) if isinstance(part, str) and part.isidentifier()
                         else _value_of(part, configuration)) for part in parts)
