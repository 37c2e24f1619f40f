#!/usr/bin/env python3
"""Holds the program's JSON against the schemas that ship: check_outputs.py WARPIPE [CUDA_PROGRAM].

Each format has a schema, named by a URN, which every golden file and every output of the format follows. A schema says
something: it refuses each output with a further member, and without any that it requires. CUDA_PROGRAM is a driver of
tests/programs, for `run` and `record`. Needs the Debian package python3-jsonschema.
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from jsonschema import Draft202012Validator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WARPIPE, *DRIVERS = (os.path.abspath(path) for path in sys.argv[1:])
SCHEMAS = os.path.join(os.path.dirname(WARPIPE), "..", "share", "warpipe", "schema")
URN = "urn:warpipe:schema:"
PTX = os.path.join(ROOT, "kernels/cuda/ptx/sm_90/saxpy.ptx")
CODE = f"{PTX} --entry saxpy --block 256 --grid 64 --arg n=16384"
ASSEMBLY = os.path.join(ROOT, "tests/readers/programs.gfx90a.s")
CUBIN = os.path.join(ROOT, "tests/readers/programs.sm_90.cubin")
ROWS = "--kernel saxpy --device v100 --measured rows.csv"
CHAIN = "--kernel ./chain.json --device v100 --measured chain.csv"
FILES = {
    "wrong.json": "{}",
    "rows.csv": "group_size,groups,n,time_us\n256,64,16384,3\n256,4096,1048576,22\n128,8192,1048576,25\n",
    "chain.json": json.dumps({"format": "warpipe-kernel", "version": 1, "name": "chain",
                              "launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},
                              "body": [{"loop": "step", "trip_count": 100,
                                        "body": [{"id": "a", "op": "ffma", "after": ["a"]}]}]}),
    "chain.csv": "group_size,cycles\n32,500\n64,500\n96,510\n",
    "times.csv": "b,time_us\n64,3\n128,3.5\n",
    "launches.jsonl": '{"entry": "saxpy", "grid": 64, "block": 256, "arguments": {"n": 16384}}\n'
                      '{"entry": "saxpy", "grid": [8, 1], "block": 256, "times": 3}\n',
    "space.json": json.dumps({"format": "warpipe-space", "version": 1, "entry": "saxpy", "block": ["b"],
                              "tunables": {"b": [64, 128, 2048]}, "grid": ["16384 / b"], "arguments": {"n": 16384}}),
}
# With what may be missing, and without.
CALLS = [
    "simulate saxpy --device v100 --view all --json", f"simulate {CODE} --device h100 --range off --json",
    f"simulate {PTX} --entry saxpy --device h100 --assume --json",
    "list kernels --json", "list devices --json", "list ops --json", f"list {PTX} --json", f"list {CUBIN} --json",
    f"check {PTX} wrong.json --json",
    "occupancy saxpy --device v100 --json", "occupancy mmul16 --device gtx1060 --concurrent-groups 1 --json",
    "what-if saxpy --device v100 --part changes --part device --part ops --part instructions --range on --json",
    "what-if mmul16 --device gtx1060 --param n=64 --json",
    "diff saxpy mmul16 --device v100 --range on --json", "diff saxpy --device v100 --device-b h100 --json",
    "compare saxpy --device v100 --range on --json", "compare saxpy --device v100 --measured rows.csv --json",
    f"validate {ROWS} --rank --range on --json", f"validate {ROWS} --models all --range on --json",
    f"calibrate {CHAIN} --fit ffma.completion --output fitted.json --json",
    f"calibrate {CHAIN} --fit ffma.completion --hold-out 3 --output held.json --json",
    "roofline --device v100 --json", "roofline --device h100 --matrix-flops 4096 --json",
    f"import {CODE} --device h100 --output kernel.json --json", f"import {PTX} --entry saxpy --assume --json",
    f"disassemble {ASSEMBLY} --json", f"disassemble {CUBIN} --json",
    f"launches {PTX} launches.jsonl --device h100 --json",
    f"launches {PTX} launches.jsonl --device v100 --range off --json",
    f"tune {PTX} --space space.json --device h100 --device v100 --measured times.csv --json",
    "graph saxpy --format json", "graph mmul16 --device gtx1060 --format json",
    "sweep saxpy --device v100 --vary concurrent_groups=1:3 --json",
    "sweep saxpy --vary device=v100,h100 n=65536,1048576 concurrent_groups=1,64 --range on --json",
]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def required_places(schema, root, document):
    """The members of `document` that the schema requires, as (object, key), one of each place in the schema."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1].lstrip("#")
        schema = root["$defs"][name]
    if isinstance(document, dict):
        yield from ((document, key) for key in schema.get("required", []))
        for key, value in document.items():
            yield from required_places(schema.get("properties", {}).get(key, {}), root, value)
    elif isinstance(document, list) and document:
        yield from required_places(schema.get("items", {}), root, document[0])


class Outputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schemas = {os.path.basename(path).split(".")[0].replace("_", "-"): load(path)
                       for path in glob.glob(os.path.join(SCHEMAS, "*.schema.json"))}
        cls.seen = set()

    def validator(self, name):
        self.assertIn(name, sorted(self.schemas), "a format without a schema")
        return Draft202012Validator(self.schemas[name])

    def follows(self, document, name=None):
        name = name or document["format"].removeprefix("warpipe-")
        found = [f"{error.json_path}: {error.message}" for error in self.validator(name).iter_errors(document)]
        self.assertEqual(found, [])
        self.seen.add(name)
        return name

    def says_something(self, document, name):
        validator, schema = self.validator(name), self.schemas[name]
        self.assertFalse(validator.is_valid({**document, "further": 1}), "with a further member")
        changed = copy.deepcopy(document)
        for place, key in list(required_places(schema, schema, changed)):
            value = place.pop(key)
            self.assertFalse(validator.is_valid(changed), f"without {key}")
            place[key] = value

    def run_in(self, folder, *words):
        return subprocess.run([WARPIPE, *words], cwd=folder, capture_output=True, text=True, timeout=300, check=False,
                              env={**os.environ, "WARPIPE_DATA": ""})

    def test_each_schema_has_its_name(self):
        for name, schema in self.schemas.items():
            with self.subTest(name):
                Draft202012Validator.check_schema(schema)
                self.assertEqual(schema["$id"], URN + name)
                own = schema.get("properties", {}).get("format", {}).get("const", f"warpipe-{name}")
                self.assertEqual(own, f"warpipe-{name}")

    def test_each_format_of_the_sources_has_a_schema(self):
        paths = [path for folder in ("idg", "kernels", "latency_tables", "simulator")
                 for path in glob.glob(os.path.join(ROOT, folder, "**/*.cpp"), recursive=True)]
        formats = set()
        for path in paths:
            with open(path, encoding="utf-8") as file:
                formats |= set(re.findall(r'"warpipe-([a-z]+(?:-[a-z]+)*)"', file.read()))
        self.assertGreater(len(formats), 20)
        self.assertEqual(formats - set(self.schemas), set())

    def test_golden_files_follow(self):
        for path in glob.glob(os.path.join(ROOT, "tests/golden/*.json")):
            document = load(path)
            if "format" in document:
                with self.subTest(os.path.basename(path)):
                    self.follows(document)

    def test_outputs_follow(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in FILES.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            for call in CALLS:
                with self.subTest(call):
                    run = self.run_in(folder, *call.split())
                    self.assertTrue(run.stdout.startswith("{"), run.stderr)
                    document = json.loads(run.stdout)
                    self.says_something(document, self.follows(document))
            for path in ("kernel.json", "fitted.json"):
                with self.subTest(path):
                    self.follows(load(os.path.join(folder, path)))
            for line in FILES["launches.jsonl"].splitlines():
                self.follows(json.loads(line), "launch")
            self.points(folder)
            for driver in DRIVERS:
                self.programs(folder, driver)
        read_only = {"data-sheet", "kernel-tuner", "space"} | (set() if DRIVERS else {"run"})
        self.assertEqual(set(self.schemas) - self.seen, read_only, "schemas of which no output was seen")

    def points(self, folder):
        run = self.run_in(folder, *"sweep saxpy --device v100 --vary concurrent_groups=1:3 --jsonl".split())
        validator = Draft202012Validator(self.schemas["sweep"]["$defs"]["point"])
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([validator.is_valid(line) for line in lines], 3 * [True])
        self.assertFalse(validator.is_valid({**lines[0], "cycles": "many"}))

    def programs(self, folder, driver):
        run = self.run_in(folder, "run", "--device", "h100", "--json=run.json", "--", driver, "saxpy")
        self.assertEqual(run.returncode, 0, run.stderr)
        document = load(os.path.join(folder, "run.json"))
        self.says_something(document, self.follows(document))
        run = self.run_in(folder, "record", "--output", "recorded", "--", driver, "saxpy")
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(os.path.join(folder, "recorded/launches.jsonl"), encoding="utf-8") as lines:
            for line in lines:
                self.follows(json.loads(line), "launch")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
