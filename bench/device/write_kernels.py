#!/usr/bin/env python3
"""Writes the graphs of the suite's kernels, one file for each name in the column "kernel" that is not shipped already.

usage: write_kernels.py DIRECTORY [--shipped DIRECTORY]

`warpipe validate --measured ROWS.csv --data PARENT` finds them where DIRECTORY is PARENT/kernels. Everything that all
kernels of a family share is said once here; a test holds the committed files to what this script writes.
"""
import argparse
import json
import pathlib

CHAINS = 8  # the most chains that a row has
LOOP = "the loop around them has no instructions of its own: the difference of two unrolled lengths has none"

# Ops of the vocabulary that are chained as they are, and those that need a partner to be chained. Each name is a
# kernel chain_NAME; a step of it executes these ops one after the other.
CHAIN_STEPS = {op: [op] for op in
               "iadd imul imad shift fadd fmul ffma fdiv hfma dadd dmul dfma ddiv dsqrt rsqrt sqrt sin cos exp2 log2 "
               "shuffle constant.load mma".split()}
CHAIN_STEPS |= {"logic": ["logic", "logic"], "select": ["select", "select"], "convert": ["convert", "convert"],
                "compare": ["compare", "select"], "vote": ["compare", "vote"], "rcp": ["rcp", "fadd"]}


def kernel(name, description, origin, parameters, body, *, registers=16, group_size=32, work=None, groups=1,
           block=None, grid=None, arrays=None):
    made = {
        "format": "warpipe-kernel", "version": 1, "name": name, "description": description,
        "origin": f"bench/device, written by write_kernels.py; {origin}",
        "parameters": parameters,
        "launch": {"group_size": group_size, "groups": groups},
        "resources": {"registers_per_thread": registers, "shared_memory_per_group": 0},
    }
    if block:
        made["launch"]["block"] = block
    if grid:
        made["launch"]["grid"] = grid
    if work:
        made["work"] = work
    if arrays:
        made["arrays"] = {array: {"bytes": size} for array, size in arrays.items()}
    made["body"] = body
    return made


def at(array, width, address):
    return {"array": array, "width_bytes": width, "address": address}


def plus(number):
    """What is added to an address: nothing where it is 0."""
    return f" + {number}" if number else ""


def chain(name):
    ops = CHAIN_STEPS[name]
    ids = [op.replace(".", "_") + (f"_{i + 1}" if len(ops) > 1 else "") for i, op in enumerate(ops)]

    def of(number):
        steps = []
        for i, (op, own) in enumerate(zip(ops, ids)):
            before = ids[i - 1]  # the first op of a step waits for the last one of the step before
            steps.append({"id": f"{own}_of_{number}", "op": op, "after": [f"{before}_of_{number}"]})
        return steps

    body = of(1) + [{"when": f"chains >= {number}", "body": of(number)} for number in range(2, CHAINS + 1)]
    return kernel("chain_" + name.replace(".", "_"),
                  "Independent chains of dependent " + " and ".join(dict.fromkeys(ops)),
                  f"{LOOP}; steps counts those of each chain", {"chains": 1, "steps": 1024},
                  [{"loop": "step", "trip_count": "steps", "body": body}], registers=32)


def chase(level, coalesced):
    op = "global.load.64" if coalesced else "global.load"
    access = {"width_bytes": 8, "stride_bytes": 8} if coalesced else {"width_bytes": 8, "pattern": "broadcast"}
    name = f"chase_{'coalesced_' if coalesced else ''}{level}"
    return kernel(name, "Dependent loads served by " + level.upper() +
                  (", each lane its own 8 bytes" if coalesced else ", all lanes the same word"),
                  "what is loaded is the address of the next load, and the footprint decides which level serves it; "
                  + LOOP.replace("unrolled lengths", "trip counts"),
                  {"footprint_bytes": 65536, "steps": 1024},
                  [{"loop": "step", "trip_count": "steps",
                    "body": [{"id": "load", "op": op, "after": ["load"], "access": access,
                              "levels": {level: {"share": 1}}}]}])


