#include "warpipe/sass/least_distances.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "decode.hpp"
#include "lane_maker.hpp"
#include "program_reader.hpp"
#include "rows.hpp"

namespace warpipe::sass {
namespace {

struct Written {
  const Decoded* by = nullptr;
  std::int64_t at = 0;  ///< cycles from the start of the block
};

bool is_of_uniform_datapath(const Operand& result) {
  return result.kind == Operand::Kind::Uniform || result.kind == Operand::Kind::UniformPredicate;
}

class Distances {
 public:
  Distances(const Module& module, const Kernel& kernel) : architecture_(module.architecture) {
    for (std::uint64_t address = 0; address + 16 <= kernel.code.size(); address += 16) {
      code_.push_back(decode(word_at(kernel.code, address), address, architecture_));
      const auto* row = code_.back().row;
      if (row == nullptr || (row->layout != Layout::Branch && row->layout != Layout::Return)) continue;
      leaders_.insert(code_.back().target);
      leaders_.insert(address + 16);
    }
  }

  std::vector<LeastDistance> run() {
    std::int64_t now = 0;
    for (const auto& one : code_) {
      if (leaders_.contains(one.address)) written_.clear();
      if (one.row == nullptr) written_.clear();  // its results are unknown
      if (one.row != nullptr) visit(one, now);
      now += std::max<std::int64_t>(1, one.control.stall);
    }
    std::vector<LeastDistance> all;
    for (auto& [ops, least] : least_) all.push_back(std::move(least));
    return all;
  }

 private:
  void visit(const Decoded& one, std::int64_t now) {
    note(one, one.guard, now);
    for (const auto& source : one.sources) note(one, source, now);
    if (one.has_place) {
      note(one, one.place.base, now);
      for (const auto& uniform : one.place.uniform) note(one, uniform, now);
    }
    for (const auto& result : one.results) {
      const auto range = registers_of(result);
      for (std::uint32_t k = 0; k < range.count; ++k) {
        if (one.control.write_barrier < kScoreboards || one.has_place || is_of_uniform_datapath(result))
          written_.erase(range.first + k);
        else
          written_[range.first + k] = {&one, now};
      }
    }
  }

  void note(const Decoded& reader, const Operand& operand, std::int64_t now) {
    const auto range = registers_of(operand);
    for (std::uint32_t k = 0; k < range.count; ++k) {
      const auto found = written_.find(range.first + k);
      if (found == written_.end()) continue;
      const auto& [writer, at] = found->second;
      const auto from = ops_of(*writer), to = ops_of(reader);
      if (from.empty() || to.empty()) continue;
      LeastDistance made{from.back(), to.front(), now - at, writer->address, reader.address};
      auto& least = least_.try_emplace(std::pair(made.op, made.next_op), made).first->second;
      if (made.cycles < least.cycles) least = made;
    }
  }

  int architecture_;
  std::vector<Decoded> code_;
  std::set<std::uint64_t> leaders_;
  std::map<std::uint32_t, Written> written_;
  std::map<std::pair<std::string, std::string>, LeastDistance> least_;
};

}  // namespace

std::vector<LeastDistance> least_distances(const Module& module, const Kernel& kernel) {
  return Distances(module, kernel).run();
}

}  // namespace warpipe::sass
