#!/usr/bin/env python3
"""Do the tests notice a wrong token? Changes one token of the sources at a time, builds, and runs the tests.

    bench/token_changes/run.py BUILD RESULTS.csv [--seed 16] [--from 0] [--to 300]

BUILD is a build tree of this checkout that the sources may be changed under: use a worktree of its own. What is built in
it is built again for each change, and tests that are not built there are left out. The tests run until one fails: the
quick ones (label quick), then the others, each in the order of what they take, those of the changed folder first. One
that takes five times as long as without the change, and 20 s more, has failed as well. Which tokens are changed is drawn by a fixed seed, so that a part
of them (--from, --to) can be run here and the rest elsewhere: RESULTS gets a row for each, and rows it has are kept.
A change that does not compile is no change: the draw goes on.

Tests of other folders that take longer than 5 s and are not quick are left for the end (--together): all changes that
no other test noticed are made at once, and halved where a test fails, until each is known.
"""

import argparse
import csv
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Readers, lanes, engine, caches, study: what decides a number. Views and the command line are held by golden texts.
FOLDERS = ["idg/src", "kernels/src", "kernels/isa/src", "kernels/ptx/src", "kernels/elf/src", "kernels/sass/src",
           "kernels/amdgcn/src", "latency_tables/src", "simulator/caches/src", "simulator/engine/src",
           "simulator/predict/src", "simulator/explain/src", "simulator/sweep/src"]
SEED = 16
LONG = 5  # CPU seconds
AS_CTEST = {"WARPIPE_CACHE": "off", "WARPIPE_FORM": "ptx"}  # see tests/CMakeLists.txt
# Tests that hold a folder, by the start of their names, where they are not called as it is.
NEAR = {"isa": ("isa", "ptx", "sass"), "ptx": ("ptx", "isa"), "elf": ("elf", "sass")}
DRAWN = 400  # more than are asked for: some do not compile

SWAPS = [("<=", "<"), (">=", ">"), ("==", "!="), ("&&", "||"), ("+=", "-="), ("*=", "/="), ("++", "--"), ("<<", ">>"),
         ("+", "-"), ("*", "/"), ("&", "|"), ("true", "false"), ("min", "max"), ("f32", "f64"),
         ("begin", "end"), ("front", "back"), ("break", "continue"), ("any_of", "all_of"), ("upper_bound", "lower_bound"),
         ("floor", "ceil"), ("first", "second"), ("x", "y")]
OTHERS = {a: b for a, b in SWAPS} | {b: a for a, b in SWAPS} | {"<": "<=", ">": ">=", "%": "/", "|": "&", "^": "|", "!": ""}
TOKEN = re.compile(r"""
    (?P<skip>//[^\n]*|/\*.*?\*/|^\s*\#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>(?<![\w.'])(?:0[xX][0-9a-fA-F']+|\d[\d']*)(?![\w.]))
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign><=>|->|::|<<=|>>=|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\+\+|--|<<|>>|[-+*/%&|^<>!])
""", re.X | re.S | re.M)


def changes_of(text):
    """Every (offset, old, new) of a source. Signs count where blanks stand around them: elsewhere they are types'."""
    for match in TOKEN.finditer(text):
        old, at = match.group(), match.start()
        if match["number"]:
            yield at, old, "1" if old == "0" else "0" if old == "1" else f"{int(old.replace(chr(39), ''), 0) + 1}"
        elif match["word"] and old in OTHERS:
            yield at, old, OTHERS[old]
        elif match["sign"] and old in OTHERS:
            around = text[at - 1:at] == " " and text[match.end():match.end() + 1] == " "
            if around or old in ("++", "--") or (old == "!" and re.match(r"[\w(]", text[match.end():])):
                yield at, old, OTHERS[old]


def draw(seed):
    """The changes, in the order in which they are made: (file, offset, old, new)."""
    every = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.[ch]pp")):
            text = path.read_text()
            every += [(str(path.relative_to(ROOT)), *change) for change in changes_of(text)]
    return random.Random(seed).sample(every, DRAWN)


def limited(seconds):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
    return apply


def is_built(command, build):
    """Whether the build tree has all that a test names there: programs, and the folder that warpipe is in."""
    named = [Path(part) for part in command or [] if part.startswith(f"{Path(build).resolve()}/")]
    return bool(command) and all((path / "warpipe" if path.is_dir() else path).exists() for path in named)


