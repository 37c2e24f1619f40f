#!/usr/bin/env python3
"""Programs that nvcc builds, with the runtime as a library and linked in: check_nvcc.py WARPIPE NVCC. Without an nvcc
it says so with status 77."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE, OF_DRIVER = os.path.join(HERE, "programs.cu"), os.path.join(HERE, "by_driver.cu")


def check(condition, what):
    if not condition:
        sys.exit(f"check_nvcc: {what}")


def build(nvcc, folder, name, *flags, source=SOURCE):
    program = os.path.join(folder, name)
    sources = [source] if isinstance(source, str) else source
    subprocess.run([nvcc, "-O2", "-std=c++17", *flags, "-o", program, *sources], check=True)
    return program


def check_parts(warpipe, nvcc, folder):
    """Two parts compiled on their own, with variables and functions of each other, linked by nvcc."""
    sources = [os.path.join(HERE, name) for name in ("parts.cu", "parts_other.cu")]
    for name, flags in (("parts_linked", ["-arch=sm_90"]), ("parts_ptx", ["-gencode", "arch=compute_75,code=compute_75"])):
        program = build(nvcc, folder, name, "-rdc=true", *flags, source=sources)
        run = subprocess.run([warpipe, "run", "--device", "h100", "--", program],
                             capture_output=True, text=True, env=dict(os.environ, DRIVER_CHECKS="1"))
        check(run.returncode == 0 and run.stdout.startswith("here 20\nthere 20\nPASS"), f"{name}: {run.stdout}{run.stderr}")
    code_alone = build(nvcc, folder, "code_alone", "-rdc=true", "-gencode", "arch=compute_90,code=sm_90", source=sources)
    run = subprocess.run([warpipe, "run", "--device", "h100", "--", code_alone], capture_output=True, text=True)
    check("the program has no PTX of it" in run.stderr and "code=compute_" in run.stderr, run.stderr)


def check_assertions(warpipe, nvcc, folder):
    """Assertions print as CUDA's, and are an error of their own."""
    program = build(nvcc, folder, "asserts", "-arch=sm_80", source=os.path.join(HERE, "asserts.cu"))
    run = subprocess.run([warpipe, "run", "--device", "h100", "--", program], capture_output=True, text=True)
    check(run.stdout.startswith("710 device-side assert triggered, again 710"), run.stdout)
    for thread in (30, 31):
        check(f"asserts.cu:6: void asserts(const int *, int): block: [1,0,0], thread: [{thread},0,0] Assertion "
              in run.stderr and '< most && "too large"` failed.' in run.stderr, run.stderr)


def check_libraries(warpipe, nvcc, folder):
    """A library with the runtime linked in, needed by a program and loaded by it; the program has no runtime."""
    source = os.path.join(HERE, "library.cu")
    shared = ["-shared", "-Xcompiler", "-fPIC", "-DWARPIPE_LIBRARY", "-arch=sm_80"]
    library = build(nvcc, folder, "libscaled.so", *shared, source=source)
    stripped = build(nvcc, folder, "libstripped.so", *shared, "-Xlinker", "-s", source=source)
    plain = ["-cudart", "none", "-x", "c++"]
    loads = build(nvcc, folder, "loads", *plain, "-ldl", source=source)
    needs = build(nvcc, folder, "needs", *plain, "-ldl", "-L" + folder, "-Xlinker", "--no-as-needed", "-lscaled",
                  "-Xlinker", "-rpath=" + folder, source=source)
    for words in ([needs], [loads, library]):
        run = subprocess.run([warpipe, "run", "--device", "h100", "--", *words], capture_output=True, text=True)
        check(run.returncode == 0 and run.stdout.startswith("PASS") and "scale(float*, int)" in run.stdout,
              f"{words}: {run.stdout}{run.stderr}")
    run = subprocess.run([warpipe, "run", "--device", "h100", "--", loads, stripped], capture_output=True, text=True)
    check(f"{stripped} has code for GPUs, and CUDA's runtime linked in without its symbols" in run.stderr, run.stderr)


