#include "reducible.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warpipe::ptx {
namespace {

using Index = std::uint32_t;
using Indices = std::vector<Index>;

constexpr Index kEnd = UINT32_MAX;
constexpr std::size_t kMostBlocksSearched = 5000;
constexpr std::size_t kMostGrown = 100'000;

/// Instructions in a row, of the routine as it was.
struct Piece {
  Index first = 0, last = 0;
  Indices jumps;              ///< pieces, by target of the last instruction; kEnd behind the end
  std::optional<Index> next;  ///< where control goes on; none behind a jump
  bool copy = false;
};

bool is_branch(const Instruction& instruction) {
  return instruction.opcode() == "bra" || instruction.opcode() == "brx";
}

class Splitter {
 public:
  explicit Splitter(Routine& routine) : routine_(routine) { cut(); }

  void run() {
    if (pieces_.size() > kMostBlocksSearched) return;
    bool changed = false;
    while (true) {
      const auto reached = reachable();
      find_predecessors(reached);
      const auto loop = loop_with_entries(reached);
      if (!loop) break;
      changed = true;
      if (!duplicate(*loop)) return;
    }
    if (changed) write();
  }

 private:
  struct Loop {
    std::set<Index> pieces;
    Index header;
  };

  void cut() {
    const auto count = static_cast<Index>(routine_.instructions.size());
    std::vector<bool> begins(count + 1, false);
    begins[0] = true;
    for (Index i = 0; i < count; ++i) {
      for (const auto target : routine_.targets[i]) begins[target] = true;
      if (is_branch(routine_.instructions[i]) || leaves(routine_.instructions[i])) begins[i + 1] = true;
    }
    std::vector<Index> piece_of(count + 1, kEnd);
    for (Index i = 0; i < count; ++i) {
      if (begins[i]) pieces_.push_back({i, i, {}, std::nullopt, false});
      pieces_.back().last = i + 1;
      piece_of[i] = static_cast<Index>(pieces_.size() - 1);
    }
    for (auto& piece : pieces_) {
      const auto& last = routine_.instructions[piece.last - 1];
      for (const auto target : routine_.targets[piece.last - 1]) piece.jumps.push_back(piece_of[target]);
      const bool always = (is_branch(last) || leaves(last)) && !last.guard;
      if (!always) piece.next = piece_of[piece.last];
    }
    size_ = count;
  }

  Indices successors(Index piece) const {
    auto result = pieces_[piece].jumps;
    if (pieces_[piece].next) result.push_back(*pieces_[piece].next);
    std::erase(result, kEnd);
    return result;
  }

  std::set<Index> reachable() const {
    std::set<Index> seen{0};
    Indices waiting{0};
    while (!waiting.empty()) {
      const auto piece = waiting.back();
      waiting.pop_back();
      for (const auto next : successors(piece))
        if (seen.insert(next).second) waiting.push_back(next);
    }
    return seen;
  }

  void find_predecessors(const std::set<Index>& reached) {
    predecessors_.assign(pieces_.size(), {});
    for (const auto piece : reached)
      for (const auto next : successors(piece)) predecessors_[next].push_back(piece);
  }

