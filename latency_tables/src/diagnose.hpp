#pragma once

#include <string>
#include <utility>
#include <vector>

#include "warpipe/idg/error.hpp"

namespace warpipe::detail {

/// Calls a function, and adds the place to its errors.
/// @throws ModelError as the function does, with `where` as the place; a place below it ("/stride_bytes") is appended
template <class Function>
auto placed(const std::string& where, Function&& function) {
  try {
    return std::forward<Function>(function)();
  } catch (const ModelError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics)
      diagnostic.where = diagnostic.where.starts_with('/') ? where + diagnostic.where : where;
    throw ModelError(std::move(diagnostics));
  }
}

}  // namespace warpipe::detail
