#!/usr/bin/env python3
"""Runs programs with librecord.so before them and puts what it wrote together.

    run_programs.py COMMANDS RECORDER OUTPUT --folder FOLDER [--seconds N] [--jobs N]

Each line of COMMANDS is a folder below FOLDER, a tab and a command of the shell. OUTPUT is JSON lines: what record.cu
writes, with `program` and `command` before it; where a command wrote nothing, a line with its `error`. Programs begin in
the order of the file; after --seconds no other does, and what was left out is said.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile
import time

LIMIT_S = 40  # of a program


def record(program, command, options, until):
    if time.monotonic() > until:
        return [{"program": program, "command": command, "error": "left out: no time"}]
    if not (options.folder / program).is_dir():
        return [{"program": program, "command": command, "error": "left out: no such folder"}]
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as written:
        os.unlink(written.name)
        environment = os.environ | {"WARPIPE_RECORD": written.name, "CUDA_MODULE_LOADING": "EAGER"}
        preloaded = f"export LD_PRELOAD={options.recorder.resolve()}; exec {command}"
        result = subprocess.run(["timeout", "-k", "1", str(LIMIT_S), "bash", "-c", preloaded],
                                cwd=options.folder / program, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        rows = []
        if os.path.exists(written.name):
            for line in open(written.name):
                try:
                    rows.append(json.loads(line))
                except ValueError:
                    pass  # the last line of a program that was cut off
        else:
            open(written.name, "w").close()
    if not any(row["entry"] != "empty" for row in rows):
        last = result.stdout.decode(errors="replace").strip().splitlines()[-1:]
        rows = [{"error": f"no launch; status {result.returncode}: {''.join(last)[:200]}"}]
    return [{"program": program, "command": command} | row for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", type=pathlib.Path)
    parser.add_argument("recorder", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=6)
    options = parser.parse_args()
    commands = [line.split("\t") for line in options.commands.read_text().splitlines()]
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(options.output, "w") as output:
        work = [pool.submit(record, program, command, options, begin + options.seconds) for program, command in commands]
        for done in concurrent.futures.as_completed(work):
            for row in done.result():
                output.write(json.dumps(row) + "\n")
            output.flush()
    print(f"{len(commands)} commands in {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
