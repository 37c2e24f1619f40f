"""The Python package gives what the program gives."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import warpipe

PROGRAM = os.environ["WARPIPE"]
PTX = Path("kernels/cuda/ptx/sm_90")
SAXPY = (PTX / "saxpy.ptx").read_text()
COMPILER = shutil.which("nvcc") or shutil.which("clang++")


try:
    import numpy
except ImportError:
    numpy = None


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
        shown = program("simulate", "saxpy", "--device", "v100", "--range", "off")
        self.assertEqual(str(made), shown.split("\nMore by --view")[0])
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
        self.assertEqual([problem.advice for problem in problems], ["give grid=X or grid=(X, Y, Z)", 'give args={"n": VALUE}'])
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
        (lambda: warpipe.predict("saxpy", "v100", policy="fifo"), warpipe.UsageError,
         'policy="fifo": no policy has this name; one of: '),
        (lambda: warpipe.kernel("kernels/cuda/saxpy.cu"), warpipe.InputError, "give load('kernels/cuda/saxpy.cu', device, block="),
        (lambda: warpipe.predict("kernels/cuda/saxpy.cu", "h100"), warpipe.InputError, "block=..., grid=..., args=..."),
        (lambda: warpipe.predict(SAXPY, "h100"), warpipe.UsageError,
         "kernel: this is the text of a kernel, where its name or path is expected; give load(text, device"),
        (lambda: warpipe.kernel(json.dumps(warpipe.kernel("saxpy").to_dict(), indent=1)), warpipe.UsageError, "json.loads(text)"),
        (lambda: warpipe.read_ptx(SAXPY, entry="saxpy", block="32,8"), warpipe.UsageError, "found '32,8'; give block=X or block=(X, Y, Z)"),
        (lambda: warpipe.read_ptx(SAXPY, entry="saxpy", block=(1, 2, 3, 4)), warpipe.UsageError, "block: this is one size"),
        (lambda: warpipe.read_ptx(SAXPY, grid=2.5), warpipe.UsageError, "grid: this is one size"),
        (lambda: warpipe.predict("saxpy", "v100", block=256), warpipe.UsageError, "block: the argument is for code"),
        (lambda: warpipe.predict(warpipe.kernel("saxpy"), "v100", grid=9), warpipe.UsageError, "predict takes groups"),
        (lambda: warpipe.predict("saxpy", "v100", gropus=3), TypeError, "no argument 'gropus'; did you mean 'groups'?"),
        (lambda: warpipe.predict("saxpy", "v100", further=3), TypeError, "no argument 'further'"),
        (lambda: warpipe.predict("saxpy", "v100", group_size="256"), warpipe.UsageError,
         "group_size: this is a whole number; found '256'"),
        (lambda: warpipe.predict("saxpy", "v100", params={"n": "12"}), warpipe.UsageError, 'params["n"]: this is a number'),
        (lambda: warpipe.predict("saxpy", "v100", range="x"), warpipe.UsageError, "range: this is True or False; found 'x'"),
        (lambda: warpipe.predict("saxpy", "v100", set=[1]), warpipe.UsageError, "set: this is a dictionary; found [1]"),
        (lambda: warpipe.read_ptx(SAXPY, entry="saxpy", block=256, grid=1, args="n"), warpipe.UsageError, 'give args={"n": 1024}'),
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

    def test_are_short(self):
        with self.assertRaises(warpipe.UsageError) as raised:
            warpipe.predict(SAXPY, "h100")
        self.assertLess(len(str(raised.exception)), 200)

    def test_leave_commands_as_they_are(self):
        from warpipe.errors import in_python

        for text, shown in [("run `nvcc -ptx -o x.ptx x.cu`", 'run "nvcc -ptx -o x.ptx x.cu"'),
                            ("give `grid X[,Y[,Z]]`", "give grid=X or grid=(X, Y, Z)"), ("give `entry NAME`", 'give entry="NAME"'),
                            ("give `arrays x=FILE`", 'give arrays={"x": NUMBERS}'), ("`units = all`", "all_units=True"),
                            ("give `addresses x=random:BYTES`", 'give addresses={"x": "random:BYTES"}'),
                            ("give `taken LOOP=SHARE`", 'give taken={"LOOP": SHARE}'),
                            ("give `compiler_flags`", "give flags")]:
            self.assertEqual(in_python(text), shown)

    def test_of_some_questions_stop_no_others(self):
        answers = warpipe.predict_all([("saxpy", "v100"), ("saxpy", "v1000"), ("no such kernel", "v100"),
                                       ("saxpy", "v100", {"group_size": "256"}), ("saxpy", "v100", {"groups": 4})])
        self.assertEqual([isinstance(answer, warpipe.Error) for answer in answers], [False, True, True, True, False])
        self.assertIn('did you mean "v100"?', str(answers[1]))

    def test_are_values(self):
        with self.assertRaises(ValueError):
            warpipe.device("nothing")
        with self.assertRaises(TypeError):
            warpipe.predict_all([("saxpy", "v100", {"gruops": 1})])


class Numbers(unittest.TestCase):
    """Numbers of any type that is one."""

    class Whole:
        def __index__(self):
            return 256

    def test_are_taken_for_what_they_are(self):
        plain = warpipe.predict("saxpy", "v100", group_size=256).time
        self.assertEqual(warpipe.predict("saxpy", "v100", group_size=self.Whole()).time, plain)
        kernels = [warpipe.read_ptx(SAXPY, entry="saxpy", block=block, grid=4096, args={"n": 1 << 20})
                   for block in (256, [256], (256, 1), (256, 1, 1), self.Whole())]
        self.assertEqual(len({warpipe.predict(kernel, "h100").time for kernel in kernels}), 1)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_of_numpy_are_numbers(self):
        plain = warpipe.read_ptx(SAXPY, entry="saxpy", block=256, grid=4096, args={"n": 1 << 20})
        kernel = warpipe.read_ptx(SAXPY, entry="saxpy", block=numpy.int64(256), grid=numpy.array([4096, 1]),
                                  args={"n": numpy.int32(1 << 20), 1: numpy.float32(1.5)})
        self.assertEqual(warpipe.predict(kernel, "h100").time, warpipe.predict(plain, "h100").time)
        rows = warpipe.sweep(plain, "h100", {"block": numpy.array([128, 256])}, as_frame=False)
        self.assertEqual(rows, warpipe.sweep(plain, "h100", {"block": [128, 256]}, as_frame=False))

    def test_of_all_arguments_go_by_their_places(self):
        plain = warpipe.read_ptx(SAXPY, entry="saxpy", block=256, grid=4096, args={"n": 1 << 20})
        kernel = warpipe.read_ptx(SAXPY, entry="saxpy", block=256, grid=4096, args=[1 << 20, 1.5, None, None])
        self.assertEqual(warpipe.predict(kernel, "h100").time, warpipe.predict(plain, "h100").time)


@unittest.skipIf(COMPILER is None, "there is no compiler of CUDA")
class Sources(unittest.TestCase):
    PATH = Path("kernels/cuda/saxpy.cu")

    def test_keep_the_names_of_their_parameters(self):
        for source in (self.PATH.read_text(), str(self.PATH), self.PATH):
            with self.subTest(source=type(source)):
                ptx = warpipe.compile(source, "h100", compiler=COMPILER)
                kernel = warpipe.read_ptx(ptx, entry="saxpy", block=256, grid=4096, args={"n": 1 << 20})
                self.assertGreater(warpipe.predict(kernel, "h100").time, 0)

    def test_leave_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            code = f"import warpipe; warpipe.compile(open({str(self.PATH)!r}).read(), 'h100', compiler={COMPILER!r})"
            subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "TMPDIR": folder})
            self.assertEqual(os.listdir(folder), [])


class Interrupts(unittest.TestCase):
    """Of simulations that take many seconds, sent after half a second of them."""

    CODE = """
