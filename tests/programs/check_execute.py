#!/usr/bin/env python3
"""Single launches that are executed before they are imported. check_execute.py WARPIPE FOLDER_OF_RECORDED_LOADS."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

WARPIPE, FOLDER = (os.path.abspath(path) for path in sys.argv[1:3])


class Execute(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, size):
        path = os.path.join(self.folder.name, f"{size}.bin")
        with open(path, "wb") as file:
            file.write(bytes(size))
        return path

    def run_import(self, entry, grid, *options):
        return subprocess.run([WARPIPE, "import", os.path.join(FOLDER, "recorded_loads.ptx"), "--entry", entry, "--block", "64",
                               "--grid", str(grid), "--json", *options], capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, WARPIPE_FORM="ptx", WARPIPE_CACHE="off"))

    def test_trips_are_those_that_were_executed(self):
        run = self.run_import("from_shared", 5, "--execute")
        self.assertEqual(run.returncode, 0, run.stderr)
        loop = json.loads(run.stdout)["loops"][0]
        # Thread t of group g goes round (7 (63 - t) + g) % 13 times, a warp as often as one of its threads.
        trips = [max((7 * (63 - t) + g) % 13 for t in range(32 * w, 32 * w + 32)) for g in range(5) for w in range(2)]
        self.assertEqual((loop["entries"], loop["trips"]["sum"]), (len(trips), sum(trips)))
        self.assertIn("what 5 of 5 groups loaded as they were executed", run.stderr)
        without = self.run_import("from_shared", 5)
        self.assertNotEqual(without.returncode, 0)
        self.assertIn("depends on data", without.stderr)

    def test_arrays_are_bytes(self):
        run = self.run_import("row_sums", 1, "--execute", "--array", "0=uniform:4")
        self.assertEqual(run.returncode, 2)
        self.assertIn("give a file as bytes:FILE", run.stderr)

    def test_what_reaches_behind_an_array_says_where(self):
        run = self.run_import("from_global", 1, "--execute", "--array", "0=bytes:" + self.file(4))
        self.assertEqual(run.returncode, 3)
        self.assertIn("outside of memory", run.stderr)
        self.assertIn("recorded_loads.cu:34", run.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
