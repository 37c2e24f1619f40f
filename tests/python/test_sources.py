"""The source distribution holds what it is built from."""

import importlib.util
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

FOLDERS = ["bench/device", "cmake", "idg", "kernels", "latency_tables", "simulator"]


@unittest.skipUnless(importlib.util.find_spec("setuptools"), "setuptools is not there")
class SourceDistribution(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base", cls.folder.name, "sdist",
                        "--dist-dir", cls.folder.name], check=True, capture_output=True)
        [packed] = Path(cls.folder.name).glob("warpipe-*.tar.gz")
        with tarfile.open(packed) as archive:
            archive.extractall(cls.folder.name)
        [cls.unpacked] = [path for path in Path(cls.folder.name).glob("warpipe-*") if path.is_dir()]

    def test_has_all_sources(self):
        listed = subprocess.run(["git", "ls-files", *FOLDERS], capture_output=True, text=True)
        if listed.returncode != 0 or not listed.stdout:
            self.skipTest("this is no clone")
        self.assertEqual([path for path in listed.stdout.splitlines() if not (self.unpacked / path).is_file()], [])

    def test_can_be_configured(self):
        environment = {name: value for name, value in os.environ.items() if name != "WARPIPE_DATA"}
        words = ["cmake", "-S", self.unpacked, "-B", Path(self.folder.name) / "build", "-G", "Ninja", "-DWARPIPE_PYTHON=ON",
                 f"-DPython3_EXECUTABLE={sys.executable}", "-DWARPIPE_DEVICE_BENCH=OFF"]
        run = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_says_its_licence(self):
        text = (self.unpacked / "PKG-INFO").read_text()
        self.assertIn("License: Apache-2.0", text)
        self.assertTrue((self.unpacked / "LICENSE").is_file())


if __name__ == "__main__":
    unittest.main()
