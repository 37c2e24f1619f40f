#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe::test {

/// tests/kernels/ptx/nvcc13/kinds.ptx: kernels whose groups differ.
const ptx::Module& kinds_module();

using Numbers = std::map<std::string, std::string>;

ptx::ImportOptions launch(const std::string& entry, const ptx::Dimensions& block, const ptx::Dimensions& grid,
                          const Numbers& arguments = {});

/// Of so many groups of the causal softmax.
ptx::ImportOptions causal(std::int64_t groups, int tokens = 1024, std::int64_t block = 256);

/// Rows of random lengths: from 0 to 2 x mean, some of them thirty times as long.
ptx::ImportOptions ragged(std::int64_t rows, int mean);

struct KindsCase {
  std::string name;
  ptx::ImportOptions options;
  bool exact = true;  ///< every group issues the instructions that it issues alone
};

void PrintTo(const KindsCase& one, std::ostream* stream);

std::vector<KindsCase> kinds_cases();

}  // namespace warpipe::test
