#!/usr/bin/env bash
# Makes programs.ptx of programs.cu. Needs the CUDA Toolkit 13.
set -euo pipefail
cd "$(dirname "$0")"
"${NVCC:-nvcc}" -ptx -arch=sm_80 -lineinfo -o programs.ptx programs.cu
# Names of files are those of this folder, and of the toolkit.
sed -i -E 's#^(\s*\.file\s+[0-9]+) ".*/#\1 "#' programs.ptx
