#!/usr/bin/env python3
"""Writes docs/devices.md from the device files, their data sheets and the errors on measured rows.

devices_page.py          writes the page
devices_page.py --check  compares it with what is there
"""
import csv
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "latency_tables"
PAGE = ROOT / "docs" / "devices.md"
ERRORS = ROOT / "tests" / "validation" / "errors.csv"  # set,device,kernel,rows,mean_abs_percent,bias_percent
KINDS = ["measured", "fitted", "documented", "published", "simulator", "derived", "carried", "estimated"]
BESIDE_ROWS = ["compute_units", "clock_hz", "group_launch_latency", "group_dispatch_interval", "launch_begin_s",
               "launch_end_s", "launch_overhead_s", "launch_interval_s", "launch_gap_s", "issue/warp_interval",
               "memory/store_latency_s"]
RATES = ["read_bytes_per_s", "write_bytes_per_s", "mixed_bytes_per_s"]


class Device:
    """A device file with its data sheet, where it has one."""

    def __init__(self, path):
        self.file = json.loads(path.read_text())
        self.name = self.file["name"]
        sheet = TABLES / "data_sheets" / path.name
        self.sheet = json.loads(sheet.read_text()) if sheet.exists() else None
        self.facts = {}
        for facts in self.sheet["facts"] if self.sheet else []:
            for place in facts["values"]:
                self.facts[place.lstrip("/")] = facts["source"]["kind"]

    @property
    def levels(self):
        return {level["name"]: level for level in self.file.get("memory", {}).get("levels", [])}

    @property
    def sibling(self):
        return self.sheet["sibling"] if self.sheet else ""

    def number(self, place):
        """The number at a place of the file, or None."""
        value = self.file
        for key in place.split("/"):
            if isinstance(value, list):
                value = {element["name"]: element for element in value}
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def kind(self, place):
        """How far the number at a place can be trusted; empty where the file does not say."""
        if self.sheet:
            return self.facts.get(place) or ("derived" if self.follows(place) else "carried")
        if place.startswith("memory/levels/"):
            return self.levels[place.split("/")[2]].get("source", {}).get("kind", "")
        if place.startswith("ops/"):
            return self.file["ops"][place.split("/")[1]].get("source", {}).get("kind", "")
        return self.file.get("sources", {}).get(place.replace("/", "."), {}).get("kind", "")

    def follows(self, place):
        """Whether `derive` has computed a rate from a fact of the data sheet."""
        row, _, key = place.rpartition("/")
        last = f"memory/levels/{list(self.levels)[-1]}"
        given = "pin_bytes_per_s" if row == last else "bytes"
        return key in RATES and row in (last, "memory/levels/l2") and f"{row}/{given}" in self.facts

    def places(self):
        """The places of all numbers that have, or should have, a source."""
        places = [place for place in BESIDE_ROWS if self.number(place) is not None]
        for name, level in self.levels.items():
            places += [f"memory/levels/{name}/{key}" for key, value in level.items() if is_number(value)]
        for name, op in self.file["ops"].items():
            places += [f"ops/{name}/{key}" for key, value in op.items() if is_number(value)]
            places += [f"ops/{name}/{key}/{part}" for key in ("per_conflict", "per_transaction")
                       for part in op.get(key, {})]
        return places


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]


def shown(value, unit, digits=4):
    return "" if value is None else f"{value / unit:.{digits}g}"


def last_level(device):
    return f"memory/levels/{list(device.levels)[-1]}" if device.levels else "memory"


def summary(device):
    memory = last_level(device)
    l2 = next((f"memory/levels/{name}" for name in ("l2_far", "l2") if name in device.levels), memory)
    dies = device.file.get("dies", 1) if device.levels.get(l2.split("/")[-1], {}).get("scope") == "die" else 1
    size = device.number(f"{l2}/bytes")
    return [f"`{device.name}`", device.file.get("title", ""), device.file.get("architecture", ""),
            device.file["compute_units"], shown(device.file["clock_hz"], 1e6),
            shown(device.number(f"{memory}/pin_bytes_per_s"), 1e9), shown(device.number(f"{memory}/read_bytes_per_s"), 1e9),
            shown(size and size * dies, 2**20), f"`{device.sibling}`" if device.sibling else ""]


