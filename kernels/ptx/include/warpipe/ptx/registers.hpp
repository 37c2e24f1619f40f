#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpipe::ptx {

/// Finds the registers per thread in the output of `ptxas -v`.
/// @param file   the log's name, for messages
/// @param entry  as in "Compiling entry function 'saxpy' for 'sm_80'"
/// @throws InputError where the log lacks the entry (lists the entries it has), or no number follows it
std::int64_t registers_in_log(std::string_view log, const std::string& file, std::string_view entry);

}  // namespace warpipe::ptx
