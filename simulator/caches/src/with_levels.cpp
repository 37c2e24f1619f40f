#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "address_streams.hpp"
#include "at_place.hpp"
#include "cache_simulation.hpp"
#include "hierarchy.hpp"
#include "warpipe/caches/with_effort.hpp"
#include "warpipe/idg/kernel_numbers.hpp"

namespace warpipe {
namespace {

/// Instructions of the kernels of all earlier results: about a hundred megabytes. Devices and launches count as more.
constexpr std::size_t kMostInstructions = 1 << 16, kSizeOfAnswer = 64;

/// The part of a kernel, a device and a launch that caches depend on.
struct Question {
  Kernel kernel;
  std::int64_t units = 1, dies = 1, warp_size = 32;
  Limits limits;  ///< for the size of shared memory
  std::vector<MemoryLevel> levels;
  std::vector<bool> barriers;  ///< by instruction: from the device's table
  CacheLaunch launch;
  CacheEffort effort;
  friend bool operator==(const Question&, const Question&) = default;
};

Kernel seen(Kernel kernel) {
  kernel.name.clear();
  kernel.description.clear();
  kernel.origin.clear();
  kernel.form.clear();
  kernel.file.clear();
  kernel.parameters.clear();  // the launch has their values
  kernel.launch.group_size.reset();
  kernel.launch.groups.reset();
  kernel.launch.concurrent_groups.reset();
  kernel.resources = {};
  kernel.work = {};
  kernel.signals.clear();
  kernel.counted_for.reset();
  const NameSet names = names_that_vary(kernel);
  for (Instruction& instruction : kernel.instructions) {
    Instruction kept;
    if (transactions_vary(instruction, names)) kept.transactions = std::move(instruction.transactions);
    if (has_addresses(instruction)) kept.access = std::move(instruction.access);
    kept.id = std::move(instruction.id);
    kept.op = std::move(instruction.op);
    kept.after = std::move(instruction.after);
    kept.where = std::move(instruction.where);
    instruction = std::move(kept);
  }
  return kernel;
}

/// The names in a kernel with an effect on caches.
/// @param kernel  after `seen`
NameSet names_of(const Kernel& kernel) {
  NameSet names;
  const auto note = [&](const Expression& expression) {
    for (std::string& name : expression.names()) names.insert(std::move(name));
  };
  const auto note_number = [&](const KernelNumber& number) { note(number.expression); };
  for_each_number(kernel.body, note_number);
  for (const Instruction& instruction : kernel.instructions) for_each_number(instruction, note_number);
  for (const std::vector<Expression>& sizes : {kernel.launch.block, kernel.launch.grid})
    for (const Expression& size : sizes) note(size);
  for (const Array& array : kernel.arrays) note(array.bytes);
  if (!kernel.kinds) return names;
  if (const auto* of_group = std::get_if<Expression>(&kernel.kinds->of_group)) note(*of_group);
  return names;
}

/// The launch without parameters of no effect on caches, such as the degree of conflicts.
CacheLaunch seen(CacheLaunch launch, const Kernel& kernel) {
  NameSet names = names_of(kernel);
  names.insert({"group_size", "warps"});
  std::erase_if(launch.values, [&](const auto& value) { return !names.contains(value.first); });
  return launch;
}

MemoryLevel seen(const MemoryLevel& level) {
  MemoryLevel kept;
  kept.name = level.name;
  kept.scope = level.scope;
  kept.bytes = level.bytes;
  kept.holds_shared_memory = level.holds_shared_memory;
  kept.line_bytes = level.line_bytes;
  kept.sector_bytes = level.sector_bytes;
  kept.ways = level.ways;
  kept.parts = level.parts;
  kept.joined_units = level.joined_units;
  kept.write = level.write;
  kept.dirty_bytes = level.dirty_bytes;
  kept.masked_writes = level.masked_writes;
  return kept;
}

Question question(const Kernel& kernel, const Device& device, const CacheLaunch& launch, const CacheEffort& effort) {
  Question asked{seen(kernel), device.compute_units, device.dies, device.warp_size, {}, {}, {}, {}, effort};
  asked.launch = seen(launch, asked.kernel);
  asked.limits.shared_memory_allocation = device.limits.shared_memory_allocation;
  asked.limits.shared_memory_reserved_per_group = device.limits.shared_memory_reserved_per_group;
  for (const MemoryLevel& level : device.memory->levels) asked.levels.push_back(seen(level));
  for (const Instruction& instruction : kernel.instructions) {
    const Op* const op = device.find_op(instruction.op);
    asked.barriers.push_back(op && op->barrier);
  }
  return asked;
}

/// The part of a question that the addresses of a launch depend on, besides the bytes of a line.
Question without_caches(Question question) {
  question.dies = 1;
  question.limits = {};
  question.levels.clear();
  question.launch.room = 1;
  return question;
}

/// The simulations of a thread, which serve its next question, too: mostly that is about the same launch with other
/// caches, or about the same caches in a larger or a smaller sample.
class Latest {
 public:
  CacheSimulation& simulation(Question question, const Kernel& kernel, const Device& device,
                              const CacheLaunch& launch) {
    question.effort = {};
    if (simulation_ && question == simulated_) return *simulation_;
    simulation_.reset();
    AddressStreams& streams = streams_of(without_caches(question), kernel, device, launch);
    simulated_ = std::move(question);
    return simulation_.emplace(streams, device, launch);
  }