import signal, threading, time
import warpipe
kernel, device = warpipe.kernel("mmul16"), warpipe.device("gtx1060")
long = dict(params={"n": 1024}, all_units=True)
sent = 0
def interrupt():
    time.sleep(0.5)
    global sent
    sent = time.monotonic()
    signal.raise_signal(signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    CALL
    print("done")
except KeyboardInterrupt:
    print(time.monotonic() - sent)
"""

    def run_code(self, call, behind=""):
        return subprocess.run([sys.executable, "-c", self.CODE.replace("CALL", call) + behind], check=True,
                              capture_output=True, text=True).stdout

    def test_end_what_goes_on(self):
        for call in ("warpipe.predict_all([(kernel, device, long)] * 12)", "warpipe.predict(kernel, device, **long)",
                     'warpipe.sweep(kernel, device, {"n": range(1024, 1200, 16)}, all_units=True)'):
            with self.subTest(call=call):
                begin = time.monotonic()
                self.assertLess(float(self.run_code(call)), 0.2)
                self.assertLess(time.monotonic() - begin, 5)  # what went on in other threads has ended too

    def test_leave_the_package_as_it_was(self):
        printed = self.run_code("warpipe.predict_all([(kernel, device, long)] * 12)",
                                "print(warpipe.predict('saxpy', 'v100').time)")
        self.assertEqual(float(printed.split()[-1]), warpipe.predict("saxpy", "v100").time)


class Data(unittest.TestCase):
    ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "WARPIPE_DATA"}

    def test_of_the_package_change_no_environment(self):
        code = "import os; before = dict(os.environ); import warpipe; assert dict(os.environ) == before"
        subprocess.run([sys.executable, "-c", code], check=True, env=self.ENVIRONMENT)

    def test_stand_beside_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "warpipe"
            shutil.copytree(Path(warpipe.__file__).parent, copy)
            (copy / "data" / "devices").mkdir(parents=True)
            own = {**warpipe.device("v100").to_dict(), "name": "own"}
            (copy / "data" / "devices" / "own.json").write_text(json.dumps(own))
            run = subprocess.run([sys.executable, "-c", "import warpipe; print(warpipe.devices())"], check=True,
                                 capture_output=True, text=True, env={**self.ENVIRONMENT, "PYTHONPATH": folder}, cwd=folder)
            self.assertIn("'own'", run.stdout)


if __name__ == "__main__":
    unittest.main()
