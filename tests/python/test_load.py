"""Whatever a kernel is given as, what comes back from other processes, and spaces of configurations."""

import concurrent.futures
import json
import os
import pickle
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import warpipe

try:
    import numpy
except ImportError:
    numpy = None

PROGRAM = os.environ["WARPIPE"]
PTX = Path("kernels/cuda/ptx/sm_90/saxpy.ptx")
LAUNCH = {"entry": "saxpy", "block": 256, "grid": 4096, "args": {"n": 1 << 20}}
COMPILER = shutil.which("nvcc") or shutil.which("clang++")


def program(*words):
    return subprocess.run([PROGRAM, *words, "--quiet"], check=True, capture_output=True, text=True).stdout


def time_of(question):
    return warpipe.predict(*question).time


class Load(unittest.TestCase):
    def test_takes_ptx_as_a_path_and_as_a_text(self):
        expected = json.loads(program("simulate", str(PTX), "--entry", "saxpy", "--block", "256", "--grid", "4096", "--arg",
                                      "n=1048576", "--device", "h100", "--range", "off", "--form", "ptx", "--json"))["time_s"]
        for what in (PTX, str(PTX), PTX.read_text()):
            made = warpipe.load(what, "h100", launch=LAUNCH, form="ptx")
            self.assertEqual(warpipe.predict(made, "h100").time, expected)

    def test_is_what_predict_does_with_a_launch(self):
        made = warpipe.load(PTX, "h100", launch=LAUNCH, form="ptx")
        for what in (PTX, PTX.read_text()):
            self.assertEqual(warpipe.predict(what, "h100", form="ptx", **LAUNCH), warpipe.predict(made, "h100"))

    def test_takes_kernel_files_names_and_dictionaries(self):
        shipped = warpipe.kernel("saxpy")
        for what in ("saxpy", shipped.to_dict(), json.dumps(shipped.to_dict(), indent=1)):
            self.assertEqual(warpipe.load(what), shipped)

    def test_takes_machine_code_as_a_path_and_as_bytes(self):
        cubin = next(Path("kernels/cuda/cubins").rglob("saxpy*.cubin"), None)
        if cubin is None:
            self.skipTest("no cubin of saxpy is there")
        device = {"80": "a100", "86": "rtx3090", "90": "h100"}.get(cubin.parent.name[-2:], "h100")
        for predict in (lambda: warpipe.predict(cubin.read_bytes(), device), lambda: warpipe.predict(b"\0\1", device)):
            with self.assertRaises(warpipe.Error):  # without a launch, and no code
                predict()
        by_path, by_bytes = (warpipe.load(what, device, **LAUNCH) for what in (cubin, cubin.read_bytes()))
        self.assertEqual(time_of((by_path, device)), time_of((by_bytes, device)))
        self.assertIn("machine code", by_path.to_dict()["form"])

    def test_takes_assembly_of_amd(self):
        assembly = next(Path("kernels/hip/asm").rglob("saxpy*.s"), None)
        if assembly is None:
            self.skipTest("no assembly of saxpy is there")
        device = "mi300a" if "gfx942" in str(assembly) else "mi210"
        for what in (assembly, assembly.read_text()):
            self.assertGreater(time_of((warpipe.load(what, device, **LAUNCH), device)), 0)

    @unittest.skipIf(COMPILER is None, "no compiler of CUDA is there")
    def test_compiles_source(self):
        source = Path("kernels/cuda/saxpy.cu")
        for what in (source, source.read_text()):
            made = warpipe.load(what, "h100", compiler=COMPILER, form="ptx", **LAUNCH)
            self.assertEqual(made.name, "saxpy")

    def test_says_what_lacks(self):
        with self.assertRaisesRegex(warpipe.UsageError, 'give device="h100"'):
            warpipe.load(PTX, **LAUNCH)
        with self.assertRaisesRegex(warpipe.UsageError, "neither ptx nor cubin"):
            warpipe.load(PTX, "h100", form="sass", **LAUNCH)
        with self.assertRaisesRegex(warpipe.InputError, "no such"):
            warpipe.load("nothing.ptx", "h100", **LAUNCH)

    @unittest.skipIf(numpy is None, "numpy is not there")
    def test_takes_what_numpy_has(self):
        scalar = {"entry": "saxpy", "block": numpy.int64(256), "grid": numpy.array([4096])[0],
                  "args": {"n": numpy.uint32(1 << 20)}}
        made = [warpipe.load(PTX, "h100", form="ptx", **launch) for launch in (LAUNCH, scalar)]
        self.assertEqual(*made)

    @unittest.skipIf(numpy is None, "numpy is not there")
    def test_arrays_say_what_lies_in_memory(self):
        text = Path("kernels/cuda/ptx/sm_90/histogram.ptx").read_text()
        data = numpy.arange(16384, dtype=numpy.int32) % 256
        launch = {"block": 256, "grid": 64}
        with self.assertRaises(warpipe.UnknownData):
            warpipe.read_ptx(text, args={"n": 16384}, **launch)
        listed = warpipe.read_ptx(text, arrays={"data": data.tolist()}, args={"n": 16384}, **launch)
        self.assertEqual(warpipe.read_ptx(text, args={"n": 16384, "data": data}, **launch), listed)


