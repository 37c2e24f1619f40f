"""What Triton and Kernel Tuner hand over. Neither is here: the inputs were written by hand after their documentation."""

import unittest
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import warpipe
from warpipe import hooks

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


if __name__ == "__main__":
    unittest.main()
