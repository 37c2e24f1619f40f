#!/usr/bin/env python3
"""Holds that a header that is installed includes none that is not: a user's compiler would not find it.

usage: tests/structure/check_installed.py [FOLDER]     with parts of the product below it; without one, all of them
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("idg", "kernels", "latency_tables", "simulator")


def listed(text, keyword):
    """The files behind a keyword of warpipe_library, up to the next keyword."""
    return [name for block in re.findall(rf"^  {keyword}\n((?:    .+\n)+)", text, re.MULTILINE) for name in block.split()]


def headers(folders):
    """The headers that are installed, and the names by which those that are not are included."""
    installed, internal = [], set()
    for folder in folders:
        for lists in sorted(folder.rglob("CMakeLists.txt")):
            text = lists.read_text()
            installed += [lists.parent / name for name in listed(text, "HEADERS")]
            internal |= {name.removeprefix("include/") for name in listed(text, "INTERNAL")}
    return installed, internal


def main(arguments):
    installed, internal = headers([pathlib.Path(arguments[0])] if arguments else [ROOT / part for part in PARTS])
    if not installed:
        sys.exit("found no library with HEADERS")
    found = [f"{path}:{number}: is installed, and includes {name[1]}, which is not"
             for path in installed for number, line in enumerate(path.read_text().splitlines(), 1)
             if (name := re.match(r'#include "(.+)"', line)) and name[1] in internal]
    print("\n".join(found) or f"{len(installed)} headers are installed: none includes one of the {len(internal)} that are not")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
