#include "runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <set>
#include <tuple>
#include <utility>

#include "predictor.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/machine/load_recorder.hpp"
#include "warpipe/machine/machine.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::programs {
namespace {

cuda::Error error_of(machine::Fault::Kind kind) {
  switch (kind) {
    case machine::Fault::Kind::OutOfBounds:
    case machine::Fault::Kind::ReadOnly:
      return cuda::kIllegalAddress;
    case machine::Fault::Kind::Misaligned:
      return cuda::kMisaligned;
    case machine::Fault::Kind::Deadlock:
      return cuda::kTimeout;
    case machine::Fault::Kind::Trap:
      return cuda::kLaunchFailure;
    case machine::Fault::Kind::Assertion:
      return cuda::kAssert;
    case machine::Fault::Kind::Launch:
      return cuda::kOutOfResources;
    case machine::Fault::Kind::NotSupported:
      break;
  }
  return cuda::kSuccess;
}

const char* name_of(TimeFrom from) {
  switch (from) {
    case TimeFrom::Prediction:
      return "prediction";
    case TimeFrom::Same:
      return "same launch";
    case TimeFrom::Others:
      return "other launches";
    case TimeFrom::None:
      break;
  }
  return "none";
}

/// The outcome of executing a launch.
struct Executed {
  bool was = false, complete = false;
  std::uint64_t instructions = 0, lane_instructions = 0;
  double seconds = 0;  ///< of this host
  cuda::Error error = cuda::kSuccess;
  std::string problem;
};

class HostRunner : public Runner {
 public:
  explicit HostRunner(Session& session) : session_(session), predictor_(session) {
    const auto& device = session.device();
    rates_.link = session.options().link_bytes_per_second;
    if (const auto rate = bandwidth_of(device)) rates_.write = rates_.copy = rate->count;
    if (has_levels(device))
      if (const auto& write = device.memory->levels.back().write_rate) rates_.write = write->count;
    // A copy reads and writes each byte.
    if (rates_.copy > 0) rates_.copy = 1 / (1 / rates_.copy + 1 / rates_.write);
  }

  cuda::Error run(const LaunchCall& call) override {
    session_.place_variables(*call.kernel->image);
    auto time = predictor_.known(call);
    auto from = time ? TimeFrom::Same : TimeFrom::Prediction;
    const bool predicts = !time && predictor_.may_predict(call);
    Executed executed;
    if (predicts && session_.options().records && has_deciding_loads(call)) {
      const auto before = predictor_.look_at(call);
      std::shared_ptr<const isa::RecordedLoads> recorded;
      executed = execute(call, &recorded);
      time = predictor_.predict(call, recorded, before);
    } else {
      if (predicts) time = predictor_.predict(call);
      executed = execute(call);
    }
    if (time)
      predictor_.note_work(call, executed.instructions, *time, from);
    else
      std::tie(time, from) = std::pair(predictor_.time_by_work(call, executed.instructions), TimeFrom::Others);
    write_down(call, *time, from, executed);
    return executed.error;
  }

  void* address_of(Image& image, const std::string& name) override {
    auto& code = code_of(image);
    if (!code.variables) return nullptr;
    const auto found = code.variables->find(name);
    if (!found) return nullptr;
    auto* const begin = reinterpret_cast<void*>(found->begin);  // NOLINT: an address of this process
    session_.memory().add(begin, found->end - found->begin, Place::Variable);
    return begin;
  }

  void add_memory(const void* begin, std::size_t bytes, std::size_t room) override {
    memory_.add(reinterpret_cast<std::uintptr_t>(begin), bytes, {}, room);
  }
  void remove_memory(const void* begin) override { memory_.remove(reinterpret_cast<std::uintptr_t>(begin)); }
  std::uint64_t add_texture(const machine::Texture& texture) override { return memory_.add_texture(texture); }
  void remove_texture(std::uint64_t number) override { memory_.remove_texture(number); }
  const Rates& rates() const override { return rates_; }

