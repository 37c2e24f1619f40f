#pragma once

#include <string>

#include "warpipe/isa/import_report.hpp"

namespace warpipe {

/// Two imports of what should be one kernel: of PTX and of the machine code that was made of it, or of two compilers.
struct ImportComparison {
  struct Side {
    std::string name;  ///< "saxpy.ptx, PTX 9.0 for sm_80"
    isa::ImportReport report;
  };
  Side first, second;
};

/// Where they differ: instructions that issue by op, what memory accesses reach by source line, registers.
std::string write_text(const ImportComparison& comparison);

}  // namespace warpipe
