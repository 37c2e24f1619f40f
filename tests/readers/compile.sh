#!/bin/sh
# Compiles programs.cu as those of kernels/ are: nvcc 13.0 and clang 14 made what is kept. Loops
# stay as they are written: clang would take two trips of `columns` at a time.
#
#     tests/readers/compile.sh
set -eu
cd "$(dirname "$0")"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
clang=${CLANG:-$(command -v clang++-19 || command -v clang++)}
for target in sm_80 sm_90; do
    "$nvcc" -ptx -arch="$target" -o "programs.$target.ptx" programs.cu
    "$nvcc" -cubin -arch="$target" -o "programs.$target.cubin" programs.cu
done
for target in gfx90a gfx1030; do
    "$clang" -x hip --offload-arch="$target" --cuda-device-only -S -O3 -fno-vectorize -nogpuinc -nogpulib \
        -I../../kernels/hip/include -include hip/hip_runtime.h -o programs.part programs.cu
    python3 ../../kernels/hip/strip.py programs.part > "programs.$target.s"
    rm programs.part
done
