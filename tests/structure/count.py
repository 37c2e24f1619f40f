#!/usr/bin/env python3
"""Counts what a tree is made of: lines, files, small files, constants, long functions, headers, options, exceptions.

usage: tests/structure/count.py [--root TREE] [FOLDER...]       without FOLDER the parts of the product and tests

A constant is a `constexpr kName`; one in a table is a member of `struct Effort` or `struct Guesses`. A function opens with a
brace behind its parameters, at the start of a line or as a member of a class; it is long beyond 35 lines. Names of options
are told from their spelling in the program's tables. `throws` lists the types that some code throws.
"""
import argparse
import pathlib
import re
import subprocess

SMALL, LONG = 30, 35
OPENS = re.compile(r"^(?:  )?(?!\s*(?:if|for|while|switch|else|do|namespace|struct|class|enum|return)\b)[\w:<>,&*~\[\] ]+\(.*\{\s*$|^.*\)(?: const)?(?: override)?(?: noexcept)? \{\s*$")


def sources(root, folder):
    listed = subprocess.run(["git", "-C", str(root), "ls-files", folder], capture_output=True, text=True, check=True)
    return [root / name for name in listed.stdout.splitlines() if name.endswith((".cpp", ".hpp"))]


def long_functions(lines):
    """Functions of more than LONG lines, by indentation: a body ends with the first brace as far left as it began."""
    found, i = [], 0
    while i < len(lines):
        line = lines[i]
        indent = len(line) - len(line.lstrip())
        if indent in (0, 2) and line.rstrip().endswith("{") and ")" in line and OPENS.match(line):
            begin = i
            while begin > 0 and lines[begin - 1].strip() and not re.search(r"[;}{]\s*$|^\s*//|:$", lines[begin - 1]):
                begin -= 1
            end = i + 1
            while end < len(lines) and not lines[end].startswith(" " * indent + "}"):
                end += 1
            if end - begin + 1 > LONG:
                found.append((lines[begin].strip(), end - begin + 1))
            i = end
        i += 1
    return found


def counted(root, folder):
    row = dict(folder=folder, lines=0, files=0, small=0, headers=0, constants=0, tabled=0, long=0, throws=set())
    for path in sources(root, folder):
        text = path.read_text()
        lines = text.splitlines()
        row["lines"] += len(lines)
        row["files"] += 1
        row["small"] += len(lines) <= SMALL
        row["headers"] += path.suffix == ".hpp"
        table = re.findall(r"^struct (?:Effort|Guesses) \{\n(.*?)^\};", text, re.S | re.M)
        body = re.sub(r"^struct (?:Effort|Guesses) \{\n.*?^\};", "", text, flags=re.S | re.M)
        row["constants"] += len(re.findall(r"\bconstexpr\b[^;(){}]*?\bk[A-Z]\w*|(?<=,)\s*k[A-Z]\w*(?=\s*=)", body))
        row["tabled"] += sum(len(re.findall(r"^  [\w:]+ \w+ = |,\s+\w+ = ", part, re.M)) for part in table)
        row["long"] += len(long_functions(lines))
        row["throws"] |= set(re.findall(r"\bthrow (?:[a-z_]+::)*([A-Z]\w+)", text))
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args()
    root = arguments.root
    folders = arguments.folders
    if not folders:
        folders = ["idg", *(str(p.relative_to(root)) for top in ("kernels", "simulator") for p in sorted((root / top).iterdir())
                            if p.is_dir() and sources(root, str(p.relative_to(root)))), "latency_tables", "tests", "bench"]
    print(f"{'folder':28}{'lines':>8}{'files':>7}{'<=30':>6}{'headers':>9}{'constants':>11}{'tabled':>8}{'>35':>5}  throws")
    for row in (counted(root, folder) for folder in folders):
        print(f"{row['folder']:28}{row['lines']:8}{row['files']:7}{row['small']:6}{row['headers']:9}{row['constants']:11}{row['tabled']:8}"
              f"{row['long']:5}  {' '.join(sorted(row['throws']))}")
    options = set()
    for path in sources(root, "simulator/app"):
        options |= set(re.findall(r'"--?([a-z][a-z0-9-]+)["= ]', path.read_text()))
        options |= set(re.findall(r'\{"([a-z][a-z0-9-]+)(?:,[a-z])?",', path.read_text()))
    print(f"names of options in simulator/app: {len(options)}")


if __name__ == "__main__":
    main()
