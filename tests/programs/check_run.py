#!/usr/bin/env python3
"""Programs that `warpipe run` executes: outputs are those of the host. check_run.py WARPIPE DRIVER."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

WARPIPE, DRIVER = (os.path.abspath(path) for path in sys.argv[1:3])


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_program(self, *words, options=(), checks=True, device="h100"):
        """Returns how it ended, and the result."""
        result = os.path.join(self.folder.name, "result.json")
        environment = dict(os.environ, **({"DRIVER_CHECKS": "1"} if checks else {}))
        run = subprocess.run([WARPIPE, "run", "--device", device, "--json=" + result, *options, "--", DRIVER, *words],
                             capture_output=True, text=True, timeout=300, env=environment)
        if not os.path.exists(result):
            return run, None
        with open(result, encoding="utf-8") as text:
            return run, json.load(text)

    def check(self, word, launches, copies=None):
        run, result = self.run_program(word)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.endswith("done\n"))
        self.assertEqual({row["kernel"]: row["launches"] for row in result["kernels"]}, launches)
        for row in result["kernels"]:
            self.assertEqual(row["executed"], row["launches"])
            self.assertGreater(row["time_us"], 0)
            self.assertLessEqual(row["least_us"], row["most_us"])
            self.assertIsNone(row["assumed"], "with its data, nothing is left to assume")
        if copies:
            self.assertEqual({row["copy"]: row["bytes"] for row in result["copies"]}, copies)
        return result

    def test_outputs_are_those_of_the_host(self):
        for word, launches in {
            "saxpy": {"saxpy": 3},
            "histogram": {"histogram": 1},
            "reduction": {"reduce_interleaved": 2, "reduce_sequential": 2, "reduce_shuffle": 2},
            "scan": {"scan_inclusive": 1},
            "sort": {"bitonic_step": 120},
            "stencil": {"stencil_2d": 24},
            "product": {"mmul16": 1, "mmul_naive": 1},
            "threads": {"saxpy": 160},
            "entry_points": {"saxpy": 1},
        }.items():
            with self.subTest(word):
                self.check(word, launches)

    def test_textures_and_surfaces_are_those_of_the_host(self):
        run, result = self.run_program("textures")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual({row["kernel"]: row["executed"] for row in result["kernels"]},
                         {"between": 1, "turned": 1, "of_volume": 1})

    def test_copies_go_over_the_link(self):
        result = self.check("saxpy", {"saxpy": 3}, {"host to device": 800000, "device to host": 400000})
        times = {row["copy"]: row["time_us"] for row in result["copies"]}
        # PCIe 5.0, 16 lanes of 32 GT/s, 128 of 130 bits: 63.015 GB/s.
        self.assertAlmostEqual(times["host to device"], 800000 / 63.0153846e9 * 1e6, places=3)
        self.assertTrue(result["link"]["assumed"])
        _, result = self.run_program("saxpy", options=["--host-link", "10"])
        times = {row["copy"]: row["time_us"] for row in result["copies"]}
        self.assertAlmostEqual(times["device to host"], 40, places=6)

    def test_clocks_tell_predicted_times_where_that_is_asked_for(self):
        def clocks(*options):
            run, _ = self.run_program("clocks", options=options)
            self.assertEqual(run.returncode, 0, run.stderr)
            return [float(word) for word in re.search("^clocks (.*)$", run.stdout, re.M).group(1).split()]

        # 300 launches of 2^18 elements: about a millisecond on the device, and 7.5e8 lane instructions, which take this
        # machine at least 20 ms at 16 G of them a second on two cores.
        event, *_ = clocks()
        event_too, steady, of_day, slept = clocks("--virtual-time")
        for time in (steady, of_day):
            # The host makes 300 calls in between, by its own clock.
            self.assertGreater(time, 0.999 * event_too)
            self.assertLess(time, event_too + 15)
        self.assertGreaterEqual(slept, 20)
        self.assertGreater(event_too, 0.95 * event)
        _, steady, of_day, _ = clocks()
        self.assertGreater(min(steady, of_day), event + 20)

    def test_a_launch_is_predicted_again_where_its_data_differ(self):
        result = self.check("collatz", {"collatz": 3})
        row = result["kernels"][0]
        self.assertEqual(row["predicted"], 2)  # the third is as the second
        self.assertGreater(row["most_us"], 1.5 * row["least_us"])

    def test_launches_are_predicted_by_what_they_load(self):
        recorded = self.check("histogram", {"histogram": 1})["kernels"][0]
        self.assertEqual(recorded["recorded"], 1)
        run, result = self.run_program("histogram", options=["--ways", "slice"])
        self.assertEqual(run.returncode, 0, run.stderr)
        before = result["kernels"][0]
        self.assertIsNone(before["recorded"])
        # Nothing writes to what it counts: its arrays tell as much.
        self.assertAlmostEqual(before["time_us"], recorded["time_us"], delta=1e-3 * recorded["time_us"])
        # A launch whose control and addresses need no data is not recorded.
        self.assertIsNone(self.check("saxpy", {"saxpy": 3})["kernels"][0]["recorded"])

    def test_a_launch_that_keeps_its_time_is_not_predicted_for_ever(self):
        run, result = self.run_program("steady")
        row = result["kernels"][0]
        # Four that come to the same, then two by these; one that does other work, by which the next is predicted.
        self.assertEqual((row["launches"], row["predicted"], row["by_work"]), (8, 5, 3), run.stderr)
        self.assertGreater(row["most_us"], 2 * row["least_us"])

    def test_events_tell_predicted_times(self):
        run, result = self.run_program("streams")
        told = float(run.stdout.split("saxpy took ")[1].split(" us")[0])
        # From the record of the event behind an empty stream: the launch's overhead and its run.
        self.assertGreaterEqual(told, result["kernels"][0]["least_us"] - 0.1)
        self.assertLess(told, result["kernels"][0]["least_us"] + 20)

    def test_the_timeline_is_a_trace(self):
        trace = os.path.join(self.folder.name, "trace.json")
        run, result = self.run_program("streams", options=["--trace", trace])
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(trace, encoding="utf-8") as text:
            events = [event for event in json.load(text)["traceEvents"] if event["ph"] == "X"]
        kernels = [event for event in events if event["cat"] == "kernel"]
        self.assertEqual(len(kernels), 2)
        self.assertNotEqual(kernels[0]["tid"], kernels[1]["tid"])
        # The second waits for the event that follows the first.
        self.assertGreaterEqual(kernels[1]["ts"], kernels[0]["ts"] + kernels[0]["dur"])
        for one, row in zip(kernels, [result["kernels"][0]] * 2):
            self.assertAlmostEqual(one["dur"], row["least_us"], delta=0.01 * row["least_us"])

    def trace_of_many(self, *options):
        """Returns the text that a trace of 100,010 sets shows, these sets, and what is said."""
        file = os.path.join(self.folder.name, "trace.json")
        run, result = self.run_program("many", options=["--trace", file, *options])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(result["copies"][0]["calls"], 100_010)
        with open(file, encoding="utf-8") as text:
            trace = json.load(text)
        return trace["otherData"]["shown"], [event for event in trace["traceEvents"] if event["ph"] == "X"], run.stderr

    def test_a_trace_has_bounds_and_says_them(self):
        shown, sets, said = self.trace_of_many()
        self.assertEqual(len(sets), 100_000)
        self.assertIn(f"trace.json shows {shown}, the first 100000 of 100010 launches and copies there; --window", said)
        first, until, last = (float(number) for number in re.fullmatch(r"(\S+) to (\S+) us of (\S+)", shown).groups())
        self.assertEqual(first, 0)
        self.assertGreaterEqual(until, max(one["ts"] for one in sets))
        self.assertGreater(last, until)
        # What is left out is behind a window that begins there: all of it, and perhaps the one that ends there.
        shown, others, said = self.trace_of_many("--window", f"{until}:")
        self.assertNotIn("shows", said)
        self.assertIn(len(others), (10, 11))
        self.assertGreaterEqual(min(one["ts"] + one["dur"] for one in others), until * (1 - 1e-9))

    def page(self, word, *options):
        """Returns the text of the page, and its figures by name."""
        file = os.path.join(self.folder.name, "page.html")
        run, result = self.run_program(word, options=["--html", file, *options])
        if "built without the software that draws" in run.stderr:
            self.skipTest("no charts in this build")
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(file, encoding="utf-8") as text:
            page = text.read()
        figures = json.loads(re.search(r'<script type="application/json" id="figures">(.*?)</script>', page, re.S)[1])
        return page, {figure["id"]: figure["content"]["datasets"] for figure in figures}

    def test_the_page_shows_the_times_of_the_kernels(self):
        page, figures = self.page("product")
        bars = {bar["name"]: bar["value"] for bar in figures["kernels"]["bars"]}
        self.assertEqual(set(bars), {"mmul16", "mmul_naive"})
        self.assertAlmostEqual(sum(bars.values()), 1, places=9)
        self.assertEqual(re.search("<h1>(.*?)</h1>", page)[1], f"{os.path.basename(DRIVER)} on h100")

    def test_the_page_shows_the_timeline_of_the_trace(self):
        file = os.path.join(self.folder.name, "trace.json")
        _, figures = self.page("streams", "--trace", file)
        with open(file, encoding="utf-8") as text:
            events = [event for event in json.load(text)["traceEvents"] if event["ph"] == "X"]
        spans = figures["timeline"]["spans"]
        self.assertEqual(len(spans), 2 + 3)  # kernels and copies; all of it takes some microseconds
        for span, event in zip(spans, events):
            self.assertEqual(span["colour"], "copy" if event["cat"] == "copy" else "saxpy")
            self.assertAlmostEqual(span["begin"], event["ts"], places=6)
            self.assertAlmostEqual(span["end"], event["ts"] + event["dur"], places=6)
        self.assertEqual(len({span["track"] for span in spans if span["colour"] == "saxpy"}), 2)

    def test_the_page_of_copies_alone_has_their_timeline(self):
        _, figures = self.page("copies")
        self.assertEqual(set(figures), {"timeline"})
        self.assertEqual([span["colour"] for span in figures["timeline"]["spans"]], ["copy", "copy"])

    def test_an_access_behind_an_array_is_an_error_of_cuda(self):
        run, result = self.run_program("bounds")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"warpipe: warning: saxpy at image_1.ptx: line \d+ .*: a load of 4 bytes at address .*, which is outside of memory; \d+ bytes behind the end of an "
                                     r"allocation of 4096 bytes.*; it goes on, as on a device")
        self.assertRegex(run.stderr, r"behind the end of an allocation of 4096 bytes, in thread [^;]*\n")
        self.assertEqual([row["launches"] for row in result["kernels"]], [2])

    def test_seconds_of_execution_are_limited(self):
        run, result = self.run_program("sort", options=["--execute-seconds", "0.001"], checks=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLess(result["kernels"][0]["executed"], 120)
        self.assertEqual(result["kernels"][0]["launches"], 120)
        self.assertIn("as --execute-seconds allows", run.stderr)

    def test_a_program_that_ends_badly_leaves_its_launches(self):
        run, result = self.run_program("crash")
        self.assertEqual(run.returncode, 3)
        self.assertIn("was killed: Segmentation fault", run.stderr)
        self.assertEqual(result["kernels"][0]["launches"], 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
