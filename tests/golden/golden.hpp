#pragma once

#include <string>

namespace warpipe::test {

/// Holds a text against a file of tests/golden, byte by byte. tests/golden/update.sh rewrites the files; the change is
/// then read as a diff.
void expect_golden(const std::string& file, const std::string& text);

}  // namespace warpipe::test
