#!/usr/bin/env python3
"""Programs that ask CUDA's driver, by `warpipe run` and `warpipe record`: check_driver.py WARPIPE PROGRAM."""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

WARPIPE, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])


class ByDriver(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, word, *options):
        """Returns how it ended, and the result."""
        result = os.path.join(self.folder, "result.json")
        run = subprocess.run([WARPIPE, "run", "--device", "h100", "--json=" + result, *options, "--", PROGRAM, word],
                             capture_output=True, text=True, timeout=300, env=dict(os.environ, DRIVER_CHECKS="1"))
        if not os.path.exists(result):
            return run, {}
        with open(result, encoding="utf-8") as text:
            return run, json.load(text)

    def record(self, word):
        """Returns how it ended, and its launches."""
        self.output = os.path.join(self.folder, word)
        run = subprocess.run([WARPIPE, "record", "--output", self.output, "--", PROGRAM, word],
                             capture_output=True, text=True, timeout=300)
        with open(os.path.join(self.output, "launches.jsonl"), encoding="utf-8") as lines:
            return run, [json.loads(line) for line in lines]

    def check(self, word, launches):
        run, result = self.run_program(word)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.startswith("events") or run.stdout.startswith("done"), run.stdout)
        self.assertEqual({row["kernel"]: row["launches"] for row in result["kernels"]}, launches)
        for row in result["kernels"]:
            self.assertEqual(row["executed"], row["launches"])
            self.assertGreater(row["least_us"], 0)
            self.assertIsNone(row["assumed"], "with its data, nothing is left to assume")
        return run, result

    def test_outputs_are_those_of_the_host(self):
        for word, launches in {"launches": {"saxpy": 2}, "modules": {"saxpy": 5}, "variables": {"scaled": 2}}.items():
            with self.subTest(word):
                self.check(word, launches)

    def test_copies_and_sets_have_the_names_of_the_driver(self):
        trace = os.path.join(self.folder, "trace.json")
        run, result = self.run_program("memory", "--trace", trace)
        self.assertIn("done\n", run.stdout, run.stderr)
        with open(trace, encoding="utf-8") as text:
            names = [event["name"].split(",")[0] for event in json.load(text)["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([name for name in names if "HtoD" in name], ["cuMemcpyHtoDAsync"])
        for name in ("cuMemsetD8", "cuMemsetD16", "cuMemsetD2D16", "cuMemsetD32Async", "cuMemcpyDtoD", "cuMemcpy"):
            self.assertIn(name, names)
        self.assertEqual({row["copy"]: row["bytes"] for row in result["copies"]}["host to device"], 4)

    def test_events_tell_predicted_times(self):
        run, result = self.check("events", {"saxpy": 2})
        first, waited, both = (float(word) for word in re.search("^events (.*) us$", run.stdout, re.M).group(1).split())
        row = result["kernels"][0]
        # From the record of the event behind an empty stream: the launch's overhead and its run.
        self.assertGreaterEqual(first, row["least_us"] - 0.001)
        self.assertLess(first, row["most_us"] + 20)
        # The second stream, which has nothing before, waits for the event behind the first launch.
        self.assertAlmostEqual(waited, first, delta=0.001)
        self.assertGreaterEqual(both, first + row["least_us"] - 0.001)

    def test_calls_that_are_wrong_get_the_errors_of_cuda(self):
        for word in ("errors", "contexts"):
            run, _ = self.run_program(word)
            self.assertIn("done\n", run.stdout, run.stderr)

    def test_the_device_is_the_one_that_was_asked_for(self):
        run, _ = self.run_program("device")
        self.assertIn("device NVIDIA H100 SXM5 80GB HBM3 (1980 MHz maximum boost clock), 9.0, 132 units, "
                      f"{80 << 30} bytes", run.stdout, run.stderr)

    def test_a_launch_is_recorded_with_all_its_arguments(self):
        run, launches = self.record("launches")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(launches), 2)
        for launch in launches:  # a pointer to each argument, and all of them in a buffer
            self.assertEqual((launch["entry"], launch["grid"], launch["block"]), ("saxpy", [40, 1, 1], [256, 1, 1]))
            self.assertEqual(struct.unpack("<if", bytes.fromhex(launch["parameters"])[:8]), (10000, 2.0))
            self.assertEqual(launch["pointers"], {"8": 40000, "16": 40000})
            with open(os.path.join(self.output, launch["file"]), encoding="utf-8") as image:
                self.assertIn(".entry saxpy(", image.read())
        self.assertEqual(launches[0]["parameters"], launches[1]["parameters"])

    def test_machine_code_is_recorded_and_predicted(self):
        run, launches = self.record("cubin")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([(launch["entry"], launch["file"]) for launch in launches], [("saxpy", "image_1.cubin")])
        run, result = self.run_program("cubin")
        self.assertIn("machine code is not executed", run.stderr)
        self.assertEqual([(row["launches"], row["executed"]) for row in result["kernels"]], [(1, 0)])
        self.assertGreater(result["kernels"][0]["time_us"], 0)

    def test_modules_are_recorded_each(self):
        for word, count in (("modules", 5), ("variables", 2), ("events", 2)):
            run, launches = self.record(word)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(len(launches), count)
            self.assertEqual(launches[-1]["file"], f"image_{1 if word == 'events' else count}.ptx")

    def test_what_is_missing_says_its_name(self):
        run, launches = self.record("missing")
        self.assertEqual(run.returncode, 3)
        self.assertIn("the program calls cuArrayCreate_v2, which warpipe's runtime does not have", run.stderr)
        self.assertEqual(len(launches), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
