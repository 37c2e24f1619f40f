"""pandas reads the rows of a sweep, whatever their form, as what they are."""

import io
import os
import subprocess
import unittest

try:
    import pandas
except ImportError:
    pandas = None

SWEEP = ["sweep", "--vary", "kernel=saxpy,mmul16", "device=v100,gtx1060", "conflict_degree=1,2", "--param", "n=256",
         "--range", "on", "--quiet"]


def rows(form):
    run = subprocess.run([os.environ["WARPIPE"], *SWEEP, form], check=True, capture_output=True, text=True)
    return io.StringIO(run.stdout)


@unittest.skipIf(pandas is None, "there is no pandas")
class Rows(unittest.TestCase):
    def test_have_numbers_as_numbers_and_nothing_where_there_is_none(self):
        table = pandas.read_csv(rows("--csv"))
        self.assertEqual(list(table.columns),
                         ["kernel", "device", "conflict_degree", "concurrent_groups", "resident_warps", "cycles",
                          "time_us", "limiter", "bound_cycles", "ratio_to_bound", "low_us", "high_us", "error"])
        numbers = table.columns.drop(["kernel", "device", "limiter", "error"])
        self.assertTrue(all(pandas.api.types.is_numeric_dtype(table[name]) for name in numbers), table.dtypes)
        failed = table.kernel == "saxpy"  # which has no conflicts to vary
        self.assertEqual((len(table), failed.sum()), (8, 4))
        self.assertTrue(table[failed].time_us.isna().all() and table[failed].error.notna().all())
        self.assertTrue(table[~failed].time_us.notna().all() and table[~failed].error.isna().all())
        self.assertTrue((table[~failed].low_us <= table[~failed].time_us).all())

    def test_are_the_same_as_csv_and_as_json_lines(self):
        pandas.testing.assert_frame_equal(pandas.read_csv(rows("--csv"), float_precision="round_trip"),
                                          pandas.read_json(rows("--jsonl"), lines=True, precise_float=True),
                                          check_dtype=False, rtol=1e-14)


if __name__ == "__main__":
    unittest.main()
