#pragma once

#include <functional>
#include <string_view>

namespace warpipe {

/// Something that this process found outside itself. A process that finds the same does the same.
struct Finding {
  enum class Kind : char {
    Text = 't',     ///< what is in a file
    Place = 'p',    ///< what is at a path, as what_is_at of `inputs` says it
    Names = 'n',    ///< the names in a folder, one per line
    Program = 'x',  ///< which program is at a path, as program_at of `inputs` says it
    Other = 'o',    ///< what cannot be asked again: the output of another program, standard input
  };
  Kind kind = Kind::Other;
  std::string_view path;   ///< of an Other: what it is
  std::string_view found;  ///< empty for an Other
};

/// Called with each finding, from any thread but one at a time.
using FindingObserver = std::function<void(const Finding& finding)>;

/// @param observer  is told of all that is found from now on, in place of the one before; empty: nobody is
void tell_findings_to(FindingObserver observer);

/// To be called by whoever reads a file, looks for one, or runs a program.
void tell(const Finding& finding);

}  // namespace warpipe
