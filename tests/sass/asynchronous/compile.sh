#!/bin/sh
# Makes sm_NN.cubin of copies.cu, by nvcc 13.0; $NVCC names another one.
set -eu
cd "$(dirname "$0")"
for number in 90 120; do
    "${NVCC:-nvcc}" -cubin -std=c++17 -arch=sm_$number -o sm_$number.cubin copies.cu
done
