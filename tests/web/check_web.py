#!/usr/bin/python3
"""Opens the page that predicts in a browser, in headless Chromium, and compares it with the command line.

usage: check_web.py WARPIPE WARPIPE.html [--screenshots DIR]

The examples of the page, more kernels, and inputs that are wrong: the same result, to the last digit, the same text and
the same messages as `warpipe simulate` gives in a folder with the same files. Then the page itself: it is small, answers
soon, drops an answer that is no longer wanted, its link brings the input back, it asks for nothing, and on a desktop and
on a phone, light and dark, all figures are drawn and nothing is cut off. Exits with 77 where the page was not built, or
Chromium or python3-selenium are missing.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
import check_pages as pages  # noqa: E402

MOST_BYTES = 2_600_000
MOST_MILLISECONDS = 500
VIEWS = [("light", 1280, 900), ("dark", 1280, 900), ("phone", 390, 844), ("dark", 390, 844)]
FIELDS = ["device", "entry", "block", "grid", "arguments", "options", "kernel", "own-device", "source"]

SHIPPED = [
    ("vector_add", "a100", ""), ("mmul08", "gtx1060", "--param n=256"), ("stream_stencil5", "mi250x", ""),
    ("sgemm_v1", "h100", "--groups 132"), ("causal_softmax", "rtx3080", "--groups 136"), ("chains_dfma", "v100", ""),
    ("coulomb3d", "gtx1070", "--groups 30"), ("l1_stride_float", "mi210", ""), ("transpose_padded", "a10", ""),
    ("reduction", "gtx480", "--units all"), ("alpha_mix", "rx6900xt", "--policy greedy-oldest"),
]
IMPORTED = [
    ("black_scholes", dict(block="256", grid="1024", arguments="0=262144 1=0.02 2=0.3")),
    ("scan", dict(entry="scan_inclusive", block="256", grid="2048", options="--dynamic-shared-memory 1024")),
    ("nbody", dict(block="256", grid="16", arguments="0=4096 1=0.01")),
    ("layer_norm", dict(block="32,4", grid="512", arguments="0=2048 1=512 2=1e-5")),
    ("matvec", dict(entry="matvec_row_a_warp", block="32,4", grid="256", arguments="0=1024 1=1024")),
    ("histogram", dict(options="--assume")),
    ("bitonic", dict(block="256", grid="512", arguments="1=2 2=4",
                     options="--array 0=uniform:1000 --taken 60=0.5 --policy oldest --range off")),
]

SAXPY = (ROOT / "kernels/cuda/ptx/sm_80/saxpy.ptx").read_text()
KERNEL = (ROOT / "kernels/data/saxpy.json").read_text()
DEVICE = (ROOT / "latency_tables/data/v100.json").read_text()
WRONG = {
    "nothing": dict(kernel=""),
    "no kernel": dict(kernel="hello"),
    "CUDA source": dict(kernel="__global__ void f() {}"),
    "JSON that ends": dict(kernel=KERNEL[:200]),
    "two problems": dict(kernel=KERNEL.replace('"op":', '"opp":', 2)),
    "an expression": dict(kernel=KERNEL.replace('"groups": "', '"groups": "2 * / ', 1)),
    "several entries": dict(kernel=SAXPY, block="256", grid="16"),
    "an entry that is not there": dict(kernel=SAXPY, entry="saxpi", block="256", grid="16"),
    "no launch": dict(kernel=SAXPY, entry="saxpy_grid_stride"),
    "no arguments": dict(kernel=SAXPY, entry="saxpy_grid_stride", block="256", grid="16"),
    "an unknown argument": dict(kernel=SAXPY, entry="saxpy_grid_stride", block="256", grid="16", arguments="9=1"),
    "a wrong block": dict(kernel=SAXPY, entry="saxpy_grid_stride", block="256,x", grid="16"),
    "too large a block": dict(kernel=SAXPY, entry="saxpy_grid_stride", block="2048", grid="16", arguments="0=4096"),
    "no number of elements": dict(kernel=SAXPY, entry="saxpy", block="256", grid="16"),
    "an unknown opcode": dict(kernel=SAXPY.replace("fma.rn.f32", "fna.rn.f32", 1), entry="saxpy", block="256", grid="16",
                              arguments="0=4096"),
    "PTX that ends": dict(kernel=SAXPY[:1500], entry="saxpy", block="256", grid="16"),
    "an unknown option": dict(kernel=KERNEL, options="--polcy oldest"),
    "an unknown policy": dict(kernel=KERNEL, options="--policy fastest"),
    "an option given twice": dict(kernel=KERNEL, options="--groups 4 --groups 5"),
    "an argument too many": dict(kernel=KERNEL, options="--ignore-limits more"),
    "an option of PTX": dict(kernel=KERNEL, block="256"),
    "an unknown parameter": dict(kernel=KERNEL, options="--param nn=4"),
    "a device that is none": {"kernel": KERNEL, "device": "device.json", "own-device": KERNEL},
    "a negative latency": {"kernel": KERNEL, "device": "device.json",
                           "own-device": DEVICE.replace('"completion": ', '"completion": -', 1)},
}

SHOW = """
const [fields, values] = arguments;
for (const field of fields) document.getElementById(field).value = values[field] ?? '';
document.getElementById('kernel').dispatchEvent(new Event('input', { bubbles: true }));
delete document.documentElement.dataset.answered;
"""


class Page:
    def __init__(self, browser, file):
        self.browser, self.uri = browser, file.as_uri()

    def open(self, fragment=""):
        self.browser.get("about:blank")
        self.browser.get(self.uri + fragment)
        return self.reply()

    def answered(self):
        return self.browser.execute_script("return document.documentElement.dataset.answered") is not None

    def reply(self):
        from selenium.webdriver.support.ui import WebDriverWait
        WebDriverWait(self.browser, 120, poll_frequency=0.05).until(lambda _: self.answered())
        return self.browser.execute_script("return globalThis.warpipeReply")

    def show(self, given):
        self.browser.execute_script(SHOW, FIELDS, {"device": "v100", **given})

    def ask(self, given):
        self.show(given)
        return self.reply()


def words(given):
    """The command line that means the same as the fields of the page."""
    name = "kernel.json" if given["kernel"].lstrip().startswith("{") else "kernel.ptx"
    line = [name, "--device", given.get("device", "v100")]
    for option in ("entry", "block", "grid"):
        line += [f"--{option}", given[option]] if given.get(option) else []
    line += ["--arg", *given["arguments"].split()] if given.get("arguments") else []
    return name, line + given.get("options", "").split()


def command_line(warpipe, given):
    """@return exit status, what is said, text, result"""
    name, line = words(given)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(given["kernel"])
        (pathlib.Path(folder) / "device.json").write_text(given.get("own-device", ""))
        for source in re.findall(r'^\s*\.file\s+\d+ "(?:.*/)?([^"/]+)"', given["kernel"], re.M) if given.get("source") else []:
            (pathlib.Path(folder) / source).write_text(given["source"])
        run = lambda *more: subprocess.run([warpipe, "simulate", *line, *more], cwd=folder, capture_output=True, text=True)
        shown = run()
        result = run("--json", "--view", "stalls", "--view", "instructions", "--view", "memory")
        return shown.returncode, shown.stderr, shown.stdout, json.loads(result.stdout) if result.returncode == 0 else None


def comparable(result):
    """Less what the command line alone examines of assumptions."""
    return {key: value for key, value in result.items() if key not in ("assumptions", "left_out")}


def differences(warpipe, page, given, is_wrong):
    status, said, text, result = command_line(warpipe, given)
    if (status != 0) != is_wrong:
        yield f"the command line ends with status {status}: {said}"
    reply = page.ask(given)
    if reply["status"] != status:
        yield f"status {reply['status']}, of the command line {status}: {reply['said']}"
    # Of what is assumed, the command line says more, in its text.
    own = [line for line in reply["said"].splitlines() if ": assumed: " not in line]
    if own != said.splitlines():
        yield f"says {own!r}, the command line {said.splitlines()!r}"
    if status != 0 or reply["answer"] is None:
        return
    if comparable(reply["answer"]["result"]) != comparable(result):
        own = comparable(reply["answer"]["result"])
        keys = [key for key, value in comparable(result).items() if own.get(key) != value]
        yield f"other numbers in {keys}: {[(own.get(key), result[key]) for key in keys[:1]]}"
    if not text.startswith(reply["answer"]["text"]):
        yield "another text"


def examples():
    for example in json.loads((ROOT / "simulator/web/page/examples.json").read_text()):
        title, file, source = example.pop("title"), example.pop("file"), example.pop("source", None)
        yield title, {**example, "kernel": (ROOT / file).read_text(), "source": (ROOT / source).read_text() if source else ""}


def inputs():
    yield from examples()
    for name, device, options in SHIPPED:
        text = (ROOT / f"kernels/data/{name}.json").read_text()
        yield f"{name} on {device}", {"kernel": text, "device": device, "options": options}
    for name, given in IMPORTED:
        text = (ROOT / f"kernels/cuda/ptx/sm_80/{name}.ptx").read_text()
        yield f"{name}.ptx", {**given, "kernel": text, "device": "a100"}


NAMED = """
__global__ void saxpy_grid_stride(int n, float a, const float* x, float* y);
"""


def guidance(page):
    """CUDA is told what to do, and leaves the names of parameters; lessons lead to predictions."""
    script = page.browser.execute_script
    page.ask({"kernel": NAMED, "device": "h100"})
    steps = script("return [...document.querySelectorAll('#how:not([hidden]) li')].map((one) => one.textContent)")
    if len(steps) != 3 or "-arch=sm_90" not in steps[0]:
        yield f"CUDA source is told {steps}"
    typed = script("return document.getElementById('source').value")
    named = page.ask({"kernel": SAXPY, "source": typed, "entry": "saxpy_grid_stride", "block": "256", "grid": "16",
                      "arguments": "n=4096"})
    counted = page.ask({"kernel": SAXPY, "entry": "saxpy_grid_stride", "block": "256", "grid": "16", "arguments": "0=4096"})
    if not named["answer"] or named["answer"]["result"]["cycles"] != counted["answer"]["result"]["cycles"]:
        yield f"an argument by its name: {named['said']}"
    if not script("return document.getElementById('how').hidden"):
        yield "the steps for CUDA stay when PTX is there"
    links = script("return [...document.querySelectorAll('#lessons a')].map((link) => [link.textContent, link.hash])")
    if script("return document.querySelectorAll('#lessons dt').length") != 5 or len(links) < 10:
        yield f"lessons lead to {links}"
    for label, fragment in links:
        if not page.open(fragment)["answer"]:
            yield f"the lesson's link {label!r} leads to no prediction"


SLIDE = """
const [id, value] = arguments;
delete document.documentElement.dataset.answered;
document.getElementById(id).value = value;
document.getElementById(id).dispatchEvent(new Event('input', { bubbles: true }));
"""


def sliders(page):
    """Each makes the launch that its option makes, and those that cannot say why."""
    script = page.browser.execute_script
    tiles = (ROOT / "kernels/cuda/ptx/sm_90/transpose.ptx").read_text()
    tiled = {"kernel": tiles, "device": "h100", "entry": "transpose_tiled", "block": "32,8", "grid": "128,128",
             "arguments": "0=4096"}
    line = {"kernel": SAXPY, "entry": "saxpy_grid_stride", "block": "256", "grid": "16", "arguments": "0=4096"}
    shared = page.ask(tiled)["answer"]["result"]["instructions"]
    degrees = " ".join(f"--set={one['id']}.conflict_degree=4" for one in shared if one["op"].startswith("shared."))
    product = {"kernel": (ROOT / "kernels/data/mmul16.json").read_text(), "device": "gtx1060", "options": "--param n=256"}
    for given, slider, value, same in (
        ({"kernel": KERNEL}, "slide-groups", 3, {"kernel": KERNEL, "options": "--concurrent-groups 3"}),
        ({"kernel": KERNEL, "options": "--concurrent-groups 2 --units all"}, "slide-groups", 1,
         {"kernel": KERNEL, "options": "--units all --concurrent-groups 1"}),
        (tiled, "slide-conflicts", 3, {**tiled, "options": degrees}),
        (product, "slide-conflicts", 5, {**product, "options": "--param n=256 conflict_degree=16"}),
        ({"kernel": KERNEL}, "slide-size", 7, {"kernel": KERNEL, "options": "--group-size 128"}),
        (line, "slide-size", 6, {**line, "block": "64", "grid": "64"}),
    ):
        wanted, first = page.ask(same)["answer"]["result"], page.ask(given)["answer"]["result"]
        script(SLIDE, slider, value)
        moved = page.reply()
        if not moved["answer"] or moved["answer"]["result"] != wanted or wanted == first:
            yield f"{slider} at {value}: {moved['said'] or 'another launch'}"
        script("document.getElementById('as-typed').click(); delete document.documentElement.dataset.answered;")
        if page.reply()["answer"]["result"] != first:
            yield f"{slider}: what was typed does not come back"
    for given, slider, why in ((tiled, "slide-size", "block or grid are not one number"),
                               ({"kernel": KERNEL}, "slide-conflicts", "nothing reaches shared memory")):
        page.ask(given)
        shown = script("const one = document.getElementById(arguments[0]); return [one.disabled, one.parentElement.innerText]",
                       slider)
        if not shown[0] or not shown[1].endswith(why):
            yield f"{slider} of a launch that it cannot change: {shown}"
    most = script("return document.getElementById('slide-groups').max")
    if most != "8":  # 64 warps, 8 of a group
        yield f"{most} groups of saxpy on a unit of the V100"


def slow_examples(page):
    """The best of three answers: a machine at work on something else is not what is looked at."""
    for title, given in examples():
        best = min(page.browser.execute_async_script(
            "const [values, done] = arguments; globalThis.warpipeTime(values).then(done)", {"device": "v100", **given})
            for _ in range(3))
        print(f"{title}: {best:.0f} ms")
        if best > MOST_MILLISECONDS:
            yield f"{title} takes {best:.0f} ms"


def behaviour(page):
    """A newer input ends an older one; a link brings back what was typed."""
    long_run = {"kernel": (ROOT / "kernels/data/mmul16.json").read_text(), "device": "gtx1060",
                "options": "--param n=1024 --skipping off"}
    page.show(long_run)
    import time
    time.sleep(1)
    began = time.monotonic()
    reply = page.ask({"kernel": KERNEL, "device": "a100", "options": "--groups 512"})
    if time.monotonic() - began > 10 or reply["answer"]["result"]["kernel"] != "saxpy":
        yield f"an answer that nobody waits for kept the page for {time.monotonic() - began:.1f} s"
    link = page.browser.execute_script("return location.hash")
    typed = page.browser.execute_script("return document.getElementById('kernel').value")
    again = page.open(link)
    if again["answer"]["result"] != reply["answer"]["result"]:
        yield "the link gives another result"
    if page.browser.execute_script("return document.getElementById('kernel').value") != typed:
        yield "the link gives another kernel"


FORM = """
scrollTo(0, 1000);
document.getElementById('copy-command').scrollIntoView({ block: 'nearest' });
const moved = scrollY - 1000;
scrollTo(0, document.documentElement.scrollHeight);
const [form, footer] = ['#input', 'footer'].map((one) => document.querySelector(one).getBoundingClientRect());
scrollTo(0, 0);
const apart = form.bottom <= footer.top || form.right <= footer.left;
return [...(moved ? [`the form's last button lies ${moved} pixels below the screen`] : []),
        ...(apart ? [] : ['the form lies over the foot of the page'])];
