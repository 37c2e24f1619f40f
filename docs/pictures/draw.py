#!/usr/bin/python3
"""Draws the pictures of the documentation: one figure of the page that a command writes with --html.

usage: docs/pictures/draw.py BUILD_BIN_FOLDER            draws all, with Chromium
       docs/pictures/draw.py BUILD_BIN_FOLDER --check    fails where a picture was drawn from other numbers

Drawing needs the Debian packages chromium, chromium-driver and python3-selenium. drawn.json says which numbers each
picture was drawn from: a digest of what stands in the page, to three digits.
"""
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DRAWN = HERE / "drawn.json"
PTX = ["kernels/cuda/ptx/sm_80/transpose.ptx", "--grid", "128,128", "--arg", "n=4096", "--device", "a100"]
ROWS = ["--block", "32,8"]
PICTURES = {  # name: (figure, verb, arguments)
    "saxpy": ("run-time", "simulate", ["saxpy", "--device", "v100"]),
    "transpose_naive": ("stalls-by-instruction", "simulate", PTX + ROWS + ["--entry", "transpose_naive", "--registers", "20"]),
    "transpose_what_if": ("changes", "what-if", PTX + ROWS + ["--entry", "transpose_naive", "--registers", "20",
                                                              "--part", "changes"]),
    "transpose_tiled": ("run-time", "simulate", PTX + ROWS + ["--entry", "transpose_tiled", "--registers", "24"]),
    "transpose_padded": ("run-time", "simulate", PTX + ROWS + ["--entry", "transpose_padded", "--registers", "24"]),
    "transpose_padded_16": ("run-time", "simulate", PTX + ["--block", "32,2", "--entry", "transpose_padded_16",
                                                           "--registers", "32"]),
    "transpose_bounds": ("bounds", "simulate", PTX + ROWS + ["--entry", "transpose_padded", "--registers", "24"]),
    "mmul16_conflicts": ("run-time", "sweep", ["mmul16", "--device", "gtx1060", "--param", "n=512", "--vary",
                                               "concurrent_groups=1:8", "conflict_degree=1,2,4"]),
    "mmul16": ("run-time", "simulate", ["mmul16", "--device", "gtx1060", "--param", "n=512"]),
}


def write_pages(program, folder):
    """The page of each picture; one page for pictures of the same command."""
    pages = {}
    for name, (_, verb, arguments) in PICTURES.items():
        command = (verb, *arguments)
        if command not in pages:
            pages[command] = os.path.join(folder, name + ".html")
            run = subprocess.run([program, *command, "--html", pages[command]], cwd=HERE.parent.parent, text=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if "built without the software that draws" in run.stderr:
                sys.exit(77)
            run.check_returncode()
        yield name, pages[command]


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items() if key != "description"}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value


def digest(page, figure):
    """Of what a figure of a page shows."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    figures = json.loads(re.search(r'<script type="application/json" id="figures">(.*?)</script>', text, re.S)[1])
    [content] = [each["content"] for each in figures if each["id"] == figure]
    return hashlib.sha256(json.dumps(rounded(content), sort_keys=True).encode()).hexdigest()[:16]


def start_browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_window_size(720, 6000)
    return browser


def draw(pages):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    browser = start_browser()
    for name, page in pages:
        browser.get("file://" + page)
        figure = PICTURES[name][0]
        chart = WebDriverWait(browser, 20).until(lambda b: b.find_element(By.CSS_SELECTOR, f"#{figure} svg"))
        chart.screenshot(str(HERE / (name + ".png")))
        yield name, digest(page, figure)
    browser.quit()


def check(pages):
    drawn = json.loads(DRAWN.read_text())
    found = {name: digest(page, PICTURES[name][0]) for name, page in pages}
    old = [name for name in PICTURES if drawn.get(name) != found[name] or not (HERE / (name + ".png")).is_file()]
    if old:
        sys.exit(f"{', '.join(old)}: drawn from other numbers than those of today; run docs/pictures/draw.py BUILD_BIN_FOLDER")


def main():
    program = os.path.abspath(os.path.join(sys.argv[1], "warpipe"))
    with tempfile.TemporaryDirectory() as folder:
        pages = write_pages(program, folder)
        if sys.argv[2:] == ["--check"]:
            return check(pages)
        DRAWN.write_text(json.dumps(dict(draw(pages)), indent=1) + "\n")


if __name__ == "__main__":
    main()
