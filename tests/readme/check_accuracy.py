#!/usr/bin/env python3
"""Holds the errors in README.md and docs/accuracy.md against tests/validation/errors.csv, and their means against them;
those of today's kernels, there and in bench/validation/todays_kernels/README.md, against the errors of each launch.

usage: tests/readme/check_accuracy.py

The simulation's errors are those of errors.csv, which the test of all measured rows holds against the program. Errors of
the other models are from a run of all rows by hand; they are held against their means alone.
"""
import csv
import os
import re
import statistics
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
MODELS = ["simulation", "roofline", "occupancy-roofline", "littles-law", "volkov", "hong-kim", "gpuperf", "zhang-owens",
          "gpumech", "gcom"]
IN_README = ["simulation", "volkov", "occupancy-roofline", "roofline"]  # its columns
TEXTBOOK = ["rtx3080", "gtx1650"]  # devices
ROUNDED = 0.05  # each number has one digit behind the point


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def number(cell):
    """Of "**1.1**" or "31.1 (without 96 rows)"; nothing of "-"."""
    found = re.match(r"[*]*([\d.]+)", cell)
    return float(found[1]) if found else None


def rows_of(page):
    """The cells of all lines of the page's tables of errors."""
    lines = (re.split(r" *[|] *", line.strip("| ")) for line in page.splitlines() if line.startswith("| "))
    return [cells for cells in lines if len(cells) == 3 + len(MODELS) and cells[2].isdigit()]


def means_of(rows):
    """Of each model over the rows that it can be applied to."""
    means = {}
    for i, model in enumerate(MODELS):
        known = [(int(cells[2]), number(cells[3 + i])) for cells in rows if number(cells[3 + i]) is not None]
        means[model] = sum(count * error for count, error in known) / sum(count for count, _ in known)
    return means


def errors_of_today(device, assumed):
    """The rows of launches that were timed."""
    path = os.path.join(ROOT, f"bench/validation/todays_kernels/errors_{device}.csv")
    with open(path, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["error_percent"] and (row["assumed"] == "1") == assumed]


def check_table_of_today(place, cells, rows, expect):
    """A row of the table of bench/validation/todays_kernels/README.md.
    @return  mean and median size of the errors, and the number of launches within 20 %"""
    errors = [float(row["error_percent"]) for row in rows]
    sizes = [abs(error) for error in errors]
    inside = [row for row in rows if float(row["low_us"]) <= float(row["measured_us"]) <= float(row["high_us"])]
    mean, median, within = statistics.mean(sizes), statistics.median(sizes), sum(size <= 20 for size in sizes)
    for cell, real in zip(cells, [len(rows), mean, median, statistics.mean(errors), within, len(inside)]):
        expect(place, float(cell), real, 0 if isinstance(real, int) else ROUNDED)
    shown, kernel = re.match(r"(\d+) \(`(.*)`\)", cells[6]).groups()
    worst = rows[sizes.index(max(sizes))]["kernel"]
    expect(f"{place}, worst, `{kernel}`", int(shown), max(sizes) if kernel == worst else 0, 0.5)
    return mean, median, within


def check_today(expect):
    """The table of bench/validation/todays_kernels/README.md, and the sentences of docs/accuracy.md."""
    table = text_of("bench/validation/todays_kernels/README.md")
    page = re.sub(r"\s+", " ", text_of("docs/accuracy.md"))
    means, medians, near, of_assumed = (re.search(pattern, page).groups() for pattern in (
        r"to the import are off by ([\d.]+) and ([\d.]+) % in the mean", r"\(median ([\d.]+) and ([\d.]+)\)",
        r"(\d+) and (\d+) of them by at most 20 %", r"`--assume`, and off by (\d+) and (\d+) %"))
    for i, device in enumerate(["h100", "h200"]):
        for assumed, name in (False, "what the launch says"), (True, "with `--assume`"):
            row = f"{device.upper()}, {name}"
            cells = [cell.strip() for cell in re.search(rf"^\| {row} \|(.*)\|$", table, re.M)[1].split("|")]
            mean, median, within = check_table_of_today(f"bench/validation/todays_kernels/README.md, {row}", cells,
                                                        errors_of_today(device, assumed), expect)
            if assumed:
                expect(f"docs/accuracy.md, {device}, --assume", int(of_assumed[i]), mean, 0.5)
            else:
                expect(f"docs/accuracy.md, {device}, mean of today's kernels", float(means[i]), mean, ROUNDED)
                expect(f"docs/accuracy.md, {device}, median", float(medians[i]), median, ROUNDED)
                expect(f"docs/accuracy.md, {device}, within 20 %", int(near[i]), within, 0)


