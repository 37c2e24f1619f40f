#!/bin/sh
# Makes sm_NN.cubin and sm_80.ptx of grid.cu, by nvcc 13.0; $NVCC names another one.
set -eu
cd "$(dirname "$0")"
for number in 75 80 90 100; do
    "${NVCC:-nvcc}" -cubin -arch=sm_$number -o sm_$number.cubin grid.cu
done
"${NVCC:-nvcc}" -ptx -arch=sm_80 -o sm_80.ptx grid.cu
