"""What compilers and autotuners of Python hand over, as predictions.

Neither Triton nor Kernel Tuner is needed: the functions take what these give, by the names that they use.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import Device, Error, Kernel, Prediction, compile, device, predict_all, read_ptx

__all__ = ["Ranked", "rank", "tune_kernel", "triton_kernel"]


def triton_kernel(compiled: Any, grid: Union[int, Sequence[int]],
                  args: Optional[Mapping[Union[str, int], Union[int, float, str]]] = None, **further: Any) -> Kernel:
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
         on: Union[Device, str], *, top: Optional[int] = None, threads: int = 0) -> List[Ranked]:
    """Predicts configurations, the fastest first; those that cannot run come last.

    make  makes the kernel of a configuration; an Error that it raises is the configuration's
    top   how many are returned; None: all
    """
    chosen = device(on) if isinstance(on, str) else on
    made: List[Tuple[Dict[str, Any], Union[Kernel, Error]]] = []
    for configuration in configurations:
        one = dict(configuration)
        try:
            made.append((one, make(one)))
        except Error as error:
            made.append((one, error))
    answers = iter(predict_all([(kernel, chosen) for _, kernel in made if isinstance(kernel, Kernel)], threads=threads))
    ranked = []
    for one, kernel in made:
        answer = next(answers) if isinstance(kernel, Kernel) else kernel
        ranked.append(Ranked(one, None, answer) if isinstance(answer, Error) else Ranked(one, answer, None))
    ranked.sort(key=lambda one: one.prediction.time if one.prediction else math.inf)
    return ranked[:top]


def tune_kernel(kernel_name: str, kernel_source: str, problem_size: Union[int, Sequence[int]],
                arguments: Mapping[Union[str, int], Union[int, float, str]], tune_params: Mapping[str, Sequence[Any]],
                device: Union[Device, str], *, grid_div_x: Sequence[str] = ("block_size_x",),
                grid_div_y: Sequence[str] = ("block_size_y",), grid_div_z: Sequence[str] = ("block_size_z",),
                restrictions: Union[Callable[[Dict[str, Any]], bool], Sequence[str], None] = None,
                to_ptx: Optional[Callable[[Dict[str, Any]], str]] = None, top: Optional[int] = None,
                **further: Any) -> List[Ranked]:
    """Ranks the configurations that Kernel Tuner's tune_kernel would run: those to measure are at the front.

    kernel_name, kernel_source, problem_size, tune_params, grid_div_x, grid_div_y, grid_div_z, restrictions
                 as there: the names of tune_params become macros, block_size_x, block_size_y and block_size_z are the
                 block, and the grid is the problem size divided by the parameters that grid_div_... name, rounded up
    arguments    the scalar arguments, as of read_ptx
    to_ptx       makes the PTX of a configuration; None: the source is compiled with its macros
    further      other arguments of read_ptx
    """
    size = [problem_size] if isinstance(problem_size, int) else list(problem_size)
    divisors = [grid_div_x, grid_div_y, grid_div_z]

    def allowed(one: Dict[str, Any]) -> bool:
        if callable(restrictions):
            return bool(restrictions(one))
        return all(eval(text, {"__builtins__": {}}, dict(one)) for text in restrictions or ())

    def compiled(one: Dict[str, Any]) -> str:
        return compile(kernel_source, device, flags=[f"-D{name}={value}" for name, value in one.items()])

    def make(one: Dict[str, Any]) -> Kernel:
        block = [int(one.get(f"block_size_{axis}", 1)) for axis in "xyz"]
        grid = [math.ceil(extent / math.prod(int(one.get(name, 1)) for name in names))
                for extent, names in zip(size, divisors)]
        return read_ptx((to_ptx or compiled)(one), entry=kernel_name, block=block, grid=grid, args=arguments, **further)

    names = list(tune_params)
    every = (dict(zip(names, values)) for values in itertools.product(*tune_params.values()))
    return rank([one for one in every if allowed(one)], make, device, top=top)
