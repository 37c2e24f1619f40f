#!/usr/bin/env python3
"""Holds the order of a library's rooms: a source includes headers of its own room and of those before it, never of one behind.

usage: tests/structure/check_rooms.py [SOURCES ROOM...]     without arguments all that stand in ROOMS
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# By the folder of the sources: its rooms, each of which may use those before it.
ROOMS = {
    "kernels/isa/src": ["program", "flow", "symbolic", "lanes", "survey", "unknown", "kernel"],
}
# Public headers lie together, where users include them. Those of a room behind the first:
PUBLIC = {
    "warpipe/isa/control_flow.hpp": "flow", "warpipe/isa/dataflow.hpp": "flow", "warpipe/isa/issue_plan.hpp": "flow",
    "warpipe/isa/wait_counters.hpp": "flow", "warpipe/isa/coverage.hpp": "flow",
    "warpipe/isa/address_parameters.hpp": "flow", "warpipe/isa/float_parameters.hpp": "flow",
    "warpipe/isa/recorded_loads.hpp": "flow", "warpipe/isa/parameter_block.hpp": "lanes",
    "warpipe/isa/make_kernel.hpp": "kernel", "warpipe/isa/import_texts.hpp": "kernel",
}


def includes(path):
    """The number and the header of each line that includes one of the project."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := re.match(r'#include "(.+)"', line):
            yield number, found[1]


def violations(sources, rooms):
    root = pathlib.Path(sources)
    for path in sorted(root.rglob("*.?pp")):
        room = path.relative_to(root).parts[0]
        if room not in rooms:
            if path.parent != root:
                yield f"{path}: {room} is none of the rooms {', '.join(rooms)}"
            continue
        for number, header in includes(path):
            other = PUBLIC.get(header, header.split("/")[0])
            if other in rooms and rooms.index(other) > rooms.index(room):
                yield f"{path}:{number}: {room} includes {header} of {other}, which stands behind it"


def main(arguments):
    rooms = {arguments[0]: arguments[1:]} if arguments else {str(ROOT / path): order for path, order in ROOMS.items()}
    found = [text for sources, order in rooms.items() for text in violations(sources, order)]
    print("\n".join(found) or f"{sum(len(order) for order in rooms.values())} rooms: no include leads to one behind")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
