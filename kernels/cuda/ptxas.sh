#!/bin/sh
# What ptxas says of every kernel's resources on each architecture, as CSV: kernels/cuda/ptxas.csv.
#
#     kernels/cuda/ptxas.sh [FILE]          the file to write instead of kernels/cuda/ptxas.csv
#
# Uses $PTXAS, else ptxas of the path, else /usr/local/cuda/bin/ptxas, on the PTX in kernels/cuda/ptx, with its
# defaults. shared_memory is per group, without its dynamic part; stack and spills are a thread's.
set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/ptxas.csv}
ptxas=${PTXAS:-$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)}

if ! command -v "$ptxas" > /dev/null; then
    echo "ptxas.sh: $ptxas is not there; name the assembler: PTXAS=PATH $0" >&2
    exit 1
fi

version=$("$ptxas" --version | sed -n 's/.*V\([0-9.]*\)$/\1/p')
columns=file,kernel,architecture,registers,shared_memory_bytes,stack_bytes,spill_store_bytes,spill_load_bytes,ptxas
echo $columns > "$out"
for ptx in "$here"/ptx/*/*.ptx; do
    architecture=$(basename "$(dirname "$ptx")")
    "$ptxas" -v -arch="$architecture" -o /dev/null "$ptx" 2>&1 |
        awk -v file="$(basename "$ptx" .ptx)" -v architecture="$architecture" -v version="$version" '
            function before(words) { return match($0, "[0-9]+ " words) ? substr($0, RSTART) + 0 : 0 }
            BEGIN { OFS = "," }
            /Compiling entry function/ { split($0, quoted, "\047"); kernel = quoted[2] }
            /bytes stack frame/ {
                stack = before("bytes stack")
                stores = before("bytes spill stores")
                loads = before("bytes spill loads")
            }
            /Used [0-9]+ registers/ {
                local = before("bytes smem")
                print file, kernel, architecture, before("registers"), local, stack, stores, loads, version
            }'
done | sort >> "$out"
