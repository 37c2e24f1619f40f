#!/usr/bin/python3
"""Opens the sample pages in headless Chromium and looks whether a person would see them.

usage: check_pages.py WRITE_PAGES [--screenshots DIR] [PAGE.html...]

For each page in light, in dark and as wide as a phone: no error on the console, no request but for the page itself, every
figure drawn with marks in it and described for those who do not see it, nothing wider than the screen, and no text, name,
word or table cut off. PAGEs are
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


# Text that is drawn beyond the edge of its figure, names that are cut to the same text, words that are broken in two, and
# tables that go on beyond their edge without saying so.
CUT = """
const problems = [];
for (const svg of document.querySelectorAll('.chart svg')) {
  const edge = svg.getBoundingClientRect();
  const id = svg.closest('.chart').id;
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect();
    if (box.width > 0 && (box.left < edge.left - 1 || box.right > edge.right + 1))
      problems.push(`${id}: "${text.textContent}" is cut off`);
  }
  for (const axis of svg.querySelectorAll('.role-axis-label')) {
    const names = [...axis.querySelectorAll('text')].filter((text) => getComputedStyle(text).opacity > 0)
      .map((text) => text.textContent).filter((name) => name.includes('\u2026'));
    if (new Set(names).size < names.length) problems.push(`${id}: names are cut to the same text: ${names}`);
  }
}
for (const place of document.querySelectorAll('.facts dd')) {
  for (const node of place.childNodes) {
    for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[^\\s-]+-*/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getClientRects().length > 1) problems.push(`the word "${word}" is broken in two`);
    }
  }
}
for (const table of document.querySelectorAll('.table')) {
  const more = table.scrollWidth > table.clientWidth + 1;
  const says = getComputedStyle(table, '::after').content.includes('scroll');
  const caption = table.querySelector('caption')?.textContent ?? 'a table';
  if (more !== says) problems.push(`${caption}: ${more ? 'goes on without a sign' : 'says that it scrolls'}`);
  const seen = table.getBoundingClientRect();
  for (const cell of table.querySelectorAll('td.sentence, caption')) {
    const range = document.createRange();
    range.selectNodeContents(cell);
    if (range.getBoundingClientRect().right > Math.max(seen.right, innerWidth) + 1)
      problems.push(`${caption}: "${cell.textContent}" is beyond the edge`);
  }
}
for (const row of document.querySelectorAll('tr')) {
  const boxes = [...row.cells].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect();
  }).filter((box) => box.width > 0);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  if (boxes.some((box, i) => boxes.slice(i + 1).some((other) => meet(box, other))))
    problems.push(`cells lie over each other: "${row.textContent}"`);
}
return problems;"""


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
    yield from browser.execute_script(CUT)
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
