#!/usr/bin/env python3
"""Checks that every source of the product, and every header of it, compiles on its own.

CI builds several sources as one translation unit, where one source can lean on the includes of another. This compiles
each of them alone, without writing an object. A header that a source includes first is compiled on its own with it; the
others are compiled as if they were sources.

usage: check_sources.py BUILD [--since COMMIT]

BUILD is a build folder with a compile_commands.json of plain (not unity) translation units. With --since only what has
changed since that commit is compiled, and what includes it, directly or not; everything where git does not know the
commit, or where how sources are compiled has changed.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
# g++ compiles faster by a seventh where it does not collect the garbage of its first gigabyte.
CHECK_ONLY = ["-fsyntax-only", "--param", "ggc-min-heapsize=1000000"]
PRODUCT = ("idg", "kernels", "latency_tables", "simulator")
HOW_ALL_COMPILE = "cmake/WarpipeTargets.cmake"


def is_of_product(entry):
    path = pathlib.Path(entry["file"])
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PRODUCT


def without_outputs(command):
    """The compiler's command line, less the object and the dependency file that it would write."""
    words = iter(shlex.split(command))
    return [word for word in words if word not in ("-c", "-MD") and not (word in ("-o", "-MT", "-MF") and next(words))]


def first_header(entry):
    """The header of this project that a source includes before all others; None where it begins with another."""
    source = pathlib.Path(entry["file"])
    found = re.search(r'#include "(.+)"|#include <', source.read_text())
    if not found or not found.group(1):
        return None
    folders = [source.parent, *(pathlib.Path(word[2:]) for word in shlex.split(entry["command"]) if word[:2] == "-I")]
    paths = (folder / found.group(1) for folder in folders)
    return next((path.resolve() for path in paths if path.exists()), None)


def headers_of(entries):
    """The headers that no source includes first, each with the entry of the source that lies nearest."""
    first = {first_header(entry) for entry in entries}
    listed = subprocess.run(["git", "ls-files", *(f"{part}/**.hpp" for part in PRODUCT)], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split()
    for header in map(ROOT.joinpath, listed):
        # The page in a browser is compiled by a build of its own.
        if header not in first and not header.is_relative_to(ROOT / "simulator/web"):
            nearest = max(entries, key=lambda entry: len(os.path.commonpath([header, entry["file"]])))
            yield header, nearest


def git(*words):
    """The lines that git prints; None where it fails."""
    run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return run.stdout.splitlines() if run.returncode == 0 else None


def changed_since(commit):
    """Files of this project that are not what they were at a commit; None: all may be."""
    changed, new = git("diff", "--name-only", commit, "--"), git("ls-files", "--others", "--exclude-standard")
    if changed is None or new is None or HOW_ALL_COMPILE in changed:
        return None
    return {ROOT / name for name in changed + new}


def with_includers(changed):
    """Files that changed and all that include them, by the ends of the paths that they include."""
    files = [ROOT / name for name in git("ls-files", "*.cpp", "*.hpp")]
    includers = collections.defaultdict(set)
    for file in files:
        for included in re.findall(r'^#include "(.+)"', file.read_text(), re.M) if file.exists() else ():
            includers[included.removeprefix("../")].add(file)
    found, todo = set(), set(changed)
    while todo:
        file = todo.pop()
        found.add(file)
        parts = file.relative_to(ROOT).parts
        ends = ["/".join(parts[i:]) for i in range(len(parts))]
        todo |= {includer for end in ends for includer in includers[end]} - found
    return found


def error_of(command, directory, text=""):
    run = subprocess.run(command, cwd=directory, input=text, capture_output=True, text=True)
    return run.stderr if run.returncode != 0 else ""


def error_of_source(entry):
    return error_of(without_outputs(entry["command"]) + CHECK_ONLY, entry["directory"])


def error_of_header(header, entry):
    command = [word for word in without_outputs(entry["command"]) if word != entry["file"]]
    return error_of(command + [*CHECK_ONLY, "-x", "c++", "-"], entry["directory"], f'#include "{header}"\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since", metavar="COMMIT")
    options = parser.parse_args()
    entries = [entry for entry in json.loads((options.build / "compile_commands.json").read_text())
               if is_of_product(entry)]
    if len(entries) < 50:
        sys.exit(f"{options.build}: found {len(entries)} sources of the product; is this a plain build folder?")
    headers = list(headers_of(entries))
    changed = changed_since(options.since) if options.since else None
    if changed is not None:
        wanted = with_includers(changed)
        entries = [entry for entry in entries if pathlib.Path(entry["file"]) in wanted]
        headers = [(header, entry) for header, entry in headers if header in wanted]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        of_sources = [error for error in pool.map(error_of_source, entries) if error]
        of_headers = [error for error in pool.map(lambda pair: error_of_header(*pair), headers) if error]
    print(*of_sources, *of_headers, sep="\n", end="")
    print(f"{len(entries) - len(of_sources)} of {len(entries)} sources compile on their own, and "
          f"{len(headers) - len(of_headers)} of {len(headers)} headers that no source includes first"
          + (f", of what has changed since {options.since}" if changed is not None else ""))
    return 1 if of_sources or of_headers else 0


if __name__ == "__main__":
    sys.exit(main())
