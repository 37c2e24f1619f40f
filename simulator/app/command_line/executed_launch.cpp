#include "command_line/executed_launch.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/parameter_block.hpp"
#include "warpipe/machine/load_recorder.hpp"
#include "warpipe/machine/machine.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::app {
namespace {

constexpr std::uint64_t kBytesOfOthers = std::uint64_t{1} << 30;

/// An array of the launch in memory of its own.
std::uint64_t place_array(const isa::Launch& launch, const std::string& name, machine::Memory& memory) {
  if (name.empty()) return memory.allocate(kBytesOfOthers);
  const auto& bytes = launch.arrays.at(name).bytes;
  if (!bytes)
    throw UsageError(Diagnostic{"`arrays " + name + "`", "a launch that is executed has its arrays as bytes", "",
                                "give a file as bytes:FILE"});
  const auto place = memory.allocate(bytes->bytes.size());
  std::memcpy(reinterpret_cast<void*>(place), bytes->bytes.data(), bytes->bytes.size());  // NOLINT: its own address
  return place;
}

/// Fills the program's variables with the given values.
void fill_variables(const isa::Program& program, const isa::Launch& launch, const machine::Variables& variables) {
  for (const auto& region : program.regions) {
    const auto given = launch.arrays.find(region.name);
    const auto place = variables.find(region.name);
    if (given == launch.arrays.end() || !place || !given->second.bytes) continue;
    const auto bytes = given->second.bytes->bytes.substr(0, place->end - place->begin);
    std::memcpy(reinterpret_cast<void*>(place->begin), bytes.data(), bytes.size());  // NOLINT: likewise
  }
}

}  // namespace

void execute_launch(const TextFile& file, isa::ImportOptions& options) {
  if (file.text.starts_with("\177ELF"))
    throw InputError(
        Diagnostic{file.name, "PTX is executed", "found machine code", "give PTX, or leave `execute` out"});
  const auto module = ptx::read_ptx(file.text, file.name);
  const auto program = ptx::executable_program(module, options.entry);
  auto& launch = options.launch;
  machine::Memory memory;
  machine::Variables variables(memory);
  variables.add(ptx::variables(module));
  fill_variables(program, launch, variables);
  auto& block = launch.parameters;
  block.bytes = isa::parameter_bytes(program, launch, options.parameter_names);
  for (const auto& [at, name] : isa::pointers_in(program, launch, options.parameter_names)) {
    const auto place = place_array(launch, name, memory);
    std::memcpy(block.bytes.data() + at, &place, sizeof place);
    const auto size = name.empty() ? kBytesOfOthers : launch.arrays.at(name).bytes->bytes.size();
    block.pointers[at] = static_cast<std::int64_t>(size);
  }
  machine::Launch started;
  started.grid = launch.grid;
  started.block = launch.block;
  started.dynamic_shared_bytes = launch.dynamic_shared_memory;
  started.arguments.resize(block.bytes.size());
  std::memcpy(started.arguments.data(), block.bytes.data(), block.bytes.size());
  try {
    machine::LoadRecorder recorder(isa::deciding_loads(program));
    const auto outcome = machine::Machine(program, variables).run(started, memory, {}, &recorder);
    auto recorded = recorder.take(outcome, program, variables, memory);
    if (!recorded.groups.empty()) launch.recorded = std::make_shared<isa::RecordedLoads>(std::move(recorded));
  } catch (const machine::Fault& fault) {
    throw InputError(Diagnostic{file.name, "the launch is executed to its end", fault.what(),
                                "give arguments and arrays as they are in fact, or leave `execute` out"});
  }
}

}  // namespace warpipe::app
