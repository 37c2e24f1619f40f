#!/usr/bin/env python3
"""Types into a real shell and looks at what it completes.

usage: tests/shells/check.py WARPIPE bash|zsh|fish

Two things are held: for every verb, a shell offers behind `warpipe VERB --` the options that `warpipe VERB --help=all`
shows, all of them and no others; and a few words that are begun become the words that were meant.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time

# What is typed, and what the last word then is.
TYPED = [
    ("warpipe sim", "simulate"),
    ("warpipe --ver", "--version"),
    ("warpipe simulate sax", "saxpy"),
    ("warpipe simulate saxpy --dev", "--device"),
    ("warpipe simulate saxpy --device v1", "v100"),
    ("warpipe simulate saxpy --device=v1", "--device=v100"),
    ("warpipe simulate saxpy --policy gre", "greedy-oldest"),
    ("warpipe simulate saxpy --units=a", "--units=all"),
    ("warpipe simulate saxpy --device v100 --set ffma.i", "ffma.issue="),
    ("warpipe simulate saxpy --view bo", "bounds"),
    ("warpipe simulate saxpy --param n=1 --ignore", "--ignore-limits"),
    ("warpipe sweep --vary n=1:4 --device v100 sax", "saxpy"),
    ("warpipe simulate ./my", "./my.json"),
    ("warpipe simulate saxpy --json=my", "--json=my.json"),
    ("warpipe validate --measured my", "my.json"),
    ("warpipe simulate saxpy --data fol", "folder"),
    ("warpipe compare saxpy --model-input ms", "mshr="),
    ("warpipe import my.ptx --without early", "early-loads"),
    ("warpipe graph saxpy --format j", "json"),
    ("warpipe roofline --dev", "--device"),
    ("warpipe list ker", "kernels"),
    ("warpipe man sim", "simulate"),
    ("warpipe completion f", "fish"),
]

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], """
set +o history
record() { printf '%s\\n' "$@" >"$RECORD.new"; mv "$RECORD.new" "$RECORD"; }
bind '"\\C-t": insert-completions'
bind 'set bell-style none'
source <(warpipe completion bash)
"""),
    "zsh": (["zsh", "-f", "-i"], """
record() { printf '%s\\n' "$@" >"$RECORD.new"; mv "$RECORD.new" "$RECORD" }
bindkey -e
autoload -Uz compinit
compinit -u -D
zstyle ':completion:all-matches::::' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert yes
zle -C all-matches complete-word _generic
bindkey '^T' all-matches
source <(warpipe completion zsh)
"""),
}


class TypedShell:
    """A shell on a terminal. `record`, put before the line, writes its words into a file."""

    def __init__(self, shell, folder):
        words, commands = START[shell]
        self.recorded = os.path.join(folder, "recorded")
        start = os.path.join(folder, "start")
        with open(start, "w", encoding="utf-8") as file:
            file.write(commands)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(RECORD=self.recorded, TERM="dumb", HOME=folder)
            os.execvp(words[0], words)
        # So wide that no line is ever wrapped.
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 30000, 0, 0))
        self.type("source " + start + "\r")
        self.words("ready", "")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def words(self, line, key):
        """The words of the line after a key is pressed at its end."""
        self.type(line + key + "\x01record \r")
        end = time.time() + 30
        os.set_blocking(self.terminal, False)
        while not os.path.exists(self.recorded):
            try:
                os.read(self.terminal, 65536)  # what the shell shows; else it would wait for room
            except BlockingIOError:
                pass
            if time.time() > end:
                sys.exit("the shell does not answer to: " + line)
            time.sleep(0.01)
        with open(self.recorded, encoding="utf-8") as file:
            words = file.read().splitlines()
        os.remove(self.recorded)
        return words

    def completed(self, line):
        return self.words(line, "\t")[-1]

    def offered(self, line):
        kept = len(line.split()) - (not line.endswith(" "))
        return set(self.words(line, "\x14")[kept:])


class Fish:
    """Fish completes without a terminal too."""

    def __init__(self, _shell, folder):
        self.environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)

    def offered(self, line):
        commands = "warpipe completion fish | source; complete --do-complete $argv[1]"
        text = subprocess.run(["fish", "--no-config", "-c", commands, "--", line], env=self.environment, check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        return {each.split("\t")[0] for each in text.splitlines()}

    def completed(self, line):
        return " or ".join(sorted(self.offered(line)))


def output_of(*words):
    return subprocess.run(["warpipe", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    program, shell = sys.argv[1:]
    os.environ["PATH"] = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
    failed, passed = [], 0

    def expect(line, found, wanted):
        nonlocal passed
        if found == wanted:
            passed += 1
        else:
            failed.append(f"{shell}: {line}: found {found}, expected {wanted}")

    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("folder")
        for name in ("my.json", "file"):
            open(name, "w", encoding="utf-8").close()
        session = (Fish if shell == "fish" else TypedShell)(shell, home)
        for line, wanted in TYPED:
            expect(line, session.completed(line).rstrip("/"), wanted)  # zsh takes a last slash back
        verbs = re.findall(r"^  ([a-z-]+)  ", output_of("--help"), re.M)
        expect("warpipe ", session.offered("warpipe "), set(verbs))
        for verb in verbs:
            options = set(re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)", output_of(verb, "--help=all"), re.M))
            line = f"warpipe {verb} --"
            expect(line, session.offered(line), options)
    for each in failed:
        print(each)
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
