#include "predictor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/import_request.hpp"
#include "warpipe/inputs/machine_code.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe::programs {
namespace {

constexpr std::size_t kMostOfKernel = 24;  // predictions of a kernel, after which work decides the times
constexpr std::size_t kSteady = 3;         // repetitions of the same prediction, after which no more are made
constexpr double kTolerance = 0.01;        // of a launch's time

/// A number that differs where bytes differ, but for chance.
std::uint64_t sum_of_bytes(std::string_view bytes) {
  std::array<std::uint64_t, 4> sums{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, bytes.size()};
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32)
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at + 8 * i, 8);
      sums[i] = (sums[i] ^ word) * 0x9fb21c651e98df25;
      sums[i] ^= sums[i] >> 32;
    }
  std::uint64_t sum = 0;
  for (const auto one : sums) sum = (sum ^ one) * 0xd6e8feb86659fd93 + (sum >> 29);
  for (; at < bytes.size(); ++at) sum = (sum ^ static_cast<unsigned char>(bytes[at])) * 0x100000001b3;
  return sum;
}

bool is_near(double one, double other) { return std::abs(one - other) <= kTolerance * std::abs(other); }
bool is_near(std::uint64_t one, std::uint64_t other) {
  return is_near(static_cast<double>(one), static_cast<double>(other));
}

/// The key of a launch, without the addresses of its arrays.
std::string key_of(const LaunchCall& call) {
  auto bytes = call.parameters.bytes;
  for (const auto& [at, behind] : call.parameters.pointers) std::memcpy(bytes.data() + at, &behind, sizeof behind);
  const auto& [grid, block, cluster] = std::tuple(call.grid, call.block, call.cluster);
  auto key = fmt::format("{} {} {}x{}x{} {}x{}x{} {}x{}x{} {} ", call.kernel->image->number, call.kernel->name, grid.x,
                         grid.y, grid.z, block.x, block.y, block.z, cluster.x, cluster.y, cluster.z, call.shared);
  for (const auto& [at, behind] : call.parameters.pointers) key += fmt::format("{} ", at);
  return key + bytes;
}

/// How an import names the array behind a pointer: "+8", or "2+16" in a structure.
std::string name_of_pointer(const isa::Entry& entry, std::int64_t at) {
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const auto& parameter = entry.parameters[i];
    if (at < parameter.offset || at >= parameter.offset + parameter.bytes) continue;
    return at == parameter.offset ? fmt::format("+{}", at) : fmt::format("{}+{}", i, at - parameter.offset);
  }
  return "";
}

std::string_view memory_at(const LaunchCall& call, std::int64_t pointer) {
  const char* begin = nullptr;
  std::memcpy(&begin, call.parameters.bytes.data() + pointer, sizeof begin);
  return {begin, static_cast<std::size_t>(call.parameters.pointers.at(pointer))};
}

/// Leaves out the array refused by an import, as of a parameter taken for a number.
/// @return false where it refuses none
bool leave_out(std::map<std::string, isa::ArrayValues>& arrays, const Error& error) {
  constexpr std::string_view kStart = "`arrays ";
  for (const auto& diagnostic : error.diagnostics()) {
    if (!diagnostic.where.starts_with(kStart)) continue;
    const auto name = diagnostic.where.substr(kStart.size(), diagnostic.where.size() - kStart.size() - 1);
    if (arrays.erase(name) > 0) return true;
  }
  return false;
}

isa::Import import_with_arrays(const code::Module& module, isa::ImportOptions& options) {
  for (;;) {
    try {
      return module.import(options);
    } catch (const Error& error) {
      if (!leave_out(options.launch.arrays, error)) throw;
    }
  }
}

}  // namespace

Predictor::Code& Predictor::code_of(Image& image) {
  auto [found, is_new] = codes_.try_emplace(&image);
  auto& code = found->second;
  if (!is_new) return code;
  const auto& target = session_.target();
  auto form = parse_form(session_.options().form).value_or(form_of_environment());
  try {
    if (!image.machine_code.empty() && (form != Form::Ptx || image.ptx.empty())) {
      code.file = {image.file, image.machine_code, ""};
      code.module = code::read_module(image.machine_code, image.file, target);
      if (!image.ptx.empty()) code.module->made_of(code::read_module(image.ptx, image.file, target), true);
      return code;
    }
  } catch (const Error&) {  // its machine code may be too new to read: then the PTX serves
    if (image.ptx.empty()) throw;
  }
  code.file = {image.file, image.ptx, ""};
  code.module = read_code(code.file, target, {.form = form, .guard = {}});
  return code;
}

