#!/bin/sh
# Compiles each kernel here to assembly of gfx942, committed beside it. It needs clang++-19; the tests do not.
set -eu
cd "$(dirname "$0")"
include=../../../kernels/hip/include
for source in *.hip; do
  clang++-19 -x hip --offload-arch=gfx942 --cuda-device-only -S -O3 -gline-directives-only -nogpuinc -nogpulib \
    -fdebug-compilation-dir=. "-I$include" -include "$include/hip/hip_runtime.h" "$source" -o "${source%.hip}.s"
done
