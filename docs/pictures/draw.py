#!/usr/bin/python3
"""Draws the pictures of docs/tutorial.md: one figure of the page that a command writes with --html.

usage: docs/pictures/draw.py BUILD_BIN_FOLDER

Needs the Debian packages chromium, chromium-driver and python3-selenium.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PTX = ["kernels/cuda/ptx/sm_80/transpose.ptx", "--grid", "128,128", "--arg", "n=4096", "--device", "a100"]
ROWS = ["--block", "32,8"]
PICTURES = {  # name: (figure, verb, arguments)
    "transpose_naive": ("stalls-by-instruction", "simulate", PTX + ROWS + ["--entry", "transpose_naive", "--registers", "20"]),
    "transpose_what_if": ("changes", "what-if", PTX + ROWS + ["--entry", "transpose_naive", "--registers", "20",
                                                              "--part", "changes"]),
    "transpose_tiled": ("run-time", "simulate", PTX + ROWS + ["--entry", "transpose_tiled", "--registers", "24"]),
    "transpose_padded": ("run-time", "simulate", PTX + ROWS + ["--entry", "transpose_padded", "--registers", "24"]),
    "transpose_padded_16": ("run-time", "simulate", PTX + ["--block", "32,2", "--entry", "transpose_padded_16",
                                                           "--registers", "32"]),
    "transpose_bounds": ("bounds", "simulate", PTX + ROWS + ["--entry", "transpose_padded", "--registers", "24"]),
    "mmul16": ("run-time", "simulate", ["mmul16", "--device", "gtx1060", "--param", "n=512"]),
}


def start_browser():
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_window_size(720, 6000)
    return browser


def main():
    here = pathlib.Path(__file__).resolve().parent
    program = os.path.abspath(os.path.join(sys.argv[1], "warpipe"))
    browser = start_browser()
    with tempfile.TemporaryDirectory() as folder:
        for name, (figure, verb, arguments) in PICTURES.items():
            page = os.path.join(folder, name + ".html")
            subprocess.run([program, verb, *arguments, "--html", page], check=True, cwd=here.parent.parent,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            browser.get("file://" + page)
            chart = WebDriverWait(browser, 20).until(lambda b: b.find_element(By.CSS_SELECTOR, f"#{figure} svg"))
            chart.screenshot(str(here / (name + ".png")))
    browser.quit()


if __name__ == "__main__":
    main()