def counts(device):
    kinds = [device.kind(place) for place in device.places()]
    row = [kinds.count(kind) or "" for kind in KINDS]
    return [f"`{device.name}`", *row, kinds.count("") or ""]


def key_numbers(device):
    def cell(place, unit, digits=4):
        value = device.number(place)
        return "" if value is None else f"{shown(value, unit, digits)} {device.kind(place)}".rstrip()

    memory, levels = last_level(device), list(device.levels)
    first = f"memory/levels/{levels[0]}/latency" if levels else ""
    return [f"`{device.name}`", cell(f"{memory}/read_bytes_per_s", 1e9), cell(first, 1) if first else "",
            cell("memory/levels/l2/latency_s", 1e-9, 3), cell(f"{memory}/latency_s", 1e-9, 3),
            cell("group_launch_latency", 1), cell("memory/store_latency_s", 1e-9, 3),
            cell("group_dispatch_interval", 1, 3), cell("launch_overhead_s", 1e-6, 3)]


def errors():
    """Of each device and set: rows, mean |error| and bias, weighted by rows."""
    sums = {}
    with open(ERRORS, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            total = sums.setdefault((row["device"], row["set"]), [0, 0.0, 0.0])
            rows = int(row["rows"])
            total[0] += rows
            total[1] += rows * float(row["mean_abs_percent"])
            total[2] += rows * float(row["bias_percent"])
    return [[f"`{device}`", name, rows, f"{error / rows:.1f} %", f"{bias / rows:+.1f} %"]
            for (device, name), (rows, error, bias) in sorted(sums.items())]


def page(devices):
    lines = ["# The devices", "",
             "What ships, where its numbers come from and how far they can be trusted. This page is made from the device",
             "files by `latency_tables/devices_page.py`; [SOURCES.md](../latency_tables/data/SOURCES.md) has the sources.", "",
             "A device with a sibling was made by `warpipe derive` from the sibling's table and",
             "[what is known of it](formats.md#data-sheet): its data sheet, pointer chases, a few measured rates. It has not",
             "been compared with measured times unless it has a row under [errors](#errors). The read rate is the one that",
             "can be reached; where it is derived, it is the same part of the pin rate as on the sibling.", "",
             "## All of them", ""]
    lines += table(["device", "title", "architecture", "units", "MHz", "pin GB/s", "read GB/s", "L2 MiB", "sibling"],
                   [summary(device) for device in devices])
    lines += ["", "## Key numbers", "",
              "Each with the kind of its source; without one where the file does not say. Of a device without a sibling the",
              "kind is that of the row, which is the weakest of its numbers.", ""]
    lines += table(["device", "read GB/s", "nearest cache, cycles", "L2, ns", "memory, ns", "turnover of a group, cycles",
                    "store, ns", "dispatch, cycles", "launch, us"], [key_numbers(device) for device in devices])
    lines += ["", "## Numbers by kind", "",
              "All numbers of rows, of levels and beside them. [What the kinds mean](formats.md#sources).", ""]
    lines += table(["device", *KINDS, "not said"], [counts(device) for device in devices])
    lines += ["", "## Errors", ""]
    if ERRORS.exists():
        lines += ["Of predicted times, on whatever measured rows there are; [accuracy.md](accuracy.md) says what they are.", ""]
        lines += table(["device", "set", "rows", "mean error", "bias"], errors())
    else:
        lines += ["[accuracy.md](accuracy.md) has the errors of the devices that were compared with measured times."]
    return "\n".join(lines) + "\n"


def main(arguments):
    devices = [Device(path) for path in sorted((TABLES / "data").glob("*.json"))]
    text = page(devices)
    if "--check" not in arguments:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/devices.md is not what the device files make; run latency_tables/devices_page.py")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
