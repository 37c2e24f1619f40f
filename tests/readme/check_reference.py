#!/usr/bin/env python3
"""Holds the reference pages against the program and its schemas: no option and no key may be missing there.

usage: tests/readme/check_reference.py BUILD_BIN_FOLDER

docs/cli.md names every option of every verb, and no other; docs/formats.md every key of kernel and device files, and the
members of a result.
"""
import json
import os
import re
import subprocess
import sys

NO_OPTIONS = {"--option", "--install"}  # a placeholder, and an option of cmake

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def keys_of(schema):
    """The names of all properties in a schema, however deep."""
    if isinstance(schema, list):
        return {key for each in schema for key in keys_of(each)}
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties")
    own = set(properties) if isinstance(properties, dict) else set()
    return own | {key for each in schema.values() for key in keys_of(each)}


def options_of(program, page):
    """The options in the help of all verbs that the page has a heading for or lists."""
    overview = subprocess.run([program, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
    verbs = re.findall(r"^  ([a-z-]+)  ", overview, re.M)
    found = {"--help", "--version"}
    for verb in verbs:
        if not re.search(rf"\b{verb}\b", page):
            found.add(f"the verb {verb}")
        help_text = subprocess.run([program, verb, "--help=all"], stdout=subprocess.PIPE, check=True, text=True).stdout
        found |= set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", help_text, re.M))
    return found


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "warpipe")
    problems = []
    page = text_of("docs/cli.md")
    named, known = set(re.findall(r"--[a-z][a-z-]*", page)), options_of(program, page)
    problems += [f"docs/cli.md does not name {each}" for each in sorted(known - named)]
    problems += [f"docs/cli.md names {each}, which no verb has" for each in sorted(named - known - NO_OPTIONS)]
    words = set(re.findall(r"[\w$]+", text_of("docs/formats.md")))
    for path in ("kernels/schema/kernel.schema.json", "latency_tables/schema/device.schema.json",
                 "latency_tables/schema/data_sheet.schema.json"):
        problems += [f"docs/formats.md does not name {each} of {path}"
                     for each in sorted(keys_of(json.loads(text_of(path))) - words)]
    result = json.loads(text_of("simulator/views/schema/result.schema.json"))
    problems += [f"docs/formats.md does not name {each} of a result" for each in sorted(set(result["properties"]) - words)]
    for each in problems:
        print(each)
    print(f"{len(known)} options, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