  /// The cycles among some pieces.
  std::vector<std::set<Index>> cycles(const std::set<Index>& among) const {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    const Indices numbers(among.begin(), among.end());
    std::map<Index, std::size_t> place;
    for (std::size_t i = 0; i < numbers.size(); ++i) place[numbers[i]] = i;
    Graph graph(numbers.size());
    for (const auto piece : numbers)
      for (const auto next : successors(piece))
        if (const auto found = place.find(next); found != place.end())
          boost::add_edge(place[piece], found->second, graph);
    std::vector<std::size_t> part(numbers.size());
    if (numbers.empty()) return {};
    const auto count = boost::strong_components(
        graph, boost::make_iterator_property_map(part.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<std::set<Index>> parts(count);
    for (std::size_t i = 0; i < numbers.size(); ++i) parts[part[i]].insert(numbers[i]);
    std::erase_if(parts, [](const std::set<Index>& some) { return some.size() < 2; });
    return parts;
  }

  /// A loop with several entries, and the entry to keep; nothing where every loop has a single entry.
  std::optional<Loop> loop_with_entries(const std::set<Index>& among) const {
    for (const auto& loop : cycles(among)) {
      std::map<Index, std::size_t> entries;
      if (loop.contains(0)) ++entries[0];
      for (const auto piece : loop)
        for (const auto from : predecessors_[piece])
          if (!loop.contains(from)) ++entries[piece];
      if (entries.empty()) continue;
      const auto header = std::ranges::max_element(entries, {}, [](const auto& entry) { return entry.second; })->first;
      if (entries.size() > 1) return Loop{loop, header};
      auto inside = loop;
      inside.erase(header);
      if (auto found = loop_with_entries(inside)) return found;
    }
    return std::nullopt;
  }

  /// Sends control from any entry but the header to a copy of the loop, which goes to the header as the loop does.
  /// the loop does.
  /// @return false where the routine would grow too large
  bool duplicate(const Loop& loop) {
    std::map<Index, Index> copy_of;
    for (const auto piece : loop.pieces)
      if (piece != loop.header) copy_of[piece] = static_cast<Index>(pieces_.size() + copy_of.size());
    const auto moved = [&](Index to) {
      const auto found = copy_of.find(to);
      return found == copy_of.end() ? to : found->second;
    };
    const auto redirect = [&](Piece& piece) {
      for (auto& to : piece.jumps) to = moved(to);
      if (piece.next) piece.next = moved(*piece.next);
    };
    const auto before = pieces_.size();
    for (const auto& [piece, copy] : copy_of) {
      auto made = pieces_[piece];
      made.copy = true;
      size_ += made.last - made.first;
      routine_.duplicated += made.last - made.first;
      pieces_.push_back(std::move(made));
    }
    if (size_ > kMostGrown) {
      routine_.duplicated = 0;
      return false;
    }
    for (Index piece = 0; piece < pieces_.size(); ++piece)
      if (piece >= before || !loop.pieces.contains(piece)) redirect(pieces_[piece]);
    return true;
  }

  Instruction jump_behind(const Instruction& like) const {
    Instruction jump;
    jump.name = "bra.uni";
    jump.words = {"bra", "uni"};
    jump.line = like.line;
    jump.source = like.source;
    return jump;
  }

  void write() {
    const auto old = std::exchange(routine_.instructions, {});
    const auto labels = std::exchange(routine_.labels, {});
    routine_.targets.clear();
    Indices begins;
    for (Index piece = 0; piece < pieces_.size(); ++piece) {
      const auto& [first, last, jumps, next, copy] = pieces_[piece];
      begins.push_back(static_cast<Index>(routine_.instructions.size()));
      if (const auto label = labels.find(first); label != labels.end())
        routine_.labels.emplace(begins.back(), label->second + (copy ? "@copy" : ""));
      for (auto i = first; i < last; ++i) {
        routine_.instructions.push_back(old[i]);
        routine_.targets.push_back(i + 1 == last ? jumps : Indices{});
      }
      if (!next || *next == piece + 1) continue;
      routine_.instructions.push_back(jump_behind(old[last - 1]));
      routine_.targets.push_back({*next});
    }
    const auto end = static_cast<Index>(routine_.instructions.size());
    for (auto& targets : routine_.targets)
      for (auto& target : targets) target = target == kEnd ? end : begins[target];
  }

  Routine& routine_;
  std::vector<Piece> pieces_;
  std::vector<Indices> predecessors_;  ///< by piece, reachable pieces
  std::size_t size_ = 0;
};

}  // namespace

void make_reducible(Routine& routine) {
  if (!routine.instructions.empty()) Splitter(routine).run();
}

}  // namespace warpipe::ptx