LaunchTime Predictor::import_and_predict(const LaunchCall& call, std::shared_ptr<const isa::RecordedLoads> recorded,
                                         std::vector<LookedAt>& looked_at) {
  LaunchTime time;
  std::deque<std::atomic<bool>> flags;
  std::vector<std::pair<LookedAt, std::atomic<bool>*>> given;
  try {
    auto& image = *call.kernel->image;
    auto& code = code_of(image);
    ImportRequest request;
    auto& launch = request.launch;
    launch.entry = call.kernel->name;
    launch.grid = isa::Dimensions{call.grid.x, call.grid.y, call.grid.z};
    launch.block = isa::Dimensions{call.block.x, call.block.y, call.block.z};
    launch.dynamic_shared_memory = static_cast<std::int64_t>(call.shared);
    launch.parameters = call.parameters;
    request.assume = true;
    const auto give = [&](const std::string& name, std::string_view bytes, LookedAt as) {
      auto& flag = flags.emplace_back(false);
      launch.arrays[name].bytes = isa::ArrayBytes{bytes, {}, &flag};
      given.emplace_back(std::move(as), &flag);
    };
    for (const auto& [at, behind] : call.parameters.pointers)
      give(name_of_pointer(*call.kernel->entry, at), memory_at(call, at), {at, "", 0});
    for (const auto* variable : session_.variables_of(image))
      give(variable->name, {static_cast<const char*>(variable->address), variable->bytes}, {-1, variable->name, 0});
    launch.arrays.erase("");
    auto options = import_options(request, code.file, *code.module, import_target(session_.device()));
    options.launch.recorded = std::move(recorded);
    auto imported = import_with_arrays(*code.module, options);
    LaunchOptions how;
    how.kernel_launch_is_given = true;
    how.tolerance = kTolerance;
    const auto prediction = warpipe::predict(lower_launch(imported.kernel, session_.device(), how));
    time.is_predicted = true;
    time.seconds = prediction.time.count;
    time.limiter = limiter_name(prediction);
    time.assumptions = imported.report.assumptions.size();
    time.recorded_groups = imported.report.survey.recorded;
    if (time.assumptions > 0) time.first_assumption = isa::described(imported.report.assumptions.front());
  } catch (const Error& error) {
    time.problem = error.what();
  }
  Sums sums;
  for (auto& [one, flag] : given)
    if (flag->load()) {
      one.sum = sum_of(call, one, sums);
      looked_at.push_back(one);
    }
  return time;
}

std::uint64_t Predictor::sum_of(const LaunchCall& call, const LookedAt& looked, Sums& sums) const {
  const auto [found, is_new] = sums.try_emplace({looked.pointer, looked.variable}, 0);
  if (!is_new) return found->second;
  if (looked.pointer >= 0) return found->second = sum_of_bytes(memory_at(call, looked.pointer));
  for (const auto* variable : session_.variables_of(*call.kernel->image))
    if (variable->name == looked.variable)
      found->second = sum_of_bytes({static_cast<const char*>(variable->address), variable->bytes});
  return found->second;
}

std::optional<LaunchTime> Predictor::known(const LaunchCall& call) {
  current_ = &alike_[key_of(call)];
  if (current_->steady >= kSteady) return std::nullopt;
  Sums sums;
  for (const auto& one : current_->known)
    if (std::ranges::all_of(one.looked_at, [&](const LookedAt& it) { return it.sum == sum_of(call, it, sums); }))
      return one.time;
  return std::nullopt;
}

bool Predictor::may_predict(const LaunchCall& call) const {
  const auto found = predicted_.find(call.kernel);
  const auto of_kernel = found == predicted_.end() ? 0 : found->second;
  const auto limit = session_.options().predict_seconds;
  return current_->steady < kSteady && of_kernel < kMostOfKernel &&
         !(limit > 0 && seconds_spent_ > limit && of_kernel > 0);
}