 private:
  AddressStreams& streams_of(Question question, const Kernel& kernel, const Device& device, const CacheLaunch& launch) {
    const std::int64_t line_bytes = Hierarchy::line_bytes(device);
    if (streams_ && streams_->line_bytes() == line_bytes && question == addressed_) return *streams_;
    addressed_ = std::move(question);
    return streams_.emplace(kernel, device, launch, line_bytes);
  }

  Question addressed_, simulated_;
  std::optional<AddressStreams> streams_;
  std::optional<CacheSimulation> simulation_;
};

/// The earlier results.
class Answers {
 public:
  struct Answer {
    Question question;
    std::once_flag once;
    std::shared_ptr<const LevelsFromAddresses> found;
  };

  /// The answer to a question, perhaps not found yet. It lives on after its removal here.
  std::shared_ptr<Answer> to(Question question) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find_if(
        answers_, [&](const std::shared_ptr<Answer>& answer) { return answer->question == question; });
    if (known != answers_.end()) {
      answers_.splice(answers_.begin(), answers_, known);
    } else {
      answers_.push_front(std::make_shared<Answer>());
      instructions_ += size_of(question);
      answers_.front()->question = std::move(question);
      while (instructions_ > kMostInstructions && answers_.size() > 1) {
        instructions_ -= size_of(answers_.back()->question);
        answers_.pop_back();
      }
    }
    return answers_.front();
  }

 private:
  static std::size_t size_of(const Question& question) { return question.kernel.instructions.size() + kSizeOfAnswer; }

