#!/usr/bin/env bash
# Keeps the PTX and, where cuobjdump is found, the SASS of the validation kernels, one small file a source and kind: what
# a row of the CSV executed can then be read off years later.
#
# usage: keep_listings.sh OUT     NVCC and ARCH (default: native) may be set
set -euo pipefail
[ $# -eq 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
arch=${ARCH:-native}
cuobjdump=$(command -v "$(dirname "$nvcc")/cuobjdump" || command -v cuobjdump || true)
[ -n "$cuobjdump" ] || echo "keep_listings.sh: found no cuobjdump: only PTX is kept" >&2
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# PTX without comments and blank lines; SASS without the encoded words.
shorten_ptx() { sed -e '/^\/\//d' -e '/^[[:space:]]*$/d' -e 's/[[:space:]]*\/\/.*$//'; }
shorten_sass() { sed -n -e '/Function :/p' -e 's/^\s*\(\/\*[0-9a-f]\{4,\}\*\/\)\s*\(.*;\|.*}\)\s*\/\*.*$/\1 \2/p'; }

for name in alpha_mix mmul vector_kernels reduction transpose sgemm stencil softmax; do
  "$nvcc" -std=c++17 -O3 -arch="$arch" -ptx "$here/$name.cu" -o "$work/$name.ptx"
  shorten_ptx < "$work/$name.ptx" > "$1/$name.ptx"
  [ -n "$cuobjdump" ] || continue
  "$nvcc" -std=c++17 -O3 -arch="$arch" -cubin "$here/$name.cu" -o "$work/$name.cubin"
  "$cuobjdump" -sass "$work/$name.cubin" | shorten_sass > "$1/$name.sass"
done
du -sh "$1" | cut -f1 | sed 's/$/ of listings/'
