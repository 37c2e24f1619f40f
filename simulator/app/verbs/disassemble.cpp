#include "command_line/compiler.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/code/module.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/views/listing_view.hpp"

namespace warpipe::app {
namespace {

/// Of one entry where it is named, else of all.
Disassembly disassemble(const code::Module& module, const std::optional<std::string>& name) {
  Disassembly made{module.file(), module.language(), module.target(), {}};
  const auto add = [&](const std::string& symbol) { made.kernels.push_back({symbol, module.listing(symbol)}); };
  if (name) {
    add(module.find_entry(*name).symbol);
  } else {
    for (const auto& entry : module.entries()) add(entry.symbol);
  }
  return made;
}

ExitStatus run_disassemble(const Arguments& arguments) {
  const auto path = arguments.only("FILE");
  const Output output(arguments.value("json").value_or(""));
  if (is_source(path))
    throw InputError(Diagnostic{path, "this is source, not machine code", "",
                                "compile it with `nvcc -cubin -lineinfo -arch=sm_90`, or `hipcc --genco`"});
  const auto file = read_kernel_input(path);
  if (!is_code(file))
    throw InputError(Diagnostic{path, "this is no machine code", "", "give a cubin, or AMD assembly or code object"});
  const auto made = disassemble(code::read_module(file.text, file.name), arguments.value("entry"));
  arguments.has("json") ? output.write(write_json(made)) : output.show(write_text(made));
  return ExitStatus::Done;
}

constexpr std::string_view kNotes = R"(
Of a cubin: bytes from the start of the kernel; the control code; the
instruction; the ops that are simulated; the source line. A control code
[--2---:R0:W-:Y:S05] says: it waits for scoreboard 2; 0 is released when its
operands were read, none when its result is written; other warps may go first;
the next instruction issues 5 cycles later at the earliest.
)";

}  // namespace

Verb disassemble_verb() {
  return {"disassemble", "FILE [options]", "the machine code of a cubin or AMD file, with the ops it maps to",
          run_disassemble, kNotes};
}

}  // namespace warpipe::app