std::vector<LookedAt> Predictor::look_at(const LaunchCall& call) const {
  std::vector<LookedAt> all;
  for (const auto& [at, behind] : call.parameters.pointers) all.push_back({at, "", 0});
  for (const auto* variable : session_.variables_of(*call.kernel->image)) all.push_back({-1, variable->name, 0});
  Sums sums;
  for (auto& one : all) one.sum = sum_of(call, one, sums);
  return all;
}

LaunchTime Predictor::predict(const LaunchCall& call, std::shared_ptr<const isa::RecordedLoads> recorded,
                              const std::vector<LookedAt>& before) {
  ++predicted_[call.kernel];
  const auto start = now();
  Known made;
  made.time = import_and_predict(call, recorded, made.looked_at);
  const bool again = !recorded || were_reached(call, *recorded, before, made.looked_at);
  seconds_spent_ += now() - start;
  if (again) current_->known.push_back(made);
  latest_[call.kernel] = made.time;
  return made.time;
}

/// The arrays from which a launch loaded.
/// @return false where it loaded from other memory, too
bool Predictor::were_reached(const LaunchCall& call, const isa::RecordedLoads& recorded,
                             const std::vector<LookedAt>& before, std::vector<LookedAt>& reached) const {
  const auto range_of = [&](std::uint64_t address) {
    const auto behind = std::ranges::upper_bound(recorded.memory, address, {}, &isa::RecordedLoads::Range::begin);
    return behind == recorded.memory.begin() || address >= std::prev(behind)->end
               ? std::size_t{0}
               : static_cast<std::size_t>(behind - recorded.memory.begin());
  };
  std::set<std::size_t> ranges;
  for (const auto& group : recorded.groups)
    for (const auto& warp : group.warps)
      for (const auto& load : warp.loads) ranges.insert(range_of(load.address));
  ranges.erase(0);  // shared memory
  std::set<std::size_t> told;
  reached.clear();
  for (const auto& one : before) {
    const auto found = recorded.variables.find(one.variable);
    if (one.pointer < 0 && found == recorded.variables.end()) continue;
    const auto* const begin = one.pointer < 0 ? nullptr : memory_at(call, one.pointer).data();
    const auto range = range_of(begin == nullptr ? found->second : reinterpret_cast<std::uintptr_t>(begin));  // NOLINT
    if (!ranges.contains(range)) continue;
    told.insert(range);
    reached.push_back(one);
  }
  return told == ranges;
}

void Predictor::note_work(const LaunchCall& call, std::uint64_t instructions, const LaunchTime& time, TimeFrom from) {
  if (time.is_predicted && instructions > 0) by_work_[call.kernel][instructions] = time;
  if (from != TimeFrom::Prediction) return;
  const bool alike =
      instructions > 0 && is_near(instructions, current_->instructions) && is_near(time.seconds, current_->seconds);
  current_->steady = alike ? current_->steady + 1 : 0;
  current_->instructions = instructions;
  current_->seconds = time.seconds;
}

LaunchTime Predictor::time_by_work(const LaunchCall& call, std::uint64_t instructions) {
  if (!is_near(instructions, current_->instructions)) current_->steady = 0;
  const auto found = by_work_.find(call.kernel);
  if (found == by_work_.end() || instructions == 0) {
    const auto latest = latest_.find(call.kernel);
    return latest == latest_.end() ? LaunchTime{} : latest->second;
  }
  const auto& times = found->second;
  const auto above = times.lower_bound(instructions);
  if (above == times.end() || above == times.begin()) {  // outside the known range: as the nearest, by its work
    auto time = above == times.end() ? std::prev(above)->second : above->second;
    const auto work = above == times.end() ? std::prev(above)->first : above->first;
    if (above == times.end()) time.seconds *= static_cast<double>(instructions) / static_cast<double>(work);
    return time;
  }
  const auto& [low, low_time] = *std::prev(above);
  auto time = above->second;
  const auto share = static_cast<double>(instructions - low) / static_cast<double>(above->first - low);
  time.seconds = low_time.seconds + share * (above->second.seconds - low_time.seconds);
  return time;
}

}  // namespace warpipe::programs
