#!/usr/bin/env python3
"""Makes the devices of latency_tables/data_sheets with `warpipe derive`, those first that others are made of.

derive_all.py WARPIPE          writes them to latency_tables/data
derive_all.py WARPIPE --check  compares them with what is there, byte for byte, and the numbers that tables written by
                               hand take from others (quotes.json) with those
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

TABLES = pathlib.Path(__file__).resolve().parent
DATA = TABLES / "data"
QUOTES = TABLES / "quotes.json"


def made_of(sheet):
    """The devices that a data sheet takes numbers from: its sibling and those that it quotes."""
    values = [value for facts in sheet["facts"] for value in facts["values"].values()]
    return [sheet["sibling"]] + [value["from"] for value in values if isinstance(value, dict)]


def in_order(sheets):
    """The names of the data sheets, each after those of the devices that it takes numbers from."""
    ordered = []

    def put(name, users):
        if name in users:
            sys.exit(f"data sheets take numbers from each other: {' <- '.join([*users, name])}")
        if name in sheets and name not in ordered:
            for source in made_of(sheets[name]):
                put(source, [*users, name])
            ordered.append(name)

    for name in sorted(sheets):
        put(name, [])
    return ordered


def derive(warpipe, name, made):
    """Makes one device from the tables that are written by hand and those that were made before it."""
    sheet = TABLES / "data_sheets" / f"{name}.json"
    target = made / "devices" / f"{name}.json"
    command = [warpipe, "derive", "--data-sheet", sheet, "--data", made, "-o", target]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return target.read_bytes()


def value_at(device, place):
    """What stands at a place of a device file: a number, or a row of them."""
    value = json.loads((DATA / f"{device}.json").read_text())
    for key in place.strip("/").split("/"):
        if isinstance(value, list):
            value = {element["name"]: element for element in value}
        value = value[key]
    return value


def numbers(value, place):
    """The numbers at and below a place, by their places."""
    if isinstance(value, dict):
        return {at: number for key, part in value.items() if key != "source"
                for at, number in numbers(part, f"{place}/{key}").items()}
    return {place: value} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}


def wrong_quotes():
    """The numbers of tables written by hand that are not, to four digits, what the table that they quote says today."""
    for quote in json.loads(QUOTES.read_text()):
        factor = 1
        for scale in quote.get("by", []):
            factor *= value_at(quote["device"], scale) / value_at(quote["from"], scale)
        for place in quote["places"]:
            quoted = numbers(value_at(quote["from"], place), place)
            for at, number in numbers(value_at(quote["device"], place), place).items():
                expected = factor * quoted.get(at, 0)
                if abs(number - expected) > 5e-4 * abs(expected):
                    yield f"{at} of {quote['device']} is {number:g}; by {quote['from']} it is {expected:.4g}"


def main(arguments):
    warpipe, check = arguments[0], "--check" in arguments
    sheets = {path.stem: json.loads(path.read_text()) for path in (TABLES / "data_sheets").glob("*.json")}
    stale = []
    with tempfile.TemporaryDirectory() as directory:
        made = pathlib.Path(directory)
        (made / "devices").mkdir()
        for path in DATA.glob("*.json"):
            if path.stem not in sheets:
                shutil.copy(path, made / "devices")
        for name in in_order(sheets):
            text, shipped = derive(warpipe, name, made), DATA / f"{name}.json"
            if check and not (shipped.exists() and shipped.read_bytes() == text):
                stale.append(name)
            elif not check:
                shipped.write_bytes(text)
    for name in stale:
        print(f"latency_tables/data/{name}.json is not what its data sheet makes; run latency_tables/derive_all.py")
    wrong = list(wrong_quotes()) if check else []
    for problem in wrong:
        print(problem)
    return 1 if stale or wrong or not sheets else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
