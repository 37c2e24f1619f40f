#!/usr/bin/env bash
# Makes programs.ptx and recorded_loads.ptx of their sources. Needs the CUDA Toolkit 13.
set -euo pipefail
cd "$(dirname "$0")"
for name in programs recorded_loads; do
  "${NVCC:-nvcc}" -ptx -arch=sm_80 -lineinfo -o $name.ptx $name.cu
done
# Names of files are those of this folder, and of the toolkit.
sed -i -E 's#^(\s*\.file\s+[0-9]+) ".*/#\1 "#' programs.ptx recorded_loads.ptx
