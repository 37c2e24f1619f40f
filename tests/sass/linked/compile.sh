#!/bin/sh
# Makes sm_NN.cubin of linked.cu, by nvcc 13.0; $NVCC names another one.
set -eu
cd "$(dirname "$0")"
for number in 80 90 120; do
    "${NVCC:-nvcc}" -rdc=true -cubin -arch=sm_$number -o sm_$number.cubin linked.cu
done
