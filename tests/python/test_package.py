"""The Python package gives what the program gives."""

import json
import os
import subprocess
import threading
import time
import unittest
from pathlib import Path

import warpipe

PROGRAM = os.environ["WARPIPE"]
PTX = Path("kernels/cuda/ptx/sm_90")


def program(*words):
    return subprocess.run([PROGRAM, *words, "--quiet"], check=True, capture_output=True, text=True).stdout


class Predictions(unittest.TestCase):
    def test_are_those_of_the_program(self):
        for kernel, device in [("saxpy", "v100"), ("saxpy", "h100"), ("mmul16", "gtx1060"), ("transpose", "a100"),
                               ("reduction", "rtx3080"), ("stencil", "mi210")]:
            if kernel not in warpipe.kernels():
                continue
            with self.subTest(kernel=kernel, device=device):
                expected = json.loads(program("simulate", kernel, "--device", device, "--json", "--range", "off",
                                              "--view", "stalls", "--view", "instructions", "--view", "memory"))
                made = warpipe.predict(kernel, device).to_dict()
                self.assertEqual({key: made[key] for key in expected if key in made}, expected)

    def test_of_ptx_are_those_of_the_program(self):
        text = (PTX / "saxpy.ptx").read_text()
        kernel = warpipe.read_ptx(text, entry="saxpy", block=256, grid=4096, args={"n": 1048576})
        expected = json.loads(program("simulate", str(PTX / "saxpy.ptx"), "--entry", "saxpy", "--block", "256", "--grid",
                                      "4096", "--arg", "n=1048576", "--device", "h100", "--json"))
        made = warpipe.predict(kernel, "h100", range=True)
        self.assertEqual(made.time, expected["time_s"])
        self.assertEqual(list(made.range), expected["range"]["time_s"])
        self.assertEqual(made.to_dict()["bounds"], expected["bounds"])

    def test_take_what_arrays_hold_as_the_program_does(self):
        text = (PTX / "histogram.ptx").read_text()
        options = ["--block", "256", "--grid", "64", "--arg", "n=16384", "--device", "h100", "--json", "--range", "off"]
        for given, written in [(256, "uniform:256"), ("uniform:9", "uniform:9"), ("rows:3", "rows:3")]:
            with self.subTest(given=given):
                kernel = warpipe.read_ptx(text, block=256, grid=64, args={"n": 16384}, arrays={"data": given})
                expected = program("simulate", str(PTX / "histogram.ptx"), "--array", f"data={written}", *options)
                self.assertEqual(warpipe.predict(kernel, "h100").time, json.loads(expected)["time_s"])
        with self.assertRaisesRegex(warpipe.UsageError, "this is not uniform:LIMIT or rows:LENGTH"):
            warpipe.read_ptx(text, block=256, grid=64, args={"n": 16384}, arrays={"data": "columns:3"})

    def test_take_options(self):
        expected = json.loads(program("simulate", "saxpy", "--device", "v100", "--groups", "100", "--param", "n=25600",
                                      "--set", "ffma.issue=2", "--scale", "index=2", "--clock", "1GHz",
                                      "--concurrent-groups", "3", "--json", "--range", "off"))
        made = warpipe.predict("saxpy", "v100", groups=100, params={"n": 25600}, set={"ffma.issue": 2},
                               scale={"index": 2}, clock=1e9, concurrent_groups=3)
        self.assertEqual((made.cycles, made.time, made.limiter),
                         (expected["cycles"], expected["time_s"], expected["limiter"]))

    def test_come_in_the_order_of_the_questions_whatever_the_threads(self):
        questions = [("saxpy", "v100", {"groups": groups}) for groups in range(1, 60)]
        questions[7] = ("saxpy", "v100", {"params": {"m": 1}})
        alone = warpipe.predict_all(questions, threads=1)
        together = warpipe.predict_all(questions, threads=8)
        self.assertIsInstance(together[7], warpipe.Error)
        for index, (kernel, device, options) in enumerate(questions):
            if index == 7:
                continue
            self.assertEqual(together[index].time, alone[index].time)
            self.assertEqual(together[index].time, warpipe.predict(kernel, device, **options).time)

    def test_leave_other_threads_running(self):
        kernel, device = warpipe.kernel("mmul16"), warpipe.device("gtx1060")
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        beside = threading.Thread(target=tick)
        beside.start()
        begin = time.monotonic()
        warpipe.predict_all([(kernel, device, {"params": {"n": 512}})] * 4)
        end = time.monotonic()
        done.set()
        beside.join()
        self.assertGreater(len([at for at in ticks if begin < at < end]), 5)

    def test_show_themselves(self):
        made = warpipe.predict("saxpy", "v100")
        self.assertEqual(str(made), program("simulate", "saxpy", "--device", "v100", "--range", "off"))
        self.assertRegex(repr(made), r"^<Prediction saxpy on v100: [0-9.]+ us, limited by pipeline dram>$")
        page = made._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc="))
        self.assertNotIn("<script", page)  # escaped: it is the frame's
        self.assertIn("vega", page)


