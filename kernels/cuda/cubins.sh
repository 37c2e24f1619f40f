#!/bin/sh
# Compiles every kernel here to machine code for each architecture: kernels/cuda/cubins/ARCHITECTURE/NAME.cubin, with
# source lines.
#
#     kernels/cuda/cubins.sh [FOLDER]      the folder to write to instead of kernels/cuda/cubins
#
# Uses $NVCC, else nvcc of the path, else /usr/local/cuda/bin/nvcc; nvcc 13.0 made those that are kept. In the line
# tables the folder of the repository is written as "./././" of the same length, so that no path of the machine stays;
# all else is as ptxas wrote it.
set -eu

architectures="sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_103 sm_120"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)/
out=${1:-$here/cubins}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

if ! command -v "$nvcc" > /dev/null; then
    echo "cubins.sh: $nvcc is not there; name the compiler: NVCC=PATH $0" >&2
    exit 1
fi

# As many characters as the root has.
dots=
while [ $((${#dots} + 2)) -le ${#root} ]; do dots="$dots./"; done
if [ ${#dots} -lt ${#root} ]; then dots="$dots/"; fi

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here"
for architecture in $architectures; do
    mkdir -p "$out/$architecture"
    for source in *.cu; do
        cubin=$out/$architecture/${source%.cu}.cubin
        "$nvcc" -cubin -arch="$architecture" -lineinfo -o "$cubin.part" "$source"
        LC_ALL=C sed "s|$root|$dots|g" "$cubin.part" > "$cubin"
        rm "$cubin.part"
    done
done
