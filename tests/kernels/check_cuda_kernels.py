#!/usr/bin/env python3
"""Holds the PTX in kernels/cuda/ptx against its sources.

    check_cuda_kernels.py KERNELS_CUDA EXPECTED_COUNTS

Always: every source has its PTX for every architecture and nothing else is there; a PTX file has the entries of its
source, its folder's target and no path of the machine it was made on; every entry has expected counts with one value an
argument, and one row an architecture in ptxas.csv. Where the nvcc and the ptxas are at hand that made the files:
running compile.sh and ptxas.sh again gives the same bytes.
"""
import csv
import filecmp
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def source_entries(source):
    return re.findall(r'extern "C" __global__ void (\w+)\(', source.read_text())


def ptx_entries(text):
    """The names of the entries and how many parameters each has."""
    entries = re.findall(r"\.visible \.entry (\w+)\(([^)]*)\)", text)
    return {name: parameters.count(".param") for name, parameters in entries}


def check_files(folder, architectures):
    names = sorted(f"{source.stem}.ptx" for source in folder.glob("*.cu"))
    if not names:
        yield f"{folder}: has no sources"
    for architecture in architectures:
        found = sorted(ptx.name for ptx in architecture.glob("*"))
        if found != names:
            yield f"{architecture}: has {found}, its sources want {names}; run kernels/cuda/compile.sh"


def check_ptx(folder, ptx):
    text = ptx.read_text()
    entries = source_entries(folder / f"{ptx.stem}.cu")
    if list(ptx_entries(text)) != entries:
        yield f"{ptx}: entries {list(ptx_entries(text))}, the source has {entries}; run kernels/cuda/compile.sh"
    if not re.search(rf"^\.target {ptx.parent.name}\b", text, re.M):
        yield f"{ptx}: its .target is not {ptx.parent.name}"
    files = re.findall(r'^\s*\.file\s+\d+\s+"([^"]*)"', text, re.M)
    if f"kernels/cuda/{ptx.stem}.cu" not in files:
        yield f"{ptx}: no .file line names its source; found {files}"
    for path in files:
        if path.startswith("/"):
            yield f'{ptx}: "{path}" is a path of the machine that made it'


def check_counts(architecture, counts):
    cases = json.loads(counts.read_text())["cases"]
    for ptx in sorted(architecture.glob("*.ptx")):
        for entry, parameters in ptx_entries(ptx.read_text()).items():
            mine = [case for case in cases if (case["file"], case["entry"]) == (ptx.stem, entry)]
            if not mine:
                yield f"{counts}: no case for {entry}"
            for case in mine:
                if len(case["arguments"]) != parameters:
                    yield f'{counts}: {case["name"]}: {len(case["arguments"])} arguments; {entry} has {parameters}'


def check_resources(folder, architectures):
    with open(folder / "ptxas.csv", newline="") as file:
        rows = sorted((row["architecture"], row["file"], row["kernel"]) for row in csv.DictReader(file))
    wanted = sorted(
        (architecture.name, ptx.stem, entry)
        for architecture in architectures
        for ptx in architecture.iterdir()
        for entry in ptx_entries(ptx.read_text())
    )
    for row in sorted(set(rows) ^ set(wanted)):
        yield f"ptxas.csv: {row} is there or in the PTX, but not in both; run kernels/cuda/ptxas.sh"
    if len(rows) != len(set(rows)):
        yield "ptxas.csv: names a kernel twice"


def tool(variable, name):
    """The path of one of CUDA's tools, none where it is not at hand."""
    if variable in os.environ:
        return shutil.which(os.environ[variable])
    return shutil.which(name) or shutil.which(f"/usr/local/cuda/bin/{name}")


def same_version(tool_path, made_by):
    """Whether the tool is the release that made a file, of which made_by is a text that names it."""
    if tool_path is None:
        return False
    printed = subprocess.run([tool_path, "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"V(\d[\d.]*)$", printed, re.M).group(1) in made_by


def check_recompiled(folder, architectures):
    nvcc = tool("NVCC", "nvcc")
    if not same_version(nvcc, next(architectures[0].iterdir()).read_text()[:400]):
        print("the nvcc that made the PTX is not at hand: not compiled again")
        return
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([folder / "compile.sh", made], check=True, env=os.environ | {"NVCC": nvcc})
        for architecture in architectures:
            names = [ptx.name for ptx in architecture.iterdir()]
            _, differ, missing = filecmp.cmpfiles(architecture, f"{made}/{architecture.name}", names, shallow=False)
            for name in differ + missing:
                yield f"{architecture}/{name}: compiling again gives something else; run kernels/cuda/compile.sh"


def check_assembled_again(folder):
    ptxas = tool("PTXAS", "ptxas")
    if not same_version(ptxas, (folder / "ptxas.csv").read_text()):
        print("the ptxas that made ptxas.csv is not at hand: not assembled again")
        return
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([folder / "ptxas.sh", f"{made}/ptxas.csv"], check=True, env=os.environ | {"PTXAS": ptxas})
        if not filecmp.cmp(folder / "ptxas.csv", f"{made}/ptxas.csv", shallow=False):
            yield "ptxas.csv: assembling again gives something else; run kernels/cuda/ptxas.sh"


def main():
    folder, counts = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    asked = re.search(r'^architectures="(.*)"', (folder / "compile.sh").read_text(), re.M).group(1).split()
    architectures = [folder / "ptx" / architecture for architecture in asked]
    problems = list(check_files(folder, architectures))
    if not problems:
        for architecture in architectures:
            for ptx in sorted(architecture.iterdir()):
                problems += check_ptx(folder, ptx)
        problems += check_counts(architectures[0], counts)
        problems += check_resources(folder, architectures)
        problems += check_recompiled(folder, architectures)
        problems += check_assembled_again(folder)
    print("\n".join(problems) or f"{len(list(folder.glob('*.cu')))} sources, {len(architectures)} architectures")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
