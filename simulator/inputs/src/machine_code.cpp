#include "warpipe/inputs/machine_code.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "programs.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::chrono::minutes kLongestAssembly{10};  // for a file of many large kernels

/// Of `sm_90a` and `sm_100f`, whose PTX holds for a single device, the target of the PTX; else the device's.
std::string architecture(const std::string& of_ptx, const std::string& of_device) {
  return of_ptx.starts_with(of_device) && of_ptx.size() == of_device.size() + 1 ? of_ptx : of_device;
}

/// Machine code, or why there is none.
struct Assembled {
  std::string code, refusal;
};

Assembled assemble(const code::Module& ptx, const TextFile& file, const std::string& target, const Guard& guard) {
  const auto ptxas = ptxas_program();
  if (ptxas.empty()) return {{}, "there is no ptxas on the PATH or in /usr/local/cuda"};
  const TemporaryDirectory folder;
  const auto text = folder.path() + "/kernel.ptx", cubin = folder.path() + "/kernel.cubin";
  // As runtimes read it: text may end in a NUL, which ptxas does not take.
  std::ofstream(text, std::ios::binary) << file.text.substr(0, file.text.find('\0'));
  const auto end =
      run_child({.words = {ptxas, "-lineinfo", "-arch=" + architecture(ptx.target(), target), "-o", cubin, text},
                 .limit = kLongestAssembly,
                 .guard = guard,
                 .is_function = true});
  if (!end.is_good()) return {{}, fmt::format("{} {}: {}", ptxas, to_string(end), printed(end.text).substr(0, 200))};
  std::ifstream made(cubin, std::ios::binary);
  return {std::string(std::istreambuf_iterator<char>(made), {}), ""};
}

/// The device to make machine code for: where none is named, the one that the PTX is for, if machine code is asked for.
std::string assembly_target(const code::Module& module, const std::string& target, Form form) {
  return target.empty() && form == Form::Cubin ? module.target() : target;
}

/// Whether code is PTX to be made machine code.
bool is_to_be_assembled(const code::Module& module, const std::string& target, Form form) {
  return form != Form::Ptx && !module.is_machine_code() && target.starts_with("sm_");
}

/// @return the machine code, linked to its PTX, or the PTX where it is read as it is
code::Module read_assembled(code::Module ptx, Assembled made, const TextFile& file, const std::string& target,
                            Form form) {
  if (made.refusal.empty()) {
    try {
      auto module = code::read_module(made.code, file.name, target);
      module.made_of(std::move(ptx), form == Form::Usual);
      return module;
    } catch (const InputError& unreadable) {  // a ptxas may be too new to read its code
      made.refusal = unreadable.what();
    }
  }
  if (form == Form::Cubin)
    throw InputError(Diagnostic{file.name, fmt::format("no machine code for {} can be made of this PTX", target),
                                made.refusal, "give another `form`, or install a CUDA toolkit that knows the device"});
  return ptx;
}

}  // namespace

std::optional<Form> parse_form(std::string_view word) {
  if (word == "ptx") return Form::Ptx;
  if (word == "cubin") return Form::Cubin;
  return std::nullopt;
}

Form form_of_environment() {
  const char* given = std::getenv("WARPIPE_FORM");
  if (given == nullptr || *given == '\0') return Form::Usual;
  if (const auto form = parse_form(given)) return *form;
  throw UsageError(Diagnostic{"WARPIPE_FORM", fmt::format("\"{}\" is neither ptx nor cubin", given), "", "unset it"});
}

std::string ptxas_program() {
  if (const char* given = std::getenv("PTXAS"); given != nullptr && *given != '\0')
    return is_program(given) ? given : on_path(given);
  if (auto found = on_path("ptxas"); !found.empty()) return found;
  auto of_toolkit = (cuda_toolkit() / "bin" / "ptxas").string();
  return is_program(of_toolkit) ? of_toolkit : "";
}

code::Module read_code(const TextFile& file, const std::string& device, const MachineCodeOptions& options) {
  auto module = code::read_module(file.text, file.name, device);
  const auto target = assembly_target(module, device, options.form);
  if (!is_to_be_assembled(module, target, options.form)) return module;
  auto made = assemble(module, file, target, options.guard);
  return read_assembled(std::move(module), std::move(made), file, target, options.form);
}

AssembledCode assemble_code(TextFile file, const std::string& device, const MachineCodeOptions& options) {
  const auto module = code::read_module(file.text, file.name, device);
  const auto target = assembly_target(module, device, options.form);
  Assembled made;
  if (is_to_be_assembled(module, target, options.form)) made = assemble(module, file, target, options.guard);
  return {std::move(file), target, std::move(made.code), std::move(made.refusal)};
}

code::Module read_code(const AssembledCode& code, Form form) {
  const auto& [file, target, machine_code, refusal] = code;
  auto module = code::read_module(file.text, file.name, target);
  if (machine_code.empty() && refusal.empty()) return module;
  return read_assembled(std::move(module), {machine_code, refusal}, file, target, form);
}

}  // namespace warpipe
