#include "lane_machine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "decode.hpp"
#include "survey/address_log.hpp"
#include "survey/group_recorder.hpp"
#include "survey/sampler.hpp"
#include "unknown/questioner.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

constexpr std::size_t kWarpLanes = 32, kRounds = 12;

std::string module_with(const std::string& body, const std::vector<LaneNumbers>& inputs,
                        const std::string& declarations) {
  std::string numbers;
  for (const auto& of_lanes : inputs)
    for (const auto number : of_lanes) numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", number);
  return ".version 8.6\n.target sm_90\n.address_size 64\n" + declarations +
         (inputs.empty() ? "" : fmt::format(".const .align 8 .b64 input[] = {{{}}};\n", numbers)) +
         ".visible .entry k() { .reg .pred %p<40>; .reg .b16 %h<40>; .reg .b32 %r<40>; .reg .b64 %d<40>;\n"
         "mov.u32 %r38, %laneid; mov.u64 %d38, " +
         (inputs.empty() ? "0" : "input") + "; mad.wide.u32 %d38, %r38, 8, %d38;\n" + body + "\nret; }";
}

/// The addresses of a kernel's stores, in the order of the text.
/// @throws UnknownData where an address is not known
std::vector<LaneNumbers> stored_at(const ptx::Module& module) {
  isa::Launch launch;
  launch.block = {kWarpLanes, 1, 1};
  const auto routine = ptx::inline_calls(module, "k");
  const auto program = ptx::decode(routine, kWarpLanes);
  const auto flow = isa::analyse_control_flow(program);
  const isa::ReachingDefinitions definitions(program, flow);
  const auto arguments = isa::bind_arguments(program, definitions, launch, {});
  const auto slice = isa::find_slice(program, definitions);
  const std::vector<std::uint32_t> branch_of(flow.blocks.size(), isa::kNoBlock);
  const isa::Prepared kernel({program, flow, definitions, slice, branch_of, launch, arguments, {}, {}, kWarpLanes});
  isa::Survey survey;
  isa::Questioner questions(launch);
  isa::GroupRecorder recorder(survey, 0);
  survey.log = std::make_shared<isa::AddressLog>(kernel);
  survey.log->begin({0, 0, 0});
  auto record = run_warp(kernel, survey, questions, {0, 0, 0}, 0, {.recorder = &recorder});
  if (auto* stop = std::get_if<isa::Stop>(&record)) throw std::move(*stop->lack);
  std::vector<LaneNumbers> result;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const auto& access = program.instructions[i].access;
    if (!access || access->kind != isa::Access::Kind::Store || access->space != isa::Space::Global) continue;
    for (const auto& reached : survey.log->of(i)) {
      auto& lanes = result.emplace_back();
      for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
        lanes[lane] = static_cast<std::uint64_t>(reached.first + survey.log->list(reached.lanes)[lane]);
    }
  }
  return result;
}

/// Whole numbers at the edges of types and behaviours, and their negatives.
std::uint64_t edge(std::mt19937_64& random) {
  static constexpr std::uint64_t kEdges[] = {0,
                                             1,
                                             2,
                                             3,
                                             4,
                                             7,
                                             8,
                                             15,
                                             16,
                                             24,
                                             31,
                                             32,
                                             33,
                                             40,
                                             63,
                                             64,
                                             65,
                                             127,
                                             128,
                                             255,
                                             256,
                                             0x7fff,
                                             0x8000,
                                             0xffff,
                                             257,
                                             0x7fffff,
                                             0x800000,
                                             0xffffff,
                                             0x1000000,
                                             0x7fffffff,
                                             0x80000000,
                                             0xffffffff,
                                             0x100000000,
                                             0x7fffffffffffffff,
                                             0x8000000000000000};
  const auto number = kEdges[random() % std::size(kEdges)];
  return random() % 3 == 0 ? 0 - number : number;
}

struct Source {
  char letter;  ///< of its register
  bool negated;
};

struct Parsed {
  std::string opcode;
  std::vector<char> results;
  std::vector<Source> sources;
  std::string operands;  ///< with registers
};

bool is_letter(std::string_view word) { return word.size() == 1 && std::string_view("phrd").find(word) != word.npos; }

std::string register_of(char letter, std::size_t number) { return fmt::format("%{}{}", letter, number); }

