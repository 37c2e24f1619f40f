#include "warpipe/idg/idle_waits.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <variant>

#include "warpipe/idg/operations.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostShown = 4;

class IdleWaitFinder {
 public:
  explicit IdleWaitFinder(const Kernel& kernel) : kernel_(kernel), loop_of_(kernel.instructions.size(), kNoLoop) {
    walk(kernel.body, kNoLoop);
  }

  std::vector<std::string> find() {
    for (std::size_t consumer = 0; consumer < kernel_.instructions.size(); ++consumer) {
      const std::vector<Dependence>& after = kernel_.instructions[consumer].after;
      for (std::size_t i = 0; i < after.size(); ++i) {
        const std::string why = why_idle(consumer, after[i]);
        if (!why.empty()) add(kernel_.instructions[consumer], i, why);
      }
    }
    if (found_ > kMostShown)
      sentences_.push_back(fmt::format("{} more entries of \"after\" never bind", found_ - kMostShown));
    return std::move(sentences_);
  }

 private:
  static constexpr std::size_t kNoLoop = SIZE_MAX;

  /// @param loop  the outermost loop around the body: any loop around two instructions lies in it
  void walk(const std::vector<Item>& body, std::size_t loop) {
    for (const Item& item : body) {
      if (const auto* instruction = std::get_if<std::size_t>(&item.node)) loop_of_[*instruction] = loop;
      if (const auto* inner = std::get_if<Loop>(&item.node)) walk(inner->body, loop == kNoLoop ? loops_++ : loop);
      if (const auto* when = std::get_if<When>(&item.node)) walk(when->body, loop);
    }
  }

  /// @return empty for a dependence that may bind
  std::string why_idle(std::size_t consumer, const Dependence& dependence) const {
    const std::size_t producer = dependence.producer, loop = loop_of_[producer];
    if (loop != kNoLoop && loop == loop_of_[consumer]) return {};
    if (producer == consumer) return "no loop is around it, so that nothing of it comes before";
    const std::string& id = kernel_.instructions[producer].id;
    if (producer > consumer) return fmt::format("\"{}\" comes later, and no loop is around both", id);
    if (loop == kNoLoop && is_more_than_one(dependence.back))
      return fmt::format("\"{}\" executes once at most, and an earlier execution is asked for", id);
    return {};
  }

  static bool is_more_than_one(const Expression& back) {
    const std::vector<Operation> operations = operations_of(back);
    return operations.size() == 1 && operations.front().op == Operator::Constant && operations.front().constant > 1;
  }

  void add(const Instruction& consumer, std::size_t entry, const std::string& why) {
    if (++found_ > kMostShown) return;
    const std::string place = fmt::format("{}/after/{}", consumer.where, entry);
    sentences_.push_back(fmt::format("{}{}{}: \"{}\" never waits here: {}", kernel_.file,
                                     kernel_.file.empty() ? "" : ": ", place, consumer.id, why));
  }

  const Kernel& kernel_;
  std::vector<std::size_t> loop_of_;  ///< by instruction, the outermost loop around it
  std::size_t loops_ = 0;
  std::size_t found_ = 0;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> idle_waits(const Kernel& kernel) { return IdleWaitFinder(kernel).find(); }

}  // namespace warpipe
