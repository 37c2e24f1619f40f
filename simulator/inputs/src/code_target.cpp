#include "warpipe/inputs/code_target.hpp"

#include <fmt/format.h>

#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/compile_target.hpp"

namespace warpipe {
namespace {

bool is_amd(const std::string& target) { return target.starts_with("gfx"); }

/// Waves have 64 lanes up to gfx90a and gfx942, whose names have three digits behind "gfx", and 32 or 64 from gfx1010
/// on.
bool has_small_waves(const std::string& target) { return target.size() == std::string("gfx1030").size(); }

/// Machine code of NVIDIA runs on later GPUs of its generation.
bool runs_on(const std::string& target, const std::string& device) {
  if (is_amd(target)) return target == device;
  const auto number = [](const std::string& name) { return std::stoi(name.substr(3)); };
  return number(target) / 10 == number(device) / 10 && number(target) <= number(device);
}

}  // namespace

std::string target_warning(const code::Module& module, const Device& device) {
  const auto own = compile_target(device), target = module.target();
  if (!module.is_machine_code() || own.empty() || target.empty()) return {};
  const bool fits =
      is_amd(target) == is_amd(own) && (!is_amd(target) || has_small_waves(target) == has_small_waves(own));
  if (!fits)
    throw ModelError(Diagnostic{module.file(), fmt::format("this is machine code for {}", target),
                                fmt::format("\"{}\" is {}", device.name, own),
                                "compile the source for the device, or take another device"});
  if (runs_on(target, own)) return {};
  return fmt::format("{} is machine code for {}, which \"{}\" does not run: it is {}", module.file(), target,
                     device.name, own);
}

}  // namespace warpipe
