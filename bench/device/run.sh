#!/usr/bin/env bash
# One command where a GPU is at hand: builds the suite for it, runs all of it, and keeps the rows with the listings of
# the validation kernels. Needs nvcc and a C++ compiler, and nothing else of the project.
#
# usage: bench/device/run.sh OUT [options of warpipe-measure]      with --probe no listings
#   OUT/rows.csv          the rows            OUT/run.txt       what the program said
#   OUT/machine.txt       the machine         OUT/listings/     PTX and SASS of the validation kernels
#   OUT/sass.txt          whether the microbenchmarks' machine code is what it claims to be, where cuobjdump is found
# NVCC and ARCH (default: native) may be set.
set -euo pipefail
if [ $# -lt 1 ] || [ "${1#-}" != "$1" ]; then
  sed -n '5,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/build"
out=$(cd "$1" && pwd)
shift
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
arch=${ARCH:-native}
[ -x "$nvcc" ] || { echo "run.sh: error: found no nvcc; set NVCC to its path" >&2; exit 1; }

echo "== building for $arch with $nvcc"
compile() {
  "$nvcc" -std=c++17 -O3 -arch="$arch" -x cu -c "$1" -o "$out/build/$(basename "$1").o"
}
export -f compile
export nvcc arch out
printf '%s\0' "$here"/*.cu "$here"/*.cpp | xargs -0 -n 1 -P "$(nproc)" bash -c 'set -e; compile "$1"' _
"$nvcc" "$out"/build/*.o -o "$out/build/warpipe-measure"

{
  date -u +%Y-%m-%d
  "$nvcc" --version
  nvidia-smi -q -d CLOCK,POWER 2>&1 || true
} > "$out/machine.txt"

echo "== measuring"
status=0
"$out/build/warpipe-measure" --output "$out/rows.csv" "$@" 2> >(tee "$out/run.txt" >&2) || status=$?

case " $* " in
  *" --probe "*) ;;  # none of the validation kernels ran
  *)
    echo "== keeping listings"
    NVCC=$nvcc ARCH=$arch "$here/keep_listings.sh" "$out/listings"
    ;;
esac
if command -v "$(dirname "$nvcc")/cuobjdump" cuobjdump > /dev/null && command -v python3 > /dev/null; then
  PATH="$(dirname "$nvcc"):$PATH" python3 "$here/check_sass.py" "$out/build/warpipe-measure" > "$out/sass.txt" || status=1
  tail -n 1 "$out/sass.txt"
else
  echo "cuobjdump or python3 is missing: the machine code was not checked" | tee "$out/sass.txt"
fi
rm -r "$out/build"
exit "$status"
