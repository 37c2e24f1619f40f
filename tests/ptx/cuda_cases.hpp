#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe::test {

/// The access of a source line, by hand.
struct ExpectedAccess {
  std::string op, text;
  double executions = 0;
  double transactions = 0;      ///< summed over the executions; 0: not derived
  double conflict_degrees = 0;  ///< likewise
};

/// A launch of a kernel of kernels/cuda, with execution counts derived by hand
/// (tests/kernels/ptx/expected_counts.json).
struct CudaCase {
  std::string name, file, entry;
  ptx::ImportOptions options;
  std::map<std::string, double> counts;  ///< by class
  std::vector<ExpectedAccess> accesses;
  std::set<std::string> not_with_clang;  ///< classes whose counts another compiler changes, with the reason in the file
  std::vector<double> active_warps;      ///< of a group, at each step of a tree
};

/// All cases, in the order of the file.
const std::vector<CudaCase>& cuda_cases();
/// @return the case of the name
const CudaCase& cuda_case(const std::string& name);

/// Reads kernels/cuda/ptx/ARCHITECTURE/FILE.ptx, or clang's output for the file ("clang14"); each once.
const ptx::Module& cuda_module(const std::string& architecture, const std::string& file);

/// The lines of kernels/cuda/FILE.cu holding a text, as "FILE.cu:LINE".
std::vector<std::string> lines_with(const std::string& file, const std::string& text);

void PrintTo(const CudaCase& one, std::ostream* stream);

}  // namespace warpipe::test