class Copies(unittest.TestCase):
    def test_are_equal_after_a_journey(self):
        kernel, device = warpipe.read_ptx(PTX.read_text(), **LAUNCH), warpipe.device("h100")
        prediction = warpipe.predict(kernel, device, range=True)
        for one in (kernel, device, prediction):
            again = pickle.loads(pickle.dumps(one))
            self.assertEqual(again, one)
            self.assertEqual(hash(again), hash(one))
            self.assertEqual(again.to_dict(), one.to_dict())
        self.assertNotEqual(device, warpipe.device("a100"))
        self.assertNotEqual(prediction, warpipe.predict(kernel, device, clock=1e9))

    def test_of_predictions_know_their_times_without_simulating(self):
        again = pickle.loads(pickle.dumps(warpipe.predict("saxpy", "v100", range=True)))
        again._asked = None  # nothing could be simulated
        self.assertEqual((again.kernel, again.device, again.limiter), ("saxpy", "v100", "pipeline dram"))
        self.assertLess(again.range[0], again.time)
        self.assertIn("saxpy on v100", repr(again))

    def test_go_to_other_processes(self):
        kernel = warpipe.kernel("saxpy")
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            times = list(pool.map(time_of, [(kernel, warpipe.device(name)) for name in ("v100", "a100")]))
        self.assertEqual(times, [warpipe.predict(kernel, name).time for name in ("v100", "a100")])


class Tuning(unittest.TestCase):
    SPACE = {"format": "warpipe-space", "version": 1, "entry": "saxpy", "tunables": {"x": [64, 128, 256, 2048]},
             "block": ["x"], "grid": ["2 ** 20 // x"], "arguments": {"n": "2 ** 20"}}

    def test_is_that_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "space.json")
            path.write_text(json.dumps(self.SPACE))
            words = ["tune", str(PTX), "--space", str(path), "--device", "h100", "--device", "a100", "--form", "ptx"]
            made = warpipe.tune(path, ["h100", "a100"], PTX, form="ptx")
            self.assertEqual(made.to_dict(), json.loads(program(*words, "--json")))
            self.assertEqual(str(made), program(*words))

    def test_takes_a_dictionary_and_formulas(self):
        made = warpipe.tune(self.SPACE, "h100", PTX, form="ptx", where="x < 256", grid=(4096,), top=1, range=False)
        self.assertEqual(sorted(row["x"] for row in made.rows), [64, 128])
        self.assertEqual({row["grid"] for row in made.rows}, {4096})
        self.assertEqual(len(made.best), 1)
        self.assertEqual(made.best[0]["device"], "h100")
        self.assertIn("<html", made.html())
        self.assertIsNone(made.score())

    def test_says_why_a_configuration_fails(self):
        row = next(row for row in warpipe.tune(self.SPACE, "h100", PTX, form="ptx", range=False).rows if row["x"] == 2048)
        self.assertEqual(row["state"], "failed")
        self.assertIn("1 to 1024 threads", row["error"])

    def test_scores_measured_times(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "times.csv")
            path.write_text("x,us\n64,3\n128,2\n256,1\n")
            score = warpipe.tune(self.SPACE, "h100", PTX, form="ptx", measured=path, all=True, range=False).score()
        self.assertEqual(score["rows"], 3)

    def test_names_the_argument_that_is_wrong(self):
        with self.assertRaisesRegex(warpipe.UsageError, "where"):
            warpipe.tune(self.SPACE, "h100", PTX, where="x <")
        with self.assertRaisesRegex(warpipe.UsageError, "source"):
            warpipe.tune(self.SPACE, "h100")


if __name__ == "__main__":
    unittest.main()
