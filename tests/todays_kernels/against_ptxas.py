#!/usr/bin/env python3
"""Holds the rules from PTX to machine code against what ptxas makes of the same PTX.

    against_ptxas.py WARPIPE [--without RULE ...] [--csv OUT]

For sm_80, of every kernel of kernels/cuda, and of every fourth launch of this folder that needs no assumption: the
instructions of the PTX, those that `warpipe import` leaves, and those in the .text section of the cubin without the
padding at its end; the loads of 64 and 128 bits from shared memory in both, without those of matrices; the registers
that warpipe estimates, and those that ptxas uses. Instructions are those of the text, not how often they run: where
ptxas unrolls a loop it has more, and so it has for divisions and other functions that PTX has as one instruction. It
needs nvcc and ptxas, and ends with status 77 where they are not there.
"""
import argparse
import csv
import json
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import tempfile

import check

ROOT = check.FOLDER.parent.parent
TARGET = "sm_80"
EVERY = 4  # of the launches of this folder: the first, the fifth, ...
BYTES = 16  # of an instruction
NOP, BRANCH, SHARED_LOAD = 0x918, 0x947, 0x984  # the twelve lowest bits of an instruction
WIDTH = 73  # the bit where an access has its width: 4 means 32 bits, 5 means 64, 6 means 128


def sections(cubin):
    """Name and bytes of each section of an ELF file of 64 bits."""
    (start,) = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<IIQQQQ", cubin, start + i * size) for i in range(count)]
    text = headers[names][4]
    for name, _, _, _, offset, length in headers:
        end = cubin.index(b"\0", text + name)
        yield cubin[text + name:end].decode(), cubin[offset:offset + length]


def instructions_in(code):
    """Of a .text section, as numbers, without the branch to itself and what comes after it."""
    found = [int.from_bytes(code[at:at + BYTES], "little") for at in range(0, len(code), BYTES)]
    while found and found[-1] & 0xFFF == NOP:
        found.pop()
    if found and found[-1] & 0xFFF == BRANCH:
        found.pop()
    return found


def is_wide_load(instruction):
    return instruction & 0xFFF == SHARED_LOAD and instruction >> WIDTH & 7 in (5, 6)


def assembled(ptx, folder):
    """Instructions and registers of each entry, as ptxas has them."""
    cubin = folder / (ptx.stem + ".cubin")
    result = check.run([str(pathlib.Path(check.find_nvcc()).parent / "ptxas"), "-v", f"-arch={TARGET}", ptx, "-o", cubin])
    if result.status != 0:
        sys.exit(f"ptxas did not assemble {ptx}:\n{result.errors}")
    code = {name.removeprefix(".text."): instructions_in(code)
            for name, code in sections(cubin.read_bytes()) if name.startswith(".text.")}
    registers, entry = {}, None
    for line in (result.output + result.errors).splitlines():
        if "Compiling entry function" in line:
            entry = line.split("'")[1]
        elif "Used " in line and entry:
            registers[entry] = int(line.split("Used ")[1].split()[0])
    return code, registers


def shipped_launches():
    """One of each kernel of kernels/cuda: of several the first."""
    seen = set()
    for case in json.loads((ROOT / "tests/kernels/ptx/expected_counts.json").read_text())["cases"]:
        if (case["file"], case["entry"]) not in seen:
            seen.add((case["file"], case["entry"]))
            numbers = {argument["name"]: argument["value"] for argument in case["arguments"] if "value" in argument}
            yield ROOT / f"kernels/cuda/ptx/{TARGET}/{case['file']}.ptx", {**case, "arguments": numbers}


def further_launches(nvcc, folder):
    found = []
    for name in sorted(path.stem for path in check.FOLDER.glob("*.cu") if path.stem not in check.ONLY_FOR):
        found += [(name, launch) for launch, assumed in check.launches(name) if not assumed]
    for name, launch in found[::EVERY]:
        yield check.compile_one(nvcc, name, TARGET, folder), launch


def row_of(options, ptx, launch, made):
    command = [options.warpipe, "import", ptx, "--quiet", "--assume", "--json", *check.import_options(launch)]
    for rule in options.without:
        command += ["--without", rule]
    result = check.run(command)
    if result.status != 0:
        sys.exit(f"{ptx.name}, {launch['entry']}: {check.message(result)}")
    report = json.loads(result.output)
    code, registers = made
    name = report["entry"]
    wide = [access for access in report["accesses"] if re.fullmatch(r"shared\.load\.(64|128)", access["op"])]
    return {"file": ptx.stem.removesuffix(f".{TARGET}"), "kernel": launch["entry"],
            "ptx": report["instructions"],
            "warpipe": report["instructions"] - sum(report["removed"].values()),
            "ptxas": len(code[name]),
            "wide_loads_warpipe": sum(access["instruction"].startswith("ld.") for access in wide),
            "wide_loads_ptxas": sum(map(is_wide_load, code[name])),
            "registers_warpipe": report["registers"],
            "registers_ptxas": registers[name]}


def summary(rows):
    def errors(ours, theirs):
        return [row[ours] - row[theirs] for row in rows]
    counts = [row["warpipe"] / row["ptxas"] - 1 for row in rows]
    registers = errors("registers_warpipe", "registers_ptxas")
    before = [row["ptx"] / row["ptxas"] - 1 for row in rows]
    return (f"{len(rows)} kernels; instructions against ptxas: median {statistics.median(counts):+.0%}, "
            f"mean of the absolute {statistics.mean(map(abs, counts)):.0%} "
            f"(the PTX itself: {statistics.median(before):+.0%}, {statistics.mean(map(abs, before)):.0%}); "
            f"registers: off by {statistics.mean(map(abs, registers)):.1f}, on average {statistics.mean(registers):+.1f}, "
            f"from {min(registers):+d} to {max(registers):+d}; as many wide shared loads in "
            f"{sum(row['wide_loads_warpipe'] == row['wide_loads_ptxas'] for row in rows)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("warpipe")
    parser.add_argument("--without", action="append", default=[], metavar="RULE")
    parser.add_argument("--csv", metavar="OUT", default=check.FOLDER / "against_ptxas.csv")
    options = parser.parse_args()
    nvcc = check.find_nvcc()
    if not nvcc:
        print("no nvcc was found: nothing was compared")
        return check.SKIPPED
    rows = {"of kernels/cuda": [], "further": []}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        made = {}
        for part, launches in (("of kernels/cuda", shipped_launches()), ("further", further_launches(nvcc, folder))):
            for ptx, launch in launches:
                if ptx not in made:
                    made[ptx] = assembled(ptx, folder)
                rows[part].append(row_of(options, ptx, launch, made[ptx]))
    with open(options.csv, "w", newline="") as out:
        writer = csv.DictWriter(out, rows["further"][0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows["of kernels/cuda"] + rows["further"])
    for part, of_part in rows.items():
        print(f"{part}: {summary(of_part)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