def check_driver_alone(warpipe, nvcc, folder):
    """nvcc links a section for code into it, though it has none, and nothing of the runtime."""
    program = build(nvcc, folder, "alone", "-lcuda", f'-DWARPIPE_CUDA_FOLDER="{HERE}/../../kernels/cuda"',
                    source=os.path.join(HERE, "by_driver.cpp"))
    run = subprocess.run([warpipe, "run", "--device", "h100", "--", program, "launches"],
                         capture_output=True, text=True, env=dict(os.environ, DRIVER_CHECKS="1"))
    check(run.returncode == 0 and run.stdout.startswith("done"), f"the driver alone: {run.stdout}{run.stderr}")


def check_driver(warpipe, nvcc, folder):
    """A program of both driver and runtime, which loads its kernel as a module of each form, too."""
    for runtime in ("static", "shared"):
        program = build(nvcc, folder, "by_driver_" + runtime, "-arch=sm_80", "-cudart", runtime, "-lcuda", source=OF_DRIVER)
        for form in ("fatbin", "ptx"):
            module = build(nvcc, folder, "module." + form, "-arch=sm_90", "-" + form, source=OF_DRIVER)
            result, output = module + ".json", f"{module}.{runtime}.launches"
            run = subprocess.run([warpipe, "run", "--device", "h100", "--json=" + result, "--", program, module],
                                 capture_output=True, text=True, env=dict(os.environ, DRIVER_CHECKS="1"))
            check(run.returncode == 0 and run.stdout.startswith("PASS"), f"{runtime}, {form}: {run.stdout}{run.stderr}")
            with open(result, encoding="utf-8") as text:
                rows = json.load(text)["kernels"]
            check(sum(row["launches"] for row in rows) == 3, f"{runtime}, {form}: {rows}")
            run = subprocess.run([warpipe, "record", "--output", output, "--", program, module], capture_output=True, text=True)
            check(run.returncode == 0, f"{runtime}, {form}: {run.stderr}")
            with open(output + "/launches.jsonl", encoding="utf-8") as lines:
                files = [json.loads(line)["file"] for line in lines]
            check(len(files) == 3 and files[0] == files[1] != files[2], f"{runtime}, {form}: {files}")


def main():
    warpipe, nvcc = sys.argv[1], shutil.which(sys.argv[2]) or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("there is no nvcc here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in (("shared", ["-cudart", "shared", "-arch=sm_80"]),
                            ("linked", ["-arch=sm_90"]),
                            ("plain", ["-arch=sm_80", "--no-compress"])):
            program = build(nvcc, folder, name, *flags)
            output = os.path.join(folder, name + ".launches")
            run = subprocess.run([warpipe, "record", "--output", output, "--", program], capture_output=True, text=True)
            check(run.returncode == 0, f"{name}: {run.stderr}")
            check("NVIDIA H100 SXM5 80GB HBM3 (1980 MHz maximum boost clock), 9.0, 132 units, 232448 bytes shared"
                  in run.stdout, f"{name}: {run.stdout}")
            with open(output + "/launches.jsonl", encoding="utf-8") as lines:
                entries = [json.loads(line)["entry"] for line in lines]
            # Nothing is executed, so that the first level of the graph finds no further one.
            check(len(entries) == 5, f"{name}: {entries}")
            result = os.path.join(folder, name + ".json")
            run = subprocess.run([warpipe, "run", "--device", "h100", "--json=" + result, "--", program],
                                 capture_output=True, text=True, env=dict(os.environ, DRIVER_CHECKS="1"))
            check(run.returncode == 0 and "PASS" in run.stdout, f"{name}: {run.stdout}{run.stderr}")
            with open(result, encoding="utf-8") as text:
                kernels = {row["kernel"].split("(")[0]: row for row in json.load(text)["kernels"]}
            check(sorted(kernels) == ["apply", "hand_on", "insert", "spmv", "visit"], f"{name}: {sorted(kernels)}")
            check(kernels["visit"]["launches"] > 3, f"{name}: {kernels['visit']}")
        check_parts(warpipe, nvcc, folder)
        check_libraries(warpipe, nvcc, folder)
        check_assertions(warpipe, nvcc, folder)
        check_driver(warpipe, nvcc, folder)
        check_driver_alone(warpipe, nvcc, folder)
        stripped = build(nvcc, folder, "stripped", "-arch=sm_80", "-Xlinker", "-s")
        run = subprocess.run([warpipe, "record", "--output", folder + "/s", "--", stripped], capture_output=True, text=True)
        check("is stripped of its symbols" in run.stderr and run.returncode == 3, run.stderr)


if __name__ == "__main__":
    main()
