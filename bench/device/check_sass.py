#!/usr/bin/env python3
"""Holds the machine code of the microbenchmarks to what they claim to measure.

usage: check_sass.py FILE...      objects, cubins or programs (read with cuobjdump -sass), or its output (*.sass)

For every kernel whose loop is measured: the loop between the two looks at the clock holds exactly the promised number
of the promised instructions, a single chain is one (each instruction reads what the one before it wrote), and nothing
else is in the loop but its own counting. Exit status: 0 all hold, 1 some do not, 2 nothing could be checked.
"""
import re
import shutil
import subprocess
import sys

# What one step of an op is in machine code: alternatives, each a list of opcodes in order. The first part of an opcode
# is compared, so "IADD3" holds for "IADD3.X". Multiplications are three 16-bit ones before compute capability 7.0.
STEPS = {
    "Iadd": [["IADD3"], ["IADD"] * 2], "Imul": [["IMAD"], ["XMAD"] * 3], "Imad": [["IMAD"], ["XMAD"] * 3],
    "Shift": [["SHF"]], "Logic": [["LOP3"] * 2], "Select": [["SEL"] * 2, ["ICMP"] * 2],
    "Compare": [["ISETP", "SEL"]], "Convert": [["I2F", "F2I"], ["I2FP", "F2I"]],
    "Fadd": [["FADD"]], "Fmul": [["FMUL"]], "Ffma": [["FFMA"]], "Hfma": [["HFMA2"]],
    "Dadd": [["DADD"]], "Dmul": [["DMUL"]], "Dfma": [["DFMA"]],
    "Rcp": [["MUFU.RCP", "FADD"]], "Rsqrt": [["MUFU.RSQ"]], "Sqrt": [["MUFU.SQRT"]],
    "Sin": [["FMUL", "MUFU.SIN"], ["RRO.SINCOS", "MUFU.SIN"]], "Cos": [["FMUL", "MUFU.COS"], ["RRO.SINCOS", "MUFU.COS"]],
    "Exp2": [["MUFU.EX2"], ["RRO.EX2", "MUFU.EX2"]], "Log2": [["MUFU.LG2"]],
    "Shuffle": [["SHFL"]], "Vote": [["ISETP", "VOTE"], ["ISETP", "VOTEU"]], "ConstantLoad": [["LDC"]],
    "Mma": [["HMMA"]],
    "LoadStep": [["LDS"]], "StoreStep": [["STS"]], "AtomicStep": [["ATOMS"]],
}
# Routines of many instructions: only the one that every call has is counted.
ROUTINES = {"Fdiv": "MUFU.RCP", "Ddiv": "MUFU.RCP64H", "Dsqrt": "MUFU.RSQ64H"}
# Kernels that are no chain of an op: name, opcodes of a step, steps that the loop holds, whether they are a chain.
OTHERS = [
    (r"chase_kernel", ["LDG"], 16, True),
    (r"atomic_kernel", ["ATOM", "ATOMG"], 8, True),
    (r"divergence_kernel", ["FFMA"], 64, True),
    (r"stream_load_kernel", ["LDG"], 4, False),
    (r"stream_store_kernel", ["STG"], 4, False),
    (r"stride_kernel", ["LDG"], 8, False),
    (r"loop_kernel", [], 0, False),
]
COUNTING = {"IADD3", "IADD", "IADD32I", "ISETP", "UISETP", "UIADD3", "BRA", "NOP", "MOV", "IMAD.MOV", "VIADD", "DEPBAR",
            "WARPSYNC", "R2UR", "UMOV", "MEMBAR"}
ONCE = {"PLOP3", "LDC"}  # what a trip may have one of: the loop's condition, an operand that the assembler fetches anew

INSTRUCTION = re.compile(r"^\s*(?:/\*([0-9a-f]{4,})\*/)\s+\{?\s*(?:@!?(U?P\w+)\s+)?([A-Z][A-Z0-9_.]*)\s*([^;}]*)")


class Instruction:
    def __init__(self, address, guard, opcode, operands):
        self.address, self.guard, self.opcode = address, guard, opcode
        operands = re.sub(r"\.reuse", "", operands)
        self.text = f"{opcode} {operands.strip()}"
        self.places = [place.strip() for place in operands.split(",") if place.strip()]

    def is_a(self, opcode):
        return self.opcode == opcode or self.opcode.startswith(opcode + ".")

    def registers(self, places):
        return {name for place in places for name in re.findall(r"\b(?:U?R\d+|U?P\d+)\b", place)}

    def written(self):
        """Registers and predicates of the first two places: a shuffle and a comparison begin with predicates."""
        first = self.places[:1]
        if first and re.fullmatch(r"U?P[T\d]+", first[0]):
            first = self.places[:2]
        return self.registers(first)

    def read(self):
        return self.registers(self.places[1:]) | self.registers(self.places[:1] if "[" in "".join(self.places[:1]) else [])


def functions(listing):
    name, body = None, []
    for line in listing.splitlines():
        found = re.search(r"Function : (\S+)", line)
        if found:
            if name:
                yield name, body
            name, body = found.group(1), []
            continue
        found = INSTRUCTION.match(line)
        if found and name:
            body.append(Instruction(int(found.group(1), 16), found.group(2), found.group(3), found.group(4)))
    if name:
        yield name, body


def is_clock(instruction):
    return instruction.is_a("CS2R") and "CLOCK" in instruction.text or (
        instruction.is_a("S2R") or instruction.is_a("S2UR")) and "CLOCK" in instruction.text


def backward_branches(body):
    for i, instruction in enumerate(body):
        target = re.search(r"0x([0-9a-f]+)", instruction.text)
        if instruction.is_a("BRA") and target and int(target.group(1), 16) < instruction.address:
            yield int(target.group(1), 16), i


