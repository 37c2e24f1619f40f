#!/usr/bin/env python3
"""Predicts measured launches twice, from PTX and from the machine code that ptxas makes of it, and scores both.

    score.py WARPIPE [--rows CSV] [--only TEXT] [--output CSV] [--jobs N]

rows.csv holds the launches and their measured times (README.md says whose). Each distinct set of macros is compiled once
by nvcc. The status is 1 where a launch was not predicted, and 77 where there is no nvcc.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
FORMS = ("ptx", "cubin")
# Compute capability of each device's code, and its file where it does not ship. nvcc 13 makes no code for a V100 (7.0).
DEVICES = {"rtx3090": ("86", None), "rtx_a4000": ("86", "rtx_a4000.json"), "v100": ("80", None)}
SKIPPED = 77


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def device_file(warpipe, device, folder):
    """What --device takes: the name, or a file made from the data sheet."""
    sheet = DEVICES[device][1]
    if sheet is None:
        return device
    path = folder / f"{device}.json"
    if not path.exists():
        derived = run(warpipe, "derive", "--data-sheet", FOLDER / sheet, "-o", path)
        if derived.returncode != 0:
            sys.exit(derived.stderr)
    return path


class Failed(Exception):
    """A row without a time in one form: why."""


def compiled(nvcc, row, form, folder):
    """The row's source with its macros, in this form."""
    name = "_".join([row["file"], *row["defines"].replace("=", "").split()])
    code = folder / f"{name}.{form}"
    result = run(nvcc, f"-{form}", "-lineinfo", "-std=c++17", f"-arch=sm_{DEVICES[row['device']][0]}",
                 *(f"-D{define}" for define in row["defines"].split()), FOLDER / f"{row['file']}.cu", "-o", code)
    if result.returncode != 0:
        raise Failed(f"nvcc: {result.stderr.strip().splitlines()[0]}")
    return code


def predicted(warpipe, code, device, row):
    """The time in microseconds."""
    options = ["--entry", row["kernel"], "--block", row["block"].replace(" ", ","), "--grid", row["grid"].replace(" ", ",")]
    for argument in row["arguments"].split():
        options += ["--arg", argument]
    result = run(warpipe, "simulate", code, *options, "--device", device, "--form", code.suffix[1:], "--range", "off", "--json")
    if result.returncode != 0:
        raise Failed(result.stderr.strip().splitlines()[0])
    found = json.loads(result.stdout)
    return found["time_s"] * 1e6


def ties(a, b):
    return (a > b) - (a < b)


def tau(pairs):
    """Kendall's tau-b of pairs of predicted and measured times."""
    signs = [(ties(p, q), ties(m, n)) for i, (p, m) in enumerate(pairs) for q, n in pairs[:i]]
    both = sum(x * y for x, y in signs)
    scale = (sum(x != 0 for x, _ in signs) * sum(y != 0 for _, y in signs)) ** 0.5
    return both / scale if scale else float("nan")


def report(rows):
    print(f"{'rows':22} {'form':6} {'n':>4} {'mean %':>7} {'median':>7} {'bias':>7} {'within 20 %':>12} {'tau':>6}")
    for group in sorted({(row["file"], row["device"]) for row in rows}):
        for form in FORMS:
            chosen = [row for row in rows if (row["file"], row["device"]) == group and row[form]]
            if not chosen:
                continue
            errors = [100 * (row[form] / float(row["measured_us"]) - 1) for row in chosen]
            sizes = [abs(error) for error in errors]
            print(f"{' '.join(group):22} {form:6} {len(chosen):4} {statistics.mean(sizes):7.1f} "
                  f"{statistics.median(sizes):7.1f} {statistics.mean(errors):+7.1f} {sum(s <= 20 for s in sizes):12} "
                  f"{tau([(row[form], float(row['measured_us'])) for row in chosen]):6.2f}")


def write(path, rows):
    with open(path, "w", newline="") as file:
        columns = ["file", "kernel", "device", "defines", "block", "grid", "arguments", "measured_us", "ptx_us", "cubin_us"]
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(row | {f"{form}_us": f"{row[form]:.5g}" if row[form] else "" for form in FORMS})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warpipe", type=pathlib.Path)
    parser.add_argument("--rows", type=pathlib.Path, default=FOLDER / "rows.csv", help="launches and measured times")
    parser.add_argument("--only", default="", help="rows whose kernel, device or macros have this text")
    parser.add_argument("--output", type=pathlib.Path, help="write measured and predicted times to this CSV file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None:
        print("skipped: no nvcc on the PATH; it comes with the CUDA toolkit")
        return SKIPPED
    rows = [row for row in csv.DictReader(options.rows.open())
            if options.only in f"{row['kernel']} {row['device']} {row['defines']}"]

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        devices = {name: device_file(options.warpipe, name, folder) for name in sorted({row["device"] for row in rows})}

        def scored_in(form, row):
            own = pathlib.Path(tempfile.mkdtemp(dir=folder))
            try:
                return predicted(options.warpipe, compiled(nvcc, row, form, own), devices[row["device"]], row), None
            except Failed as failed:
                return None, str(failed)

        def score(row):
            return row | {form: scored_in(form, row) for form in FORMS}

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            scored = list(pool.map(score, rows))
    failed = 0
    for row in scored:
        for form in FORMS:
            row[form], error = row[form]
            if error:
                failed += 1
                print(f"{row['kernel']} {row['defines']} {row['arguments']} from {form}: {error}")
    report(scored)
    if options.output:
        write(options.output, scored)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
