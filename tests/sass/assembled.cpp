#include "assembled.hpp"

#include <cstring>

#include "support/kernel_machine.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::test {

Assembled::Assembled(unsigned opcode12) {
  set(0, 12, opcode12).set(12, 3, 7).set(16, 8, 255).set(24, 8, 255).set(64, 8, 255);
  const auto form = opcode12 >> 9;
  if (form == 1) set(32, 8, 255);
  set(81, 3, 7).set(84, 3, 7).set(87, 3, 7);
  set(105, 4, 15).set(110, 3, 7).set(113, 3, 7);
}

Assembled& Assembled::set(int first, int count, std::uint64_t bits) {
  for (int i = 0; i < count; ++i) {
    auto& word = first + i < 64 ? low : high;
    const auto bit = std::uint64_t{1} << ((first + i) % 64);
    word = ((bits >> i) & 1) != 0 ? word | bit : word & ~bit;
  }
  return *this;
}

std::string Assembled::bytes() const {
  std::string all(16, '\0');
  std::memcpy(all.data(), &low, 8);
  std::memcpy(all.data() + 8, &high, 8);
  return all;
}

std::vector<LaneResult> execute(const Assembled& instruction, int architecture,
                                const std::array<std::vector<std::uint64_t>, 4>& inputs) {
  sass::Module module;
  module.file = "assembled.cubin";
  module.architecture = architecture;
  sass::Kernel kernel;
  kernel.symbol = "k";
  kernel.registers = 32;
  kernel.parameter_base = 0x160;
  for (std::int64_t i = 0; i < 5; ++i) kernel.parameters.push_back({8 * i, 8});
  const auto add = [&](const Assembled& one) { kernel.code += one.bytes(); };
  const unsigned no_uniform = architecture >= 100 ? 255 : 63;
  const auto place = [&](unsigned parameter) {  // IMAD.WIDE.U32 R4, R0, R2, c[0x0][...]
    add(Assembled(0x625).dst(4).a(0).c(2).set(38, 16, 0x160 + 8 * parameter));
  };
  add(Assembled(0x919).dst(0).set(72, 8, 0x21));             // S2R R0, SR_TID.X
  add(Assembled(0x802).dst(2).immediate(8).set(72, 4, 15));  // MOV R2, 8
  for (unsigned i = 0; i < 4; ++i) {
    place(i);
    const unsigned to = i < 3 ? 8 + 2 * i : 14;
    add(Assembled(0x981).dst(to).a(4).b(no_uniform).set(72, 1, 1).set(73, 3, 5));  // LDG.64
  }
  // LOP3 R14 = R14 & 1; ISETP.NE.U32 P1, R14, RZ
  add(Assembled(0x812).dst(14).a(14).immediate(1).set(72, 8, 0xc0).set(90, 1, 1));
  add(Assembled(0x20c).a(14).set(76, 3, 5).set(81, 3, 1).set(68, 3, 7));
  add(Assembled(0x20c).a(255).set(76, 3, 5).set(81, 3, 2).set(68, 3, 7));  // P2 = false
  add(instruction);
  add(Assembled(0x807).dst(18).a(255).immediate(1).set(87, 3, 2).set(90, 1, 1));  // SEL R18, RZ, 1, !P2
  add(Assembled(0x802).dst(2).immediate(16).set(72, 4, 15));
  place(4);
  for (unsigned i = 0; i < 3; ++i)
    add(Assembled(0x986).a(4).b(16 + i).set(40, 24, 4 * i).set(72, 1, 1).set(73, 3, 4).c(no_uniform));  // STG
  add(Assembled(0x94d));
  module.kernels.push_back(kernel);
  const auto program = sass::read_program(module, "k");
  KernelMachine machine(program);
  std::vector<std::uint64_t> arguments;
  for (const auto& numbers : inputs) {
    std::vector<std::byte> bytes(numbers.size() * 8);
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    arguments.push_back(machine.add_array(bytes));
  }
  arguments.push_back(machine.add_array(std::vector<std::byte>(32 * 16)));
  isa::Launch launch;
  launch.block = {32, 1, 1};
  machine.run(launch, arguments);
  const auto found = machine.bytes_at(arguments.back(), 32 * 16);
  std::vector<LaneResult> results(32);
  for (std::size_t lane = 0; lane < 32; ++lane) std::memcpy(&results[lane], found.data() + 16 * lane, 12);
  return results;
}

}  // namespace warpipe::test
