#!/usr/bin/env python3
"""How far the model is off beside what the tables' intervals say: where its parts for code that is read come from.

usage: model_error.py ERRORS.csv...

Of each launch that says all that decides, the part of its range that comes from the numbers of the device is what is left
when the model's own part (WITHIN) is taken off in quadrature. What the measured time needs beside it, in quadrature
again, is the error of the model there. Prints, for each file and kind of limiter, how many launches there are, how many
lie in their ranges, and what 50, 80 and 90 of 100 of them need.
"""
import argparse
import csv
import math
import pathlib


# simulator/predict/src/model_error.cpp; of a launch with thread-private arrays, which has more, the part of the numbers
# comes out too large.
WITHIN = {"memory": 0.10, "shared cache": 0.30, "anything else": 0.18}


def kind_of(limiter):
    return {"pipeline dram": "memory", "pipeline l2": "shared cache", "pipeline l2_far": "shared cache"}.get(
        limiter, "anything else")


def needed(row):
    """What the model must be allowed to be off, of the logarithm, for the range to reach the measured time."""
    time, low, high, measured = (float(row[key]) for key in ("time_us", "low_us", "high_us", "measured_us"))
    off = math.log(measured / time)
    end = math.log((low if off < 0 else high) / time)
    return math.sqrt(max(0, off**2 - max(0, end**2 - WITHIN[kind_of(row["limiter"])]**2)))


def quantile(values, share):
    return sorted(values)[math.ceil(share * len(values)) - 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("errors", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    print(f"{'file':<20}{'limiter':<20}{'launches':>8}{'inside':>8}{'50 %':>8}{'80 %':>8}{'90 %':>8}")
    for path in options.errors:
        with open(path) as file:
            rows = [row for row in csv.DictReader(file) if row["assumed"] == "0" and row["low_us"]]
        kinds = sorted({kind_of(row["limiter"]) for row in rows})
        for kind in [*kinds, "all"]:
            own = [row for row in rows if kind in ("all", kind_of(row["limiter"]))]
            needs = [needed(row) for row in own]
            inside = sum(float(row["low_us"]) <= float(row["measured_us"]) <= float(row["high_us"]) for row in own)
            print(f"{path.name:<20}{kind:<20}{len(own):>8}{inside:>8}" +
                  "".join(f"{quantile(needs, share):>8.2f}" for share in (0.5, 0.8, 0.9)))


if __name__ == "__main__":
    main()