def check_public(expect):
    """The sentence of docs/accuracy.md on launches of public programs that are held out."""
    folder = "bench/validation/public_kernels"
    with open(os.path.join(ROOT, folder, "errors_h100_machine_code.csv"), encoding="utf-8", newline="") as file:
        sizes = [abs(float(row["error_percent"])) for row in csv.DictReader(file) if float(row["measured_us"]) >= 3]
    for path in "docs/accuracy.md", f"{folder}/README.md":
        shown = re.search(r"(\d+) held-out launches without assumptions are off by ([\d.]+) % in the mean, ([\d.]+) % in the "
                          r"median, (\d+) within 20 %", re.sub(r"\s+", " ", text_of(path))).groups()
        real = [len(sizes), statistics.mean(sizes), statistics.median(sizes), sum(size <= 20 for size in sizes)]
        for cell, value in zip(shown, real):
            expect(f"{path}, public launches", float(cell), value, 0 if isinstance(value, int) else ROUNDED)


def main():
    problems = []

    def expect(place, shown, real, tolerance):
        if abs(shown - real) > tolerance + 1e-9:
            problems.append(f"{place}: {shown}, but it is {real:.2f}")

    page = rows_of(text_of("docs/accuracy.md"))
    with open(os.path.join(ROOT, "tests/validation/errors.csv"), encoding="utf-8", newline="") as file:
        errors = {(row["kernel"], row["device"]): row for row in csv.DictReader(file)}
    of_kernels = [cells for cells in page if cells[0].startswith("`")]
    for cells in of_kernels:
        row = errors[cells[0].strip("`"), cells[1]]
        place = f"docs/accuracy.md, {cells[0]} on {cells[1]}"
        expect(f"{place}, rows", int(cells[2]), int(row["rows"]), 0)
        expect(place, number(cells[3]), float(row["mean_abs_percent"]), 0)

    # A mean of rounded numbers, itself rounded.
    (index, total), = ((i, cells) for i, cells in enumerate(page) if cells[0] == "all")
    expect("docs/accuracy.md, all rows", int(total[2]), sum(int(cells[2]) for cells in page[:index]), 0)
    for i, (model, mean) in enumerate(means_of(page[:index]).items()):
        expect(f"docs/accuracy.md, all, {model}", number(total[3 + i]), mean, 2 * ROUNDED)

    readme = text_of("README.md")
    shown = re.search(r"^\| all rows \|(.*)\|$", readme, re.M)[1].split("|")
    for cell, model in zip(shown, IN_README):
        expect(f"README.md, all rows, {model}", number(cell.strip()), number(total[3 + MODELS.index(model)]), 0)
    expect("README.md, rows", int(re.search(r"over all (\d+) rows", readme)[1]), int(total[2]), 0)
    shown = re.search(r"^\| textbook kernels, two GPUs \|(.*)\|$", readme, re.M)[1].split("|")
    means = means_of([cells for cells in of_kernels if cells[1] in TEXTBOOK])
    for cell, model in zip(shown, IN_README):
        expect(f"README.md, textbook kernels, {model}", number(cell.strip()), means[model], 2 * ROUNDED)

    check_today(expect)
    check_public(expect)

    for each in problems:
        print(each)
    print(f"{len(of_kernels)} errors of kernels, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
