#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lanes/interpreter.hpp"
#include "unknown/defaults.hpp"

namespace warpipe::isa {

/// Asks for unknown data. Where a launch allows assumptions, answers by the rules of `defaults.hpp` and keeps the
/// answers, each once, in the order of the questions.
class Questioner final : public Questions {
 public:
  explicit Questioner(const Launch& launch) : launch_(launch) {}

  std::optional<Stop> predicate(const Interpreter& warp, std::uint32_t instruction, const Input& guard) override;
  OrStop<AddressPattern> address(const Interpreter& warp, std::uint32_t instruction, const Input& unknown) override;
  OrStop<double> active_share(const Interpreter& warp, std::uint32_t instruction, const Input& mask,
                              LaneMask unknown) override;
  OrStop<BranchAnswer> branch(const Interpreter& warp, std::uint32_t instruction, const Input& guard,
                              LaneMask unknown) override;
  std::optional<Stop> table(const Interpreter& warp, std::uint32_t instruction, const Input& index) override;
  Stop trips(const Interpreter& warp, const LoopFrame& frame, std::optional<std::int64_t> wanted,
             std::string why) override;
  bool has_trips(const LoopInfo& loop) const override;
  Stop all() const override;
  std::optional<Stop> open() const override;
  std::size_t count() const override { return answers_.size(); }
  void keep_first(std::size_t count) override { answers_.resize(count); }

  const std::vector<Assumption>& answers() const { return answers_; }

 private:
  const Assumption* find(Assumption::Kind kind, const std::string& name) const;
  /// The name to assume a value for, and the instruction that needs it.
  struct Place {
    Assumption::Kind kind;
    std::string name;
    std::uint32_t instruction;
  };
  const Assumption& add(const Interpreter& warp, const Place& place, Default found, Diagnostic question);
  /// The earlier answer, or the answer by a rule.
  OrStop<std::string> answer(const Interpreter& warp, const Place& place, const Input& input, const std::string& what,
                             const std::string& option, const std::function<Default()>& rule);

  const Launch& launch_;
  std::vector<Assumption> answers_;
};

/// Whether an assumption, as an answer, would change the execution before it. Addresses and shares of jumping lanes
/// change nothing before, unless the shares are the first to be drawn.
bool changes_the_rest(const Assumption& assumption, const Launch& launch);

}  // namespace warpipe::isa
