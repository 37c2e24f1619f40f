#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpipe {

// All searches for files ask here, so that a FindingObserver learns of them.

/// @return "nothing", also where it cannot be looked at; "file" or "folder", also behind symbolic links; else "other"
std::string_view what_is_at(const std::string& path);

bool is_there(const std::string& path);
bool is_file(const std::string& path);
bool is_folder(const std::string& path);

/// Identifies the program at a path: the same program gives the same results for the same files.
/// @return its size and the time of its last change; empty where there is no executable file
std::string program_at(const std::string& path);

/// @return the names of a folder's entries, sorted; none where it cannot be read
std::vector<std::string> entries_of(const std::string& folder);

}  // namespace warpipe
