#pragma once

#include <string>
#include <vector>

#include "warpipe/isa/entry.hpp"

namespace warpipe {

/// The entries of a file of code, as a user names them.
struct ModuleEntries {
  std::string file, language, target;  ///< "saxpy.ptx", "PTX 9.0", "sm_80"
  std::vector<isa::Entry> entries;
};

/// Names, limits and parameters of each entry.
///
///     saxpy(int, float, float const*, float*), at saxpy.cu:6
///       symbol _Z5saxpyifPKfPf
///       block at most 256 threads (.maxntid 256,1,1)
///       0  +0   .u32  n  int n
///       1  +4   .f32  a  float a
std::string write_text(const ModuleEntries& listed);
/// The same for programs: format "warpipe-entries".
std::string write_json(const ModuleEntries& listed);

}  // namespace warpipe
