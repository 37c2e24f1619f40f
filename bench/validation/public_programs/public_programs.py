#!/usr/bin/env python3
"""Runs built programs by `warpipe run` and writes how each of them ended.

    public_programs.py WARPIPE COMMANDS OUTPUT.csv --folder FOLDER [--device h100] [--seconds 60] [--jobs 1]
        [--logs DIR]

Each line of COMMANDS is a folder below FOLDER, a tab and a command, and where its repeats were lowered a tab and the
command as the program's makers run it. Programs run in the order of the file, in their folders; a folder without the
program is passed over. A row is written as each ends, and programs that have a row are passed over: the script goes on
where it was stopped. --table prints what the rows come to, and runs nothing.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import tempfile
import time

COLUMNS = ["program", "arguments", "as_made", "outcome", "check", "cpu_s", "launches", "kernels", "lane_instructions",
           "reason"]
FAILS = re.compile(r"\bfail(s|ed|ure)?\b(?!\s*[:=]\s*(0|no)\b)|\bmismatch|\bincorrect|\bwrong\b|\bnot match|do(es)? not agree|"
                   r"\berrors? at\b|\bnot correct|unsuccessful|\binvalid result", re.I)
PASSES = re.compile(r"\bpass(es|ed)?\b|\bsuccess(ful|fully)?\b|\bcorrect(ly)?\b|\bverified\b|\bresults? match|"
                    r"(errors?|mismatches|failures)\s*[:=]\s*0(\.0*)?\b(?!\.)|\bok\b", re.I)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warpipe", type=pathlib.Path)
    parser.add_argument("commands", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--device", default="h100")
    parser.add_argument("--seconds", type=int, default=60, help="CPU seconds of a program")
    parser.add_argument("--wall", type=int, default=1200, help="seconds of a program by the clock")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--logs", type=pathlib.Path, help="a folder for what programs print")
    parser.add_argument("--table", action="store_true")
    return parser.parse_args()


def run(options, program, command, logs):
    """Status, CPU seconds, and the result; standard output and errors are in `logs`."""
    result = logs / "result.json"

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (options.seconds, options.seconds + 5))

    with open(logs / "out", "wb") as out, open(logs / "err", "wb") as err:
        process = subprocess.Popen([options.warpipe.resolve(), "run", "--device", options.device, f"--json={result}", "--",
                                    *shlex.split(command)], cwd=options.folder / program, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, preexec_fn=limited, start_new_session=True)
        begin, ended = time.monotonic(), 0
        while not ended:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if time.monotonic() - begin > options.wall:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.05)
        process.returncode = os.waitstatus_to_exitcode(status)
    found = json.loads(result.read_text()) if result.exists() and result.stat().st_size else None
    return process.returncode, usage.ru_utime + usage.ru_stime, found


def without_places(text):
    """A reason without what differs from program to program: lines, addresses, threads."""
    text = re.sub(r"^.*? at image_\d+\.\w+: line \d+( \([^)]*\))?: ", "", text)
    text = re.sub(r"^image_\d+\.\w+: line \d+: ", "", text)
    text = re.sub(r"0x[0-9a-f]+", "ADDRESS", text)
    return re.sub(r", in thread .*", "", text)


def judge(status, seconds, limit, launches, out, err):
    """Outcome and reason."""
    warnings = [line.split(": ", 2)[2] for line in err.splitlines() if re.match("warpipe: (warning|error): ", line)]
    said = [line for line in [*out.splitlines(), *err.splitlines()] if line.strip() and "warpipe: " not in line]
    last = (said or [""])[-1][:150]
    for line in warnings:
        if found := re.search(r"the program calls (\w+), which", line):
            return "refused call", found[1]
    if status < 0:
        return "too long", "by the clock"
    if "was killed: CPU time limit exceeded" in err or (status != 0 and seconds > limit - 2):  # waits take some
        return "too long", f"more than {limit} CPU seconds"
    if launches == 0:
        return "no launch", last
    for line in warnings:
        if found := re.search(r"is not executed, and what memory holds behind it is wrong: (.*)", line):
            return "refused instruction", without_places(found[1])
    faults = r"outside of memory|no multiple of|memory, which has|wait for|waits for|ends in an error"
    for line in warnings:
        if re.search(faults, line) and "it goes on" not in line:
            return "fault", without_places(line)
    if found := re.search(r"was killed: ([^;]*)", err):
        return "crash", found[1]
    return ("ended", "") if status == 0 else ("ended badly", last)


def row_of(options, program, command, as_made):
    with tempfile.TemporaryDirectory() as temporary:
        logs = pathlib.Path(temporary)
        if options.logs:
            logs = options.logs.resolve() / program
            logs.mkdir(parents=True, exist_ok=True)
            (logs / "result.json").unlink(missing_ok=True)
        status, seconds, result = run(options, program, command, logs)
        out, err = ((logs / name).read_text(errors="replace") for name in ("out", "err"))
    kernels = result["kernels"] if result else []
    launches = sum(row["launches"] for row in kernels)
    outcome, reason = judge(status, seconds, options.seconds, launches, out, err)
    own = out + "\n".join(line for line in err.splitlines() if not line.startswith("warpipe"))
    check = "none" if outcome != "ended" else "fails" if FAILS.search(own) else "passes" if PASSES.search(own) else "none"
    words = shlex.split(command)
    return {"program": program, "arguments": shlex.join(words[1:]),
            "as_made": shlex.join(shlex.split(as_made)[1:]), "outcome": outcome, "check": check,
            "cpu_s": f"{seconds:.1f}", "launches": launches, "kernels": len(kernels),
            "lane_instructions": sum(row["lane_instructions"] for row in kernels), "reason": reason}


def table(rows):
    outcomes = collections.Counter(row["outcome"] for row in rows)
    checks = collections.Counter(row["check"] for row in rows if row["outcome"] == "ended")
    print("| outcome | programs |\n| --- | --- |")
    for outcome, count in outcomes.most_common():
        said = f": own check passes {checks['passes']}, fails {checks['fails']}, none {checks['none']}"
        print(f"| {outcome}{said if outcome == 'ended' else ''} | {count} |")
    print(f"| all | {len(rows)} |")
    for row in rows:
        if row["outcome"] not in ("ended", "too long"):
            print(f"{row['program']} {row['outcome']}: {row['reason']}")


def main():
    options = arguments()
    rows = list(csv.DictReader(open(options.output))) if options.output.exists() else []
    if options.table:
        return table(rows)
    known = {row["program"] for row in rows}
    commands = [(line.split("\t") + [""])[:3] for line in options.commands.read_text().splitlines()]
    left = [(program, command, as_made) for program, command, as_made in commands
            if program not in known and os.access(options.folder / program / shlex.split(command)[0], os.X_OK)]
    with open(options.output, "a", newline="") as output, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        writer = csv.DictWriter(output, COLUMNS, lineterminator="\n")
        if not rows:
            writer.writeheader()
        for done in concurrent.futures.as_completed([pool.submit(row_of, options, *words) for words in left]):
            row = done.result()
            print(row["program"], row["outcome"], row["check"], row["cpu_s"], row["reason"], flush=True)
            writer.writerow(row)
            output.flush()


if __name__ == "__main__":
    main()
