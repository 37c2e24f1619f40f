#include "toy_assembly.hpp"

#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace warpipe::test {
namespace {

using isa::Input;
using isa::LaneOp;
using isa::RegisterRange;
using isa::Type;
using Flow = isa::Instruction::Flow;

constexpr std::uint32_t kScalars = 0, kLanes = 16, kVcc = 32, kExec = 33, kScc = 34;
constexpr Type kWhole{Type::Kind::Unsigned, 32}, kWide{Type::Kind::Unsigned, 64}, kTruth{Type::Kind::Predicate, 1};

std::vector<isa::Register> registers() {
  std::vector<isa::Register> all;
  for (int i = 0; i < 16; ++i) all.push_back({"s" + std::to_string(i), isa::File::Uniform, 32});
  for (int i = 0; i < 16; ++i) all.push_back({"v" + std::to_string(i), isa::File::Lane, 32});
  all.push_back({"vcc", isa::File::Mask, 64});
  all.push_back({"exec", isa::File::Mask, 64});
  all.push_back({"scc", isa::File::UniformPredicate, 1});
  return all;
}

/// "s3", "v[2:3]", "exec".
RegisterRange range_of(const std::string& word) {
  static const std::map<std::string, std::uint32_t> kNamed{{"vcc", kVcc}, {"exec", kExec}, {"scc", kScc}};
  if (const auto found = kNamed.find(word); found != kNamed.end()) return {found->second, 1};
  const auto file = word.front() == 's' ? kScalars : kLanes;
  if (word[1] != '[') return {file + static_cast<std::uint32_t>(std::stoul(word.substr(1))), 1};
  return {file + static_cast<std::uint32_t>(std::stoul(word.substr(2))), 2};
}

class ToyReader {
 public:
  isa::Program run(const std::string& text) {
    program_.name = "toy";
    program_.file = "toy.s";
    program_.registers = registers();
    program_.regions = {{"tile", isa::Space::Shared, {Type::Kind::Bits, 8}, 4, 1024, false, {}}};
    program_.parameters = {{"x", kWide, 1, true, "x"}, {"n", kWhole, 1, false, "n"}, {"p", kWide, 1, false, "p"}};
    program_.lanes = 64;
    program_.mask = RegisterRange{kExec, 1};
    std::istringstream lines(text);
    std::string line;
    for (std::uint32_t number = 1; std::getline(lines, line); ++number) read_line(line, number);
    for (const auto& [jump, label] : jumps_) program_.instructions[jump].targets = {labels_.at(label)};
    return program_;
  }

 private:
  void read_line(std::string line, std::uint32_t number) {
    line = line.substr(0, line.find(';'));
    std::istringstream words(line);
    std::vector<std::string> all;
    for (std::string word; words >> word;) {
      if (word.ends_with(',')) word.pop_back();
      if (!word.ends_with(':')) {
        all.push_back(word);
        continue;
      }
      word.pop_back();
      labels_[word] = position();
      program_.labels[position()] = word;
    }
    if (all.empty()) return;
    made_ = {};
    made_.line = number;
    made_.name = all.front();
    for (const auto& word : all) made_.text += (made_.text.empty() ? "" : " ") + word;
    read(all.front(), {all.begin() + 1, all.end()});
    program_.instructions.push_back(made_);
  }

  std::uint32_t position() const { return static_cast<std::uint32_t>(program_.instructions.size()); }

  void read(const std::string& name, const std::vector<std::string>& words) {
    if (name == "thread" || name == "group") return special(name, words);
    if (name == "arg") return argument(words);
    if (name == "and_save") return save_mask(words);
    if (name == "load" || name == "store" || name.starts_with("lds_")) return access(name, words);
    if (name == "addc" || name == "addci") return add_with_carry(name == "addci", words);
    if (name == "wait") return wait(words);
    if (name == "jump" || name == "if" || name == "if_none") return jump(name, words);
    if (name == "barrier" || name == "end") {
      made_.per_lane = false;
      made_.flow = name == "end" ? Flow::Exit : Flow::Barrier;
      if (name == "barrier") made_.ops = {"barrier"};
      return;
    }
    arithmetic(name, words);
  }

  Input read_register(const std::string& word) {
    Input input;
    input.kind = Input::Kind::Register;
    input.registers = range_of(word);
    made_.reads.push_back(input.registers);
    return input;
  }

  Input input(const std::string& word) {
    if (std::isdigit(word.front()) == 0) return read_register(word);
    Input number;
    number.bits = std::stoull(word);
    return number;
  }

  isa::Output output(const std::string& word) {
    made_.writes.push_back(range_of(word));
    return {range_of(word), made_.per_lane && word == "vcc"};
  }

  void assign(LaneOp op, Type type, Type result, std::vector<Input> inputs, const isa::Output& to) {
    isa::Assignment assignment;
    assignment.operation.op = op;
    assignment.operation.type = type;
    assignment.operation.result = result;
    assignment.operation.comparison = isa::Comparison::Less;
    assignment.inputs = std::move(inputs);
    assignment.outputs = {to};
    made_.assignments.push_back(std::move(assignment));
  }

