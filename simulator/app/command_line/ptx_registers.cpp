#include "command_line/ptx_registers.hpp"

#include <fmt/format.h>

#include "terminal/interruptible.hpp"
#include "terminal/output.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/inputs/machine_code.hpp"
#include "warpipe/ptx/registers.hpp"

namespace warpipe::app {
namespace {

/// The output of ptxas for a file.
std::string ptxas_log(const TextFile& file, const code::Module& module) {
  const TemporaryDirectory folder;
  auto path = file.name;
  if (file.name == "standard input" || !file.source.empty()) {
    path = folder.path() + "/kernel.ptx";
    Output(path).write(file.text);
  }
  const auto found = ptxas_program();
  const auto program = found.empty() ? std::string("ptxas") : found;
  const auto end = run_child(
      {.words = {program, "-v", "-arch=" + module.target(), "-o", "/dev/null", path}, .guard = ended_by_signals});
  if (!end.is_good())
    throw InputError(Diagnostic{"--ptxas", fmt::format("\"{}\" {}", program, to_string(end)), end.text.substr(0, 200),
                                "set PTXAS to its path, or give --registers or --ptxas-log"});
  return end.text;
}

}  // namespace

void read_registers(const Arguments& arguments, const code::Module& module, const TextFile& file,
                    isa::ImportOptions& options) {
  const auto given = arguments.whole("registers", 1);
  const auto log = arguments.value("ptxas-log");
  if (given.has_value() + log.has_value() + arguments.has("ptxas") > 1)
    refuse("--registers", "only one of --registers, --ptxas-log and --ptxas can be given");
  const auto& entry = options.entry;
  if (given) {
    options.registers = given;
    options.registers_from = "as given";
  } else if (log) {
    options.registers = ptx::registers_in_log(read_input(*log).text, *log, entry);
    options.registers_from = "from what ptxas printed";
  } else if (arguments.has("ptxas")) {
    const auto text = ptxas_log(file, module);
    options.registers = ptx::registers_in_log(text, "ptxas", entry);
    options.registers_from = "from ptxas for " + module.target();
  }
}

}  // namespace warpipe::app
