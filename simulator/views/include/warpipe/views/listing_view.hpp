#pragma once

#include <string>
#include <vector>

#include "warpipe/isa/listing.hpp"

namespace warpipe {

/// The machine code of a file's kernels, as people read it.
struct Disassembly {
  struct Kernel {
    std::string symbol;
    std::vector<isa::ListingLine> lines;
  };
  std::string file, language, target;  ///< "saxpy.cubin", "machine code", "sm_80"
  std::vector<Kernel> kernels;
};

/// Address, control code, instruction, its ops and source line of each instruction; and the number of unknown
/// instructions.
std::string write_text(const Disassembly& disassembly);
/// The same for programs: format "warpipe-disassembly".
std::string write_json(const Disassembly& disassembly);

}  // namespace warpipe
