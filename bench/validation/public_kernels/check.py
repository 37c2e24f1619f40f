#!/usr/bin/env python3
"""Predicts the launches that were recorded of public programs and compares them with their measured times.

    check.py measure LAUNCHES.jsonl PTX --device h100 --output measured_h100.csv      a row for each launch that was recorded
    check.py predict WARPIPE PTX --measured measured_h100.csv --errors errors_h100.csv [--only TEXT] [--part tried|held-out]
    check.py import WARPIPE PTX [--only TEXT]

PTX is a folder with PROGRAM/*.ptx, which nvcc keeps with `-keep -keep-dir`. Everything that the import is not told by the
launch it assumes (`--assume`): no array is given to it. A launch that takes warpipe longer than a minute counts as one
that did not run. `import` says what users meet who bring nothing but PTX: of each file the first four entries, with
`--assume` alone, which run, and the CPU seconds.
"""
import argparse
import collections
import concurrent.futures
import csv
import functools
import json
import os
import pathlib
import re
import statistics
import struct
import subprocess
import tempfile

LIMIT_S = 60
LONG_S = 1  # of an import
SHORTEST_US = 3  # below that a time says how launches begin and end
COLUMNS = ["program", "command", "part", "kernel", "block", "grid", "dynamic_shared_memory", "arguments", "registers",
           "local_bytes", "time_us", "least_us", "most_us", "runs", "device", "source"]
FORMATS = {"u8": "<B", "s8": "<b", "b8": "<B", "u16": "<H", "s16": "<h", "b16": "<H", "u32": "<i", "s32": "<i",
           "b32": "<i", "f32": "<f", "u64": "<q", "s64": "<q", "b64": "<q", "f64": "<d"}


# ---- what was recorded ----

@functools.lru_cache(maxsize=None)
def ptx_of(folder):
    """The files of a program, each with its text."""
    return [(path, path.read_text()) for path in sorted(folder.rglob("*.ptx"))]


def find_entry(folder, entry):
    """The file of a program that has an entry, and the entry's text; None where none has it."""
    for path, text in ptx_of(folder):
        begin = re.search(rf"\.entry\s+{re.escape(entry)}\s*\(", text)
        if begin:
            return path, text[begin.start(): end_of_function(text, begin.end())]
    return None, None


def end_of_function(text, begin):
    """Where the braces of a function close; those of inline assembly may stand at the beginning of a line, too."""
    depth = 0
    for token in re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[{};]', re.S).finditer(text, begin):
        depth += {"{": 1, "}": -1}.get(token.group(), 0)
        if depth == 0 and token.group() in "};":
            return token.end()
    return len(text)


def arguments_of(text, entry, parameters):
    """The numbers that the kernel reads of its parameters, by position, without pointers."""
    found = {}
    pattern = r"ld\.param\.(?:v([24])\.)?([a-z]\d+)\s+[^\[]*\[([\w$]+?)(?:\+(\d+))?\]"
    for count, kind, name, offset in re.findall(pattern, text):
        number = re.search(r"_param_(\d+)$", name)
        if not number or int(number.group(1)) >= len(parameters):
            continue
        parameter = parameters[int(number.group(1))]
        data = bytes.fromhex(parameter["bytes"])
        pointers = {at for at, _ in parameter["pointers"]}
        size = struct.calcsize(FORMATS[kind])
        for i in range(int(count or 1)):
            at = int(offset or 0) + i * size
            if at in pointers or at + size > len(data):
                continue
            value = struct.unpack_from(FORMATS[kind], data, at)[0]
            if value == value and abs(value) != float("inf"):
                found[number.group(1) + (f"+{at}" if len(data) > 8 else "")] = value
    return found


