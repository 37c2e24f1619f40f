#!/usr/bin/env python3
"""Runs the CUDA kernels of this folder through warpipe, for each device, and says which ran.

    check.py WARPIPE [--devices a100 h100] [--only TEXT] [--no-assume | --only-assume] [--keep FOLDER] [--json OUT]
             [--errors CSV] [--kernels FOLDER]

Each NAME.cu is compiled by nvcc for the compute capability of the device. Each line of NAME.jsonl is a launch that must
run with what it says; each of NAME_assume.jsonl one whose control or addresses depend on data, which must run with that
and one `--assume`. Import seconds are CPU seconds of `warpipe import`. counts.json holds counts derived by hand from the
source; they are compared with the import's. Where measured_DEVICE.csv has the launch, the error of the predicted time is
told in percent of the measured one, from which that of an empty launch is taken off. `--kernels` takes all of these from
another folder. The status is 1 where a kernel did not run or a count differs, and 77 where there is no nvcc, or one that
lacks what a device needs.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
LIMIT_S = 300  # of one run of warpipe

# What files are compiled for that use features of one compute capability alone.
ONLY_FOR = {"gemm_hopper": "90a"}

Run = collections.namedtuple("Run", "status output errors cpu_s")


def find_nvcc():
    places = [shutil.which("nvcc")]
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if variable in os.environ:
            places.append(pathlib.Path(os.environ[variable]) / "bin" / "nvcc")
    places.append("/usr/local/cuda/bin/nvcc")
    return next((str(place) for place in places if place and os.access(place, os.X_OK)), None)


def capability(device):
    """As "80", of a shipped device."""
    path = FOLDER.parents[2] / "latency_tables" / "data" / f"{device}.json"
    found = re.search(r"compute capability (\d+)\.(\d+)", json.loads(path.read_text())["architecture"])
    if not found:
        sys.exit(f"{path}: its architecture names no compute capability; choose another device")
    return found.group(1) + found.group(2)


def architecture(name, device):
    """What `name` is compiled for on the device, or None where it is not for it."""
    wanted = capability(device)
    special = ONLY_FOR.get(name)
    if special is None:
        return f"sm_{wanted}"
    return f"sm_{special}" if special.rstrip("af") == wanted else None


def run(command):
    """Runs it; its CPU seconds are those of this process alone, whatever else runs meanwhile."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(["timeout", str(LIMIT_S), *command], stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
        if process.returncode == 124:
            text += f"took longer than {LIMIT_S} s\n"
        return Run(process.returncode, output.read().decode(errors="replace"), text, usage.ru_utime + usage.ru_stime)


def compile_one(nvcc, name, target, kernels, folder):
    ptx = folder / f"{name}.{target}.ptx"
    if not ptx.exists():
        result = run([nvcc, "-ptx", "-lineinfo", "-std=c++17", f"-arch={target}", kernels / f"{name}.cu", "-o", ptx])
        if result.status != 0:
            sys.exit(f"nvcc did not compile {name}.cu for {target}:\n{result.errors}")
    return ptx


def launches(name, folder=FOLDER):
    """Each launch of the file's kernels, and whether it needs an assumption."""
    for suffix, assumed in (("", False), ("_assume", True)):
        path = folder / f"{name}{suffix}.jsonl"
        for line in path.read_text().splitlines() if path.exists() else ():
            yield json.loads(line), assumed


def said(launch):
    """What tells a launch from others of its kernel, as text."""
    parts = {"block": axes(launch["block"]), "grid": axes(launch["grid"])} | launch.get("arguments", {})
    if launch.get("dynamic_shared_memory"):
        parts["dynamic_shared_memory"] = launch["dynamic_shared_memory"]
    if "after" in launch:
        parts["after"] = launch["after"]
    return " ".join(f"{name}={value}" for name, value in parts.items())


def axes(value):
    return ",".join(map(str, value if isinstance(value, list) else [value]))


def with_data(launch, kernels, folder):
    """The launch with files for the arrays that hold what arrays.py says ("arrays.py")."""
    arrays = launch.get("arrays", {})
    if "arrays.py" not in arrays.values():
        return launch
    sys.path.insert(0, str(kernels.resolve()))
    import numpy
    from arrays import ARRAYS
    sys.path.pop(0)
    held = ARRAYS[launch["entry"].split("<")[0]]
    for name in [name for name, value in arrays.items() if value == "arrays.py"]:
        path = folder / f"{launch['entry']}.{name}.bytes"
        if not path.exists():
            held[name](numpy.random.default_rng(1)).tofile(path)
        arrays = arrays | {name: f"bytes:{path}"}
    return launch | {"arrays": arrays}


