#!/usr/bin/env python3
"""Holds the suite's kernel files to what write_kernels.py writes, and to `warpipe check`."""
import filecmp
import pathlib
import subprocess
import sys
import tempfile

suite, warpipe = pathlib.Path(sys.argv[1]), sys.argv[2]
with tempfile.TemporaryDirectory() as directory:
    subprocess.run([sys.executable, suite / "write_kernels.py", directory], check=True)
    written = {path.name for path in pathlib.Path(directory).iterdir()}
    committed = {path.name for path in (suite / "kernels").iterdir()}
    differing = written ^ committed
    differing |= {name for name in written & committed
                  if not filecmp.cmp(pathlib.Path(directory) / name, suite / "kernels" / name, shallow=False)}
for name in sorted(differing):
    print(f"{name}: run write_kernels.py {suite / 'kernels'}")
checked = subprocess.run([warpipe, "check", *sorted((suite / "kernels").glob("*.json"))], capture_output=True, text=True)
if checked.returncode != 0:
    print(checked.stdout, checked.stderr)
sys.exit(1 if differing or checked.returncode != 0 else 0)