/// The results are numbered from 10, the sources from 1.
Parsed parsed(const std::string& text) {
  Parsed made;
  made.opcode = text.substr(0, text.find(' '));
  std::string word;
  bool first = true;
  const auto flush = [&] {
    const bool negated = word.starts_with('!');
    const auto letter = negated ? word.substr(1) : word;
    if (!is_letter(letter)) {
      made.operands += word;
    } else if (first) {
      made.operands += register_of(letter[0], 10 + made.results.size());
      made.results.push_back(letter[0]);
    } else {
      made.sources.push_back({letter[0], negated});
      made.operands += (negated ? "!" : "") + register_of(letter[0], made.sources.size());
    }
    word.clear();
  };
  int depth = 0;
  for (const char c : text.substr(made.opcode.size() + 1)) {
    if (std::string_view("{}|, ").find(c) == std::string_view::npos) {
      word += c;
      continue;
    }
    flush();
    made.operands += c;
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) first = false;
  }
  flush();
  return made;
}

int bits_of(char letter) { return letter == 'p' ? 1 : letter == 'h' ? 16 : letter == 'r' ? 32 : 64; }

std::uint64_t low(std::uint64_t number, int bits) {
  return bits == 64 ? number : number & ((std::uint64_t{1} << bits) - 1);
}

std::string load(char letter, std::size_t number, std::size_t index) {
  const auto reg = register_of(letter, number);
  auto text = input(index, letter == 'd' ? static_cast<int>(number) : 36);
  if (letter == 'h') text += fmt::format("mov.b64 {{{}, %h36, %h36, %h36}}, %d36; ", reg);
  if (letter == 'r') text += fmt::format("mov.b64 {{{}, %r36}}, %d36; ", reg);
  if (letter == 'p') text += fmt::format("setp.ne.b64 {}, %d36, 0; ", reg);
  return text;
}

bool is_same(const OperationCase& operation, char letter, std::uint64_t expected, std::uint64_t found) {
  const bool floats = operation.text.find(".f64") != std::string::npos;
  if (letter == 'd' && floats && std::isnan(std::bit_cast<double>(expected)))
    return std::isnan(std::bit_cast<double>(found));
  if (operation.tolerance == 0) return expected == found;
  const auto a = std::bit_cast<float>(static_cast<std::uint32_t>(expected)),
             b = std::bit_cast<float>(static_cast<std::uint32_t>(found));
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= operation.tolerance * std::abs(a);
}

}  // namespace

std::uint64_t drawn_whole(std::mt19937_64& random, int bits) {
  const auto sort = random() % 4;
  if (sort < 2) return low(edge(random), bits);
  // Of all magnitudes.
  const auto number = random() >> (random() % 64);
  return low(sort == 2 ? number : 0 - number, bits);
}

std::uint64_t drawn_float(std::mt19937_64& random, int bits) {
  static constexpr std::uint32_t kEdges[] = {
      0,          1,          2,          0x007fffff, 0x00800000, 0x00800001, 0x7f7fffff, 0x7f800000, 0x7fc00000,
      0x7f800001, 0x7fffffff, 0x3f800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x3fc00000, 0x40200000, 0x4effffff,
      0x4f000000, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x43000000, 0x437f8000,
      0x47000000, 0x4b800001, 0x40490fdb, 0x42fe0000, 0x3effffff, 0x3f000001, 0x41100000, 0x42c80000};
  static constexpr double kDoubleEdges[] = {0x1p-1074,
                                            0x1p-1022,
                                            0x1.fffffffffffffp-1023,
                                            0x1.fffffffffffffp1023,
                                            0x1.fffffefffffffp127,
                                            0x1.ffffffp127,
                                            0x1p-149,
                                            0x1p-150,
                                            0x1.8p-150,
                                            0x1.0000010000001p0,
                                            0x1.000001p0,
                                            0x1.fffffffep30,
                                            0x1.fffffffffffffp62,
                                            0x1p63,
                                            0x1p31,
                                            0x1.fffffffcp30,
                                            0x1p52,
                                            0x1.8p52};
  const auto sign = random() % 2 << (bits - 1);
  const auto sort = random() % 8;
  // Any pattern, or a number near 1: sums of such numbers keep some bits.
  const auto near = std::ldexp(static_cast<double>(random() >> 11) * 0x1p-53 + 0.5, static_cast<int>(random() % 9));
  if (bits == 32) {
    if (sort < 4) return kEdges[random() % std::size(kEdges)] | sign;
    if (sort < 6) return low(random(), 32);
    return std::bit_cast<std::uint32_t>(static_cast<float>(near)) | sign;
  }
  if (sort < 2)
    return std::bit_cast<std::uint64_t>(
               static_cast<double>(std::bit_cast<float>(kEdges[random() % std::size(kEdges)]))) |
           sign;
  if (sort < 4) return std::bit_cast<std::uint64_t>(kDoubleEdges[random() % std::size(kDoubleEdges)]) | sign;
  if (sort < 5) return random();
  // Near the range of floats of 32 bits.
  if (sort < 6) return std::bit_cast<std::uint64_t>(std::ldexp(near, static_cast<int>(random() % 300) - 150)) | sign;
  return std::bit_cast<std::uint64_t>(near) | sign;
}

