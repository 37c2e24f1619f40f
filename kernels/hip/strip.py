"""Cuts away what nobody reads of assembly: strip.py FILE.s > STRIPPED.s"""

import re
import sys

KEPT = (
    ".data .bss .amdgcn_target .amdhsa_code_object_version .amdhsa_kernel .end_amdhsa_kernel .text .type .section .p2align .file .loc "
    ".amdgpu_metadata .end_amdgpu_metadata .amdgpu_lds .amdhsa_group_segment_fixed_size "
    ".amdhsa_private_segment_fixed_size .amdhsa_kernarg_size .amdhsa_next_free_vgpr .amdhsa_next_free_sgpr "
    ".amdhsa_accum_offset .amdhsa_enable_private_segment .amdhsa_wavefront_size32"
).split()
KEPT_STARTS = (".amdhsa_user_sgpr_", ".amdhsa_system_")
DATA = ".long .byte .short .quad .zero .size".split()


def main() -> None:
    kept_section = True
    data = False
    metadata = False
    last = ""
    for line in open(sys.argv[1], encoding="utf-8"):
        if metadata:
            print(line.rstrip())
            metadata = ".end_amdgpu_metadata" not in line
            continue
        text = re.sub(r"\s*;.*$", "", line.rstrip())
        word = text.split()[0] if text.split() else ""
        if word == ".section":
            name = text.split()[1]
            kept_section = name.startswith((".text", ".rodata", ".data", ".bss"))
            data = not name.startswith(".text")
        if word in (".text", ".data", ".bss"):
            kept_section, data = True, word != ".text"
        if word == ".amdgpu_metadata":
            metadata = kept_section = True
        if not word or not kept_section or word.startswith((".Ltmp", ".Lfunc_begin")):
            continue
        if word == ".file":
            text = re.sub(r" md5 0x[0-9a-f]*", "", text)
            text = re.sub(r'"/[^"]*" "([^"]*)"', r'"\1"', text)
        if word == ".loc":
            text = "\t.loc\t" + " ".join(text.split()[1:3])
            if text == last:
                continue
            last = text
        is_directive = word.startswith(".") and not word.endswith(":")
        if is_directive and word not in KEPT and not word.startswith(KEPT_STARTS) and not (data and word in DATA):
            continue
        print(text)


main()
