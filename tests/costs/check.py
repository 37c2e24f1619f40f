#!/usr/bin/env python3
"""Compares how many machine instructions commands take with committed figures.

usage: check.py WARPIPE [--update]

A command that takes over a tenth more, or less, than costs.csv says fails the test: a slow-down shows when it lands,
and so does a gain, which then is committed. Counts are valgrind's (callgrind, instructions read), of the build of the
preset `ci` by g++ 12 on x86-64, and do not depend on what else the machine does. --update writes costs.csv anew.

Status 77, skipped, where valgrind is not installed or the machine is another one.
"""

import csv
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
COSTS = HERE / "costs.csv"
TOLERANCE = 0.1
SKIPPED = 77


def chain(instructions):
    """A kernel file: instructions one after the other."""
    body = [{"id": f"i{i}", "op": "ffma", "after": [f"i{i - 1}"] if i else []} for i in range(instructions)]
    launch = {"group_size": 32, "groups": 1, "concurrent_groups": 1}
    return json.dumps({"format": "warpipe-kernel", "version": 1, "name": "chain", "launch": launch, "body": body})


def instructions_of(warpipe, arguments):
    """Counts the instructions of a command. In place of CHAIN it gets a file of 20,000 instructions.

    Raises:
      SystemExit: the command fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        counts, long = Path(folder) / "counts", Path(folder) / "chain.json"
        long.write_text(chain(20_000))
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", warpipe, *arguments.replace("CHAIN", str(long)).split()]
        run = subprocess.run(command, cwd=ROOT, env=os.environ | {"WARPIPE_CACHE": "off", "WARPIPE_FORM": "ptx"}, capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(f"{arguments}: status {run.returncode}\n{run.stderr}")
        totals = [line for line in counts.read_text().splitlines() if line.startswith(("summary:", "totals:"))]
        return int(totals[0].split()[1])


def main(arguments):
    warpipe = str(Path(arguments[0]).resolve())
    if shutil.which("valgrind") is None or platform.machine() != "x86_64":
        return SKIPPED
    with COSTS.open() as file:
        rows = list(csv.DictReader(file))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda row: instructions_of(warpipe, row["command"]) / 1e6, rows))
    status = 0
    for row, millions in zip(rows, found):
        said = float(row["million_instructions"] or "nan")
        change = millions / said - 1
        off = not abs(change) <= TOLERANCE
        status = status or int(off)
        print(f"{'OFF ' if off else 'same'} {millions:9.1f} {said:9.1f} {100 * change:+6.1f} %  {row['command']}")
        row["million_instructions"] = f"{millions:.1f}"
    if "--update" in arguments:
        with COSTS.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        return 0
    if status:
        print("The second column is committed in tests/costs/costs.csv. Where the change is meant, check.py WARPIPE --update"
              " writes it anew.")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