std::string input(std::size_t index, int reg) {
  return fmt::format("ld.const.b64 %d{}, [%d38+{}]; ", reg, index * kWarpLanes * 8);
}

std::string tell(const std::string& reg) {
  const auto store = [](const std::string& word) {
    return fmt::format("mov.b64 %d37, {{{}, 0}}; st.global.u8 [%d37], %h37; ", word);
  };
  switch (reg[1]) {
    case 'p':
      return "selp.b32 %r37, 1, 0, " + reg + "; " + store("%r37");
    case 'h':
      return "mov.b32 %r37, {" + reg + ", 0}; " + store("%r37");
    case 'r':
      return store(reg);
    default:
      return "mov.b64 {%r37, %r35}, " + reg + "; " + store("%r37") + store("%r35");
  }
}

std::vector<LaneNumbers> lanes_tell(const std::string& body, const std::vector<LaneNumbers>& inputs,
                                    const std::string& declarations) {
  return stored_at(ptx::read_ptx(module_with(body, inputs, declarations), "k.ptx"));
}

void expect_operation(const OperationCase& operation) {
  const auto form = parsed(operation.text);
  std::seed_seq seed(operation.text.begin(), operation.text.end());
  std::mt19937_64 random(seed);
  std::vector<LaneNumbers> inputs;
  std::string body;
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < form.sources.size(); ++i) {
      const auto bits = bits_of(form.sources[i].letter);
      const bool floats = bits >= 32 && operation.text.find(fmt::format(".f{}", bits)) != std::string::npos;
      body += load(form.sources[i].letter, i + 1, inputs.size());
      for (auto& number : inputs.emplace_back())
        number = floats && random() % 8 != 0 ? drawn_float(random, bits) : drawn_whole(random, bits);
    }
    body += form.opcode + " " + form.operands + "; ";
    for (std::size_t i = 0; i < form.results.size(); ++i) body += tell(register_of(form.results[i], 10 + i));
    body += "\n";
  }
  const auto told = lanes_tell(body, inputs);
  std::size_t next = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::vector<LaneNumbers> found;
    for (const auto letter : form.results) {
      ASSERT_LT(next + (letter == 'd' ? 1 : 0), told.size()) << operation.text;
      found.push_back(told[next++]);
      if (letter != 'd') continue;
      for (std::size_t lane = 0; lane < kWarpLanes; ++lane) found.back()[lane] |= told[next][lane] << 32;
      ++next;
    }
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      std::vector<std::uint64_t> sources;
      std::string shown;
      for (std::size_t i = 0; i < form.sources.size(); ++i) {
        const auto number = inputs[round * form.sources.size() + i][lane];
        sources.push_back(low(number, bits_of(form.sources[i].letter)));
        if (form.sources[i].negated) sources.back() ^= 1;
        shown += fmt::format(" {:#x}", sources.back());
      }
      const auto expected = operation.expected(sources);
      for (std::size_t i = 0; i < form.results.size(); ++i)
        ASSERT_TRUE(is_same(operation, form.results[i], expected[i], found[i][lane]))
            << operation.text << " of" << shown << fmt::format(" is {:#x}, not {:#x}", expected[i], found[i][lane]);
    }
  }
}

}  // namespace warpipe::test
