#!/bin/sh
# Makes sm_NN.cubin of guards.cu, by nvcc 13.0; $NVCC names another one.
set -eu
cd "$(dirname "$0")"
for number in 75 80 90 120; do
    "${NVCC:-nvcc}" -cubin -use_fast_math -arch=sm_$number -o sm_$number.cubin guards.cu
    "${NVCC:-nvcc}" -cubin -arch=sm_$number -o sm_${number}_exact.cubin guards.cu
done
