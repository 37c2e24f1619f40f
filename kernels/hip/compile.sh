#!/bin/sh
# Compiles every kernel of kernels/cuda as HIP to assembly for each GPU of AMD: kernels/hip/asm/TARGET/NAME.s, with source
# lines.
#
#     kernels/hip/compile.sh [FOLDER]      the folder to write to instead of kernels/hip/asm
#
# Uses $CLANG, else clang++-19, else clang++ of the path; the header kernels/hip/include stands in for ROCm's. What nobody
# reads is cut away: debug sections, comments, checksums, the descriptor's rarer directives. Paths in .file lines are
# relative to the root of the repository.
set -eu

targets="gfx90a gfx942"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:-$here/asm}
clang=${CLANG:-$(command -v clang++-19 || command -v clang++ || true)}

if [ -z "$clang" ]; then
    echo "compile.sh: clang++ is not there; name the compiler: CLANG=PATH $0" >&2
    exit 1
fi

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$root"
for target in $targets; do
    mkdir -p "$out/$target"
    for source in kernels/cuda/*.cu; do
        name=$(basename "$source" .cu)
        "$clang" -x hip --offload-arch="$target" --cuda-device-only -S -O3 -gline-tables-only -nogpuinc -nogpulib \
            -Ikernels/hip/include -include hip/hip_runtime.h -o "$out/$target/$name.part" "$source"
        python3 "$here/strip.py" "$out/$target/$name.part" > "$out/$target/$name.s"
        rm "$out/$target/$name.part"
    done
done
