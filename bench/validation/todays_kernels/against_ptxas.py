#!/usr/bin/env python3
"""Holds the rules from PTX to machine code against what ptxas makes of the same PTX.

    against_ptxas.py WARPIPE [--without RULE ...] [--only TEXT] [--no-assume] [--keep FOLDER] [--csv OUT]

For sm_80, of every kernel of kernels/cuda and every launch of this folder, warpipe reads the PTX and the machine code: the
instructions of the text, and those that `warpipe import` leaves of the PTX; the warp instructions that the launch issues;
loads of 64 and 128 bits from shared memory; registers; and the time that warpipe predicts for the A100 from both. None
of these times is measured: they tell how much hangs on the form that a kernel is read from. A kernel with an unknown
opcode or address on either side has the reason in place of numbers, and is not in the summary. Launches that need
assumptions are summed up apart: what is assumed of branches and loops differs between the forms; so are those of which one
form needs assumptions that the other does not need. It needs nvcc and ptxas, and ends with status 77 where they are not
there.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import statistics
import sys
import tempfile

import check

ROOT = check.FOLDER.parents[2]
TARGET, DEVICE = "sm_80", "a100"

Case = collections.namedtuple("Case", "part ptx cubin launch")


def shipped_cases():
    """A launch of each kernel of kernels/cuda: of several the first."""
    seen = set()
    for case in json.loads((ROOT / "tests/kernels/ptx/expected_counts.json").read_text())["cases"]:
        if (case["file"], case["entry"]) in seen:
            continue
        seen.add((case["file"], case["entry"]))
        numbers = {argument["name"]: argument["value"] for argument in case["arguments"] if "value" in argument}
        yield Case("kernels/cuda", ROOT / f"kernels/cuda/ptx/{TARGET}/{case['file']}.ptx",
                   ROOT / f"kernels/cuda/cubins/{TARGET}/{case['file']}.cubin", {**case, "arguments": numbers})


def assembled(nvcc, ptx):
    cubin = ptx.with_suffix(".cubin")
    if not cubin.exists():
        ptxas = pathlib.Path(nvcc).parent / "ptxas"
        result = check.run([ptxas, "-lineinfo", f"-arch={TARGET}", ptx, "-o", cubin])
        if result.status != 0:
            sys.exit(f"ptxas did not assemble {ptx}:\n{result.errors}")
    return cubin


def further_cases(nvcc, folder):
    for name in sorted(path.stem for path in check.FOLDER.glob("*.cu") if path.stem not in check.ONLY_FOR):
        ptx = check.compile_one(nvcc, name, TARGET, folder)
        for launch, assumed in check.launches(name):
            yield Case("assumed" if assumed else "todays_kernels", ptx, assembled(nvcc, ptx), launch)


def read(warpipe, file, launch, options, folder):
    """What warpipe finds in a form of a kernel, or why it finds nothing."""
    result = check.run([warpipe, "import", file, "--quiet", "--assume", "--json", *options, *check.import_options(launch)])
    if result.status != 0:
        return check.message(result).splitlines()[0]
    report = json.loads(result.output)
    wide = [access for access in report["accesses"] if re.fullmatch(r"shared\.load\.(64|128)", access["op"])]
    one = folder / (re.sub(r"\W+", "_", f"{file.name}_{launch['entry']}") + ".jsonl")
    keys = ("entry", "block", "grid", "arguments", "dynamic_shared_memory")
    one.write_text(json.dumps({key: launch[key] for key in keys if key in launch}))
    timed = check.run([warpipe, "launches", file, one, "--device", DEVICE, "--range", "off", "--assume", "--json", *options])
    found = json.loads(timed.output)["launches"][0] if timed.output.startswith("{") else {"error": check.message(timed)}
    if found["error"]:
        return found["error"].splitlines()[0]
    return {"text": report["instructions"], "left": report["instructions"] - sum(report["removed"].values()),
            "issued": sum(report["issued"].values()), "ops": report["issued"], "registers": report["registers"],
            "wide_loads": sum(re.search(r"\b(ld\.|LDS\b)", access["instruction"]) is not None for access in wide),
            "time_us": found["time_us"],
            "assumed": sorted((one["kind"], one["value"]) for one in report.get("assumptions", []))}


def row_of(warpipe, rules, case, folder):
    ptx = read(warpipe, case.ptx, case.launch, rules, folder)
    code = read(warpipe, case.cubin, case.launch, [], folder)
    row = {"part": case.part, "file": case.ptx.stem.removesuffix(f".{TARGET}"), "kernel": case.launch["entry"]}
    failed = [f"{form}: {found}" for form, found in (("PTX", ptx), ("machine code", code)) if isinstance(found, str)]
    if failed:
        return row | {"failed": re.sub(re.escape(str(folder)) + "/", "", "; ".join(failed))}
    if ptx["assumed"] != code["assumed"]:
        row["part"] = "assumed"
    apart = sum(abs(ptx["ops"].get(op, 0) - code["ops"].get(op, 0)) for op in {*ptx["ops"], *code["ops"]})
    row |= {"ptx": ptx["text"], "warpipe": ptx["left"], "ptxas": code["text"]}
    for key in ("issued", "wide_loads", "registers", "time_us"):
        row |= {f"{key}_warpipe": ptx[key], f"{key}_ptxas": code[key]}
    return row | {"ops_apart": round(apart / code["issued"], 3)}


def spread(ratios):
    logs = [abs(math.log(ratio)) for ratio in ratios]
    tenth = len(ratios) // 10
    ordered = sorted(ratios)
    return (f"median {statistics.median(ratios):.2f}, 8 of 10 within {ordered[tenth]:.2f} to {ordered[-1 - tenth]:.2f}, "
            f"off by {math.exp(statistics.mean(logs)) - 1:.1%} on average, at most {math.exp(max(logs)):.2f} x")


def summary(rows):
    def ratios(ours, theirs):
        return [row[ours] / row[theirs] for row in rows]
    registers = [row["registers_warpipe"] - row["registers_ptxas"] for row in rows]
    wide = sum(row["wide_loads_warpipe"] == row["wide_loads_ptxas"] for row in rows)
    return (f"{len(rows)} kernels, PTX / machine code\n"
            f"  instructions of the text: {spread(ratios('warpipe', 'ptxas'))}\n"
            f"  instructions that issue: {spread(ratios('issued_warpipe', 'issued_ptxas'))}; op by op "
            f"{statistics.mean(row['ops_apart'] for row in rows):.0%} of them differ\n"
            f"  time: {spread(ratios('time_us_warpipe', 'time_us_ptxas'))}\n"
            f"  registers: off by {statistics.mean(map(abs, registers)):.1f}, on average "
            f"{statistics.mean(registers):+.1f}, from {min(registers):+d} to {max(registers):+d}\n"
            f"  as many wide shared loads in {wide}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("warpipe")
    parser.add_argument("--without", action="append", default=[], metavar="RULE")
    parser.add_argument("--only", default="", metavar="TEXT", help="kernels or files whose name has this text")
    parser.add_argument("--no-assume", action="store_true", help="leave launches out that need assumptions")
    parser.add_argument("--keep", type=pathlib.Path, help="keep PTX and machine code in this folder, and take them from there")
    parser.add_argument("--csv", metavar="OUT", default=check.FOLDER / "against_ptxas.csv")
    options = parser.parse_args()
    nvcc = check.find_nvcc()
    if not nvcc:
        print("no nvcc was found: nothing was compared")
        return check.SKIPPED
    rules = [word for rule in options.without for word in ("--without", rule)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        cases = [case for case in [*shipped_cases(), *further_cases(nvcc, folder)]
                 if options.only in case.launch["entry"] or options.only in case.ptx.name
                 if not (options.no_assume and case.part == "assumed")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            rows = list(pool.map(lambda case: row_of(options.warpipe, rules, case, folder), cases))
    columns = list(dict.fromkeys(key for row in rows if "failed" not in row for key in row)) + ["failed"]
    with open(options.csv, "w", newline="") as out:
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    for part in ("kernels/cuda", "todays_kernels", "assumed"):
        of_part = [row for row in rows if row["part"] == part and "failed" not in row]
        if of_part:
            print(f"{part}: {summary(of_part)}")
    for row in rows:
        if "failed" in row:
            print(f"{row['kernel']} of {row['file']}: {row['failed']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