"""


def form_problems(page):
    """Beside the result the form stays, all of it, where the page is scrolled."""
    for height in (900, 720):
        pages.set_view(page.browser, "light", 1280, height)
        page.open()
        yield from (f"{height} high: {problem}" for problem in page.browser.execute_script(FORM))


def looks(page, view, screenshots):
    pages.set_view(page.browser, *view)
    page.open()
    browser = page.browser
    from selenium.webdriver.support.ui import WebDriverWait
    WebDriverWait(browser, 60).until(
        lambda it: it.execute_script("return document.documentElement.dataset.drawn") is not None)
    if len(browser.execute_script("return [...document.querySelectorAll('.chart svg')]")) < 5:
        yield "figures are missing"
    if screenshots:
        browser.save_screenshot(str(screenshots / f"web-{view[0]}-{view[1]}-top.png"))
    browser.execute_async_script("""
        for (const one of document.querySelectorAll('#result details')) one.open = true;
        setTimeout(arguments[0], 300);""")
    yield from pages.figure_problems(browser)
    yield from browser.execute_script(pages.CUT)
    yield from (f"console: {entry['message']}" for entry in browser.get_log("browser"))
    yield from (f"asks for {url}" for url in pages.requests(browser) if not url.startswith((page.uri, "about:")))
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    if wide > view[1]:
        yield f"{wide} pixels wide on a screen of {view[1]}"
    if screenshots:
        pages.take_screenshot(browser, screenshots / f"web-{view[0]}-{view[1]}.png", view)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warpipe", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.page.exists():
        pages.skip(f"{arguments.page} was not built")
    problems = []
    size = arguments.page.stat().st_size
    print(f"{size} bytes")
    if size > MOST_BYTES:
        problems.append(f"{size} bytes")
    with tempfile.TemporaryDirectory() as folder:
        browser = pages.start_browser(f"{folder}/profile")
        try:
            page = Page(browser, arguments.page.resolve())
            page.open()
            for is_wrong, given_inputs in ((False, dict(inputs())), (True, WRONG)):
                for title, given in given_inputs.items():
                    problems += [f"{title}: {problem}" for problem in
                                 differences(arguments.warpipe, page, given, is_wrong)]
                print(f"{len(given_inputs)} {'wrong inputs' if is_wrong else 'predictions'} compared with the command line")
            problems += behaviour(page)
            problems += guidance(page)
            problems += sliders(page)
            problems += slow_examples(page)
            problems += form_problems(page)
            for view in VIEWS:
                problems += [f"{view[0]}, {view[1]} wide: {problem}" for problem in looks(page, view, arguments.screenshots)]
        finally:
            browser.quit()
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
