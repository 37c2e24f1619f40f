#!/bin/sh
# Compiles the kernels of kernels/cuda with clang 14, which needs nothing of CUDA for that: NAME.ptx beside this script,
# for sm_60. Paths in .file lines are made relative to the root of the repository.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../../.."
root=$(pwd)
for source in kernels/cuda/*.cu; do
    name=$(basename "$source" .cu)
    ${CLANG:-clang-14} -x cuda --cuda-device-only --cuda-path=/none -nocudainc -nocudalib --cuda-gpu-arch=sm_60 \
        -Xclang -target-feature -Xclang +ptx60 -O3 -gline-tables-only -S \
        -include tests/kernels/ptx/clang14/cuda.hpp -o - "$source" |
        sed -e "/^\t\.file/s|\"$root/\(\./\)\{0,1\}|\"|" -e "/^\t\.file/s|\"/.*/|\"|" > "$here/$name.ptx"
done
