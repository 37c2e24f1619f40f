#!/usr/bin/env python3
"""Compares the events of the worked example in docs/model.md with those that the program simulates.

usage: tests/readme/check_model_example.py BUILD_BIN_FOLDER
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXAMPLE = os.path.join(ROOT, "docs", "model_example")
WARPS = [(0, 0), (0, 1), (1, 0), (1, 1)]  # group and warp, by column


def shown():
    """By group and warp: the instruction, its issue and its completion, in the order of the page."""
    with open(os.path.join(ROOT, "docs", "model.md"), encoding="utf-8") as file:
        table = re.search(r"\n    instruction +group 0.*?\n\n", file.read(), re.DOTALL).group(0).strip("\n").splitlines()
    starts = [match.start() for match in re.finditer(r"group", table[0])]
    events = {warp: [] for warp in WARPS}
    for row in table[1:]:
        names = row[:starts[0]].strip().split(", ")
        for column, start in enumerate(starts):
            cell = row[start:(starts + [None])[column + 1]].strip()
            if cell:
                issue, completion = map(float, cell.split(":"))
                events[WARPS[column]].append((names[WARPS[column][1] % len(names)], issue, completion))
    return events


def simulated(folder):
    with tempfile.TemporaryDirectory() as place:
        trace = os.path.join(place, "trace.json")
        subprocess.run([os.path.join(folder, "warpipe"), "simulate", os.path.join(EXAMPLE, "kernel.json"), "--device",
                        os.path.join(EXAMPLE, "device.json"), "--range", "off", "--trace", trace],
                       stdout=subprocess.PIPE, check=True)
        with open(trace, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
    rows = {each["tid"]: each["args"]["name"] for each in events if each.get("name") == "thread_name" and each["pid"] == 1}
    found = {warp: [] for warp in WARPS}
    for each in events:
        if "lambda" in each.get("args", {}):
            warp = int(re.search(r"warp (\d+)", rows[each["tid"]]).group(1))
            found[each["args"]["group"], warp].append((each["name"], each["ts"], each["args"]["ended"]))
    return {warp: sorted(events, key=lambda event: event[1]) for warp, events in found.items()}


def main():
    page, program = shown(), simulated(sys.argv[1])
    for warp in WARPS:
        if page[warp] != program[warp]:
            sys.exit(f"docs/model.md, group {warp[0]}, warp {warp[1]}: shows {page[warp]}, simulated are {program[warp]}")
    print(sum(map(len, page.values())), "events")


main()
