#!/usr/bin/env python3
"""The kernels of this directory as PTX and as machine code, side by side: a table for docs/cubins.md.

usage: compare.py WARPIPE [DEVICE [ARCHITECTURE]]

Per kernel: warp instructions that issue (PTX / machine code) by class, registers, time on the device.
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent

# file, entry, the launch
KERNELS = [
    ("saxpy", "saxpy", "--block 256 --grid 4096 --arg n=1048576"),
    ("dot", "dot", "--block 256 --grid 432 --arg n=4194304"),
    ("reduction", "reduce_sequential", "--block 256 --grid 16384 --dynamic-shared-memory 1024"),
    ("reduction", "reduce_shuffle", "--block 256 --grid 16384 --dynamic-shared-memory 1024"),
    ("transpose", "transpose_tiled", "--block 32,8 --grid 128,128 --arg n=4096"),
    ("transpose", "transpose_padded", "--block 32,8 --grid 128,128 --arg n=4096"),
    ("mmul", "mmul_naive", "--block 16,16 --grid 64,64 --arg n=1024"),
    ("mmul", "mmul16", "--block 16,16 --grid 64,64 --arg n=1024"),
    ("mmul", "mmul_register_tiled", "--block 16,16 --grid 32,32 --arg n=2048"),
    ("mmul", "mmul_vectorised", "--block 16,16 --grid 32,32 --arg n=2048"),
    ("matvec", "matvec_row_a_thread", "--block 128 --grid 64 --arg rows=8192 columns=8192"),
    ("matvec", "matvec_row_a_warp", "--block 32,4 --grid 2048 --arg rows=8192 columns=8192"),
    ("stencil", "stencil_1d", "--block 256 --grid 16384"),
    ("stencil", "stencil_2d", "--block 32,8 --grid 128,512 --arg width=4096 height=4096"),
    ("scan", "scan_work_efficient", "--block 256 --grid 8192 --dynamic-shared-memory 2048"),
    ("softmax", "softmax", "--block 256 --grid 4096 --arg columns=1024"),
    ("layer_norm", "layer_norm", "--block 32,4 --grid 2048 --arg rows=8192 columns=1024"),
    ("nbody", "nbody", "--block 256 --grid 128 --arg n=32768"),
    ("black_scholes", "black_scholes", "--block 128 --grid 8192 --arg n=1048576"),
]

CLASSES = {
    "integer": ("iadd", "imad", "imul", "shift", "logic", "select", "compare", "index", "convert", "mov", "constant.load"),
    "float": ("fadd", "fmul", "ffma", "fma", "hfma", "hadd", "dadd", "dmul", "dfma", "fmin"),
    "shared": ("shared.",),
    "global": ("global.",),
    "control": ("branch", "barrier", "wait"),
}


def class_of(op):
    for name, starts in CLASSES.items():
        if any(op == start or op.startswith(f"{start.rstrip('.')}.") for start in starts):
            return name
    return "other"


def run(warpipe, verb, file, words):
    made = subprocess.run([warpipe, verb, str(file), *words, "--json", "--quiet"], capture_output=True, text=True)
    if made.returncode != 0:
        raise SystemExit(f"{file} {words}: {made.stderr}")
    return json.loads(made.stdout)


def counts_of(report):
    counts = dict.fromkeys([*CLASSES, "other"], 0.0)
    for op, count in report["issued"].items():
        counts[class_of(op)] += count
    return counts


def main():
    warpipe = sys.argv[1]
    device, architecture = (sys.argv[2:] + ["a100", "sm_80"][len(sys.argv) - 2:])[:2]
    names = [*CLASSES, "other"]
    print("| kernel | all | " + " | ".join(names) + " | registers | PTX | machine code | ratio |")
    print("| --- " * (len(names) + 6) + "|")
    for file, entry, launch in KERNELS:
        words = ["--entry", entry, *launch.split()]
        files = [HERE / "ptx" / architecture / f"{file}.ptx", HERE / "cubins" / architecture / f"{file}.cubin"]
        forms = [[*words, "--device", device, "--form", path.suffix[1:]] for path in files]
        reports = [run(warpipe, "import", path, form) for path, form in zip(files, forms)]
        times = [run(warpipe, "simulate", path, form)["time_s"] for path, form in zip(files, forms)]
        counts = [counts_of(report) for report in reports]
        sums = [sum(count.values()) for count in counts]
        cells = [f"{sums[1] / sums[0]:.2f}"]
        for name in names:
            before, after = (count[name] for count in counts)
            cells.append(f"{after / before:.2f}" if before else "new" if after else "")
        registers = " / ".join(str(report["registers"]) for report in reports)
        print(f"| `{entry}` | " + " | ".join(cells) + f" | {registers} | {times[0] * 1e6:.1f} | {times[1] * 1e6:.1f} | "
              f"{times[1] / times[0]:.2f} |")


main()
