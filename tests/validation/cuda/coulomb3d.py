#!/usr/bin/env python3
"""Coulomb summation from machine code: predicts the launches of kernels_gtx1070.csv, and holds them against its times.

usage: coulomb3d.py compile                                  makes coulomb3d.cubin; NVCC=PATH names the compiler
       coulomb3d.py predict WARPIPE DEVICE [ATOMS [BLOCK]]   prints a row of CSV per launch, as they come
       coulomb3d.py compare PREDICTED.csv [rows]             prints the tables of RESULTS.md, or all rows

The compiler decides where the sums of a thread lie, so machine code says it: kernels with a stack have them there.
"""

import concurrent.futures
import csv
import itertools
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
CUBIN = HERE / "coulomb3d.cubin"
MEASURED = HERE.parents[2] / "bench/validation/reference" / "kernels_gtx1070.csv"
COLUMNS = ["kernel", "block", "registers", "stack_bytes", "warp_instructions", "predicted_us", "bound_us", "limiter"]
AT_A_TIME = 2


def compile_all():
    nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    subprocess.run([nvcc, "-cubin", "-arch=sm_75", "-use_fast_math", "-o", CUBIN.name, "coulomb3d.cu"], cwd=HERE,
                   check=True)


def ask(warpipe, verb, row, atoms, *more):
    words = [warpipe, verb, str(CUBIN), "--entry", row["kernel"], "--block", row["block"].replace(" ", ","), "--grid",
             row["grid"].replace(" ", ","), "--arg", *row["arguments"].replace("0=256", f"0={atoms}").split(), "--json",
             "--quiet", *more]
    made = subprocess.run(words, capture_output=True, text=True)
    if made.returncode != 0:
        raise SystemExit(f"{row['kernel']}: {made.stderr}")
    return json.loads(made.stdout)


def facts_of_kernels(warpipe, rows, atoms):
    """What does not depend on the shape of a block: registers, stack, warp instructions of the launch."""
    listed = json.loads(subprocess.run([warpipe, "list", str(CUBIN), "--json"], capture_output=True, check=True).stdout)
    entries = {entry["symbol"]: entry for entry in listed["entries"]}
    facts = {}
    for row in rows:
        if row["kernel"] in facts:
            continue
        issued = sum(ask(warpipe, "import", row, atoms)["issued"].values())
        entry = entries[row["kernel"]]
        facts[row["kernel"]] = {"registers": entry["registers"], "stack_bytes": entry["stack_bytes"],
                                "warp_instructions": round(issued)}
    return facts


def predict(warpipe, device, atoms, block):
    rows = [row for row in csv.DictReader(MEASURED.open()) if block in ("", row["block"])]
    facts = facts_of_kernels(warpipe, rows, atoms)
    table = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    table.writeheader()
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        found = pool.map(lambda row: ask(warpipe, "simulate", row, atoms, "--device", device, "--range", "off"), rows)
        for row, result in zip(rows, found):
            bound = max(one["cycles"] for one in result["bounds"]) / result["clock_hz"]
            table.writerow({"kernel": row["kernel"], "block": row["block"], **facts[row["kernel"]],
                            "predicted_us": f"{1e6 * result['total_time_s']:.1f}", "bound_us": f"{1e6 * bound:.1f}",
                            "limiter": result["limiter"].removeprefix("pipeline ")})
            sys.stdout.flush()


def read(path):
    """Launches with what was measured and predicted: points, unroll, soa, where sums lie, times, error in percent."""
    predicted = {(row["kernel"], row["block"]): row for row in csv.DictReader(open(path))}
    rows = []
    for row in csv.DictReader(MEASURED.open()):
        found = predicted[row["kernel"], row["block"]]
        points, unroll, soa = map(int, re.findall(r"\d+", row["kernel"].removeprefix("coulomb3d")))
        measured, time = float(row["time_us"]), float(found["predicted_us"])
        rows.append({"points": points, "unroll": unroll, "soa": soa, "block": row["block"].replace(" ", "x"),
                     "there": "stack" if int(row["stack_bytes"]) else "registers",
                     "here": "stack" if int(found["stack_bytes"]) else "registers",
                     "registers_there": int(row["registers"]), "registers": int(found["registers"]),
                     "stack_bytes": int(found["stack_bytes"]), "measured": measured, "predicted": time,
                     "bound_error": 100 * (float(found["bound_us"]) / measured - 1),
                     "error": 100 * (time / measured - 1), "limiter": found["limiter"]})
    return rows


