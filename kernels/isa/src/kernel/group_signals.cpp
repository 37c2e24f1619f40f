#include "kernel/group_signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace warpipe::isa {
namespace {

/// Barrier objects that some instruction comes to in turn, and all their uses.
struct Ring {
  std::set<std::uint64_t> places;  ///< none: not known
  bool named = false;              ///< places are numbers
  std::vector<WrittenBarrierUse> uses;
};

bool meets(const Ring& ring, const std::set<std::uint64_t>& places) {
  if (ring.places.empty() || places.empty()) return ring.places.empty() == places.empty();
  return std::ranges::any_of(places, [&](std::uint64_t place) { return ring.places.contains(place); });
}

std::vector<Ring> find_rings(const Program& program, const std::vector<WrittenBarrierUse>& uses,
                             const std::map<std::uint32_t, BarriersSeen>& seen) {
  std::vector<Ring> rings;
  for (const WrittenBarrierUse& use : uses) {
    const auto found = seen.find(use.instruction);
    Ring joined{{}, program.instructions[use.instruction].barrier->named, {}};
    if (found != seen.end() && found->second.is_known) joined.places = found->second.places;
    std::erase_if(rings, [&](Ring& ring) {
      if (ring.named != joined.named || !meets(ring, joined.places)) return false;
      joined.places.insert(ring.places.begin(), ring.places.end());
      joined.uses.insert(joined.uses.end(), ring.uses.begin(), ring.uses.end());
      return true;
    });
    joined.uses.push_back(use);
    rings.push_back(std::move(joined));
  }
  return rings;
}

/// How often a warp executes each instruction of a kernel.
class Executions {
 public:
  Executions(const Kernel& kernel, std::int64_t kind, std::int64_t warps, std::int64_t warp)
      : values_(body_values(kernel, {{"group_size", kernel.launch.group_size->evaluate({})}, {"warps", double(warps)}},
                            kind, warp)),
        of_(kernel.instructions.size(), 0) {
    walk(kernel.body, 1);
  }
  double operator[](std::size_t instruction) const { return of_[instruction]; }

 private:
  void walk(const std::vector<Item>& body, double times) {
    for (const Item& item : body) {
      if (const auto* index = std::get_if<std::size_t>(&item.node)) of_[*index] += times;
      if (const auto* loop = std::get_if<Loop>(&item.node))
        walk(loop->body, times * loop->trip_count.evaluate(values_));
      if (const auto* when = std::get_if<When>(&item.node))
        if (when->condition.evaluate(values_) != 0) walk(when->body, times);
    }
  }

  Values values_;
  std::vector<double> of_;
};

class SignalMaker {
 public:
  SignalMaker(const Program& program, const std::map<std::uint32_t, BarriersSeen>& seen, std::int64_t warps,
              Kernel& kernel, std::set<std::string>& notes)
      : program_(program), seen_(seen), kernel_(kernel), notes_(notes) {
    for (std::int64_t warp = 0; warp < warps; ++warp) executions_.emplace_back(kernel, 0, warps, warp);
  }

  void add(const Ring& ring) {
    double arrivals = 0, waits = 0;
    for (const Executions& of_warp : executions_) {
      double waits_of_warp = 0;
      for (const WrittenBarrierUse& use : ring.uses) {
        const BarrierUse& barrier = *program_.instructions[use.instruction].barrier;
        if (barrier.arrives) arrivals += of_warp[use.arrives];
        if (barrier.awaits) waits_of_warp += of_warp[use.awaits];
      }
      waits = std::max(waits, waits_of_warp);
    }
    if (waits == 0 || arrivals == 0) return;  // no waits, or no arrivals
    const std::string name = name_of(ring);
    if (ring.places.empty())
      notes_.insert(fmt::format("{}: which barriers these are is not known: taken as one", name));
    if (arrivals < waits)
      notes_.insert(
          fmt::format("{}: {:.0f} waits of a warp for {:.0f} arrivals: those behind the last arrival are over at once",
                      name, waits, arrivals));
    Signal signal{name, Expression(std::max(1.0, std::floor(arrivals / waits))), Expression(open_phases(ring))};
    signal.where = "/signals/" + name;
    for (const WrittenBarrierUse& use : ring.uses) {
      const BarrierUse& barrier = *program_.instructions[use.instruction].barrier;
      if (barrier.arrives) kernel_.instructions[use.arrives].arrives = kernel_.signals.size();
      if (barrier.awaits) kernel_.instructions[use.awaits].awaits = kernel_.signals.size();
    }
    kernel_.signals.push_back(std::move(signal));
  }

 private:
  /// Phases of a ring open from the start: all of its barriers if its first wait is for the phase before the first,
  /// else none.
  double open_phases(const Ring& ring) const {
    const BarriersSeen* first = nullptr;
    for (const WrittenBarrierUse& use : ring.uses) {
      const auto found = seen_.find(use.instruction);
      if (found == seen_.end() || !program_.instructions[use.instruction].barrier->awaits) continue;
      if (first == nullptr || found->second.order < first->order) first = &found->second;
    }
    const bool is_open = first != nullptr && first->first_parity == std::uint64_t{1};
    return is_open ? std::max<double>(1, static_cast<double>(ring.places.size())) : 0;
  }

  std::string name_of(const Ring& ring) {
    if (!ring.named || ring.places.empty())
      return fmt::format("{}_{}", ring.named ? "barrier" : "mbarrier", ++unnamed_);
    return fmt::format("barrier_{}", fmt::join(ring.places, "_"));
  }

  const Program& program_;
  const std::map<std::uint32_t, BarriersSeen>& seen_;
  Kernel& kernel_;
  std::set<std::string>& notes_;
  std::vector<Executions> executions_;  ///< by warp
  int unnamed_ = 0;
};

}  // namespace

void add_signals(const Program& program, const std::vector<WrittenBarrierUse>& uses,
                 const std::map<std::uint32_t, BarriersSeen>& seen, std::int64_t warps, Kernel& kernel,
                 std::set<std::string>& notes) {
  if (uses.empty()) return;
  SignalMaker maker(program, seen, warps, kernel, notes);
  for (const Ring& ring : find_rings(program, uses, seen)) maker.add(ring);
}

}  // namespace warpipe::isa
