"""What Triton and Kernel Tuner hand over. Neither is here: the inputs were written by hand after their documentation."""

import shutil
import unittest
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import warpipe
from warpipe import hooks

try:
    import numpy
except ImportError:
    numpy = None
COMPILER = shutil.which("nvcc") or shutil.which("clang++")

PTX = Path("kernels/cuda/ptx/sm_90")


class Triton(unittest.TestCase):
    TEXT = (PTX / "saxpy.ptx").read_text()

    def compiled(self, **metadata):
        return SimpleNamespace(asm={"ptx": self.TEXT}, metadata=metadata)

    def test_gives_the_block_by_its_warps(self):
        kernel = hooks.triton_kernel(self.compiled(name="saxpy", num_warps=8, shared=0), 4096, {"n": 1048576})
        alone = warpipe.read_ptx(self.TEXT, entry="saxpy", block=256, grid=4096, args={"n": 1048576})
        self.assertEqual(warpipe.predict(kernel, "h100").time, warpipe.predict(alone, "h100").time)

    def test_metadata_may_be_a_named_tuple(self):
        Metadata = namedtuple("KernelMetadata", "name num_warps shared target")
        Target = namedtuple("GPUTarget", "backend arch warp_size")
        compiled = SimpleNamespace(asm={"ptx": self.TEXT}, metadata=Metadata("saxpy", 4, 0, Target("cuda", 90, 32)))
        kernel = hooks.triton_kernel(compiled, (8192, 1, 1), {"n": 1048576})
        self.assertEqual(warpipe.predict(kernel, "h100").to_dict()["launch"]["group_size"]["value"], 128)


class KernelTuner(unittest.TestCase):
    def tune(self, **further):
        return hooks.tune_kernel("saxpy", "kernel.cu", 1 << 20, {"n": 1 << 20}, {"block_size_x": [32, 128, 512, 2048]},
                                 "h100", to_ptx=lambda one: (PTX / "saxpy.ptx").read_text(), **further)

    def test_ranks_as_a_sweep_does(self):
        ranked = self.tune()
        swept = warpipe.sweep(warpipe.read_ptx((PTX / "saxpy.ptx").read_text(), entry="saxpy", block=256, grid=4096,
                                               args={"n": 1 << 20}), "h100", {"block": [32, 128, 512]}, as_frame=False)
        order = [row["block"] for row in sorted(swept, key=lambda row: row["time_us"])]
        self.assertEqual([one.configuration["block_size_x"] for one in ranked], order + [2048])
        self.assertIsNone(ranked[-1].prediction)
        self.assertIn("2048", str(ranked[-1].error))

    def test_obeys_restrictions_and_the_top(self):
        self.assertEqual({one.configuration["block_size_x"] for one in self.tune(restrictions=["block_size_x <= 128"])},
                         {32, 128})
        self.assertEqual({one.configuration["block_size_x"]
                          for one in self.tune(restrictions=lambda one: one["block_size_x"] > 128)}, {512, 2048})
        self.assertEqual(len(self.tune(top=1)), 1)

    def test_divides_the_problem_by_what_grid_div_names(self):
        ranked = hooks.tune_kernel("saxpy", "kernel.cu", 1 << 20, {"n": 1 << 20},
                                   {"block_size_x": [256], "work": [1, 4]}, "h100", grid_div_x=["block_size_x", "work"],
                                   to_ptx=lambda one: (PTX / "saxpy.ptx").read_text())
        groups = {one.configuration["work"]: one.prediction.to_dict()["launch"]["groups"]["value"] for one in ranked}
        self.assertEqual(groups, {1: 4096, 4: 1024})

    def test_predicts_for_a_usual_device_where_none_is_given_and_says_so(self):
        def tune(*device):
            return hooks.tune_kernel("saxpy", "kernel.cu", 1 << 20, {"n": 1 << 20}, {"block_size_x": [32, 128]}, *device,
                                     to_ptx=lambda one: (PTX / "saxpy.ptx").read_text())

        with self.assertWarnsRegex(UserWarning, "predicted for h100; give device="):
            ranked = tune()
        self.assertEqual([one.prediction.time for one in ranked], [one.prediction.time for one in tune("h100")])

    def test_raises_where_nothing_can_run(self):
        with self.assertRaisesRegex(warpipe.UsageError, "no such parameter"):
            hooks.tune_kernel("saxpy", "kernel.cu", 1 << 20, {"m": 1}, {"block_size_x": [32, 64]}, "h100",
                              to_ptx=lambda one: (PTX / "saxpy.ptx").read_text())

    def test_takes_sizes_and_divisors_as_expressions(self):
        def groups(size, **divisors):
            ranked = hooks.tune_kernel("saxpy", "kernel.cu", size, [1 << 20, 2.0, None, None],
                                       {"block_size_x": [256], "work": [4]}, "h100",
                                       to_ptx=lambda one: (PTX / "saxpy.ptx").read_text(), **divisors)
            return ranked[0].prediction.to_dict()["launch"]["groups"]["value"]

        self.assertEqual(groups(1 << 20), 4096)
        self.assertEqual(groups((1 << 20, 1)), 4096)
        self.assertEqual(groups("work * 1024"), 16)
        self.assertEqual(groups(lambda one: one["work"] * 1024), 16)
        self.assertEqual(groups(1 << 20, grid_div_x=["block_size_x * work"]), 1024)
        self.assertEqual(groups(1 << 20, grid_div_x=lambda one: 1 << 18), 4)
        self.assertEqual(groups(512, grid_div_x=[]), 512)

    def test_refuses_what_it_cannot_predict(self):
        with self.assertRaisesRegex(warpipe.UsageError, "lang"):
            self.tune(lang="OpenCL")
        with self.assertRaisesRegex(warpipe.UsageError, "device: this is the name of a GPU"):
            hooks.tune_kernel("saxpy", "kernel.cu", 1, {}, {}, 0)
        with self.assertRaisesRegex(TypeError, "blok"):
            self.tune(blok=1)

    @unittest.skipIf(numpy is None or COMPILER is None, "numpy or a compiler of CUDA is not there")
    def test_takes_the_call_of_kernel_tuners_first_example(self):
        source = """
            __global__ void vector_add(float *c, float *a, float *b, int n) {
              int i = blockIdx.x * block_size_x + threadIdx.x;
              if (i < n) { c[i] = a[i] + b[i]; }
            }"""
        size = 1 << 20
        a, b = numpy.ones(size, numpy.float32), numpy.ones(size, numpy.float32)
        c, n = numpy.zeros_like(a), numpy.int32(size)
        ranked = hooks.tune_kernel("vector_add", source, size, [c, a, b, n], {"block_size_x": [64, 256]}, "h100",
                                   lang="CUDA", strategy="brute_force", strategy_options={}, verbose=True, iterations=7,
                                   answer=[a + b, None, None, None], compiler_options=["-O3"], compiler=COMPILER)
        self.assertEqual({one.configuration["block_size_x"] for one in ranked}, {64, 256})
        self.assertTrue(all(one.prediction for one in ranked))
        by_name = hooks.tune_kernel("vector_add", source, size, {"n": size}, {"block_size_x": [64, 256]}, "h100",
                                    compiler=COMPILER)
        self.assertEqual([one.prediction.time for one in ranked], [one.prediction.time for one in by_name])


if __name__ == "__main__":
    unittest.main()