def kendall(rows):
    """Kendall's tau-b of predicted and measured times."""
    score = ties_measured = ties_predicted = 0
    for a, b in itertools.combinations(rows, 2):
        measured, predicted = a["measured"] - b["measured"], a["predicted"] - b["predicted"]
        score += (measured * predicted > 0) - (measured * predicted < 0)
        ties_measured += measured == 0
        ties_predicted += predicted == 0
    pairs = len(rows) * (len(rows) - 1) / 2
    return score / ((pairs - ties_measured) * (pairs - ties_predicted)) ** 0.5


def line_of(name, rows):
    errors = [row["error"] for row in rows]
    sizes = [abs(error) for error in errors]
    best, chosen = min(rows, key=lambda row: row["measured"]), min(rows, key=lambda row: row["predicted"])
    bounds = statistics.mean(abs(row["bound_error"]) for row in rows)
    return (f"| {name} | {len(rows)} | {statistics.mean(sizes):.1f} | {statistics.median(sizes):.1f} | "
            f"{statistics.mean(errors):+.1f} | {max(errors, key=abs):+.1f} | {bounds:.1f} | {kendall(rows):.2f} | "
            f"{100 * (chosen['measured'] / best['measured'] - 1):.1f} |")


def compare(path):
    rows = read(path)
    parts = {"registers, registers": [], "stack, stack": [], "stack, registers": []}
    for row in rows:
        parts[f"{row['there']}, {row['here']}"].append(row)
    print("| sums there, here | rows | mean error | median | bias | worst | bound only | Kendall's tau | chosen is slower by |")
    print("| --- " * 9 + "|")
    for name, part in parts.items():
        print(line_of(name, part))
    print(line_of("all", rows))
    print("\n| points | unroll | soa | sums there, here | registers there, here | measured us | predicted us | mean error | "
          "limiter |")
    print("| --- " * 9 + "|")
    for _, group in itertools.groupby(sorted(rows, key=lambda row: (row["points"], row["unroll"], row["soa"])),
                                      lambda row: (row["points"], row["unroll"], row["soa"])):
        group = list(group)
        first = group[0]
        spans = [" to ".join(dict.fromkeys(f"{f(row[key] for row in group):.0f}" for f in (min, max)))
                 for key in ("measured", "predicted")]
        limits = ", ".join(dict.fromkeys(row["limiter"] for row in group))
        print(f"| {first['points']} | {first['unroll']} | {first['soa']} | {first['there']}, {first['here']} | "
              f"{first['registers_there']}, {first['registers']} | {spans[0]} | {spans[1]} | "
              f"{statistics.mean(row['error'] for row in group):+.1f} | {limits} |")


def print_rows(path):
    for row in read(path):
        print(f"| {row['points']} | {row['unroll']} | {row['soa']} | {row['block']} | {row['there']}, {row['here']} | "
              f"{row['measured']:.1f} | {row['predicted']:.1f} | {row['error']:+.1f} |")


def main():
    words = sys.argv[1:]
    if words == ["compile"]:
        compile_all()
    elif 3 <= len(words) <= 5 and words[0] == "predict":
        atoms, block = (words[3:] + ["256", ""][len(words) - 3:])[:2]
        predict(words[1], words[2], int(atoms), block.replace("x", " "))
    elif len(words) == 2 and words[0] == "compare":
        compare(words[1])
    elif len(words) == 3 and words[::2] == ["compare", "rows"]:
        print_rows(words[1])
    else:
        raise SystemExit(__doc__)


main()
