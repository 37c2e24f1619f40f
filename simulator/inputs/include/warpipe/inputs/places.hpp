#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpipe {

// All that looks for files asks here, so that a FindingObserver is told of it.

/// @return "nothing", also where it cannot be looked at; "file" or "folder", also behind symbolic links; else "other"
std::string_view what_is_at(const std::string& path);

bool is_there(const std::string& path);
bool is_file(const std::string& path);
bool is_folder(const std::string& path);

/// Which program is at a path: one that is the same says the same of the same files.
/// @return its size and when it was changed last; empty where there is none that may be executed
std::string program_at(const std::string& path);

/// @return the names of what is in a folder, sorted; none where it cannot be read
std::vector<std::string> entries_of(const std::string& folder);

}  // namespace warpipe
