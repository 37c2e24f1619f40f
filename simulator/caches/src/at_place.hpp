#pragma once

#include <string>
#include <utility>

#include "warpipe/idg/error.hpp"

namespace warpipe {

/// Calls a function, and names the place in its errors.
/// @param place  JSON path in the kernel's file
template <class Function>
auto at_place(const std::string& place, const Function& function) {
  try {
    return function();
  } catch (const ModelError& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) diagnostic.where = place;
    throw ModelError(std::move(diagnostics));
  }
}

}  // namespace warpipe
