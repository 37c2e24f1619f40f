#!/bin/sh
# Compiles every kernel here to PTX for each architecture: kernels/cuda/ptx/ARCHITECTURE/NAME.ptx, with source lines.
#
#     kernels/cuda/compile.sh [FOLDER]      the folder to write to instead of kernels/cuda/ptx
#
# Uses $NVCC, else nvcc of the path, else /usr/local/cuda/bin/nvcc. Paths in .file lines are made relative to the root
# of the repository (of CUDA's own headers only the name stays), and the hash of the path that stands in the names of
# static functions is made zero, so that the output is the same wherever it is made. nvcc 13 compiles for nothing below
# sm_75; up to nvcc 12 it was sm_60 or lower.
set -eu

architectures="sm_75 sm_80 sm_90"
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/ptx}
internal="73,78,84,69,82,78,65,76,95," # "INTERNAL_" in the codes of a .debug_str section
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

if ! command -v "$nvcc" > /dev/null; then
    echo "compile.sh: $nvcc is not there; name the compiler: NVCC=PATH $0" >&2
    exit 1
fi

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here"
for architecture in $architectures; do
    mkdir -p "$out/$architecture"
    for source in *.cu; do
        ptx=$out/$architecture/${source%.cu}.ptx
        "$nvcc" -ptx -arch="$architecture" -lineinfo -o "$ptx.part" "$source"
        sed -e "s|^\(\t\.file\t[0-9]* \)\".*/kernels/cuda/\([^/\"]*\)\"|\1\"kernels/cuda/\2\"|" \
            -e "s|^\(\t\.file\t[0-9]* \)\"/.*/\([^/\"]*\)\"|\1\"\2\"|" \
            -e "s/$internal\([0-9]*,\)\{8\}/${internal}48,48,48,48,48,48,48,48,/" "$ptx.part" > "$ptx"
        rm "$ptx.part"
    done
done