def import_options(launch):
    options = ["--entry", launch["entry"], "--block", axes(launch["block"]), "--grid", axes(launch["grid"])]
    for name, value in launch.get("arguments", {}).items():
        options += ["--arg", f"{name}={value}"]
    for name, value in launch.get("arrays", {}).items():
        options += ["--array", f"{name}={value}"]
    if "dynamic_shared_memory" in launch:
        options += ["--dynamic-shared-memory", str(launch["dynamic_shared_memory"])]
    return options


def message(result):
    """The errors of a run without its warnings."""
    lines = [line for line in result.errors.splitlines() if ": warning:" not in line and not line.startswith("nvcc ")]
    return "\n".join(lines) or f"ended with status {result.status} and no message"


def try_launch(warpipe, ptx, device, launch, assumption, folder):
    """A row of the table."""
    row = {"kernel": launch["entry"], "launch": said(launch), "file": ptx.name.split(".")[0], "device": device,
           "error": None}
    read = run([warpipe, "import", ptx, *import_options(launch), *assumption, "--json"])
    row["import_s"] = read.cpu_s
    if read.status != 0:
        return row | {"error": message(read)}, None
    one = folder / f"{ptx.name}.{re.sub('[^a-z0-9]+', '_', launch['entry'])}.{device}.jsonl"
    one.write_text(json.dumps(launch))
    timed = run([warpipe, "launches", ptx, one, "--device", device, *assumption, "--json"])
    found = json.loads(timed.output)["launches"][0] if timed.output.startswith("{") else {"error": None}
    if timed.status != 0 or found["error"]:
        return row | {"error": found["error"] or message(timed)}, None
    return row | {key: found[key] for key in ("time_us", "low_us", "high_us", "limiter")}, json.loads(read.output)


def differing_counts(case, imported, kernels):
    """What differs between a case of counts.json and what the import found, as texts."""
    for op, count in case["executions"].items():
        found = imported["executions"].get(op, 0)
        if found != count:
            yield f"{op} is executed {found:g} times, by hand {count:g}"
    for wanted in case.get("accesses", []):
        lines = (kernels / f"{case['file']}.cu").read_text().splitlines()
        sources = {f"{case['file']}.cu:{i}" for i, line in enumerate(lines, 1) if wanted["text"] in line}
        accesses = [a for a in imported["accesses"] if a["op"].startswith(wanted["op"]) and
                    (pathlib.Path(a["source"] or "").name in sources or a["instruction"].startswith(wanted["text"]))]
        sums = {"executions": sum(a["executions"] for a in accesses)}
        for key in ("segments_of_32_bytes", "conflict_degree"):
            sums[key] = sum(a[key]["sum"] for a in accesses if a.get(key))
        for key, found in sums.items():
            if key in wanted and found != wanted[key]:
                yield f"{wanted['op']} of `{wanted['text']}`: {key} {found:g}, by hand {wanted[key]:g}"


def measured_times(device, folder):
    """Microseconds without the launch, by file, kernel and launch; nothing where nobody measured. A file that has a launch
    of each kernel may lack the column."""
    path = folder / f"measured_{device}.csv"
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        times = {(row["file"], row["kernel"], row.get("launch", "")): float(row["time_us"])
                 for row in csv.DictReader(file) if row["time_us"]}
    empty = times.pop(("empty", "empty", ""))
    return {launch: time - empty for launch, time in times.items()}


def print_errors(rows):
    """The errors of all rows that ran and were measured, and of those with and without assumptions."""
    for title, chosen in (("", rows), (" with what they say", [r for r in rows if not r["assumed"]]),
                          (" with --assume", [r for r in rows if r["assumed"]])):
        for device in sorted({row["device"] for row in chosen}):
            measured = [row for row in chosen if row["device"] == device and "error_percent" in row]
            errors = [abs(row["error_percent"]) for row in measured]
            if errors:
                within = sum(row["low_us"] <= row["measured_us"] <= row["high_us"] for row in measured)
                print(f"error of {len(errors)} launches{title} on {device}: mean {statistics.mean(errors):.1f} %, "
                      f"median {statistics.median(errors):.1f} %, {sum(e <= 20 for e in errors)} within 20 %, "
                      f"worst {max(errors):.0f} %; {within} within their ranges")


