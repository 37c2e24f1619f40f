#include <algorithm>
#include <utility>

#include "command_line/code_form.hpp"
#include "command_line/compiler.hpp"
#include "command_line/data_files.hpp"
#include "command_line/executed_launch.hpp"
#include "command_line/output_files.hpp"
#include "command_line/ptx_registers.hpp"
#include "command_line/triton_metadata.hpp"
#include "request.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/source_names.hpp"
#include "warpipe/ptx/launch.hpp"
#include "warpipe/ptx/registers.hpp"

/// The command line's functions for files and other programs, for a page without either: its files are texts.

namespace warpipe {
namespace web {
namespace {

std::map<std::string, std::string> files_of_request;

}  // namespace

void set_files(std::map<std::string, std::string> files) { files_of_request = std::move(files); }

}  // namespace web

/// By the source of a request, the file whose name ends in .cu.
isa::Entry with_source_names(isa::Entry entry, const code::Module& /*module*/, const TextFile& /*file*/,
                             const BeforeReading& /*before*/) {
  for (const auto& [name, text] : web::files_of_request) {
    if (!name.ends_with(".cu")) continue;
    const auto found = ptx::parameters_in_source(text, {entry.symbol, entry.parameters.size()});
    for (std::size_t i = 0; i < std::min(found.size(), entry.parameters.size()); ++i) {
      entry.parameters[i].name = found[i].name;
      entry.parameters[i].declaration = found[i].declaration;
    }
  }
  return entry;
}

/// No folder can hold data.
bool detail::search_data_beside(const std::string& /*header*/) { return false; }

namespace app {

TextFile read_input(const std::string& path) {
  const auto file = web::files_of_request.find(path);
  if (file == web::files_of_request.end())
    throw InputError(Diagnostic{path, "a page reads no files", "", "run `warpipe simulate` where the file is"});
  return {file->first, file->second};
}

void check_not_overwritten(const std::string& /*path*/) {}

TritonMetadata read_triton_metadata(const TextFile& /*file*/, const Arguments& arguments,
                                    const std::string& /*entry*/) {
  if (arguments.has("metadata")) refuse("--metadata", "a page reads no files", "", "give --block");
  return {};
}

code::Module read_module(const TextFile& file, const GivenLaunch& /*given*/, const Arguments& /*arguments*/,
                         const std::string& target) {
  return code::read_module(file.text, file.name, target);  // there is no ptxas
}

void execute_launch(const TextFile& /*file*/, isa::ImportOptions& /*options*/) {
  refuse("--execute", "a page has no arrays", "", "leave it out");
}

void read_registers(const Arguments& arguments, const code::Module& /*module*/, const TextFile& /*file*/,
                    isa::ImportOptions& options) {
  if (arguments.has("ptxas") || arguments.has("ptxas-log"))
    refuse("--ptxas", "a page runs no programs and reads no files", "", "give --registers");
  options.registers = arguments.whole("registers", 1);
  if (options.registers) options.registers_from = "as given";
}

}  // namespace app
}  // namespace warpipe
