#!/usr/bin/env python3
"""Holds JSON files against a JSON Schema (draft 2020-12).

usage: check_schema.py SCHEMA FILE... [--refused FILE...]

Every FILE must follow the schema, every one after --refused must not. Prints each disagreement and exits 1 if there is
any, also where the schema itself is wrong or there is no file to check. Needs the Debian package python3-jsonschema.
"""

import argparse
import json
import sys

from jsonschema import Draft202012Validator


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def problems(validator, path):
    """The deepest cause of each violation: `file: /json/path: message`."""
    for error in validator.iter_errors(load(path)):
        while error.context:
            error = max(error.context, key=lambda cause: len(cause.absolute_path))
        place = "".join(f"/{step}" for step in error.absolute_path) or "/"
        yield f"{path}: {place}: {error.message}"


def main():
    parser = argparse.ArgumentParser(description="Hold JSON files against a JSON Schema.")
    parser.add_argument("schema")
    parser.add_argument("files", nargs="+", help="files that must follow the schema")
    parser.add_argument("--refused", nargs="*", default=[], help="files that must not")
    arguments = parser.parse_args()

    schema = load(arguments.schema)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)

    found = [problem for path in arguments.files for problem in problems(validator, path)]
    found += [f"{path}: the schema accepts it" for path in arguments.refused if validator.is_valid(load(path))]
    print("\n".join(found) or f"{len(arguments.files)} follow, {len(arguments.refused)} are refused")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
