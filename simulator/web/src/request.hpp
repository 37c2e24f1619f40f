#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/exit_status.hpp"

namespace warpipe::web {

/// A request of the page.
struct Request {
  std::vector<std::string> arguments;        ///< as behind `warpipe simulate`, the name of a kernel's file first
  std::map<std::string, std::string> files;  ///< texts by name: the kernel, the files named by options, and as
                                             ///< source.cu the source with the names of parameters
  bool with_surroundings = false;            ///< also the launch at other occupancies, which takes longer
};

/// @param json  an object with the members of a Request
Request read_request(std::string_view json);

/// Simulates a launch. Prints the messages of `warpipe simulate` on standard error.
/// @param response  set to JSON: `result`, as of `warpipe simulate --json` with stalls, instructions and memory;
/// `text`,
///                  its summary; `body` and `figures` of the page
/// @throws as `warpipe simulate`
app::ExitStatus answer(const Request& request, std::string& response);

/// Makes the files of a request the only files that can be read.
void set_files(std::map<std::string, std::string> files);

}  // namespace warpipe::web
