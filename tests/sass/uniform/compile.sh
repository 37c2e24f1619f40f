#!/bin/sh
# Makes sm_NN.cubin of uniform.cu, by nvcc 13.0; $NVCC names another one.
set -eu
cd "$(dirname "$0")"
for number in 120; do
    "${NVCC:-nvcc}" -cubin -arch=sm_$number -o sm_$number.cubin uniform.cu
done
