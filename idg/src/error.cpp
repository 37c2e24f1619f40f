#include "warpipe/idg/error.hpp"

#include <cassert>

namespace warpipe {
namespace {

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  assert(!diagnostics.empty());
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = diagnostic.where;
  if (!text.empty()) text += ": ";
  text += diagnostic.problem;
  if (!diagnostic.found.empty()) text += "; " + diagnostic.found;
  if (!diagnostic.advice.empty()) text += "; " + diagnostic.advice;
  return text;
}

Error::Error(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::throw_if_any() const {
  if (!list_.empty()) throw InputError(list_);
}

}  // namespace warpipe
