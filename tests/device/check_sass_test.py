#!/usr/bin/env python3
"""Tests check_sass.py on listings written here: it must let a right loop pass and see each way to be wrong."""
import importlib.util
import pathlib
import re
import sys
import unittest

specification = importlib.util.spec_from_file_location("check_sass", pathlib.Path(sys.argv.pop(1)) / "check_sass.py")
check_sass = importlib.util.module_from_spec(specification)
specification.loader.exec_module(check_sass)


def listing(steps, *, op="4Fadd", count=4, tail=("BRA 0x20",)):
    """A chain kernel: a look at the clock, the loop, a look at the clock."""
    lines = ["CS2R R2, SR_CLOCKLO", "MOV R9, RZ", *steps, "IADD3 R9, R9, 0x1, RZ",
             "ISETP.GE.AND P0, PT, R9, R8, PT", *(f"@!P0 {line}" for line in tail), "CS2R R4, SR_CLOCKLO", "EXIT"]
    body = "\n".join(f"        /*{16 * i:04x}*/    {line} ;  /* 0x0 */" for i, line in enumerate(lines))
    return f"\t\tFunction : _ZN7measure12chain_kernelINS_{op}ELi1ELi{count}EEEvPi\n{body}\n"


def problem(text):
    (name, body), = check_sass.functions(text)
    return check_sass.check(name, body)


RIGHT = ["FADD R0, R0, R5"] * 4


class CheckSass(unittest.TestCase):
    def test_passes_a_chain_of_exactly_so_many(self):
        self.assertEqual(problem(listing(RIGHT)), "")

    def test_passes_a_chain_that_changes_its_register(self):
        self.assertEqual(problem(listing(["FADD R1, R0, R5", "FADD R0, R1, R5"] * 2)), "")

    def test_does_not_take_the_loops_counter_for_a_link(self):
        added = ["IADD3 R0, R0, R5, R6"] * 4
        self.assertEqual(problem(listing(added, op="4Iadd")), "")
        self.assertIn("does not read", problem(listing(added[:3] + ["IADD3 R1, R7, R5, R6"], op="4Iadd")))

    def test_sees_one_too_few_and_one_too_many(self):
        self.assertIn("3 FADD in the loop, not 4", problem(listing(RIGHT[1:])))
        self.assertIn("5 FADD in the loop, not 4", problem(listing(RIGHT + RIGHT[:1])))

    def test_sees_another_instruction(self):
        self.assertIn("other instructions", problem(listing(RIGHT + ["MUFU.RCP R7, R0"])))

    def test_passes_an_operand_that_is_fetched_once_a_trip(self):
        self.assertEqual(problem(listing(RIGHT + ["LDC R7, c[0x0][0x22c]"])), "")
        self.assertIn("other instructions", problem(listing(RIGHT + ["LDC R7, c[0x0][0x22c]"] * 2)))

    def test_sees_a_broken_link(self):
        self.assertIn("does not read", problem(listing(["FADD R0, R0, R5", "FADD R1, R6, R5"] * 2)))

    def test_sees_a_loop_that_was_removed(self):
        self.assertIn("no loop", problem(listing(RIGHT, tail=("NOP",))))

    def test_sees_merged_stores_of_shared_memory(self):
        def stores(count):
            return listing(["STS [R4], R4"] * count).replace(
                "12chain_kernelINS_4FaddELi1ELi4EE", "49_GLOBAL__N__1_3_cu12local_kernelINS0_9StoreStepELi4EE")
        self.assertEqual(problem(stores(4)), "")
        self.assertIn("1 STS in the loop, not 4", problem(stores(1)))

    def test_looks_at_the_loop_behind_the_one_that_waits(self):
        waiting = ("        /*0000*/    CS2R R2, SR_CLOCKLO ;  /* 0x0 */\n" +
                   "".join(f"        /*{16 * i:04x}*/    LDG R0, [R1] ;  /* 0x0 */\n" for i in range(1, 20)) +
                   "        /*0140*/    @!P0 BRA 0x10 ;  /* 0x0 */\n")
        name, body = listing(RIGHT).split("\n", 1)
        later = re.sub(r"/\*(\w{4})\*/", lambda at: f"/*{int(at.group(1), 16) + 0x200:04x}*/", body).replace("0x20", "0x220")
        self.assertEqual(problem(f"{name}\n{waiting}{later}"), "")

    def test_sees_merged_additions(self):
        self.assertIn("IADD", problem(listing(["LEA R0, R5, R0, 0x1"] * 4, op="4Iadd")))

    def test_counts_pairs_and_their_links(self):
        pair = ["MUFU.RCP R0, R0", "FADD R0, R0, R5"]
        self.assertEqual(problem(listing(pair * 4, op="3Rcp")), "")
        self.assertIn("does not read", problem(listing(["MUFU.RCP R0, R6", "FADD R0, R0, R5"] * 4, op="3Rcp")))

    def test_has_nothing_to_say_of_other_kernels(self):
        text = listing(RIGHT).replace("chain_kernel", "other_kernel")
        self.assertIsNone(problem(text))


if __name__ == "__main__":
    unittest.main()
