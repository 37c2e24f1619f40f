#!/usr/bin/env python3
"""Gives the instructions of registers.cu other registers: registers.py FOLDER/registers.cubin, in place.

The compiler avoids what is to be measured, so the words of the machine code (compute capability 9.0, 16 bytes each) are
written anew: multiply_adds<0> and doubles<0> stay as the assembler made them, the others follow CHOICES. What they compute
is meaningless.
"""
import re
import struct
import sys

# Bits 0 to 11 of the instructions that are rewritten: FFMA, LOP3, IADD3, IMAD, SHF, HFMA2, HFMA2.MMA, FADD, DFMA, all of
# registers alone. Of an FADD the sum is the second operand, of all others the third.
FADD, DFMA = 0x221, 0x22B
REWRITTEN = {0x223, 0x212, 0x210, 0x224, 0x219, 0x231, 0x235, FADD, DFMA}
BRANCH = 0x947
GUARD, ALWAYS = 12, 7  # four bits that say which predicate decides; 7: none
REUSE = 122  # the first of three bits: operands a, b, c

EVEN = [4, 6, 8, 10, 12, 14, 16, 18]
BOTH = [4, 5, 6, 7, 8, 9, 10, 11]

# Of each instruction in turn: sum, a, b, and which of a, b, c it keeps for the next one.
CHOICES = {
    1: None,                               # as it was, nothing kept
    2: (EVEN, [20, 22], [24, 24, 26, 26], 0),  # three even ones
    3: (EVEN, [21, 23], [24, 24, 26, 26], 0),  # two even, one odd
    4: (EVEN, [21, 23], [25, 25, 27, 27], 0),  # one even, two odd
    5: (BOTH, [20, 22], [24, 24, 26, 26], 0),  # every second time three even ones
    6: (EVEN, [20], [24, 26], 1),              # three even ones, a is kept
    7: (EVEN, [20], [24], 3),                  # a and b are kept
    8: (EVEN, [20, 22], [20, 22], 0),          # a is b
    9: (EVEN, [20], [24, 26], 0),              # as 6, and nothing kept
    10: (BOTH, [20, 22], [25, 25, 27, 27], 0),  # the usual mixture: never three alike
    11: (EVEN, [20], [24], 0),                 # as 7, and nothing kept
    12: ([4, 8, 12, 16], [20, 24], [24, 20], 0),   # three multiples of 4
    13: ([4, 8, 12, 16], [20, 24], [22, 26], 0),   # three even ones, not all alike modulo 4
}


# Of doubles, each in a register and the next one.
DOUBLES = {
    1: None,
    7: ([6, 8, 10, 12, 14, 16, 18, 20], [22], [24], 3),
    11: ([6, 8, 10, 12, 14, 16, 18, 20], [22], [24], 0),
}


def rewritten(word, choice, i):
    word &= ~(7 << REUSE)
    if choice is None:
        return word
    sums, a, b, kept = choice
    if word & 0xFFF == FADD:
        b, kept, last = sums, kept & 1, []
    else:
        last = [(sums, 64)]
    for values, at in [(sums, 16), (a, 24), (b, 32), *last]:
        word = word & ~(0xFF << at) | values[i % len(values)] << at
    return word | kept << REUSE


def sections(data):
    """Name, offset and size of each section of an ELF file."""
    table, = struct.unpack_from("<Q", data, 40)
    entry, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * entry) for i in range(count)]
    for name, _, _, _, offset, size in headers:
        start = headers[names][4] + name
        yield data[start:data.index(0, start)].decode(), offset, size


def main():
    data = bytearray(open(sys.argv[1], "rb").read())
    for name, offset, size in list(sections(data)):
        found = re.match(r"\.text\..*(multiply_adds|others|doubles)I.*?Li(\d+)EE", name)
        if not found or int(found[2]) == 0:
            continue
        choice = (DOUBLES if found[1] == "doubles" else CHOICES)[int(found[2])]
        words = [int.from_bytes(data[at:at + 16], "little") for at in range(offset, offset + size, 16)]
        end = max(i for i, word in enumerate(words) if word & 0xFFF == BRANCH and word >> GUARD & 15 != ALWAYS)
        places = [i for i, word in enumerate(words[:end]) if word & 0xFFF in REWRITTEN]
        for number, place in enumerate(places[-256:]):  # the loop's
            word = rewritten(words[place], choice, number)
            data[offset + place * 16:offset + (place + 1) * 16] = word.to_bytes(16, "little")
    open(sys.argv[1], "wb").write(data)


main()
