#!/usr/bin/env python3
"""Times the kernels of this folder on the GPU at hand and writes a CSV: a row for each launch of NAME.jsonl.

    measure.py --arch sm_90 --keep FOLDER --compile                 where nvcc is: makes FOLDER/NAME.cubin and NAME.ptx
    measure.py --arch sm_90 --keep FOLDER --device h100 --output OUT.csv      where the GPU is, too

A time is that between two events round one launch, which waits behind a kernel that reads 512 MiB of something else: so
no cache holds the kernel's own data, nothing of others must be written back, and the host has no part in it. What a
launch costs is in it; the rows `empty` are a launch of a group that does nothing, timed the same way. `arrays.py` says
what the arrays hold. Results are not checked. Each file is a process of its own: where a kernel fails, or the process
takes longer than a minute, the row of the launch that it was at says so and another process begins with the next. Needs
numpy and the driver (libcuda). `ncu python3 measure.py --keep FOLDER --file NAME --profile` counts instead.
"""
import argparse
import csv
import ctypes
import json
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import zlib

import check

FOLDER = pathlib.Path(__file__).resolve().parent
COLUMNS = ["file", "kernel", "launch", "device", "time_us", "least_us", "most_us", "runs", "registers", "error",
           "source"]
ARRAY_BYTES = 1 << 30   # of each pointer; more than any kernel here touches
MEMBER_BYTES = 1 << 27  # of each pointer in a structure, likewise
SWEEP_BYTES = 512 << 20
WARM_UPS = 2
LIMIT_S = 60            # of a process, which times what is left of a file

HELPERS = """
extern "C" __global__ void empty() {}
extern "C" __global__ void sweep(const float4* from, size_t count, float* to) {
  float sum = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    const float4 v = from[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 12345.678f) *to = sum;
}
"""


# ---- what there is to launch ----

def parameters_of(source, name):
    """Of a kernel's parameters, in order: name, C++ type without qualifiers, and whether it begins with const."""
    found = re.search(rf"__global__[^;{{]*?\b{name}\s*\(((?:[^(){{}};]|\([^()]*\))*)\)\s*\{{", source)
    for one in found.group(1).split(","):
        if words := re.sub(r"__restrict__|__grid_constant__|\bconst\b", "", one).strip():
            kind, parameter = re.match(r"(.*?)\s*(\w+)$", words, re.S).groups()
            yield parameter, kind, one.strip().startswith("const")