def measure(options):
    rows = [json.loads(line) for line in options.launches.read_text().splitlines()]
    empty = {row["program"]: row["time_us"] for row in rows if row.get("entry") == "empty"}
    launches = collections.defaultdict(list)
    for row in rows:
        if row.get("entry", "empty") != "empty" and row["status"] == 0:
            key = (row["program"], row["entry"], str(row["block"]), str(row["grid"]), row["dynamic_shared_memory"],
                   json.dumps([p["bytes"] if not p["pointers"] else "" for p in row["parameters"]]))
            launches[key].append(row)
    with open(options.output, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for runs in launches.values():
            row = runs[0]
            program = row["program"]
            _, text = find_entry(options.ptx / program, row["entry"])
            if text is None:
                continue
            times = [run["time_us"] - empty[program] for run in runs]
            writer.writerow({
                "program": program, "command": row["command"], "part": part_of(program, options.programs),
                "kernel": row["entry"], "block": axes(row["block"]), "grid": axes(row["grid"]),
                "dynamic_shared_memory": row["dynamic_shared_memory"],
                "arguments": json.dumps(arguments_of(text, row["entry"], row["parameters"])),
                "registers": row["registers"], "local_bytes": row["local"], "time_us": f"{statistics.median(times):.2f}",
                "least_us": f"{min(times):.2f}", "most_us": f"{max(times):.2f}", "runs": len(times),
                "device": options.device, "source": options.source})


def part_of(program, programs):
    """Every fifth program is held out: nothing is changed in the model for what it shows."""
    names = programs.read_text().split()
    return "held-out" if names.index(program) % 5 == 4 else "tried"


def axes(value):
    return "x".join(map(str, value))


# ---- what is predicted ----

def predict_one(options, row):
    path, _ = find_entry(options.ptx / row["program"], row["kernel"])
    if path is None:
        return {"error": f"{options.ptx / row['program']} has no such kernel"}
    launch = {"entry": row["kernel"], "block": [int(n) for n in row["block"].split("x")],
              "grid": [int(n) for n in row["grid"].split("x")], "arguments": json.loads(row["arguments"]),
              "dynamic_shared_memory": int(row["dynamic_shared_memory"])}
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write(json.dumps(launch))
        file.flush()
        result = subprocess.run(["timeout", str(LIMIT_S), options.warpipe, "launches", path, file.name, "--device",
                                 row["device"], "--assume", "--json"], capture_output=True, text=True)
    try:
        found = json.loads(result.stdout)["launches"][0] | {"assumed": result.stderr.count(": assumed: ")}
    except (ValueError, KeyError, IndexError):
        found = {"error": result.stderr.strip() or f"status {result.returncode}"}
    return found


def predict(options):
    with open(options.measured, newline="") as file:
        rows = [row for row in csv.DictReader(file) if options.only in row["program"] + " " + row["kernel"]
                and options.part in ("all", row["part"])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda row: predict_one(options, row), rows))
    columns = ["program", "part", "kernel", "block", "grid", "device", "assumed", "time_us", "low_us", "high_us",
               "measured_us", "error_percent", "limiter", "error"]
    with open(options.errors, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row, one in zip(rows, found):
            measured = float(row["time_us"])
            row["measured_us"], row["error"] = row.pop("time_us"), (one.get("error") or "").splitlines()[0:1]
            row["error"] = row["error"][0] if row["error"] else ""
            if not row["error"]:
                row |= {key: f"{one[key]:.4g}" for key in ("time_us", "low_us", "high_us")}
                row |= {"limiter": one["limiter"], "assumed": one["assumed"]}
                if measured >= SHORTEST_US:
                    row["error_percent"] = f"{100 * (one['time_us'] / measured - 1):.4g}"
            writer.writerow(row)
    for part in ("tried", "held-out"):
        chosen = [row for row in rows if row["part"] == part]
        if chosen:
            print(f"{part}: {len(chosen)} launches, {sum(bool(row['error']) for row in chosen)} did not run; of those of "
                  f"{SHORTEST_US} us or more")
        for what, wanted in (("nothing is assumed", False), ("something is assumed", True)):
            timed = [row for row in chosen if row.get("error_percent") and bool(row["assumed"]) == wanted]
            errors = [abs(float(row["error_percent"])) for row in timed]
            if errors:
                inside = sum(float(row["low_us"]) <= float(row["measured_us"]) <= float(row["high_us"]) for row in timed)
                print(f"  in {len(errors)} {what}: {statistics.mean(errors):.1f} % off in the mean, "
                      f"{statistics.median(errors):.1f} in the median, {sum(e <= 20 for e in errors)} within 20 %, "
                      f"{inside} within their ranges")


def import_one(options, path, entry):
    """CPU seconds of an import that is told nothing but to assume, and its error; none where it ran."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([options.warpipe, "import", path, "--entry", entry, "--assume", "--json"],
                                   stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode()
    error = next((line for line in text.splitlines() if "error:" in line), f"status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, error if process.returncode else ""


def entries_of(options, path):
    listed = subprocess.run([options.warpipe, "list", path, "--json"], capture_output=True, text=True)
    return [one["symbol"] for one in json.loads(listed.stdout)["entries"]] if listed.returncode == 0 else []


def import_all(options):
    """Imports the first four entries of each file."""
    files = [path for path in sorted(options.ptx.rglob("*.ptx")) if options.only in str(path)]
    jobs = [(path, entry) for path in files for entry in entries_of(options, path)[:4]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda job: import_one(options, *job), jobs))
    for (path, entry), (seconds, error) in zip(jobs, found):
        if error or seconds > LONG_S:
            print(f"{path.relative_to(options.ptx)} {entry}: {error or f'{seconds:.1f} s'}")
    times = sorted(seconds for seconds, error in found if not error)
    print(f"{len(times)} of {len(jobs)} entries of {len(files)} files run: {statistics.median(times):.3f} s in the median, "
          f"95 % at most {times[int(0.95 * len(times))]:.2f}, the longest {times[-1]:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="what", required=True)
    one = commands.add_parser("measure")
    one.add_argument("launches", type=pathlib.Path)
    one.add_argument("ptx", type=pathlib.Path)
    one.add_argument("--programs", type=pathlib.Path, required=True, help="names of all programs, one a line")
    one.add_argument("--device", default="h100")
    one.add_argument("--source", default="")
    one.add_argument("--output", type=pathlib.Path, required=True)
    one = commands.add_parser("predict")
    one.add_argument("warpipe", type=pathlib.Path)
    one.add_argument("ptx", type=pathlib.Path)
    one.add_argument("--measured", type=pathlib.Path, required=True)
    one.add_argument("--errors", type=pathlib.Path, required=True)
    one.add_argument("--only", default="")
    one.add_argument("--part", choices=["all", "tried", "held-out"], default="all")
    one = commands.add_parser("import")
    one.add_argument("warpipe", type=pathlib.Path)
    one.add_argument("ptx", type=pathlib.Path)
    one.add_argument("--only", default="")
    options = parser.parse_args()
    {"measure": measure, "predict": predict, "import": import_all}[options.what](options)


if __name__ == "__main__":
    main()
