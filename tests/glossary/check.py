#!/usr/bin/env python3
"""Looks for names that the glossary rules out, in code, help texts and documentation.

usage: tests/glossary/check.py [--counts] [FILE...]

The column "not this" of docs/glossary.md holds the names, each in backticks: words, or a regular expression between
slashes. The table below "Exceptions" holds what may stand, and where. Names are looked for as whole words; an identifier
counts as its words: `warps_a_group`, `WarpsAGroup` and "warps a group" are the same, also over the end of a line.
Without FILE, all files are checked that git knows and that a person writes. --counts prints numbers by name and folder.
"""
import bisect
import collections
import os
import re
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
GLOSSARY = "docs/glossary.md"

# What people write: sources, help texts, documentation, schemas, kernel and device files.
CHECKED = re.compile(r".*\.(cpp|hpp|cu|h|py|js|css|sh|md|cmake|json|txt|in)|.*/run|bootstrap|\.ci/run")
# Not by us: third-party text, and inputs that must stay as they were (fuzz corpus, PTX, old files that readers accept).
LEFT_OUT = re.compile(r"docs/glossary\.md|tests/glossary/.*|tests/fuzz/corpus/.*|.*package-lock\.json|LICENSE.*|shared/.*"
                      r"|CHANGELOG\.md|.*/old_files/.*")

TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\sA-Za-z0-9_\-]")
COMMENT_MARK = re.compile(r"^\s*(///<?|//|#+|\*|>)+")


class Name:
    """A name that is ruled out."""

    def __init__(self, text, ours):
        self.text, self.ours = text, ours
        if text.startswith("/") and text.endswith("/"):
            self.pattern = re.compile(rf"(?<!\S){text[1:-1]}(?!\S)")
        else:
            words = " ".join(re.escape(token) for token in TOKEN.findall(text.lower()))
            self.pattern = re.compile(rf"(?<!\S){words}s?(?!\S)")


class Exception_:
    """What may stand in some files: matches of `text` in a line are blanked before names are looked for."""

    def __init__(self, text, files):
        self.text, self.files = re.compile(text), re.compile(files)


def rows(text):
    """The rows of all tables, each with its table's header."""
    header = None
    for line in text.splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if header is None:
            header = cells
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            yield dict(zip(header, cells))


def quoted(cell):
    return [each.replace("\\|", "|") for each in re.findall(r"`([^`]+)`", cell)]


def read_glossary():
    """The names that are ruled out, and the exceptions."""
    names, exceptions = [], []
    with open(os.path.join(ROOT, GLOSSARY), encoding="utf-8") as file:
        for row in rows(file.read()):
            if "not this" in row:
                names += [Name(each, row["our name"]) for each in quoted(row["not this"])]
            elif "files" in row:
                exceptions += [Exception_(text, files) for text in quoted(row["text"]) for files in quoted(row["files"])]
    if not names or not exceptions:
        sys.exit(f"{GLOSSARY}: found no column \"not this\" or no exceptions")
    return names, exceptions


def words_of(lines):
    """The words of all lines in one string, separated by spaces, and for each word its start and its line."""
    words, starts, line_of, position = [], [], [], 0
    for number, line in enumerate(lines, 1):
        for token in TOKEN.findall(COMMENT_MARK.sub("", line)):
            words.append(token.lower())
            starts.append(position)
            line_of.append(number)
            position += len(token) + 1
    return " ".join(words), starts, line_of


def check(path, names, exceptions):
    """Yields (line, words, name) for each name that is found; line 0 is the file's own name."""
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    allowed = [each.text for each in exceptions if each.files.fullmatch(path)]
    for text in allowed:
        lines = [text.sub(lambda match: "\"" * len(match.group()), line) for line in lines]
    words, starts, line_of = words_of(lines)
    for name in names:
        for match in name.pattern.finditer(words):
            yield line_of[bisect.bisect_right(starts, match.start()) - 1], match.group(), name
    for name in names:
        for match in name.pattern.finditer(words_of([path.replace("/", " / ")])[0]):
            yield 0, match.group(), name


def files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout.split("\n")
    return [path for path in listed if CHECKED.fullmatch(path) and not LEFT_OUT.fullmatch(path)
            and os.path.isfile(os.path.join(ROOT, path))]


def main():
    arguments = [each for each in sys.argv[1:] if each != "--counts"]
    names, exceptions = read_glossary()
    found, counts = 0, collections.Counter()
    paths = files()
    if arguments:
        paths = sorted(set(paths) & {os.path.relpath(os.path.abspath(each), ROOT) for each in arguments})
    for path in paths:
        for line, words, name in sorted(check(path, names, exceptions), key=lambda each: each[0]):
            found += 1
            counts[(name.text, "/".join(path.split("/")[:2]))] += 1
            if "--counts" not in sys.argv:
                place = f"{path}:{line}" if line else f"{path} (its name)"
                print(f"{place}: \"{words.replace(' . ', '.')}\" is ruled out by {GLOSSARY}; our name: {name.ours}")
    for (text, folder), count in sorted(counts.items(), key=lambda each: -each[1]) if "--counts" in sys.argv else []:
        print(f"{count:6} {text:40.40} {folder}")
    print(f"{len(paths)} files, {len(names)} names, {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