def measured_loop(body):
    """The instructions of the innermost loop between the last two looks at the clock, the ones before them wait for other
    groups; the loop with most, where there are more."""
    clocks = [i for i, instruction in enumerate(body) if is_clock(instruction)]
    if len(clocks) < 2:
        return None
    loops = []
    for target, last in backward_branches(body):
        inside = [x for x in body[:last + 1] if x.address >= target]
        if body[clocks[-2]].address < target and last < clocks[-1]:
            loops.append(inside)
    innermost = [a for a in loops if not any(b is not a and b[0].address >= a[0].address
                                             and b[-1].address <= a[-1].address and len(b) < len(a) for b in loops)]
    return max(innermost, key=len) if innermost else None


def counts(loop, opcodes):
    return {opcode: sum(x.is_a(opcode) for x in loop) for opcode in set(opcodes)}


def broken_link(loop, opcodes):
    chain = [x for x in loop if any(x.is_a(opcode) for opcode in opcodes) and not is_counting(x, loop)]
    for before, after in zip(chain, chain[1:]):
        if not before.written() & after.read() and before.guard == after.guard:
            return f"\"{after.text}\" does not read what \"{before.text}\" wrote"
    return ""


def is_counting(instruction, loop):
    """Whether it is the loop's own comparison or addition: they feed the branch that closes it."""
    guard = loop[-1].guard
    comparisons = [x for x in loop if guard in x.written()]
    if not comparisons:
        return False
    return instruction is comparisons[-1] or (
        instruction.is_a("IADD3") and instruction.written() <= instruction.read() & comparisons[-1].read())


def check_chain(loop, op, chains, steps):
    if op in ROUTINES:
        found = counts(loop, [ROUTINES[op]])[ROUTINES[op]]
        return "" if found == steps else f"{found} {ROUTINES[op]} in the loop, not {steps}"
    problems = []
    for opcodes in STEPS[op]:
        expected = {opcode: steps * opcodes.count(opcode) for opcode in opcodes}
        problem = compare(loop, expected)
        if not problem and chains == 1 and op not in ("StoreStep",) and "XMAD" not in opcodes:
            problem = broken_link(loop, opcodes)
        if not problem:
            return ""
        problems.append(problem)
    return problems[0]


def compare(loop, expected):
    for opcode, count in expected.items():
        found = sum(x.is_a(opcode) for x in loop)
        own = {"IADD3": 2, "ISETP": 1, "IMAD": 1}.get(opcode, 0)  # the loop's own
        if not count <= found <= count + own:
            return f"{found} {opcode} in the loop, not {count}"
    others = [x for x in loop if not any(x.is_a(opcode) for opcode in expected)
              and not any(x.is_a(opcode) for opcode in COUNTING)]
    for opcode in ONCE:
        once = next((x for x in others if x.is_a(opcode)), None)
        others = [x for x in others if x is not once]
    if others:
        return f"{len(others)} other instructions in the loop: {others[0].text}"
    return ""


def check_other(loop, opcodes, steps, is_chain):
    if not opcodes:
        return "" if len(loop) <= 6 else f"{len(loop)} instructions in an empty loop"
    for opcode in opcodes:
        if sum(x.is_a(opcode) for x in loop) == steps:
            return broken_link(loop, [opcode]) if is_chain else ""
    return f"no {steps} {' or '.join(opcodes)} in the loop"


def check(name, body):
    """None where the kernel is none of those that are checked, else what is wrong, or nothing."""
    chain = re.search(r"chain_kernelINS_\d+(?:_GLOBAL__N_\w+?)?([A-Z][a-z0-9A-Z]*?)ELi(\d+)ELi(\d+)E", name)
    local = re.search(r"local_kernelINS\w*?_\d+(LoadStep|StoreStep|AtomicStep)ELi(\d+)E", name)
    if chain and chain.group(1) == "Mma" and not any(x.is_a("HMMA") for x in body):
        return None  # older than the instruction
    if chain or local:
        op, number, steps = chain.groups() if chain else (local.group(1), 1, local.group(2))
        loop = measured_loop(body)
        return "no loop between two looks at the clock" if loop is None else check_chain(loop, op, int(number), int(steps))
    barrier = re.search(r"barrier_kernelILi(\d+)E", name)
    if barrier:
        loop = measured_loop(body)
        return "no loop" if loop is None else compare(loop, {"BAR": int(barrier.group(1))})
    mix = re.search(r"alpha_mix_kernelILi(\d+)E", name)
    if mix:
        loop = measured_loop(body)
        expected = {"LDG": 4, "FADD": 4 * int(mix.group(1))}
        found = loop and counts(loop, expected)
        return "" if found == expected else f"found {found} in the loop, not {expected}"
    for pattern, opcodes, steps, is_chain in OTHERS:
        if pattern in name:
            loop = measured_loop(body)
            return "no loop between two looks at the clock" if loop is None else check_other(loop, opcodes, steps, is_chain)
    return None


def listing_of(path):
    if path.endswith(".sass"):
        return open(path).read()
    tool = shutil.which("cuobjdump") or "/usr/local/cuda/bin/cuobjdump"
    return subprocess.run([tool, "-sass", path], check=True, capture_output=True, text=True).stdout


def main():
    if len(sys.argv) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    checked = failed = 0
    for path in sys.argv[1:]:
        for name, body in functions(listing_of(path)):
            problem = check(name, body)
            if problem is None:
                continue
            checked += 1
            if problem:
                failed += 1
                print(f"{path}: {name}: {problem}")
    print(f"{checked - failed} passed, {failed} failed")
    return 2 if checked == 0 else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
