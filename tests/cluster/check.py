#!/usr/bin/env python3
"""Runs studies on several ranks of MPI on one computer, and compares what they write with what one process writes.

usage: tests/cluster/check.py WARPIPE MPIEXEC
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM, MPIEXEC = os.path.abspath(sys.argv[1]), sys.argv[2]
ENVIRONMENT = {
    **os.environ,
    # As root, and with more ranks than cores, which share memory and nothing else.
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
# 192 points; in some the device holds fewer groups than are asked for, and their rows say so.
SWEEP = ["sweep", "saxpy", "--device", "v100", "--param", "n=50000", "--vary", "group_size=32:1024:x2",
         "concurrent_groups=1:32", "--quiet"]


def run(words, ranks=0, **options):
    call = [PROGRAM, *words]
    if ranks:
        call = [MPIEXEC, "-n", str(ranks), *call]
    return subprocess.run(call, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, **options)


def same_bytes_on_any_number_of_ranks(folder):
    for form in ["csv", "jsonl"]:
        alone = folder / f"alone.{form}"
        assert run([*SWEEP, f"--{form}={alone}"]).returncode == 0
        for ranks in [1, 2, 4]:
            shared = folder / f"shared{ranks}.{form}"
            done = run([*SWEEP, f"--{form}={shared}"], ranks)
            assert done.returncode == 0, done.stderr
            assert shared.read_bytes() == alone.read_bytes(), f"{form} on {ranks} ranks"
    assert b"groups are too many" in alone.read_bytes()


def restricted_and_searched_alike(folder):
    search = [*SWEEP, "--where", "group_size * concurrent_groups <= 2048", "--search", "halving", "--budget", "20",
              "--top", "3"]
    alone = run([*search, f"--csv={folder / 'one'}"])
    shared = run([*search, f"--csv={folder / 'two'}", "--threads", "2"], 2)
    assert alone.returncode == shared.returncode == 0, shared.stderr
    assert alone.stdout == shared.stdout and alone.stdout.count("\n") >= 4, shared.stdout
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()


def names_swept_alike(folder):
    """Kernels, devices and policies; one kernel lacks what the other has, and its rows say so."""
    code = ROOT / "kernels/cuda/ptx/sm_80/saxpy.ptx"
    sweep = ["sweep", "--vary", f"kernel=saxpy,{code}:saxpy,mmul16", "device=v100,rx6900xt,gtx1060",
             "policy=oldest,first-ready", "conflict_degree=1,2", "--block", "256", "--grid", "64", "--arg", "n=16384",
             "--param", "n=256", "--where", "device != 'v100' || policy == 'oldest'", "--quiet", "--top", "2"]
    alone = run([*sweep, f"--csv={folder / 'one'}"])
    shared = run([*sweep, f"--csv={folder / 'two'}"], 3)
    assert alone.returncode == shared.returncode == 0, shared.stderr
    assert alone.stdout == shared.stdout and "mmul16" in alone.stdout, shared.stdout
    rows = (folder / "one").read_bytes()
    assert rows == (folder / "two").read_bytes() and rows.count(b"\n") == 1 + 3 * 5 * 2, rows
    assert b"saxpy,v100,oldest,1,,,,,,,,\"" in rows, rows
    (folder / "two").write_bytes(rows[:len(rows) // 2])
    resumed = run([*sweep, f"--csv={folder / 'two'}", "--resume"], 2)
    assert resumed.returncode == 0 and resumed.stdout == alone.stdout, resumed.stderr
    assert (folder / "two").read_bytes() == rows


def changes_and_latencies_tried_alike(folder):
    verb = ["what-if", "saxpy", "--device", "v100", "--param", "n=50000", "--part", "device", "--range", "on", "--quiet"]
    for form in [[], ["--json"]]:
        alone = run([*verb, *form])
        assert alone.returncode == 0 and "policy oldest" in alone.stdout, alone.stderr
        for ranks in [2, 4]:
            shared = run([*verb, *form], ranks)
            assert shared.returncode == 0, shared.stderr
            assert shared.stdout == alone.stdout, f"{form} on {ranks} ranks"


def the_first_rank_calibrates(folder):
    measured = folder / "measured.csv"
    rows = "".join(f"chains_dfma,v100,{groups},{groups * 10}\n" for groups in range(80, 400, 80))
    measured.write_text(f"kernel,device,groups,time_us\n{rows}")
    verb = ["calibrate", "--measured", str(measured), "--device", "v100", "--fit", "dfma.issue"]
    alone = run([*verb, "-o", str(folder / "one")])
    shared = run([*verb, "-o", str(folder / "two")], 3)
    assert alone.returncode == shared.returncode == 0, alone.stderr + shared.stderr
    assert alone.stdout == shared.stdout and "dfma.issue" in alone.stdout, shared.stdout
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()
    assert shared.stderr.count("the first of 3 processes calibrates alone") == 1, shared.stderr


def progress_is_that_of_all_ranks(folder):
    """Of four ranks the first makes a quarter of points that take the same time: a later line counts more than a third.

    Lines come at times, so the points grow until a machine of any speed has shown two.
    """
    verb = ["sweep", "saxpy", "--device", "v100", "--skipping=off", "--tolerance=0", "--csv=rows", "--vary"]
    few = run([*verb, "n=120000000:120200000:10000", "--quiet"], 4, cwd=folder)
    assert few.returncode == 0 and few.stderr == "", few.stderr
    counts = []
    for millions in [120, 240, 480, 960, 1920]:
        (folder / "rows").unlink()
        done = run([*verb, f"n={millions}000000:{millions + 1}000000:10000"], 4, cwd=folder)
        assert done.returncode == 0, done.stderr
        shown = re.findall(r"^warpipe: (\d+) of 101 points(?:, \d+ %, .* left)?, on 4 ranks$", done.stderr, re.M)
        assert len(shown) == len(done.stderr.splitlines()), done.stderr
        counts = [int(count) for count in shown]
        if len(counts) >= 2:
            break
    assert len(counts) >= 2 and counts == sorted(counts) and 34 < counts[-1] <= 101, done.stderr


def validated_alike(folder):
    measured = folder / "measured.csv"
    rows = "".join(f"saxpy,v100,{n},{n / 10}\n" for n in range(1000, 50000, 1000))
    measured.write_text(f"kernel,device,n,time_us\n{rows}none,v100,1000,1\n")
    verb = ["validate", "--measured", str(measured), "--quiet"]
    alone = run([*verb, f"--csv={folder / 'one'}"])
    shared = run([*verb, f"--csv={folder / 'two'}"], 3)
    assert alone.returncode == shared.returncode == 0, shared.stderr
    assert alone.stdout == shared.stdout and "saxpy" in alone.stdout, f"{alone.stdout}\n---\n{shared.stdout}"
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()


def tuned_alike(folder):
    """Bounds, times and ranges of a space, all of which ranks share."""
    tune = ["tune", str(ROOT / "kernels/cuda/ptx/sm_90/stencil.ptx"), "--space", str(ROOT / "bench/tuning/stencil.json"),
            "--device", "a100", "--device", "h100", "--top", "4", "--quiet"]
    alone = run([*tune, f"--csv={folder / 'one'}"])
    shared = run([*tune, f"--csv={folder / 'two'}"], 3)
    assert alone.returncode == shared.returncode == 0, shared.stderr
    assert alone.stdout == shared.stdout and "configurations of 1 source" in alone.stdout, shared.stdout
    rows = (folder / "one").read_bytes()
    assert rows == (folder / "two").read_bytes() and b",bounded," in rows and b",simulated,1," in rows, rows


def ranks_of(job):
    """The processes of the program that a launcher has started."""
    children = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
    return [int(child) for child in children
            if os.path.basename(os.readlink(f"/proc/{child}/exe")) == os.path.basename(PROGRAM)]


def killed_and_resumed(folder):
    """Without skipping, and exact, the last points take minutes, so that some rank is always at work when it is killed."""
    sweep = ["sweep", "saxpy", "--device", "v100", "--quiet", "--tolerance=0",
             "--vary", "n=5e4,6e4,7e4,8e4,9e4,1e5,1e12,2e12"]
    alone, shared = folder / "alone", folder / "shared"
    assert run([*sweep, f"--csv={alone}"]).returncode == 0
    command = [MPIEXEC, "-n", "3", PROGRAM, *sweep, f"--csv={shared}"]
    with subprocess.Popen([*command, "--skipping=off"], env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as job:
        while not shared.exists() or shared.read_bytes().count(b"\n") < 7:
            assert job.poll() is None, job.stderr.read()
            time.sleep(0.02)
        os.kill(ranks_of(job)[-1], signal.SIGKILL)
        said = job.communicate(timeout=30)[1]
        assert job.returncode != 0, said
    left = shared.read_bytes()
    assert alone.read_bytes().startswith(left) and left.count(b"\n") == 7, left
    assert run([*sweep, f"--csv={shared}", "--resume"], 3).returncode == 0
    assert shared.read_bytes() == alone.read_bytes()


def a_rank_that_cannot_read_its_inputs_is_told_of(folder):
    """The second rank looks for shipped files in an empty folder."""
    alone, shared, empty = folder / "alone", folder / "shared", folder / "empty"
    empty.mkdir()
    sweep = [word for word in SWEEP if word != "--quiet"]
    assert run([*sweep, f"--csv={alone}"]).returncode == 0
    call = [MPIEXEC, "-n", "1", PROGRAM, *sweep, f"--csv={shared}", ":",
            "-n", "1", PROGRAM, *[word.replace("n=50000", "no=1") for word in sweep], f"--csv={shared}", ":",
            "-n", "1", PROGRAM, *[word.replace("v100", "a100") for word in sweep], f"--csv={shared}"]
    done = subprocess.run(call, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert shared.read_bytes() == alone.read_bytes()
    assert "rank 1 on " in done.stderr and "ends early, its points go to others" in done.stderr, done.stderr
    assert "rank 2 on " in done.stderr and "takes no part" in done.stderr, done.stderr


def errors_come_once(folder):
    for words, status, said in [
            ([*SWEEP], 2, "give --csv=FILE or --jsonl=FILE"),
            ([*SWEEP, "--csv=rows", "--param", "nn=1"], 2, '"nn"'),
            (["sweep", "-", "--device", "v100", "--vary", "n=1:3", "--csv=rows"], 2, "standard input"),
            ([*SWEEP, "--csv=/nowhere/rows"], 3, "/nowhere/rows")]:
        done = run(words, 3, cwd=folder)
        assert done.returncode == status, (done.returncode, done.stderr)
        assert done.stderr.count("warpipe: error:") == 1 and said in done.stderr, done.stderr


def main():
    for check in [same_bytes_on_any_number_of_ranks, restricted_and_searched_alike, names_swept_alike, tuned_alike, validated_alike,
                  changes_and_latencies_tried_alike, the_first_rank_calibrates, progress_is_that_of_all_ranks,
                  killed_and_resumed, a_rank_that_cannot_read_its_inputs_is_told_of, errors_come_once]:
        start = time.time()
        with tempfile.TemporaryDirectory() as folder:
            check(pathlib.Path(folder))
        print(f"{check.__name__}: {time.time() - start:.1f} s")


if __name__ == "__main__":
    main()