class Tests:
    """The tests that are not slow, each with what it takes (CPU seconds) where nothing is changed."""

    def __init__(self, build):
        shown = json.loads(subprocess.check_output(["ctest", "--test-dir", build, "-LE", "slow", "--show-only=json-v1"],
                                                   stderr=subprocess.DEVNULL))
        self.tests, self.seconds, self.quick = {}, {}, set()
        for test in shown["tests"]:
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            if test["name"].startswith(("glossary", "web.")) or not is_built(test.get("command"), build):
                continue
            if "quick" in properties.get("LABELS", []):
                self.quick.add(test["name"])
            environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
            self.tests[test["name"]] = (test["command"], environment, properties.get("WORKING_DIRECTORY", build))
        kept = Path(build) / "token_changes_base.json"
        if kept.exists():
            self.seconds = json.loads(kept.read_text())
        for name in self.tests.keys() - self.seconds.keys():
            passed, self.seconds[name] = self.run(name, 3600)
            if not passed:
                sys.exit(f"run.py: {name} fails without any change")
            kept.write_text(json.dumps(self.seconds, indent=1))

    def run(self, name, limit):
        command, environment, folder = self.tests[name]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = os.environ | AS_CTEST | environment | {"GTEST_FAIL_FAST": "1"}
        try:
            status = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, preexec_fn=limited(limit), timeout=20 * limit).returncode
        except subprocess.TimeoutExpired:
            status = 1
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return status == 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def first_that_fails(self, file, is_long=False):
        """Of those that take long, or of the others."""
        folders = [part for part in Path(file).parts[:2] if part not in ("simulator", "src")]
        near = tuple(NEAR.get(folders[-1], folders[-1:])) if folders else ()
        is_near = lambda name: bool(near) and name.startswith(near)
        far = lambda name: (name not in self.quick, not is_near(name), self.seconds[name])
        is_left = lambda name: self.seconds[name] > LONG and name not in self.quick and not is_near(name)
        for name in sorted(self.tests, key=far):
            if is_left(name) != is_long:
                continue
            if not self.run(name, 20 + 5 * self.seconds[name])[0]:
                return name
        return None


class Changed:
    """Sources with changes in them, as long as it lasts."""

    def __init__(self, changes):
        self.texts = {}
        for file, at, old, new in sorted(changes, key=lambda change: -change[1]):
            text = (ROOT / file).read_text()
            self.texts.setdefault(file, text)
            (ROOT / file).write_text(text[:at] + new + text[at + len(old):])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for file, text in self.texts.items():
            (ROOT / file).write_text(text)


def compiles(build):
    """Builds the programs that are there already, if they are targets still."""
    targets = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True).stdout
    programs = [name for name in re.findall(r"^(bin/\S+): ", targets, re.M) if (Path(build) / name).exists()]
    return subprocess.run(["ninja", "-C", build, *programs], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def try_change(change, build, tests):
    """(outcome, test): "noticed", "unnoticed" or "does not compile"."""
    with Changed([change]):
        if not compiles(build):
            return "does not compile", ""
        failed = tests.first_that_fails(change[0])
        return ("noticed", failed) if failed else ("unnoticed", "")


def noticed_by_long_tests(changes, build, tests):
    """By index: the long test that notices a change. Most are noticed by none, so that few rounds are needed."""
    if not changes:
        return {}
    with Changed(changes.values()):
        failed = tests.first_that_fails("", is_long=True) if compiles(build) else "the build"
    print(f"{len(changes)} together: {failed}", flush=True)
    if not failed:
        return {}
    if len(changes) == 1:
        return {index: failed for index in changes}
    indices = sorted(changes)
    half = len(indices) // 2
    halves = ({i: changes[i] for i in indices[:half]}, {i: changes[i] for i in indices[half:]})
    return noticed_by_long_tests(halves[0], build, tests) | noticed_by_long_tests(halves[1], build, tests)


def finish(arguments, tests):
    rows = list(csv.DictReader(arguments.results.open()))
    left = [int(row["change"]) for row in rows if row["outcome"] == "unnoticed"]
    changes = draw(arguments.seed)
    found = noticed_by_long_tests({index: changes[index] for index in left}, arguments.build, tests)
    with arguments.results.open("w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            if int(row["change"]) in found:
                row |= {"outcome": "noticed", "test": found[int(row["change"])]}
            writer.writerow(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("results", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--to", dest="end", type=int, default=DRAWN)
    parser.add_argument("--together", action="store_true")
    arguments = parser.parse_args()
    known = set()
    if arguments.results.exists():
        known = {int(row["change"]) for row in csv.DictReader(arguments.results.open())}
    else:
        arguments.results.write_text("change,file,line,old,new,outcome,test,quick\n")
    if not compiles(arguments.build):
        sys.exit(f"run.py: {arguments.build} does not build without any change: see ninja -C {arguments.build}")
    tests = Tests(arguments.build)
    if arguments.together:
        finish(arguments, tests)
        return
    for index, change in list(enumerate(draw(arguments.seed)))[arguments.first:arguments.end]:
        if index in known:
            continue
        file, at, old, new = change
        line = (ROOT / file).read_text()[:at].count("\n") + 1
        started = time.time()
        outcome, failed = try_change(change, arguments.build, tests)
        with arguments.results.open("a", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow([index, file, line, old, new, outcome, failed, int(failed in tests.quick)])
        print(f"{index} {file}:{line} {old} -> {new}: {outcome} {failed} ({time.time() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
