#!/usr/bin/env python3
"""What `warpipe record` writes down of programs that a compiler without CUDA has built: check_record.py WARPIPE DRIVER."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WARPIPE, DRIVER = (os.path.abspath(path) for path in sys.argv[1:3])


class Record(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def record(self, *words, program=DRIVER, options=()):
        """Returns how it ended, and its launches."""
        output = os.path.join(self.folder.name, "_".join(words) or "none")
        run = subprocess.run([WARPIPE, "record", "--output", output, *options, "--", program, *words],
                             capture_output=True, text=True, timeout=300)
        self.output = output
        path = os.path.join(output, "launches.jsonl")
        if not os.path.exists(path):
            return run, []
        with open(path, encoding="utf-8") as lines:
            return run, [json.loads(line) for line in lines]

    def test_a_launch_has_all_its_arguments(self):
        for packing in ("saxpy", "lz4", "zstd"):
            with self.subTest(packing):
                run, launches = self.record(packing)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertTrue(run.stdout.endswith("done\n"))
                if run.stdout.startswith("skipped"):
                    continue
                self.assertEqual(len(launches), 3)
                launch = launches[0]
                self.assertEqual(launch["entry"], "saxpy")
                self.assertEqual(launch["grid"], [391, 1, 1])
                self.assertEqual(launch["block"], [256, 1, 1])
                self.assertEqual(launch["dynamic_shared_memory"], 0)
                parameters = bytes.fromhex(launch["parameters"])
                self.assertEqual(struct.unpack("<if", parameters[:8]), (100000, 2.0))
                self.assertEqual(launch["pointers"], {"8": 400000, "16": 400000})
                with open(os.path.join(self.output, launch["file"]), encoding="utf-8") as image:
                    self.assertIn(".entry saxpy(", image.read())

    def test_launches_predicts_what_is_recorded(self):
        _, launches = self.record("reduction")
        self.assertEqual(len(launches), 6)
        shown = subprocess.run([WARPIPE, "launches", self.output + "/launches.jsonl", "--device", "h100", "--json"],
                               capture_output=True, text=True, timeout=300)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        rows = json.loads(shown.stdout)["launches"]
        self.assertEqual([row["entry"] for row in rows], [launch["entry"] for launch in launches])
        self.assertTrue(all(row["time_us"] > 0 for row in rows))

    def predicted(self, *words):
        shown = subprocess.run([WARPIPE, *words, "--device", "h100"], capture_output=True, text=True, timeout=300)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return shown.stdout

    def test_parameters_as_they_lie_in_memory_are_arguments(self):
        self.record("saxpy")
        by_arguments = os.path.join(self.output, "by_arguments.jsonl")
        with open(by_arguments, "w", encoding="utf-8") as lines:
            lines.write(3 * '{"file": "image_1.ptx", "entry": "saxpy", "block": 256, "grid": 391, "arguments": {"0": 100000}}\n')
        self.assertEqual(self.predicted("launches", self.output + "/launches.jsonl"),
                         self.predicted("launches", by_arguments))

    def test_arrays_of_bytes_are_those_of_numbers(self):
        numbers, data = [7 * i % 256 for i in range(4096)], os.path.join(self.folder.name, "data")
        with open(data + ".txt", "w", encoding="utf-8") as text:
            text.write(" ".join(map(str, numbers)))
        with open(data + ".bin", "wb") as raw:
            raw.write(struct.pack("<4096I", *numbers))
        call = ["simulate", os.path.join(ROOT, "kernels/cuda/ptx/sm_90/histogram.ptx"), "--block", "256", "--grid", "4",
                "--arg", "0=4096", "--array"]
        self.assertEqual(self.predicted(*call, "1=bytes:" + data + ".bin"), self.predicted(*call, f"1={data}.txt"))

    def test_graphs_are_launched_as_often_as_they_are(self):
        run, launches = self.record("stencil")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(launches), 24)

    def test_calls_that_are_wrong_get_the_errors_of_cuda(self):
        run, _ = self.record("hostile")
        self.assertEqual(run.returncode, 3, run.stderr)  # it launches nothing, which is said
        self.assertTrue(run.stdout.endswith("done\n"), run.stderr)

    def test_streams_and_threads(self):
        for words, count in (("streams", 2), ("threads", 160)):
            run, launches = self.record(words)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(len(launches), count)

    def test_a_program_that_ends_badly_leaves_its_launches(self):
        for words, message in (("crash", "was killed: Segmentation fault"), ("killed", "was killed: Killed"),
                               ("status", "ended with status 5")):
            run, launches = self.record(words)
            self.assertEqual(run.returncode, 3)
            self.assertIn(message + "; its 1 launches until then count", run.stderr)
            self.assertEqual(len(launches), 1)

    def test_what_is_missing_says_its_name(self):
        run, launches = self.record("missing")
        self.assertEqual(run.returncode, 3)
        self.assertIn("the program calls cudaMallocMipmappedArray, which warpipe's runtime does not have", run.stderr)
        self.assertEqual(len(launches), 1)

    def test_descriptors_that_are_closed(self):
        run, launches = self.record("closes")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(launches), 4)

    def test_a_process_that_is_forked_has_its_own_file(self):
        run, launches = self.record("forks")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(launches), 2)
        with open(self.output + "/launches_2.jsonl", encoding="utf-8") as lines:
            self.assertEqual(len(list(lines)), 1)

    def test_programs_that_are_none_of_cuda(self):
        run, _ = self.record("nothing")
        self.assertIn("launched nothing by CUDA's runtime", run.stderr)
        run, _ = self.record("-c", "exit 3", program="sh")
        self.assertEqual(run.returncode, 3)
        run, _ = self.record("x", program="/no/such/program")
        self.assertIn("cannot be started: No such file or directory", run.stderr)

    def test_a_program_that_a_script_starts(self):
        run, launches = self.record("-c", DRIVER + " saxpy", program="sh")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(launches), 3)

    def test_a_folder_that_is_not_empty_is_kept(self):
        self.record("saxpy")
        run, launches = self.record("saxpy")
        self.assertEqual(run.returncode, 3)
        self.assertIn("the folder is not empty", run.stderr)
        self.assertEqual(len(launches), 3)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
