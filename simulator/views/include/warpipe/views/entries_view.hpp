#pragma once

#include <string>
#include <vector>

#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe {

/// What a PTX module has to start, as a user names it.
struct ModuleEntries {
  struct Entry {
    const ptx::Function* function = nullptr;
    std::string place;                             ///< in the source: "saxpy.cu:6"; empty where it is not known
    std::vector<ptx::SourceParameter> parameters;  ///< as the source declares them; empty where it is not known
  };
  const ptx::Module* module = nullptr;
  std::vector<Entry> entries;
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
