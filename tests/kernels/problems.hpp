#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe::test {

/// A kernel file with this body and these further members of the root: `"launch": {...},`.
inline std::string kernel_text(std::string_view body, std::string_view more = "") {
  return std::string(R"({"format": "warpipe-kernel", "version": 1, "name": "k", )") + std::string(more) +
         R"("body": )" + std::string(body) + "}";
}

/// A kernel file with a single good instruction and these members of the root.
inline std::string kernel_with(std::string_view more) { return kernel_text(R"([{"id": "a", "op": "fadd"}])", more); }

/// All problems of a kernel file, as a user reads them; empty for a good file. The file is called "k.json".
inline std::vector<std::string> problems_of(std::string_view text) {
  std::vector<std::string> problems;
  try {
    read_kernel_json(text, "k.json");
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) problems.push_back(to_string(diagnostic));
  }
  return problems;
}

}  // namespace warpipe::test
