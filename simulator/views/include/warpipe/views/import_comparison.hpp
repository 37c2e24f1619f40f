#pragma once

#include <string>

#include "warpipe/isa/import_report.hpp"

namespace warpipe {

/// Two imports of the same kernel: of PTX and of its machine code, or of two compilers.
struct ImportComparison {
  struct Side {
    std::string name;  ///< "saxpy.ptx, PTX 9.0 for sm_80"
    isa::ImportReport report;
  };
  Side first, second;
};

/// Their differences: issued instructions by op, segments reached by memory accesses by source line, registers.
std::string write_text(const ImportComparison& comparison);

}  // namespace warpipe