def write_errors(path, rows):
    columns = ["file", "kernel", "launch", "device", "assumed", "time_us", "low_us", "high_us", "measured_us",
               "error_percent", "limiter"]
    with open(path, "w", newline="") as file:
        if len({(row["file"], row["kernel"], row["device"]) for row in rows}) == len(rows):
            columns.remove("launch")
        writer = csv.DictWriter(file, columns, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            rounded = {key: f"{row[key]:.4g}" for key in ("time_us", "low_us", "high_us", "measured_us", "error_percent")
                       if key in row}
            writer.writerow(row | rounded | {"assumed": int(row["assumed"])})


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def print_row(row):
    if row["error"]:
        print(f"{row['label']:28} {row['device']:8} {'FAILED':>12}  {row['error'].splitlines()[0]}", flush=True)
    else:
        print(f"{row['label']:28} {row['device']:8} {row['time_us']:9.1f} us  {row['limiter']:24} "
              f"{row['import_s']:7.2f}" + (f"{row['error_percent']:+8.1f} %" if "error_percent" in row else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warpipe", type=pathlib.Path)
    parser.add_argument("--devices", nargs="+", default=["a100", "h100"])
    parser.add_argument("--only", default="", help="kernels or files whose name has this text")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--no-assume", action="store_true", help="leave NAME_assume.jsonl out")
    which.add_argument("--only-assume", action="store_true", help="leave NAME.jsonl out")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the PTX in this folder, and take it from there")
    parser.add_argument("--json", type=pathlib.Path, help="write the rows to this file")
    parser.add_argument("--errors", type=pathlib.Path, help="write predicted and measured times to this CSV file")
    parser.add_argument("--kernels", type=pathlib.Path, default=FOLDER, help="folder of NAME.cu and NAME.jsonl")
    options = parser.parse_args()

    nvcc = find_nvcc()
    if nvcc is None:
        print("skipped: no nvcc on the PATH, in CUDA_PATH or CUDA_HOME; it comes with the CUDA toolkit")
        return SKIPPED
    known = subprocess.run([nvcc, "--list-gpu-arch"], capture_output=True, text=True).stdout
    for device in options.devices:
        if f"compute_{capability(device)}" not in known.split():
            print(f"skipped: {nvcc} does not compile for compute capability {capability(device)} of {device}")
            return SKIPPED

    counts = options.kernels / "counts.json"
    cases = json.loads(counts.read_text())["cases"] if counts.exists() else []
    rows, differences, compared = [], [], 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        kept = options.keep or folder
        kept.mkdir(parents=True, exist_ok=True)
        work = [(name, device, architecture(name, device), launch, assumed)
                for name in sorted(path.stem for path in options.kernels.glob("*.cu")) for device in options.devices
                if architecture(name, device) for launch, assumed in launches(name, options.kernels)
                if options.only in name or options.only in launch["entry"]
                if not (options.no_assume if assumed else options.only_assume)
                if not launch.get("rewritten")]  # its machine code is not the compiler's
        launches_of = collections.Counter((name, device, launch["entry"]) for name, device, _, launch, _ in work)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            targets = sorted({(name, target) for name, _, target, _, _ in work})
            ptx = dict(zip(targets, pool.map(lambda one: compile_one(nvcc, *one, options.kernels, kept), targets)))
        measured = {device: measured_times(device, options.kernels) for device in options.devices}
        print(f"{'kernel':28} {'device':8} {'predicted':>12}  {'limited by':24} import s     error")
        for name, device, target, launch, assumed in work:
            assumption = ["--assume"] if assumed else []
            launch = with_data(launch, options.kernels, folder)
            row, imported = try_launch(options.warpipe, ptx[name, target], device, launch, assumption, folder)
            row["assumed"] = assumed
            repeated = launches_of[name, device, launch["entry"]] > 1
            row["label"] = launch["entry"] + (f" {row['launch']}" if repeated else "")
            times = measured[device]
            time = times.get((name, launch["entry"], row["launch"])) or times.get((name, launch["entry"], ""))
            if not row["error"] and time and time > 0:
                row |= {"measured_us": time, "error_percent": 100 * (row["time_us"] / time - 1)}
            rows.append(row)
            print_row(row)
            for case in cases:
                if imported and case["file"] == name and case["entry"] == launch["entry"]:
                    compared += 1
                    differences += [f"{case['entry']} on {device}: {text}" for text in differing_counts(case, imported,
                                                                                                       options.kernels)]

    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "differences": differences}, indent=1) + "\n")
    if options.errors:
        write_errors(options.errors, rows)
    ran = [row for row in rows if not row["error"]]
    kernels = {(row["file"], row["kernel"]) for row in rows}
    failed = {(row["file"], row["kernel"]) for row in rows if row["error"]}
    print(f"\n{len(ran)} of {len(rows)} ran; of {len(kernels)} kernels {len(kernels) - len(failed)} on all devices")
    if ran:
        seconds = [row["import_s"] for row in ran]
        print(f"import: median {statistics.median(seconds):.2f} s, 95 % within {percentile(seconds, 0.95):.2f} s, "
              f"longest {max(seconds):.2f} s")
    print_errors(ran)
    for row in rows:
        if row["error"]:
            print(f"\n{row['label']} on {row['device']} did not run:\n{row['error']}")
    if cases:
        print(f"\ncounts of {compared} imports compared with those by hand, {len(differences)} differ")
        print("\n".join(differences))
    return 1 if failed or differences else 0


if __name__ == "__main__":
    sys.exit(main())
