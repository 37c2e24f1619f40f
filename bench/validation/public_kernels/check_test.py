#!/usr/bin/env python3
"""Which text check.py takes for an entry's, and which arguments it finds there."""
import pathlib
import struct
import tempfile
import unittest

import check

# Inline assembly has its braces where it likes, and a comment may have one alone.
PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry declared(.param .u32 declared_param_0);
.visible .entry other(.param .u32 other_param_0)
{
ld.param.u32 %r1, [other_param_0];
ret;
}
.visible .entry wanted(.param .u64 wanted_param_0, .param .u32 wanted_param_1)
.maxntid 256, 1, 1
{
ld.param.u64 %rd1, [wanted_param_0];
// begin inline asm }
{
mov.u32 %r1, 1;
}
ld.param.u32 %r2, [wanted_param_1];
ret;
}
.visible .entry behind(.param .u32 wanted_param_2)
{
ld.param.u32 %r3, [wanted_param_2];
ret;
}
"""


class Entry(unittest.TestCase):
    def text_of(self, entry):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.ptx").write_text(PTX)
            return check.find_entry(pathlib.Path(folder), entry)[1]

    def test_goes_on_behind_the_braces_of_inline_assembly(self):
        text = self.text_of("wanted")
        self.assertTrue(text.endswith("ret;\n}"))
        self.assertIn("[wanted_param_1]", text)

    def test_ends_with_its_own_brace(self):
        self.assertNotIn("behind", self.text_of("wanted"))

    def test_that_is_declared_alone_has_no_body(self):
        self.assertNotIn("other", self.text_of("declared"))

    def test_has_the_arguments_that_it_reads_behind_inline_assembly(self):
        pointer = {"bytes": struct.pack("<Q", 4096).hex(), "pointers": [[0, 8]]}
        number = {"bytes": struct.pack("<i", 7).hex(), "pointers": []}
        self.assertEqual(check.arguments_of(self.text_of("wanted"), "wanted", [pointer, number]), {"1": 7})


if __name__ == "__main__":
    unittest.main()
