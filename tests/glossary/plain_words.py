#!/usr/bin/env python3
"""Holds comments and documentation to nouns: how often words stand there that name nothing.

usage: tests/glossary/plain_words.py [FILE...]

Of 1,000 words of each folder at most MOST may be one of VAGUE, in comments of C++ (`//`) and in the prose of Markdown, without
code. With FILEs, each is told by itself, with its lines at issue. Comments are at least LEAST of the lines of the C++ sources.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# "What is said of that which others do": the reader has to find the noun. llvm-mca and hyperfine have 8 to 14 of 1,000.
VAGUE = frozenset("what that those such one ones others nobody which".split())
MOST = 25
LEAST = 0.06
FEWEST_WORDS = 400  # a folder with fewer is too small for a rate
SOURCES = (".cpp", ".hpp")
# Whose text others wrote, or a script of ours.
LEFT_OUT = ("docs/devices.md", "docs/glossary.md", "tests/fuzz/corpus/")


def prose(path):
    """The number and the text of each line of prose: comments of sources, Markdown without code."""
    text = path.read_text(errors="replace")
    if path.suffix == ".md":
        text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if not line.startswith("    ")]
    else:
        lines = [(number, found[1]) for number, line in enumerate(text.splitlines(), 1)
                 if (found := re.search(r"(?<![:\"'])//[/!]*<?(.*)", line))]
    return [(number, re.sub(r"`[^`]*`", "", line)) for number, line in lines]


def words(line):
    return re.findall(r"[a-z']+", line.lower())


def folder_of(name):
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] in ("kernels", "simulator", "tests") and len(parts) > 2 else parts[0]


def checked_files():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split() if name.endswith((*SOURCES, ".md")) and not name.startswith(LEFT_OUT)]


def tell_lines(names):
    for name in names:
        for number, line in prose(pathlib.Path(name)):
            if VAGUE.intersection(words(line)):
                print(f"{name}:{number}: {line.strip()}")


def main(names):
    if names:
        return tell_lines(names)
    all_words, vague, comments, lines = (collections.Counter() for _ in range(4))
    for name in checked_files():
        folder, text = folder_of(name), prose(ROOT / name)
        for _, line in text:
            found = words(line)
            all_words[folder] += len(found)
            vague[folder] += sum(word in VAGUE for word in found)
        if name.endswith(SOURCES):
            comments[folder] += len(text)
            lines[folder] += len((ROOT / name).read_text(errors="replace").splitlines())
    problems = [f"{folder}: {1000 * vague[folder] / count:.1f} of 1,000 words name nothing, {MOST} may"
                for folder, count in sorted(all_words.items()) if count >= FEWEST_WORDS and 1000 * vague[folder] > MOST * count]
    problems += [f"{folder}: {100 * comments[folder] / count:.1f} % of the lines have a comment, {100 * LEAST:.0f} should"
                 for folder, count in sorted(lines.items()) if not folder.startswith("tests") and comments[folder] < LEAST * count]
    total = sum(all_words.values())
    print("\n".join(problems) or f"{1000 * sum(vague.values()) / total:.1f} of {total} words name nothing, per 1,000")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
