#!/usr/bin/env python3
"""The rate of predictions from Python over that of C++: 10,000 small launches each, in turns.

    PYTHONPATH=build/ci/python bench/python_rate.py build/ci/bin/predict_rate
"""

import math
import statistics
import subprocess
import sys
import time

import warpipe

ratios = []
for _ in range(7):
    seconds, expected = map(float, subprocess.check_output([sys.argv[1]]).split())
    begin = time.perf_counter()
    made = warpipe.predict_all(("saxpy", "gtx1060", {"groups": i % 50 + 1}) for i in range(10_000))
    own = time.perf_counter() - begin
    assert math.isclose(sum(one.time for one in made), expected, rel_tol=1e-12)
    ratios.append(seconds / own)
    print(f"C++ {10_000 / seconds:.0f} a second, Python {10_000 / own:.0f} a second: {seconds / own:.2f}")
print(f"median {statistics.median(ratios):.2f}")
