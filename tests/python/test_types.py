"""The type hints, the stub and the notebook, where the tools for them are there."""

import importlib.util
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import warpipe


class Types(unittest.TestCase):
    def test_hold(self):
        mypy = shutil.which("mypy")
        if mypy is None:
            self.skipTest("mypy is not there")
        package = Path(warpipe.__file__).parent
        checked = subprocess.run([mypy, "--strict", "--no-incremental", "--cache-dir", os.devnull, str(package)],
                                 capture_output=True, text=True, cwd=package.parent)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_stub_names_what_the_module_has(self):
        stub = (Path(warpipe.__file__).parent / "_core.pyi").read_text()
        for name in vars(warpipe._core):
            if not name.startswith("_"):
                self.assertRegex(stub, rf"(?m)^(class|def) {name}\b|^{name}:")
        for kind in (warpipe._core.Device, warpipe._core.Kernel, warpipe._core.Prediction, warpipe._core.LaunchOptions,
                     warpipe._core.ImportRequest):
            for name in vars(kind):
                if not name.startswith("_"):
                    self.assertRegex(stub, rf"\b{name}\b")


class Notebooks(unittest.TestCase):
    def test_run(self):
        if not all(importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel")):
            self.skipTest("nbclient or ipykernel is not there")
        import nbformat

        sys.path.insert(0, "docs")
        import run_tour

        for path in run_tour.NOTEBOOKS:
            with self.subTest(path=path.name):
                stored = nbformat.read(path, as_version=4)
                notebook = run_tour.run(nbformat.read(path, as_version=4))
                shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
                self.assertTrue(any("<iframe" in output.get("data", {}).get("text/html", "") for output in shown))
                if importlib.util.find_spec("pandas"):  # which it was stored with
                    self.assertEqual(list(run_tour.outputs(notebook)), list(run_tour.outputs(stored)),
                                     "run docs/run_tour.py")
                self.assertLess(path.stat().st_size, 100_000)


if __name__ == "__main__":
    unittest.main()