 private:
  struct Executable {
    isa::Program program;
    machine::Machine machine;
    std::vector<bool> deciding_loads;
  };
  struct Code {
    std::optional<ptx::Module> module;
    std::unique_ptr<machine::Variables> variables;
    std::map<std::string, Executable> machines;
    std::map<std::string, std::string> problems;  ///< by kernel, why it cannot be executed
  };

  Code& code_of(Image& image) {
    auto [found, is_new] = codes_.try_emplace(&image);
    auto& code = found->second;
    if (!is_new || image.ptx.empty()) return code;
    try {
      code.module = ptx::read_ptx(image.ptx, image.file);
      code.variables = std::make_unique<machine::Variables>(memory_);
      code.variables->add(ptx::variables(*code.module));
    } catch (const std::exception& error) {
      session_.complain(error.what());
      code.module.reset();
    }
    return code;
  }

  const Executable* executable_of(const LaunchCall& call, std::string& problem) {
    auto& code = code_of(*call.kernel->image);
    const auto& name = call.kernel->name;
    if (const auto known = code.machines.find(name); known != code.machines.end()) return &known->second;
    if (const auto known = code.problems.find(name); known != code.problems.end()) {
      problem = known->second;
      return nullptr;
    }
    try {
      if (!code.module)
        throw std::runtime_error(
            "the program has no PTX of it, and machine code is not executed: build it with PTX, as "
            "`nvcc -gencode arch=compute_80,code=compute_80`");
      auto program = ptx::executable_program(*code.module, name);
      machine::Machine machine(program, *code.variables);
      auto loads = isa::deciding_loads(program);
      return &code.machines.emplace(name, Executable{std::move(program), std::move(machine), std::move(loads)})
                  .first->second;
    } catch (const std::exception& error) {
      problem = code.problems[name] = error.what();
      return nullptr;
    }
  }

  /// Whether control or addresses of a launch depend on its loads.
  bool has_deciding_loads(const LaunchCall& call) {
    std::string problem;
    const auto* const executable = executable_of(call, problem);
    return executable != nullptr &&
           std::ranges::find(executable->deciding_loads, true) != executable->deciding_loads.end();
  }

  /// @param recorded  gets the values of deciding loads, where the launch is executed to its end; null: not wanted
  Executed execute(const LaunchCall& call, std::shared_ptr<const isa::RecordedLoads>* recorded = nullptr) {
    Executed made;
    const auto limit = session_.options().execute_seconds;
    if (limit > 0 && seconds_spent_ >= limit) {
      session_.complain(
          fmt::format("executing kernels took {} s, as --execute-seconds allows: those from here on are "
                      "not executed, and what memory holds is not what it would be",
                      limit));
      return made;
    }
    const auto* const executable = executable_of(call, made.problem);
    if (executable == nullptr) {
      session_.complain(fmt::format("{} is not executed, and what memory holds behind it is wrong: {}",
                                    isa::demangled(call.kernel->name), made.problem));
      return made;
    }
    const auto start = now();
    std::optional<machine::LoadRecorder> recorder;
    if (recorded != nullptr) recorder.emplace(executable->deciding_loads);
    try {
      const auto outcome =
          executable->machine.run(launch_of(call), memory_, effort(limit), recorder ? &*recorder : nullptr);
      made.was = true;
      made.complete = outcome.complete;
      made.instructions = outcome.instructions;
      made.lane_instructions = outcome.lane_instructions;
      if (recorder && outcome.complete)
        *recorded = std::make_shared<const isa::RecordedLoads>(
            recorder->take(outcome, executable->program, *code_of(*call.kernel->image).variables, memory_));
      if (!outcome.behind.empty() && behind_.insert(call.kernel).second)
        session_.complain(outcome.behind + "; it goes on, as on a device, whose pages are larger");
    } catch (const machine::Fault& fault) {
      tell(call, fault, made);
    }
    made.seconds = now() - start;
    seconds_spent_ += made.seconds;
    return made;
  }

