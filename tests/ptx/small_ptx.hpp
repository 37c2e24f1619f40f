#pragma once

#include <gtest/gtest.h>

#include <string>

#include "warpipe/idg/error.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {

/// A module with an entry `k` of parameters n (.u32) and p (.u64), and registers of all kinds.
inline std::string entry_with(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u32 n, .param .u64 p)\n"
         "{ .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<20>; .shared .align 4 .b8 "
         "tile[128];\n" +
         body + "\n}\n";
}

/// The message of an error thrown by `run`, its diagnostics a line each; fails where `run` throws none.
template <class Run>
std::string message_of(const Run& run) {
  try {
    run();
  } catch (const Error& error) {
    std::string text;
    for (const auto& diagnostic : error.diagnostics()) text += to_string(diagnostic) + "\n";
    return text;
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

/// A launch of a single warp, n = 10, unless changed.
inline ptx::ImportOptions one_warp() {
  ptx::ImportOptions options;
  options.launch.block = {32, 1, 1};
  options.launch.arguments["n"] = "10";
  return options;
}

inline ptx::Import import(const std::string& body, const ptx::ImportOptions& options = one_warp()) {
  return ptx::import_ptx(ptx::read_ptx(entry_with(body), "k.ptx"), options);
}

/// How often the kernel's warps execute an op.
inline double executed(const ptx::Import& import, const std::string& op) {
  const auto found = import.report.executions.find(op);
  return found == import.report.executions.end() ? 0 : found->second;
}

/// Instructions issued by the kernel's warps.
inline double issued(const ptx::Import& import) {
  double sum = 0;
  for (const auto& [op, count] : import.report.issued) sum += count;
  return sum;
}

}  // namespace warpipe::test