def counted_loop(trips, body):
    """A loop as compilers make it: count, compare, branch; what comes behind a branch waits for it."""
    first = {"id": "count", "op": "iadd", "after": ["count", "again"]}
    return {"loop": "trip", "trip_count": trips,
            "body": [first, {"id": "test", "op": "compare", "after": ["count"]}, *body,
                     {"id": "again", "op": "branch", "after": ["test"]}]}


def stream(kind, bits):
    width = bits // 8
    suffix = "" if bits == 32 else f".{bits}"
    steps = []
    for i in range(4):
        low, high = f"low{i}", f"high{i}"
        before_low, before_high = f"low{(i - 1) % 4}", f"high{(i - 1) % 4}"
        address = f"stride_bytes * (group_size * (4 * (trips * group + trip){plus(i)}) + thread_x)"
        steps.append({"id": f"{kind}{i}", "op": f"global.{kind}{suffix}", "after": [before_high],
                      "access": at("data", width, address)})
        steps.append({"id": low, "op": "iadd", "after": [before_low]})
        steps.append({"id": high, "op": "iadd", "after": [low, before_high]})
    if kind == "load":
        for i in range(4):
            for word in range(width // 4):
                before = [f"sum{i}_{word - 1}" if word else f"sum{(i - 1) % 4}_{width // 4 - 1}"]
                steps.append({"id": f"sum{i}_{word}", "op": "iadd", "after": [f"load{i}", *before]})
    return kernel(f"stream_{kind}{'' if bits == 32 else f'_{bits}'}",
                  f"Global {kind}s of {bits} bits, lanes stride_bytes apart, four a trip, every address used once",
                  "the addresses of a thread's accesses lie a whole launch apart, here a whole group: no sector is "
                  "shared either way; four accesses a trip, as unrolled",
                  {"trips": 64, "stride_bytes": width}, [counted_loop("trips", steps)],
                  work={"bytes": f"{width} * 4 * trips * group_size * groups"},
                  arrays={"data": "stride_bytes * 4 * trips * group_size * groups"})


def local(op):
    after = [] if op == "store" else ["access"]
    item = {"id": "access", "op": f"shared.{op}", "conflict_degree": "conflict_degree"}
    if after:
        item["after"] = after
    meaning = "lanes on one word" if op == "atomic" else "lanes at different words of one bank"
    return kernel(f"local_{op}", f"Shared memory {op}s, conflict_degree {meaning}" +
                  ("" if op == "store" else ", each waiting for the one before"), LOOP,
                  {"conflict_degree": 1, "steps": 1024},
                  [{"loop": "step", "trip_count": "steps", "body": [item]}])


def divergence():
    path = [{"id": "is_own", "op": "compare", "after": ["next_path"]},
            {"id": "skip", "op": "branch", "after": ["is_own"]},
            {"loop": "step", "trip_count": 64,
             "body": [{"id": "fma", "op": "ffma", "after": ["fma", "skip"]}]},
            {"id": "next_path", "op": "iadd", "after": ["next_path"]},
            {"id": "more_paths", "op": "compare", "after": ["next_path"]},
            {"id": "to_next", "op": "branch", "after": ["more_paths"]}]
    return kernel("divergence", "Each lane takes one of `paths` paths of 64 dependent multiply-adds",
                  "the paths are one piece of code that the lanes of one path at a time run through; the chains of "
                  "different paths belong to different lanes, and follow each other only because a warp has one "
                  "program counter, which is written here as one chain",
                  {"paths": 1, "trips": 16},
                  [counted_loop("trips", [{"loop": "path", "trip_count": "paths", "body": path}])])


def simple_kernels():
    step = {"loop": "step", "trip_count": "steps"}
    yield kernel("empty_loop", "A loop that only counts", "compiled so that it can neither be unrolled nor removed",
                 {"trips": 1024}, [counted_loop("trips", [])])
    yield kernel("barriers", "One barrier after the other", LOOP, {"steps": 1024},
                 [{**step, "body": [{"id": "meet", "op": "barrier"}]}])
    yield kernel("global_atomic", "Dependent 64-bit atomic additions, conflict_degree lanes on one word",
                 "each warp has words of its own, 256 bytes / conflict_degree of them; " + LOOP.replace("unrolled lengths", "trip counts"),
                 {"conflict_degree": 1, "steps": 64},
                 [{**step, "body": [{"id": "access", "op": "global.atomic", "after": ["access"],
                                     "transactions": "max(1, ceil(8 / conflict_degree))",
                                     "turns": "conflict_degree * max(1, ceil(8 / conflict_degree))"}]}])
    yield kernel("empty_groups", "Groups that do nothing", "a comparison of the argument and the end of the program",
                 {}, [{"id": "test", "op": "compare"}, {"id": "leave", "op": "branch", "after": ["test"]}])


def with_conflicts(shipped, name, tile):
    """mmul with the tile of B transposed: reads and writes of it at a distance of `tile` words."""
    degree = tile * tile // 32  # lanes x are `tile` words apart: 32 / tile banks, tile lanes
    made = json.loads((shipped / f"{name}.json").read_text())
    made["name"] = f"{name}_conflicts"
    made["description"] += "; the tile of B is kept transposed, which makes bank conflicts"
    made["origin"] = (f"bench/device, written by write_kernels.py from the shipped {name}: reads and writes of B's tile "
                      f"have {degree}-way conflicts, as the addresses of bench/device/mmul.cu have. " + made["origin"])
    del made["parameters"]["conflict_degree"]

    def change(items):
        for item in items:
            if "body" in item:
                change(item["body"])
            elif item["id"].startswith("read_a"):
                del item["conflict_degree"]
            elif item["id"].startswith("read_b") or item["id"] == "store_b":
                item["conflict_degree"] = degree

    change(made["body"])
    return made


def sgemm():
    body = [{"id": "thread", "op": "index"}]
    body += [{"id": f"place{i}", "op": "imad", "after": ["thread"]} for i in range(6)]
    steps = []
    for i in range(4):
        of_a = f"4 * (n * (64 * group_y{plus(16 * i)} + floor(thread_x / 16)) + 16 * trip + mod(thread_x, 16))"
        of_b = f"4 * (n * (16 * trip{plus(4 * i)} + floor(thread_x / 64)) + 64 * group_x + mod(thread_x, 64))"
        for matrix, address in (("a", of_a), ("b", of_b)):
            steps.append({"id": f"load_{matrix}{i}", "op": "global.load", "after": [f"{matrix}_high", "place5"],
                          "access": at(matrix, 4, address)})
    for matrix in "ab":
        steps.append({"id": f"{matrix}_low", "op": "iadd", "after": ["place5", f"{matrix}_low"]})
        steps.append({"id": f"{matrix}_high", "op": "iadd", "after": [f"{matrix}_low", f"{matrix}_high"]})
    # A is written transposed: lanes 0-15 to 16 rows 68 words apart, so lanes 8 apart meet in a bank.
    for i in range(4):
        steps.append({"id": f"write_a{i}", "op": "shared.store", "after": [f"load_a{i}", "place0"],
                      "conflict_degree": 2})
        steps.append({"id": f"write_b{i}", "op": "shared.store", "after": [f"load_b{i}", "place1"]})
    steps.append({"id": "filled", "op": "barrier"})
    for k in range(16):
        # Two rows of A and sixteen columns of B a warp, 16 bytes each: no two words of a pass in one bank.
        steps.append({"id": f"rows{k}", "op": "shared.load.128", "after": ["place2"]})
        steps.append({"id": f"columns{k}", "op": "shared.load.128", "after": ["place3"]})
        for i in range(4):
            for j in range(4):
                before = f"fma{(k - 1) % 16}_{i}{j}"
                steps.append({"id": f"fma{k}_{i}{j}", "op": "ffma", "after": [f"rows{k}", f"columns{k}", before]})
    steps.append({"id": "used", "op": "barrier"})
    body.append(counted_loop("n / 16", steps))
    body += [{"id": f"store{i}", "op": "global.store.128", "after": ["place4"] + [f"fma15_{i}{j}" for j in range(4)],
              "access": at("c", 16, f"4 * (n * (64 * group_y + 4 * floor(thread_x / 16){plus(i)}) + 64 * group_x + "
                           "4 * mod(thread_x, 16))")} for i in range(4)]
    made = kernel("sgemm_tiled", "C = A * B, n x n, 64 x 64 elements of C a group, 4 x 4 a thread in registers",
                  "by hand from bench/device/sgemm.cu; the reads of a step stand right before its multiply-adds, where "
                  "a compiler may move them up",
                  {"n": 1024}, body, registers=64, group_size=256, groups="(n / 64) * (n / 64)",
                  grid=["n / 64", "n / 64"], arrays={matrix: "4 * n * n" for matrix in "abc"},
                  work={"flops": "2 * n * n * n", "bytes": "4 * (2 * n * n * n / 64 + n * n)"})
    made["resources"]["shared_memory_per_group"] = 8448
    return made


def stencil():
    neighbours = {"left": " - 1", "right": " + 1", "up": " - n", "down": " + n"}

    def point(array, further=""):
        return at(array, 4, f"4 * (n * (8 * group_y + thread_y) + 32 * group_x + thread_x{further})")

    body = [{"id": "tx", "op": "index"}, {"id": "ty", "op": "index"},
            {"id": "x", "op": "imad", "after": ["tx"]}, {"id": "y", "op": "imad", "after": ["ty"]},
            {"id": "i", "op": "imad", "after": ["x", "y"]}, {"id": "place", "op": "imad", "after": ["i"]},
            {"id": "centre", "op": "global.load", "after": ["place"], "access": point("in")}]
    for name in ["x_low", "x_high", "y_low", "y_high"]:
        body.append({"id": name, "op": "compare", "after": [name[0]]})
    body.append({"id": "at_border", "op": "branch", "after": ["x_low", "x_high", "y_low", "y_high"]})
    body += [{"id": f"{name}_place", "op": "imad", "after": ["i", "at_border"]} for name in ["up", "down"]]
    body += [{"id": name, "op": "global.load",
              "after": [f"{name}_place" if name in ("up", "down") else "place", "at_border"],
              "access": point("in", further)} for name, further in neighbours.items()]
    body += [{"id": "sum0", "op": "fadd", "after": ["left", "right"]},
             {"id": "sum1", "op": "fadd", "after": ["sum0", "up"]},
             {"id": "sum2", "op": "fadd", "after": ["sum1", "down"]},
             {"id": "weighted", "op": "fmul", "after": ["sum2"]},
             {"id": "value", "op": "ffma", "after": ["centre", "weighted"]},
             {"id": "store", "op": "global.store", "after": ["value", "place"], "access": point("out")}]
    return kernel("stencil5", "Five-point stencil, n x n, one element per thread, from global memory",
                  "by hand from bench/device/stencil.cu; the threads at the border read what lies beside it, too",
                  {"n": 8192}, body, registers=20, group_size=256, groups="n * n / 256", block=[32, 8],
                  grid=["n / 32", "n / 8"], arrays={"in": "4 * n * n", "out": "4 * n * n"},
                  work={"flops": "6 * n * n", "bytes": "8 * n * n"})


def softmax():
    body = [{"id": "thread", "op": "index"}, {"id": "place", "op": "imad", "after": ["thread"]},
            {"id": "own", "op": "shift", "after": ["thread"]}]
    coalesced = {"width_bytes": 4, "stride_bytes": 4}  # in shared memory

    def own(array, i):
        return at(array, 4, f"4 * (1024 * group{plus(256 * i)} + thread_x)")

    body += [{"id": f"load{i}", "op": "global.load", "after": ["place"], "access": own("in", i)} for i in range(4)]
    body += [{"id": f"most{i}", "op": "compare", "after": [f"load{i}", f"most{i - 1}" if i > 1 else "load0"]}
             for i in range(1, 4)]

    def tree(name, op, value):
        items = [{"id": f"{name}_write", "op": "shared.store", "after": ["own", value], "access": coalesced}]
        for level in range(8):
            half = 128 >> level
            running = f"{name}_{half * 2}" if level else value
            items.append({"id": f"{name}_ready{half}", "op": "barrier"})
            items.append({"id": f"{name}_outside{half}", "op": "compare", "after": ["thread"]})
            items.append({"id": f"{name}_skip{half}", "op": "branch", "after": [f"{name}_outside{half}"]})
            items.append({"when": f"warp * 32 < {half}", "body": [
                {"id": f"{name}_read{half}", "op": "shared.load", "after": ["own", f"{name}_skip{half}"],
                 "access": coalesced},
                {"id": f"{name}_{half}", "op": op, "after": [running, f"{name}_read{half}"]},
                {"id": f"{name}_write{half}", "op": "shared.store", "after": [f"{name}_{half}"], "access": coalesced}]})
        items.append({"id": f"{name}_whole", "op": "barrier"})
        items.append({"id": f"{name}_root", "op": "shared.load", "after": [f"{name}_skip1"],
                      "access": {"width_bytes": 4, "pattern": "broadcast"}})
        items.append({"id": f"{name}_used", "op": "barrier"})
        return items

    body += tree("most", "compare", "most3")
    for i in range(4):
        body += [{"id": f"less{i}", "op": "fadd", "after": [f"load{i}", "most_root"]},
                 {"id": f"scaled{i}", "op": "fmul", "after": [f"less{i}"]},
                 {"id": f"power{i}", "op": "exp2", "after": [f"scaled{i}"]}]
        body.append({"id": f"sum{i}", "op": "fadd", "after": [f"power{i}"] + ([f"sum{i - 1}"] if i else [])})
    body += tree("total", "fadd", "sum3")
    body.append({"id": "scale", "op": "fdiv", "after": ["total_root"]})
    for i in range(4):
        body.append({"id": f"result{i}", "op": "fmul", "after": [f"power{i}", "scale"]})
        body.append({"id": f"store{i}", "op": "global.store", "after": [f"result{i}", "place"],
                     "access": own("out", i)})
    made = kernel("softmax_rows", "Softmax of n rows of 1024 numbers, a group of 256 threads a row",
                  "by hand from bench/device/softmax.cu; a maximum counts as a comparison, an exp2f as one exp2",
                  {"n": 65536}, body, registers=24, group_size=256, groups="n",
                  arrays={"in": "4 * 1024 * n", "out": "4 * 1024 * n"},
                  work={"flops": "5 * 1024 * n", "bytes": "8 * 1024 * n"})
    made["resources"]["shared_memory_per_group"] = 1024
    return made


def all_kernels(shipped):
    yield from (chain(name) for name in CHAIN_STEPS)
    yield from (chase(level, coalesced) for level in ("l1", "l2", "dram") for coalesced in (False, True))
    yield from (stream(kind, bits) for kind in ("load", "store") for bits in (32, 64, 128))
    yield from (local(op) for op in ("load", "store", "atomic"))
    yield divergence()
    yield from simple_kernels()
    yield with_conflicts(shipped, "mmul08", 8)
    yield with_conflicts(shipped, "mmul16", 16)
    yield sgemm()
    yield stencil()
    yield softmax()


def text_of(made):
    """One instruction a line, as people write these files."""
    lines = []

    def write_items(items, indent):
        for i, item in enumerate(items):
            comma = "," if i + 1 < len(items) else ""
            if "body" in item:
                head = {key: value for key, value in item.items() if key != "body"}
                lines.append(indent + json.dumps(head)[:-1] + ', "body": [')
                write_items(item["body"], indent + "  ")
                lines.append(indent + "]}" + comma)
            else:
                lines.append(indent + json.dumps(item) + comma)

    lines.append("{")
    for key, value in made.items():
        if key != "body":
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)},")
    lines.append('  "body": [')
    write_items(made["body"], "    ")
    lines += ["  ]", "}", ""]
    return "\n".join(lines)


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--shipped", type=pathlib.Path, default=here.parent.parent / "kernels" / "data")
    arguments = parser.parse_args()
    arguments.directory.mkdir(parents=True, exist_ok=True)
    for made in all_kernels(arguments.shipped):
        (arguments.directory / f"{made['name']}.json").write_text(text_of(made))


if __name__ == "__main__":
    main()
