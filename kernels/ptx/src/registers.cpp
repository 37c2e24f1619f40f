#include "warpipe/ptx/registers.hpp"

#include <fmt/format.h>

#include <charconv>

#include "warpipe/idg/error.hpp"

namespace warpipe::ptx {

std::int64_t registers_in_log(std::string_view log, const std::string& file, std::string_view entry) {
  constexpr std::string_view kEntry = "Compiling entry function '", kUsed = "Used ";
  std::string others;
  for (auto at = log.find(kEntry); at != std::string_view::npos; at = log.find(kEntry, at + 1)) {
    const auto begin = at + kEntry.size();
    const auto name = log.substr(begin, log.find('\'', begin) - begin);
    if (name != entry) {
      others += fmt::format("{}{}", others.empty() ? "found " : ", ", name.substr(0, 80));
      continue;
    }
    // Its line of resources comes before the next function's.
    const auto used = log.find(kUsed, begin);
    if (used == std::string_view::npos || used > log.find("Compiling", begin)) break;
    std::int64_t registers = 0;
    const auto* first = log.data() + used + kUsed.size();
    const auto [end, error] = std::from_chars(first, log.data() + log.size(), registers);
    if (error == std::errc{}) return registers;
  }
  throw InputError(Diagnostic{file, fmt::format("the log of ptxas -v says the registers of \"{}\"", entry),
                              others.substr(0, 400), "compile with ptxas -v"});
}

}  // namespace warpipe::ptx
