#!/usr/bin/env bash
# Makes the PTX of this folder, of tests/programs and of bench/machine of its sources. Needs the CUDA Toolkit 13.
set -euo pipefail
cd "$(dirname "$0")"
for name in programs recorded_loads fragments calls ../programs/textures ../../bench/machine/kernels; do
  "${NVCC:-nvcc}" -ptx -arch=sm_80 -lineinfo -o $name.ptx $name.cu
  # Names of files are those of its folder, and of the toolkit.
  sed -i -E 's#^(\s*\.file\s+[0-9]+) ".*/#\1 "#' $name.ptx
done
