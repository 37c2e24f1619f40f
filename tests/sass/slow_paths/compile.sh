#!/bin/sh
# Makes sm_NN.cubin of slow_paths.cu, by nvcc 13.0; $NVCC names another one.
set -eu
cd "$(dirname "$0")"
for number in 80 90; do
    "${NVCC:-nvcc}" -cubin -arch=sm_$number -o sm_$number.cubin slow_paths.cu
done