  machine::Effort effort(double limit) const {
    machine::Effort effort;
    if (limit > 0) effort.seconds = limit - seconds_spent_;
    return effort;
  }

  machine::Launch launch_of(const LaunchCall& call) {
    machine::Launch launch;
    launch.units = session_.device().compute_units;
    if (call.cooperative && workspace_ == 0) workspace_ = memory_.allocate(machine::kWorkspaceBytes);
    if (call.cooperative) launch.workspace = workspace_;
    constexpr std::size_t kHeapLimit = 2;  // cudaLimitMallocHeapSize
    launch.heap_bytes = static_cast<std::int64_t>(session_.limits()[kHeapLimit]);
    launch.grid = {call.grid.x, call.grid.y, call.grid.z};
    launch.block = {call.block.x, call.block.y, call.block.z};
    launch.cluster = {call.cluster.x, call.cluster.y, call.cluster.z};
    launch.dynamic_shared_bytes = static_cast<std::int64_t>(call.shared);
    launch.arguments.resize(call.parameters.bytes.size());
    std::memcpy(launch.arguments.data(), call.parameters.bytes.data(), call.parameters.bytes.size());
    return launch;
  }

  void tell(const LaunchCall& call, const machine::Fault& fault, Executed& made) {
    const auto name = isa::demangled(call.kernel->name);
    made.problem = fault.what();
    made.error = error_of(fault.kind);
    if (made.error == cuda::kSuccess) {
      code_of(*call.kernel->image).machines.erase(call.kernel->name);
      code_of(*call.kernel->image).problems[call.kernel->name] = fault.what();
      session_.complain(
          fmt::format("{} is not executed, and what memory holds behind it is wrong: {}", name, fault.what()));
      return;
    }
    session_.complain(fault.what());  // begins with the kernel's name
  }

  void write_down(const LaunchCall& call, const LaunchTime& time, TimeFrom from, const Executed& executed) {
    const auto& device = session_.device();
    const auto span = session_.timeline().add_launch(
        call.stream, time.seconds,
        {device.launch_overhead.count, device.launch_interval.count, device.launch_gap.value_or(Seconds{0}).count});
    JsonWriter json(JsonWriter::Layout::OneLine);
    json.begin_object();
    json.member("event", "launch").member("kernel", isa::demangled(call.kernel->name));
    write_sizes(json, "grid", call.grid);
    write_sizes(json, "block", call.block);
    json.member("stream", call.stream).member("begin_s", span.begin).member("end_s", span.end);
    json.member("time_from", name_of(time.is_predicted ? from : TimeFrom::None));
    json.key("time_s");
    if (time.is_predicted)
      json.value(time.seconds);
    else
      json.null();
    json.member("limiter", time.limiter).member("assumptions", time.assumptions);
    if (time.assumptions > 0) json.member("first_assumption", time.first_assumption);
    json.member("recorded_groups", time.recorded_groups);
    if (!time.problem.empty()) json.member("problem", time.problem);
    json.member("executed", executed.was && executed.complete);
    json.member("warp_instructions", static_cast<std::int64_t>(executed.instructions));
    json.member("lane_instructions", static_cast<std::int64_t>(executed.lane_instructions));
    json.member("host_s", executed.seconds);
    if (!executed.problem.empty()) json.member("execution_problem", executed.problem);
    json.end_object();
    session_.note(json.text());
  }

  Session& session_;
  Predictor predictor_;
  machine::Memory memory_;
  Rates rates_;
  std::map<const Image*, Code> codes_;
  std::set<const Kernel*> behind_;  ///< kernels already reported to reach behind their arrays
  double seconds_spent_ = 0;
  std::uint64_t workspace_ = 0;  ///< of cooperative launches; 0 before the first
};

}  // namespace

std::unique_ptr<Runner> make_runner(Session& session) { return std::make_unique<HostRunner>(session); }

}  // namespace warpipe::programs
