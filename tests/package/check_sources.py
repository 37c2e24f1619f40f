#!/usr/bin/env python3
"""Checks that every source of the product compiles on its own.

CI builds several sources as one translation unit, where one source can lean on the includes of another. This compiles
each of them alone, without writing an object.

usage: check_sources.py BUILD   a build folder with a compile_commands.json of plain (not unity) translation units
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRODUCT = ("idg", "kernels", "latency_tables", "simulator")


def is_of_product(entry):
    path = pathlib.Path(entry["file"])
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PRODUCT


def without_outputs(command):
    """The compiler's command line, less the object and the dependency file that it would write."""
    words = iter(shlex.split(command))
    return [word for word in words if word not in ("-c", "-MD") and not (word in ("-o", "-MT", "-MF") and next(words))]


def error_of(entry):
    command = without_outputs(entry["command"]) + ["-fsyntax-only"]
    run = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return run.stderr if run.returncode != 0 else ""


def main(build):
    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text()) if is_of_product(entry)]
    if len(entries) < 50:
        sys.exit(f"{build}: found {len(entries)} sources of the product; is this a plain build folder?")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [error for error in pool.map(error_of, entries) if error]
    print(*errors, sep="\n", end="")
    print(f"{len(entries) - len(errors)} of {len(entries)} sources compile on their own")
    return 1 if errors else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1])))