  void special(const std::string& name, const std::vector<std::string>& words) {
    Input input;
    input.kind = Input::Kind::Special;
    input.special.name = name == "thread" ? isa::Special::Name::ThreadIndex : isa::Special::Name::GroupIndex;
    made_.per_lane = name == "thread";
    assign(LaneOp::Move, kWhole, kWhole, {input}, output(words[0]));
  }

  void argument(const std::vector<std::string>& words) {
    Input input;
    input.kind = Input::Kind::Parameter;
    input.index = static_cast<std::uint32_t>(std::stoul(words[1]));
    made_.per_lane = false;
    made_.ops = {"constant.load"};
    made_.timing.raises = {1};
    assign(LaneOp::Move, kWide, kWide, {input}, output(words[0]));
  }

  void arithmetic(const std::string& name, const std::vector<std::string>& words) {
    static const std::map<std::string, std::pair<LaneOp, const char*>> kOps{
        {"mov", {LaneOp::Move, "iadd"}},     {"add", {LaneOp::Add, "iadd"}},
        {"or", {LaneOp::Or, "logic"}},       {"shl", {LaneOp::ShiftLeft, "shift"}},
        {"fadd", {LaneOp::Unknown, "fadd"}}, {"less", {LaneOp::Compare, "compare"}}};
    const auto& [op, issues] = kOps.at(name);
    const auto to = range_of(words[0]);
    made_.per_lane = words[0].front() == 'v';
    made_.ops = {issues};
    if (name == "fadd") made_.flops = 1;
    std::vector<Input> inputs;
    for (std::size_t i = 1; i < words.size(); ++i) inputs.push_back(input(words[i]));
    const auto bits = program_.registers[to.first].bits * static_cast<int>(to.count);
    const Type type = op == LaneOp::Compare ? kWhole : Type{Type::Kind::Unsigned, bits};
    assign(op, type, op == LaneOp::Compare ? kTruth : type, std::move(inputs), output(words[0]));
  }

  /// The carry goes in first: the sum may overwrite its inputs.
  void add_with_carry(bool carry_in, const std::vector<std::string>& words) {
    std::vector<Input> inputs{input(words[1]), input(words[2])};
    if (carry_in) {
      inputs.push_back(read_register("vcc"));
      inputs.back().bit_of_lane = true;
    }
    made_.ops = {"iadd"};
    if (carry_in) {
      assign(LaneOp::Add, kWhole, kWhole, std::move(inputs), output(words[0]));
      return;
    }
    assign(LaneOp::Carry, kWhole, kTruth, inputs, output("vcc"));
    assign(LaneOp::Add, kWhole, kWhole, std::move(inputs), output(words[0]));
  }

  void save_mask(const std::vector<std::string>& words) {
    made_.per_lane = false;
    made_.ops = {"logic"};
    const auto mask = read_register("exec"), with = input(words[1]);
    assign(LaneOp::Move, kWide, kWide, {mask}, output(words[0]));
    assign(LaneOp::And, kWide, kWide, {mask, with}, output("exec"));
    assign(LaneOp::Compare, kWide, kTruth, {Input{}, mask}, output("scc"));  // 0 < exec
  }

  void access(const std::string& name, const std::vector<std::string>& words) {
    const bool local = name.starts_with("lds_"), store = name.ends_with("store");
    isa::Access access;
    access.kind = store ? isa::Access::Kind::Store : isa::Access::Kind::Load;
    access.space = local ? isa::Space::Shared : isa::Space::Global;
    access.base = read_register(words[1]);
    if (!local && words.size() > 2) access.uniform_base = read_register(words[2]);
    if (store)
      access.stored = {read_register(words[0])};
    else
      assign(LaneOp::Load, {}, {}, {}, output(words[0]));
    made_.access = access;
    made_.ops = {std::string(local ? "shared." : "global.") + (store ? "store" : "load")};
    made_.timing.raises = {static_cast<std::uint8_t>(local ? 1 : 0)};
  }

  void wait(const std::vector<std::string>& words) {
    made_.flow = Flow::Wait;
    made_.per_lane = false;
    made_.ops = {"wait"};
    made_.timing.waits = {
        {static_cast<std::uint8_t>(std::stoul(words[0])), static_cast<std::uint32_t>(std::stoul(words[1]))}};
  }

  void jump(const std::string& name, const std::vector<std::string>& words) {
    made_.flow = Flow::Jump;
    made_.per_lane = false;
    made_.ops = {"branch"};
    if (name != "jump") {
      made_.guard = read_register(words[0]);
      made_.guard->negated = name == "if_none";
    }
    jumps_.emplace_back(position(), words.back());
  }

  isa::Program program_;
  isa::Instruction made_;
  std::map<std::string, std::uint32_t> labels_;
  std::vector<std::pair<std::uint32_t, std::string>> jumps_;
};

}  // namespace

isa::Program read_toy(const std::string& text) { return ToyReader().run(text); }

}  // namespace warpipe::test
