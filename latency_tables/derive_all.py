#!/usr/bin/env python3
"""Makes the devices of latency_tables/data_sheets with `warpipe derive`, siblings first.

derive_all.py WARPIPE          writes them to latency_tables/data
derive_all.py WARPIPE --check  compares them with what is there, byte for byte
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TABLES = pathlib.Path(__file__).resolve().parent
DATA = TABLES / "data"


def siblings_first(sheets):
    """The names of the data sheets, each after its sibling."""
    ordered = []

    def put(name):
        if name in sheets and name not in ordered:
            put(sheets[name])
            ordered.append(name)

    for name in sorted(sheets):
        put(name)
    return ordered


def derive(warpipe, name, sibling, made):
    """Makes one device from those that are there and those that were made before it."""
    base = made / f"{sibling}.json"
    if not base.exists():
        base = DATA / f"{sibling}.json"
    sheet = TABLES / "data_sheets" / f"{name}.json"
    command = [warpipe, "derive", base, "--data-sheet", sheet, "-o", made / f"{name}.json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main(arguments):
    warpipe, check = arguments[0], "--check" in arguments
    sheets = {path.stem: json.loads(path.read_text())["sibling"] for path in (TABLES / "data_sheets").glob("*.json")}
    stale = []
    with tempfile.TemporaryDirectory() as directory:
        made = pathlib.Path(directory)
        for name in siblings_first(sheets):
            derive(warpipe, name, sheets[name], made)
            text, shipped = (made / f"{name}.json").read_bytes(), DATA / f"{name}.json"
            if check and not (shipped.exists() and shipped.read_bytes() == text):
                stale.append(name)
            elif not check:
                shipped.write_bytes(text)
    for name in stale:
        print(f"latency_tables/data/{name}.json is not what its data sheet makes; run latency_tables/derive_all.py")
    return 1 if stale or not sheets else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