  std::mutex mutex_;
  std::list<std::shared_ptr<Answer>> answers_;  ///< the latest question first
  std::size_t instructions_ = 0;                ///< the size of all
};

bool asks(const Kernel& kernel, const Device& device) {
  return has_levels(device) && std::ranges::any_of(kernel.instructions, has_addresses);
}

/// The transactions given by an instruction itself, on average.
std::optional<double> transactions_of(const Kernel& kernel, const AccessLevels& access, const CacheLaunch& launch) {
  const Instruction& instruction = kernel.instructions[access.instruction];
  if (access.transactions || !instruction.transactions) return access.transactions;
  return at_place(instruction.where + "/transactions",
                  [&] { return instruction.transactions->evaluate(body_values(kernel, launch.values)); });
}

/// The traffic of an access with another number of touched sectors: in proportion if more, at most this number if
/// fewer.
AccessLevels with_transactions(AccessLevels access, double transactions) {
  const double touched = access.levels.front().sectors;
  for (LevelTraffic& level : access.levels) {
    if (level.sectors == 0) continue;
    const double moved =
        transactions < touched ? std::min(level.sectors, transactions) : level.sectors * transactions / touched;
    level.bytes *= moved / level.sectors;
    level.sectors = moved;
  }
  return access;
}

/// The levels of an instruction, from the simulation.
std::vector<LevelUse> uses_of(const AccessLevels& access, const Device& device) {
  std::vector<LevelUse> uses;
  for (std::size_t k = 0; k < access.levels.size(); ++k) {
    const LevelTraffic& traffic = access.levels[k];
    if (traffic.share > 0 || traffic.sectors > 0)
      uses.push_back({device.memory->levels[k].name, Expression(traffic.share), Expression(traffic.sectors)});
  }
  return uses;
}

using Found = std::shared_ptr<const LevelsFromAddresses>;

Found find_levels(const Kernel& kernel, const Device& device, const CacheLaunch& launch, const CacheEffort& effort) {
  static Answers answers;
  const std::shared_ptr<Answers::Answer> answer = answers.to(question(kernel, device, launch, effort));
  std::call_once(answer->once, [&] {
    thread_local Latest latest;
    CacheSimulation& simulation = latest.simulation(answer->question, kernel, device, launch);
    answer->found = std::make_shared<LevelsFromAddresses>(simulation.levels(effort));
  });
  return answer->found;
}

KernelWithLevels fill(Kernel kernel, const Device& device, const CacheLaunch& launch, Found found) {
  std::vector<AccessLevels> filled;
  for (const AccessLevels& access : found->accesses) {
    Instruction& instruction = kernel.instructions[access.instruction];
    if (!instruction.levels.empty()) continue;
    const std::optional<double> said = transactions_of(kernel, access, launch);
    filled.push_back(said ? with_transactions(access, *said) : access);
    instruction.levels = uses_of(filled.back(), device);
  }
  return {std::move(kernel), std::move(found), std::move(filled)};
}

/// Adds the change by another room to an access. No share and no traffic falls below zero.
void add_change(const AccessLevels& before, const AccessLevels& after, AccessLevels& access) {
  double served = 0;
  for (std::size_t k = 0; k < access.levels.size(); ++k) {
    LevelTraffic& level = access.levels[k];
    const double sectors = level.sectors + after.levels[k].sectors - before.levels[k].sectors;
    level.sectors = std::max(0.0, sectors);
    served += level.share = std::max(0.0, level.share + after.levels[k].share - before.levels[k].share);
  }
  for (LevelTraffic& level : access.levels) level.share /= served;
}

const AccessLevels* access_of(const LevelsFromAddresses& levels, std::size_t instruction) {
  const auto access = std::ranges::find(levels.accesses, instruction, &AccessLevels::instruction);
  return access == levels.accesses.end() ? nullptr : &*access;
}

}  // namespace

KernelWithLevels with_levels(Kernel kernel, const Device& device, const CacheLaunch& launch) {
  return with_levels(std::move(kernel), device, launch, {});
}

KernelWithLevels with_levels(Kernel kernel, const Device& device, const CacheLaunch& launch,
                             const CacheEffort& effort) {
  if (!asks(kernel, device)) return {std::move(kernel), nullptr, {}};
  Found found = find_levels(kernel, device, launch, effort);
  return fill(std::move(kernel), device, launch, std::move(found));
}

KernelWithLevels with_room(Kernel kernel, const Device& device, const CacheLaunch& launch,
                           const LevelsFromAddresses& known, double room) {
  CacheLaunch other = launch;
  other.room *= room;
  const CacheEffort part{std::min(known.effort, CacheEffort().lines * kPartOfEffort), 0};
  const bool is_whole = part.lines == known.effort;
  const Found before = is_whole ? nullptr : find_levels(kernel, device, launch, part);
  const Found after = find_levels(kernel, device, other, part);
  if (is_whole) return fill(std::move(kernel), device, launch, after);
  LevelsFromAddresses found = known;
  for (AccessLevels& access : found.accesses) {
    const AccessLevels* const one = access_of(*before, access.instruction);
    const AccessLevels* const two = access_of(*after, access.instruction);
    if (one != nullptr && two != nullptr) add_change(*one, *two, access);
  }
  return fill(std::move(kernel), device, launch, std::make_shared<LevelsFromAddresses>(std::move(found)));
}

}  // namespace warpipe
