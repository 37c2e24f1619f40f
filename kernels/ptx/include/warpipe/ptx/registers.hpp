#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpipe::ptx {

/// Finds the registers of a thread in what `ptxas -v` printed.
/// @param file   the log's name, for messages
/// @param entry  as in "Compiling entry function 'saxpy' for 'sm_80'"
/// @throws InputError where the log does not have the entry (lists those that it has), or no number behind it
std::int64_t registers_in_log(std::string_view log, const std::string& file, std::string_view entry);

}  // namespace warpipe::ptx
