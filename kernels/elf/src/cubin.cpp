#include "warpipe/elf/cubin.hpp"

#include <fmt/format.h>

#include "bytes.hpp"

namespace warpipe::elf {
namespace {

// Attributes of .nv.info sections.
enum Attribute : std::uint8_t {
  MaxThreads = 0x05,
  ParameterBank = 0x0a,
  RequiredBlock = 0x10,
  MinStack = 0x12,
  Parameter = 0x17,
  ParameterBytes = 0x19,
  Registers = 0x2f
};

constexpr std::size_t kParameterBytes = 16;  // of an attribute of a parameter
constexpr std::uint8_t kSized = 4;           // the format of attributes with a text of their own
constexpr std::uint8_t kNewAbi = 8;

/// Calls `take` with each attribute: its number, its text, and its value where it has no text.
template <class Take>
void for_attributes(const Object& object, const Section& section, const Take& take) {
  Bytes bytes(section.contents, object.place(section));
  while (bytes.size() - bytes.at() >= 4) {
    const auto format = bytes.read<std::uint8_t>(), number = bytes.read<std::uint8_t>();
    const auto value = bytes.read<std::uint16_t>();
    take(number, Bytes(format == kSized ? bytes.take(value) : std::string_view(), object.place(section)), value);
  }
}

std::array<std::int64_t, 3> read_sizes(Bytes& text) {
  std::array<std::int64_t, 3> sizes{};
  for (auto& size : sizes) size = text.read<std::uint32_t>();
  return sizes;
}

/// @param most  as many as there is room for
void add_parameter(Bytes text, std::size_t most, CubinKernel& kernel) {
  text.read<std::uint32_t>();
  const auto number = text.read<std::uint16_t>();
  const auto offset = text.read<std::uint16_t>();
  const auto flags = text.read<std::uint32_t>();
  if (number >= most)
    throw InputError(Diagnostic{text.place(),
                                "the file is damaged: a parameter has the number " + std::to_string(number), "",
                                "make the file again"});
  if (kernel.parameters.size() <= number) kernel.parameters.resize(number + std::size_t{1});
  kernel.parameters[number] = {offset, flags >> 18U};
}

void read_attributes(const Object& object, CubinKernel& kernel) {
  const auto* const section = object.find(".nv.info." + kernel.name);
  if (section == nullptr) return;
  for_attributes(object, *section, [&](std::uint8_t number, Bytes text, std::uint16_t value) {
    switch (number) {
      case Parameter:
        return add_parameter(std::move(text), section->contents.size() / kParameterBytes, kernel);
      case ParameterBytes:
        kernel.parameters_bytes = value;
        return;
      case ParameterBank:
        text.read<std::uint32_t>();
        kernel.parameters_at = text.read<std::uint16_t>();
        kernel.parameters_bytes = text.read<std::uint16_t>();
        return;
      case MaxThreads:
        kernel.most_block = read_sizes(text);
        return;
      case RequiredBlock:
        kernel.required_block = read_sizes(text);
        return;
      default:
        return;
    }
  });
}

/// Reads the resources of symbols from .nv.info: registers and stacks.
void read_resources(Cubin& cubin) {
  const auto& object = cubin.object;
  const auto* const section = object.find(".nv.info");
  if (section == nullptr) return;
  std::map<std::string_view, CubinKernel*> kernels;
  for (auto& kernel : cubin.kernels) kernels.emplace(kernel.name, &kernel);
  for_attributes(object, *section, [&](std::uint8_t number, Bytes text, std::uint16_t) {
    if (number != Registers && number != MinStack) return;
    const auto symbol = text.read<std::uint32_t>();
    const auto value = text.read<std::uint32_t>();
    if (symbol >= object.symbols.size()) return;
    const auto kernel = kernels.find(object.symbols[symbol].name);
    if (kernel == kernels.end()) return;
    (number == Registers ? kernel->second->registers : kernel->second->stack_bytes) = value;
  });
}

using Banks = std::map<unsigned, ConstantBank>;

/// Constant banks are sections: .nv.constant3 for all kernels, .nv.constant0.NAME for a single kernel.
/// @return by kernel; "" for all
std::map<std::string, Banks> read_constants(const Object& object) {
  constexpr std::string_view kStart = ".nv.constant";
  std::map<std::string, Banks> constants;
  for (std::uint32_t index = 0; index < object.sections.size(); ++index) {
    const auto& section = object.sections[index];
    if (!section.name.starts_with(kStart)) continue;
    const auto rest = section.name.substr(kStart.size());
    const auto dot = rest.find('.');
    const auto bank = rest.substr(0, dot);
    if (!bank.empty() && bank.size() < 3 && bank.find_first_not_of("0123456789") == std::string::npos)
      constants[dot == std::string::npos ? "" : rest.substr(dot + 1)][static_cast<unsigned>(std::stoi(bank))] = {
          section.contents, object.relocations(index)};
  }
  return constants;
}

CubinKernel read_kernel(const Object& object, std::uint32_t index, const LineTable& lines) {
  const auto& section = object.sections[index];
  CubinKernel kernel;
  kernel.name = section.name.substr(std::string_view(".text.").size());
  kernel.code = section.contents;
  kernel.section = index;
  kernel.registers = section.info >> 24U;  // newer compilers say it in .nv.info
  if (const auto* const shared = object.find(".nv.shared." + kernel.name))
    kernel.shared_bytes = static_cast<std::int64_t>(shared->size);
  read_attributes(object, kernel);
  if (const auto found = lines.places.find(index); found != lines.places.end()) kernel.lines = found->second;
  kernel.relocations = object.relocations(index);
  return kernel;
}

/// Kernels are functions with attributes of their own; they call the other functions.
bool is_kernel(const Object& object, const Section& section) {
  return section.name.starts_with(".text.") && object.find(".nv.info." + section.name.substr(6)) != nullptr;
}

/// "ptxas 13.0", of a note with "ptxas" and "Cuda compilation tools, release 13.0, V13.0.88"; empty without a note.
std::string compiler_of(const Object& object) {
  constexpr std::string_view kRelease = "release ";
  const auto* const note = object.find(".note.nv.tkinfo");
  if (note == nullptr) return {};
  const auto at = note->contents.find(kRelease);
  if (at == std::string_view::npos) return {};
  const auto release = note->contents.substr(at + kRelease.size());
  return "ptxas " + std::string(release.substr(0, release.find_first_not_of("0123456789.")));
}

}  // namespace

int architecture_of(const Object& object) {
  return static_cast<int>(object.abi_version >= kNewAbi ? (object.flags >> 8U) & 0xffU : object.flags & 0xffU);
}

Cubin read_cubin(std::string_view bytes, const std::string& file) {
  Cubin cubin{file, 0, read_object(bytes, file), {}, {}, {}};
  const auto& object = cubin.object;
  if (object.machine != kNvidia)
    throw InputError(Diagnostic{file, "this is no machine code of NVIDIA", fmt::format("machine {}", object.machine),
                                "give what `nvcc -cubin` makes"});
  cubin.architecture = architecture_of(object);
  cubin.compiler = compiler_of(object);
  auto lines = read_line_table(object);
  cubin.sources = std::move(lines.files);
  auto constants = read_constants(object);
  for (std::uint32_t index = 0; index < object.sections.size(); ++index) {
    if (!is_kernel(object, object.sections[index])) continue;
    cubin.kernels.push_back(read_kernel(object, index, lines));
    auto& kernel = cubin.kernels.back();
    kernel.constants = constants[kernel.name];
    kernel.constants.insert(constants[""].begin(), constants[""].end());
  }
  read_resources(cubin);
  return cubin;
}

}  // namespace warpipe::elf
