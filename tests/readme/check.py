#!/usr/bin/env python3
"""Runs the commands of the documentation and compares what they print with what the text shows.

usage: tests/readme/check.py BUILD_BIN_FOLDER FILE.md... [--update]

A fenced block that starts with ```console holds commands, each on a line that starts with "$ ", and below each one its
standard output. Only commands that start with "warpipe " are run, and those that start with "python3 " where a Python
with pandas is there. In place of source in kernels/cuda they read the PTX
that is kept there, so that no compiler is needed. They run in a temporary folder that shows what the root of
the repository holds, so that files they write are gone afterwards. A line "..." stands for any
lines that are left out. --update writes the real output into the files, except into blocks with "...".
"""
import os
import re
import subprocess
import sys
import tempfile


SOURCE = re.compile(r"\bkernels/cuda/(\w+)\.cu\b")


def python_with_pandas():
    """Debian's Python has Debian's pandas, the first one of the PATH need not."""
    for program in [sys.executable, "/usr/bin/python3"]:
        if os.path.exists(program) and subprocess.run([program, "-c", "import pandas"], capture_output=True).returncode == 0:
            return program
    return None


PYTHON = python_with_pandas()


def is_run(command):
    if command.startswith("python3 ") and PYTHON is None:
        print("not run, since there is no pandas:", command)
    return command.startswith("warpipe ") or (command.startswith("python3 ") and PYTHON is not None)


def matches(shown, real):
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, real) is not None


def run(command, folder, place):
    environment = dict(os.environ, WARPIPE_CACHE="off", WARPIPE_FORM="ptx", PATH=folder + os.pathsep + os.environ["PATH"])
    command = re.sub(r"^python3 ", f"{PYTHON} ", command)
    command = SOURCE.sub(r"kernels/cuda/ptx/sm_90/\1.ptx", command)
    return subprocess.run(command, shell=True, env=environment, cwd=place, stdout=subprocess.PIPE,
                          check=True, text=True).stdout


def check_block(lines, folder, place, update):
    """Returns the block's new lines, the number of commands that ran, and those whose output differs."""
    result, ran, wrong, i = [], 0, [], 0
    while i < len(lines):
        command = lines[i]
        end = i + 1
        while end < len(lines) and not lines[end].startswith("$ "):
            end += 1
        shown = lines[i + 1:end]
        result.append(command)
        if is_run(command[2:]):
            ran += 1
            real = run(command[2:], folder, place)
            if not matches(shown, real):
                if update and "..." not in shown:
                    shown = real.splitlines()
                else:
                    wrong.append(command + "\n" + real)
        result += shown
        i = end
    return result, ran, wrong


def main():
    update = "--update" in sys.argv
    folder, *files = [argument for argument in sys.argv[1:] if argument != "--update"]
    folder = os.path.abspath(folder)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    with tempfile.TemporaryDirectory() as place:
        for entry in os.listdir():
            os.symlink(os.path.abspath(entry), os.path.join(place, entry))
        return check_files(files, folder, place, update)


def check_files(files, folder, place, update):
    total, failed = 0, []
    for file in files:
        text = open(file, encoding="utf-8").read()

        def replace(match):
            nonlocal total
            lines, ran, wrong = check_block(match.group(1).splitlines(), folder, place, update)
            total += ran
            failed.extend(f"{file}: {each}" for each in wrong)
            return "```console\n" + "\n".join(lines) + "\n```"

        new = re.sub(r"```console\n(.*?)\n```", replace, text, flags=re.S)
        if update and new != text:
            open(file, "w", encoding="utf-8").write(new)
    for each in failed:
        print("differs from the text:", each)
    if total == 0:
        failed.append("no command was found")
    print(f"{total - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
