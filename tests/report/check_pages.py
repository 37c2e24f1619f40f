#!/usr/bin/python3
"""Opens the sample pages in headless Chromium and looks whether a person would see them.

usage: check_pages.py WRITE_PAGES [--screenshots DIR] [PAGE.html...]

For each page in light, in dark and as wide as a phone: no error on the console, no request but for the page itself, every
figure drawn with marks in it and described for those who do not see it, and nothing wider than the screen. PAGEs are
looked at in place of the sample pages. Needs the Debian packages chromium, chromium-driver and python3-selenium; exits
with 77 where one of them, or the charts, are missing.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
VIEWS = [("light", 1280, 900), ("dark", 1280, 900), ("phone", 390, 844)]

FIGURES = """
return [...document.querySelectorAll('.chart, .graph')].map((place) => ({
  id: place.id,
  label: place.getAttribute('aria-label') || '',
  marks: [...place.querySelectorAll('svg path, svg rect, svg text')].filter((mark) => {
    const box = mark.getBoundingClientRect();
    return box.width + box.height > 0;
  }).length,
  lettering: place.querySelectorAll('svg text').length,
  odd: /NaN|undefined|\\[object/.test(place.querySelector('svg')?.outerHTML || ''),
}))"""


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def start_browser(profile):
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        skip("python3-selenium is missing")
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        skip("chromium or chromium-driver is missing")
    options = Options()
    options.binary_location = programs[0]
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 f"--user-data-dir={profile}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(programs[1]), options=options)


def set_view(browser, name, width, height):
    scheme = "dark" if name == "dark" else "light"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": name == "phone"})


def requests(browser):
    """The addresses that the page has asked for, less its own data and what the browser asks itself for."""
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("data:", "blob:", "chrome:")):
                yield url


def figure_problems(browser):
    for figure in browser.execute_script(FIGURES):
        if figure["marks"] < 5 or figure["lettering"] < 2:
            yield f"{figure['id']}: {figure['marks']} marks, {figure['lettering']} texts: it is not drawn"
        if len(figure["label"]) < 20:
            yield f"{figure['id']}: no description"
        if figure["odd"]:
            yield f"{figure['id']}: NaN, undefined or an object is drawn"


def look(browser, page, view, screenshots):
    """Yields what is wrong with a page in a view."""
    from selenium.webdriver.support.ui import WebDriverWait

    set_view(browser, *view)
    browser.get(page.as_uri())
    asked = "return document.documentElement.dataset.drawn"
    WebDriverWait(browser, 60).until(lambda it: it.execute_script(asked) is not None)
    figures = browser.execute_script("return document.querySelectorAll('.chart, .graph').length")
    if figures == 0 or int(browser.execute_script(asked)) != figures:
        yield f"{figures} places for figures, {browser.execute_script(asked)} figures"
    yield from figure_problems(browser)
    yield from (f"console: {entry['message']}" for entry in browser.get_log("browser"))
    yield from (f"asks for {url}" for url in requests(browser) if url != page.as_uri())
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    if wide > view[1]:
        yield f"{wide} pixels wide on a screen of {view[1]}"
    if screenshots:
        take_screenshot(browser, screenshots / f"{page.stem}-{view[0]}.png", view)


def take_screenshot(browser, file, view):
    name, width, _ = view
    height = browser.execute_script("return document.documentElement.scrollHeight")
    set_view(browser, name, width, height)
    browser.save_screenshot(str(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("write_pages")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        browser = start_browser(f"{folder}/profile")
        problems = looked = 0
        try:
            pages = [page.resolve() for page in arguments.pages]
            if not pages:
                if subprocess.run([arguments.write_pages, folder]).returncode == SKIPPED:
                    skip("the build has no charts")
                pages = sorted(pathlib.Path(folder).glob("*.html"))
            for page in pages:
                for view in VIEWS:
                    looked += 1
                    for problem in look(browser, page, view, arguments.screenshots):
                        problems += 1
                        print(f"{page.name}, {view[0]}: {problem}")
        finally:
            browser.quit()
    print(f"{looked} looks at {len(pages)} pages, {problems} problems")
    return 1 if problems or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
