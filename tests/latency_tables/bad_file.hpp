#pragma once

#include <ostream>
#include <string>

namespace warpipe {

/// An example with a text replaced, and the resulting problem.
struct BadFile {
  std::string name, text, replacement, where, problem;
};

inline std::ostream& operator<<(std::ostream& out, const BadFile& bad) { return out << bad.name; }

}  // namespace warpipe