def entries_of(ptx):
    """Of each entry its name in the source's words, its symbol, and bytes and alignment of its parameters."""
    for symbol, text in re.findall(r"\.entry\s+(\w+)\s*\(([^)]*)\)", ptx):
        layout = []
        for kind, align, size in re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.([a-z]+)(\d+)?[^,\[]*(?:\[(\d+)\])?", text):
            layout.append(int(size) if size else int(align) // 8)
        demangled = subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=True).stdout.strip()
        name = re.sub(r"^void ", "", demangled)
        name = re.sub(r"\(anonymous namespace\)::", "", name)
        yield name[: name.index("(")] if "(" in name else name, symbol, layout


def axes(value):
    return (list(value) if isinstance(value, list) else [value]) + [1, 1]


# ---- the driver ----

class Gpu:
    """The calls of the driver that are needed here; each is checked."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)
        context = ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self("cuCtxSetCurrent", context)

    def __call__(self, function, *arguments):
        status = getattr(self.cuda, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError(f"{function}: {(text.value or b'').decode() or status}")

    def made(self, function, *arguments, kind=ctypes.c_void_p):
        """What the function writes to its first argument."""
        result = kind()
        self(function, ctypes.byref(result), *arguments)
        return result

    def allocate(self, size):
        return self.made("cuMemAlloc_v2", ctypes.c_size_t(size), kind=ctypes.c_uint64).value

    def write(self, to, array):
        self("cuMemcpyHtoD_v2", ctypes.c_uint64(to), array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))

    def copy(self, to, source, size):
        self("cuMemcpyDtoD_v2", ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(size))

    def load(self, path):
        return self.made("cuModuleLoadData", path.read_bytes())

    def function(self, module, symbol):
        return self.made("cuModuleGetFunction", module, symbol.encode())

    def launch(self, function, grid, block, shared, values, cooperative=False):
        """`values` are the parameters' bytes."""
        buffers = [ctypes.create_string_buffer(value, len(value)) for value in values]
        pointers = (ctypes.c_void_p * max(1, len(buffers)))(*[ctypes.addressof(buffer) for buffer in buffers])
        geometry = [ctypes.c_uint(n) for n in (*grid[:3], *block[:3], shared)]
        if cooperative:
            self("cuLaunchCooperativeKernel", function, *geometry, None, pointers)
        else:
            self("cuLaunchKernel", function, *geometry, None, pointers, None)

    def image(self, width, height, depth, channels, normalised, linear=True, *, is_surface):
        """A texture or surface object over an array of 32-bit floats."""
        flags = 2 if is_surface else 0
        descriptor = (ctypes.c_uint64 * 5)(width, height, depth, 0x20 | channels << 32, flags)
        array = self.made("cuArray3DCreate_v2", descriptor)
        resource = (ctypes.c_uint64 * 18)(0, array.value)
        if is_surface:
            return self.made("cuSurfObjectCreate", resource, kind=ctypes.c_uint64).value
        clamp = 1
        texture = (ctypes.c_uint32 * 26)(clamp, clamp, clamp, int(linear), 2 if normalised else 0)
        return self.made("cuTexObjectCreate", resource, texture, None, kind=ctypes.c_uint64).value

    def tensor_map(self, address, element, columns, rows, box_columns, box_rows):
        kind, size = {"byte": (0, 1), "half": (6, 2), "float": (7, 4)}[element]
        buffer = ctypes.create_string_buffer(192)
        start = -ctypes.addressof(buffer) % 64
        swizzle_128, promote_128 = (3 if element != "float" else 0), 2
        self("cuTensorMapEncodeTiled", ctypes.c_void_p(ctypes.addressof(buffer) + start), kind, 2,
             ctypes.c_void_p(address), (ctypes.c_uint64 * 2)(columns, rows), (ctypes.c_uint64 * 1)(columns * size),
             (ctypes.c_uint32 * 2)(box_columns, box_rows), (ctypes.c_uint32 * 2)(1, 1), 0, swizzle_128, promote_128, 0)
        return buffer.raw[start:start + 128]


class Memory:
    """Arrays, taken from a pool that is filled anew for each launch."""

    def __init__(self, gpu, numpy, arrays):
        self.gpu, self.numpy, self.arrays = gpu, numpy, arrays
        self.pool, self.patterns = {}, {}
        self.taken, self.restored = {}, []

    def pattern(self, kind):
        """Random numbers of a type, 32 MiB of them on the device."""
        np, random = self.numpy, self.numpy.random.default_rng(1)
        if kind not in self.patterns:
            size = 32 << 20
            if kind == "double":
                values = random.uniform(-1, 1, size // 8)
            elif kind == "float":
                values = random.uniform(-1, 1, size // 4).astype(np.float32)
            elif kind == "half":
                values = random.uniform(-1, 1, size // 2).astype(np.float16)
            elif kind == "bfloat16":
                values = (random.uniform(-1, 1, size // 2).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            else:
                values = random.integers(0, 256, size, dtype=np.uint8)
            self.patterns[kind] = (self.gpu.allocate(size), size)
            self.gpu.write(self.patterns[kind][0], values)
        return self.patterns[kind]

    def take(self, size):
        """Memory that no other array of this launch has."""
        number = self.taken.get(size, 0)
        self.taken[size] = number + 1
        if (size, number) not in self.pool:
            self.pool[size, number] = self.gpu.allocate(size)
        return self.pool[size, number]

    def array(self, kernel, name, element, mutable, array_bytes=ARRAY_BYTES):
        address = self.take(array_bytes)
        kind = next((k for text, k in (("half", "half"), ("bfloat16", "bfloat16"), ("float", "float"),
                                       ("double", "double")) if text in element), "bytes")
        source, size = self.pattern(kind)
        self.gpu.copy(address, source, size)
        while size < array_bytes:
            self.gpu.copy(address + size, address, size)
            size *= 2
        of_kernel = self.arrays.ARRAYS.get(kernel) or self.arrays.ARRAYS.get(kernel.split("<")[0], {})
        if name in of_kernel:
            random = self.numpy.random.default_rng(zlib.crc32(f"{kernel} {name}".encode()))
            values = self.numpy.ascontiguousarray(of_kernel[name](random))
            self.gpu.write(address, values)
            if mutable:
                self.restored.append((address, values))
        return address

    def begin(self):
        self.taken, self.restored = {}, []

    def restore(self):
        """Writes what the kernel may have changed and the next run needs."""
        for address, values in self.restored:
            self.gpu.write(address, values)


# ---- a launch ----

def parameter_bytes(gpu, memory, arrays, launch, signature, layout):
    """The bytes of each parameter."""
    entry, base = launch["entry"], launch["entry"].split("<")[0]
    given = launch.get("arguments", {})
    images = arrays.IMAGES.get(entry) or arrays.IMAGES.get(base, {})
    for (name, kind, constant), size in zip(signature, layout):
        if name in images:
            yield gpu.image(*images[name], is_surface="Surface" in kind).to_bytes(8, "little")
        elif name in arrays.TENSOR_MAPS.get(base, {}):
            element, *shape = arrays.TENSOR_MAPS[base][name]
            yield gpu.tensor_map(memory.array(entry, name, element, False), element, *shape)
        elif name in given:
            yield number_bytes(given[name], kind, size)
        elif kind.endswith("*"):
            yield memory.array(entry, name, kind, not constant).to_bytes(8, "little")
        else:
            yield structure_bytes(memory, arrays, entry, name, size, given)


def number_bytes(value, kind, size):
    if kind in ("float", "double"):
        return struct.pack("<f" if kind == "float" else "<d", value)
    return int(value).to_bytes(size, "little", signed=value < 0)


def structure_bytes(memory, arrays, entry, name, size, given):
    value = bytearray(size)
    for offset in arrays.POINTERS.get(entry, {}).get(name, ()):
        element = "half" if entry.startswith("h") else "float"
        value[offset:offset + 8] = memory.array(entry, f"{name}+{offset}", element, True, MEMBER_BYTES).to_bytes(8, "little")
    for key, number in given.items():
        if key.startswith(name + "+"):
            offset = int(key.split("+")[1])
            value[offset:offset + 4] = int(number).to_bytes(4, "little")
    return bytes(value)


class Timer:
    def __init__(self, gpu, kept):
        self.gpu = gpu
        module = gpu.load(kept / "helpers.cubin")
        self.sweep, self.empty = gpu.function(module, "sweep"), gpu.function(module, "empty")
        self.swept, self.sink = gpu.allocate(SWEEP_BYTES), gpu.allocate(256)
        self.events = [gpu.made("cuEventCreate", 0) for _ in range(2)]

    def microseconds(self, run, before=lambda: None):
        """Of `run`, which follows `before`, which follows the sweep."""
        count = SWEEP_BYTES // 16
        values = [number.to_bytes(8, "little") for number in (self.swept, count, self.sink)]
        self.gpu.launch(self.sweep, [1024, 1, 1], [512, 1, 1], 0, values)
        before()
        self.gpu("cuEventRecord", self.events[0], None)
        run()
        self.gpu("cuEventRecord", self.events[1], None)
        self.gpu("cuCtxSynchronize")
        return self.gpu.made("cuEventElapsedTime", *self.events, kind=ctypes.c_float).value * 1000


class Kernels:
    """The compiled kernels of a file, ready to be launched."""

    def __init__(self, gpu, memory, arrays, name, options):
        self.gpu, self.memory, self.arrays = gpu, memory, arrays
        self.source = (options.kernels / f"{name}.cu").read_text()
        self.entries = {entry: rest for entry, *rest in entries_of((options.keep / f"{name}.ptx").read_text())}
        self.module = gpu.load(options.keep / f"{name}.cubin")

    def prepared(self, launch):
        """A function that launches it, with arrays of its own, one that launches what it comes after with the same
        parameters, and the registers of a thread."""
        self.memory.begin()
        base = launch["entry"].split("<")[0]
        symbol, layout = next(rest for entry, rest in self.entries.items()
                              if launch["entry"] in (entry, entry.split("<")[0]))
        function = self.gpu.function(self.module, symbol)
        values = list(parameter_bytes(self.gpu, self.memory, self.arrays, launch, parameters_of(self.source, base), layout))
        shared = launch.get("dynamic_shared_memory", 0)
        if shared > 48 << 10:
            self.gpu("cuFuncSetAttribute", function, 8, shared)
        registers = self.gpu.made("cuFuncGetAttribute", 4, function, kind=ctypes.c_int).value

        def run(one):
            self.gpu.launch(one, axes(launch["grid"]), axes(launch["block"]), shared, values, base in self.arrays.COOPERATIVE)

        before = None if "after" not in launch else self.gpu.function(self.module, self.entries[launch["after"]][0])
        return lambda: run(function), lambda: before and run(before), registers


def time_file(name, options):
    """Writes the rows of one file, from the launch `--first` on, to standard output as JSON lines."""
    import numpy
    sys.path.insert(0, str(options.kernels.resolve()))
    import arrays
    gpu = Gpu()
    memory, timer = Memory(gpu, numpy, arrays), Timer(gpu, options.keep)
    if name == "empty":
        times = [timer.microseconds(lambda: gpu.launch(timer.empty, [1, 1, 1], [32, 1, 1], 0, [])) for _ in range(30)]
        print(json.dumps(row_of(name, "empty", "", times[5:], 0)), flush=True)
        return
    kernels = Kernels(gpu, memory, arrays, name, options)
    for launch, _ in list(check.launches(name, options.kernels))[options.first:]:
        run, before, registers = kernels.prepared(launch)
        if options.profile:
            before()
            run()
            gpu("cuCtxSynchronize")
            continue
        times = []
        for _ in range(WARM_UPS + options.runs):
            memory.restore()
            times.append(timer.microseconds(run, before))
        print(json.dumps(row_of(name, launch["entry"], check.said(launch), times[WARM_UPS:], registers)), flush=True)


def row_of(name, kernel, launch, times, registers):
    return {"file": name, "kernel": kernel, "launch": launch, "time_us": f"{statistics.median(times):.2f}",
            "least_us": f"{min(times):.2f}", "most_us": f"{max(times):.2f}", "runs": len(times), "registers": registers,
            "error": ""}


# ---- all of them ----

def names(options):
    return [path.stem for path in sorted(options.kernels.glob("*.cu")) if options.only in path.stem]


def compile_all(options):
    nvcc = check.find_nvcc() or "nvcc"
    options.keep.mkdir(parents=True, exist_ok=True)
    (options.keep / "helpers.cu").write_text(HELPERS)
    work = [(options.keep / "helpers.cu", options.keep / "helpers.cubin", options.arch)]
    for name in names(options):
        arch = f"sm_{check.ONLY_FOR[name]}" if name in check.ONLY_FOR else options.arch
        work += [(options.kernels / f"{name}.cu", options.keep / f"{name}.{kind}", arch) for kind in ("cubin", "ptx")]
    for source, to, arch in work:
        if not to.exists():
            subprocess.run([nvcc, f"-{to.suffix[1:]}", "-lineinfo", "-std=c++17", f"-arch={arch}", str(source), "-o",
                            str(to)], check=True)


def rows_of_file(name, options):
    """Times the file in processes of its own: after a failure from the launch after it."""
    launches = [{"entry": "empty"}] if name == "empty" else [one for one, _ in check.launches(name, options.kernels)]
    done = 0
    while done < len(launches):
        command = [sys.executable, __file__, "--keep", str(options.keep), "--file", name, "--first", str(done),
                   "--runs", str(options.runs), "--kernels", str(options.kernels)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                out, errors = process.communicate(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                out, errors = process.communicate()
                errors = f"took longer than {LIMIT_S} s"
        rows = [json.loads(line) for line in out.splitlines()]
        yield from rows
        done += len(rows)
        if done < len(launches):
            last = (errors.strip().splitlines() or [f"ended with status {process.returncode}"])[-1]
            yield {"file": name, "kernel": launches[done]["entry"],
                   "launch": check.said(launches[done]) if name != "empty" else "", "error": last}
            done += 1


def source_of_rows():
    query = "--query-gpu=name,driver_version,clocks.max.sm,clocks.max.memory"
    found = subprocess.run(["nvidia-smi", query, "--format=csv,noheader"], capture_output=True, text=True)
    return "measure.py: " + found.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--keep", type=pathlib.Path, required=True, help="folder of the compiled kernels")
    parser.add_argument("--compile", action="store_true", help="only compile")
    parser.add_argument("--device", default="h100", help="what the rows call the device")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--only", default="", help="files whose name has this text")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--profile", action="store_true", help="with --file: run each once and time nothing")
    parser.add_argument("--file", help="time only this file's launches, in this process, and print them")
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--kernels", type=pathlib.Path, default=FOLDER, help="folder of NAME.cu and NAME.jsonl")
    options = parser.parse_args()
    if options.profile and not options.file:
        parser.error("--profile: --file is missing")
    if not (options.file or options.compile or options.output):
        parser.error("--output is missing; --compile needs none")
    if options.file:
        return time_file(options.file, options)
    compile_all(options)
    if options.compile:
        return None
    with open(options.output, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        source = source_of_rows()
        for name in ["empty", *names(options)]:
            for row in rows_of_file(name, options):
                writer.writerow(row | {"device": options.device, "source": source})
                file.flush()
                shown = ("file", "kernel", "launch", "time_us", "least_us", "most_us", "error")
                print(*(str(row.get(key, "")) for key in shown), flush=True)


if __name__ == "__main__":
    main()