class Sweeps(unittest.TestCase):
    def test_are_those_of_the_program(self):
        rows = warpipe.sweep("saxpy", "v100", {"concurrent_groups": [1, 4, 8], "n": [1024, 4096]}, as_frame=False)
        expected = program("sweep", "saxpy", "--device", "v100", "--vary", "concurrent_groups=1,4,8", "--vary",
                           "n=1024,4096", "--jsonl")
        self.assertEqual(rows, [json.loads(line) for line in expected.splitlines()])

    def test_take_policies_by_name(self):
        rows = warpipe.sweep("saxpy", "v100", {"policy": ["oldest", "first-ready"]}, as_frame=False)
        self.assertEqual([(row["policy"], row["cycles"]) for row in rows],
                         [(policy, warpipe.predict("saxpy", "v100", policy=policy).cycles)
                          for policy in ("oldest", "first-ready")])

    def test_import_again_where_the_block_varies(self):
        kernel = warpipe.read_ptx((PTX / "saxpy.ptx").read_text(), entry="saxpy", block=256, grid=4096,
                                  args={"n": 1048576})
        rows = warpipe.sweep(kernel, "h100", {"block": [64, (128, 1), 256]}, as_frame=False)
        self.assertEqual(rows[2]["cycles"], warpipe.predict(kernel, "h100").cycles)
        self.assertGreater(rows[0]["time_us"], rows[2]["time_us"])  # fewer bytes are on their way

    def test_are_frames_where_pandas_is_there(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not there")
        frame = warpipe.sweep("saxpy", "v100", {"concurrent_groups": "1:3"})
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame["concurrent_groups"]), [1, 2, 3])


class Inputs(unittest.TestCase):
    def test_come_back_as_they_were(self):
        for name in ("h100", "mi210"):
            device = warpipe.device(name)
            self.assertEqual(warpipe.device(device.to_dict()).to_dict(), device.to_dict())
        kernel = warpipe.kernel("mmul16")
        self.assertEqual(warpipe.kernel(kernel.to_dict()).to_dict(), kernel.to_dict())

    def test_derive_devices(self):
        slow = warpipe.device("h100").derive(clock=1e9, set={"ffma.issue": 4})
        self.assertEqual(slow.clock, 1e9)
        self.assertEqual(warpipe.predict("saxpy", slow).time,
                         warpipe.predict("saxpy", "h100", clock=1e9, set={"ffma.issue": 4}).time)

    def test_say_what_was_assumed(self):
        text = (PTX / "saxpy.ptx").read_text()
        with self.assertRaises(warpipe.UnknownData) as raised:
            warpipe.read_ptx(text, entry="saxpy", block=256)
        problems = raised.exception.problems
        self.assertEqual([problem.advice for problem in problems], ["give grid=X[,Y[,Z]]", 'give args={"n": VALUE}'])
        assumed = warpipe.read_ptx(text, entry="saxpy", block=256, assume=True)
        self.assertEqual(len(assumed.assumptions), len(problems))


class Errors(unittest.TestCase):
    CASES = [
        (lambda: warpipe.device("V1000"), warpipe.InputError, 'did you mean "v100"?'),
        (lambda: warpipe.kernel("no/such.json"), warpipe.InputError, "no/such.json: no such file"),
        (lambda: warpipe.kernel({"format": "warpipe-kernel"}), warpipe.InputError, "kernel"),
        (lambda: warpipe.kernel(str(PTX / "saxpy.ptx")), warpipe.InputError, "this is code, which is a kernel only with a launch"),
        (lambda: warpipe.read_ptx("hello"), warpipe.InputError, "kernel.ptx: line 1: a PTX file begins with .version"),
        (lambda: warpipe.predict("saxpy", "v100", groups=-1), warpipe.UsageError, "groups: -1 is less than 1"),
        (lambda: warpipe.predict("saxpy", "v100", params={"m": 1}), warpipe.UsageError, 'params: no parameter "m"'),
        (lambda: warpipe.predict("saxpy", "v100", concurrent_groups=99), warpipe.ModelError, "or set ignore_limits"),
        (lambda: warpipe.predict("saxpy", "v100", policy="fifo"), warpipe.UsageError, "policy=fifo"),
        (lambda: warpipe.sweep("saxpy", "v100", {"m": [1]}), warpipe.UsageError, 'no'),
        (lambda: warpipe.sweep("saxpy", "v100", {"device": ["a100"]}), warpipe.UsageError, "call sweep for each device"),
    ]

    def test_say_where_what_and_the_way_out(self):
        for call, kind, text in self.CASES:
            with self.subTest(text=text), self.assertRaises(kind) as raised:
                call()
            self.assertIn(text, str(raised.exception))
            self.assertNotIn("`", str(raised.exception))
            self.assertNotIn("--", str(raised.exception))

    def test_are_values(self):
        with self.assertRaises(ValueError):
            warpipe.device("nothing")
        with self.assertRaises(TypeError):
            warpipe.predict_all([("saxpy", "v100", {"gruops": 1})])


if __name__ == "__main__":
    unittest.main()
