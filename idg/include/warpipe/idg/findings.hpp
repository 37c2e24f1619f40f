#pragma once

#include <functional>
#include <string_view>

namespace warpipe {

/// A fact from outside the process: a file, a folder or a program. The same findings lead to the same result.
struct Finding {
  enum class Kind : char {
    Text = 't',     ///< the content of a file
    Place = 'p',    ///< the kind of file at a path, as what_is_at of `inputs` describes it
    Names = 'n',    ///< the names in a folder, one per line
    Program = 'x',  ///< the program at a path, as program_at of `inputs` describes it
    Other = 'o',    ///< not repeatable: the output of another program, standard input
  };
  Kind kind = Kind::Other;
  std::string_view path;   ///< for Other: a description
  std::string_view found;  ///< empty for Other
};

/// Called with each finding, from any thread, never from two at once.
using FindingObserver = std::function<void(const Finding& finding)>;

/// @param observer  receives all later findings, in place of the observer before; empty: none does
void tell_findings_to(FindingObserver observer);

/// Reports a finding to the observer. Call it after reading a file, looking for a file, or running a program.
void tell(const Finding& finding);

}  // namespace warpipe
