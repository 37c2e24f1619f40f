#include "warpipe/tune/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/latency_tables/compile_target.hpp"
#include "warpipe/predict/early_bounds.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/predict/with_effort.hpp"
#include "warpipe/sweep/chosen_points.hpp"
#include "warpipe/tune/source_files.hpp"

namespace warpipe {
namespace {

/// Configurations of a source that are bounded together: some seconds.
constexpr std::size_t kMostOfPart = 64;
/// Modules in memory, some megabytes each; further modules are in files.
constexpr std::size_t kMostModules = 64;
/// Of the caches, a fifteenth of the usual effort: a ranking asks for differences of percents.
constexpr CacheEffort kRankingEffort{100'000, 1};
/// Kernels with the lowest bounds, kept until their simulation.
constexpr std::size_t kMostKernels = 64;

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string sizes_text(const isa::Dimensions& sizes) {
  if (sizes[2] > 1) return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]);
  return sizes[1] > 1 ? fmt::format("{}x{}", sizes[0], sizes[1]) : fmt::format("{}", sizes[0]);
}

/// The problem in one line, without advice, which would be another configuration.
std::string reason_of(const Error& error) {
  const auto& problem = error.diagnostics().front();
  auto text = problem.problem;
  if (!problem.found.empty()) text += "; " + problem.found;
  std::erase(text, '`');
  return text.substr(0, text.find('\n'));
}

/// The line of a compiler's output with its first error.
std::string first_error(const std::string& printed) {
  std::stringstream lines(printed);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (line.find("error") != std::string::npos) return line;
  }
  return first;
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

struct Tuner::State {
  /// A distinct source for a kind of device, compiled once. Its results lie in files.
  struct Code {
    std::once_flag once;
    std::string failure;
    TextFile file;  ///< without its text
    std::string refusal;
    bool has_machine_code = false;
  };
  /// A source in memory, with the options of its imports on each device.
  struct Loaded {
    explicit Loaded(code::Module read) : module(std::move(read)) {}
    code::Module module;
    std::map<std::size_t, isa::ImportOptions> options = {};  ///< by device
    std::mutex mutex = {};
  };
  struct Kept {
    std::size_t number = 0;
    Kernel kernel;
  };

  TuningSpace space;
  std::string source;
  std::vector<TextFile> files;  ///< of the source, where it is compiled
  std::vector<Device> devices;
  TunerOptions options;
  std::vector<Configuration> configurations;
  std::vector<TunedLaunch> launches;            ///< of each configuration
  std::vector<std::string> launch_errors;       ///< why it has none
  std::vector<std::size_t> source_of;           ///< of each configuration
  std::vector<std::vector<std::string>> flags;  ///< of each source
  std::vector<std::string> targets;             ///< kinds of devices
  std::vector<std::size_t> target_of;           ///< of each device
  TemporaryDirectory folder;
  std::vector<std::unique_ptr<Code>> codes;  ///< of each source and target

  std::mutex mutex;                                                   ///< guards the members below
  std::list<std::pair<std::size_t, std::shared_ptr<Loaded>>> loaded;  ///< the last used module first
  std::multimap<double, Kept> kept;                                   ///< by their bounds
  Cost cost;

  State(TuningSpace given, std::string path, std::vector<Device> on, TunerOptions of)
      : space(std::move(given)), source(std::move(path)), devices(std::move(on)), options(std::move(of)) {}

  std::string path_of(std::size_t code, const char* ending) const {
    return fmt::format("{}/{}.{}", folder.path(), code, ending);
  }

  void find_sources() {
    std::map<std::vector<std::string>, std::size_t> known;
    flags.clear();
    launches.clear();
    launch_errors.clear();
    source_of.clear();
    for (const auto& configuration : configurations) {
      launch_errors.emplace_back();
      try {
        launches.push_back(launch_of(space, configuration));
      } catch (const ModelError& error) {
        launches.emplace_back();
        launch_errors.back() = reason_of(error);
        source_of.push_back(0);
        continue;
      }
      const auto [place, is_new] = known.try_emplace(launches.back().flags, flags.size());
      if (is_new) flags.push_back(launches.back().flags);
      source_of.push_back(place->second);
    }
    for (const auto& device : devices) {
      auto target = compile_target(device);
      const auto found = std::ranges::find(targets, target);
      target_of.push_back(static_cast<std::size_t>(found - targets.begin()));
      if (found == targets.end()) targets.push_back(std::move(target));
    }
    codes.clear();
    for (std::size_t i = 0; i < std::max<std::size_t>(flags.size(), 1) * targets.size(); ++i)
      codes.push_back(std::make_unique<Code>());
  }

  std::size_t code_of(const Item& item) const {
    return source_of[item.configuration] * targets.size() + target_of[item.device];
  }

  void compile(Code& code, std::size_t index, const Item& item) {
    auto compiler = options.compiler;
    const auto& more = flags[source_of[item.configuration]];
    compiler.flags.insert(compiler.flags.end(), more.begin(), more.end());
    try {
      const auto& target = targets[target_of[item.device]];
      auto file = is_source(source) ? compile_source(source, &devices[item.device], compiler).code
                                    : read_kernel_file(source, options.before, target);
      auto made = assemble_code(std::move(file), target, options.machine_code);
      code.refusal = made.refusal;
      code.has_machine_code = !made.machine_code.empty();
      // PTX that is too large for the device has no machine code, and no device runs it.
      if (const auto limit = made.refusal.find("uses too much"); limit != std::string::npos)
        code.failure = made.refusal.substr(limit, made.refusal.find('\n', limit) - limit);
      std::ofstream(path_of(index, "code"), std::ios::binary) << made.file.text;
      if (code.has_machine_code) std::ofstream(path_of(index, "cubin"), std::ios::binary) << made.machine_code;
      made.file.text.clear();
      code.file = std::move(made.file);
    } catch (const CompilerFailed& failed) {
      const auto line = first_error(failed.printed);
      code.failure = "the compiler fails: " + (line.empty() ? reason_of(failed) : line);
    }
  }

  /// @throws ModelError where its source does not compile
  std::shared_ptr<Loaded> load(const Item& item) {
    const auto index = code_of(item);
    auto& code = *codes[index];
    std::call_once(code.once, [&] { compile(code, index, item); });
    if (!code.failure.empty()) throw ModelError(Diagnostic{"", code.failure, "", ""});
    {
      const std::scoped_lock lock(mutex);
      const auto found = std::ranges::find(loaded, index, [](const auto& one) { return one.first; });
      if (found != loaded.end()) {
        loaded.splice(loaded.begin(), loaded, found);
        return found->second;
      }
    }
    AssembledCode made{code.file, targets[target_of[item.device]], {}, code.refusal};
    made.file.text = text_of_file(path_of(index, "code"));
    if (code.has_machine_code) made.machine_code = text_of_file(path_of(index, "cubin"));
    auto read = std::make_shared<Loaded>(read_code(made, options.machine_code.form));
    const std::scoped_lock lock(mutex);
    loaded.emplace_front(index, read);
    if (loaded.size() > kMostModules) loaded.pop_back();
    return read;
  }

  /// The options of an import, without the values of a configuration.
  isa::ImportOptions import_options_on(Loaded& code, const Item& item, const TunedLaunch& launch) {
    const std::scoped_lock lock(code.mutex);
    const auto found = code.options.find(item.device);
    if (found != code.options.end()) return found->second;
    auto request = options.request;
    if (request.launch.entry.empty()) request.launch.entry = space.entry;
    if (launch.block) request.launch.block = launch.block;
    if (launch.grid) request.launch.grid = launch.grid;
    auto target = import_target(devices[item.device]);
    if (!options.launch.set_device.empty()) {
      LaunchOptions changes;
      changes.set_device = options.launch.set_device;
      target.sizes = access_sizes(with_options(devices[item.device], changes));
    }
    const auto& known = *codes[code_of(item)];
    auto made = import_options(request, known.file, code.module, target, options.before);
    if (!made.launch.assume && !made.assumed.empty()) throw isa::questions_of(made.assumed);
    return code.options.emplace(item.device, std::move(made)).first->second;
  }

  isa::ImportOptions import_options_of(Loaded& code, const Item& item) {
    const auto& launch = launches[item.configuration];
    auto made = import_options_on(code, item, launch);
    if (launch.block) made.launch.block = *launch.block;
    if (launch.block) made.block_from.clear();
    if (launch.grid) made.launch.grid = *launch.grid;
    if (launch.dynamic_shared_memory) made.launch.dynamic_shared_memory = *launch.dynamic_shared_memory;
    for (const auto& [name, value] : launch.arguments) made.launch.arguments.insert_or_assign(name, value);
    return made;
  }

  Kernel import(const Item& item, TunedPoint& point) {
    if (!launch_errors[item.configuration].empty())
      throw ModelError(Diagnostic{"", launch_errors[item.configuration], "", ""});
    const auto code = load(item);
    const auto imports = import_options_of(*code, item);
    point.block = sizes_text(imports.launch.block);
    point.grid = sizes_text(imports.launch.grid);
    return code->module.import(imports).kernel;
  }

  void keep(const Item& item, double bound, Kernel kernel) {
    const std::scoped_lock lock(mutex);
    kept.emplace(bound, Kept{number_of(item), std::move(kernel)});
    if (kept.size() > kMostKernels) kept.erase(std::prev(kept.end()));
  }

  std::optional<Kernel> take(const Item& item) {
    const std::scoped_lock lock(mutex);
    for (auto one = kept.begin(); one != kept.end(); ++one)
      if (one->second.number == number_of(item)) return std::move(kept.extract(one).mapped().kernel);
    return std::nullopt;
  }

  std::size_t number_of(const Item& item) const { return item.configuration * devices.size() + item.device; }

  static void put_launch(const Launch& launch, const Bounds& bounds, Seconds bound, TunedPoint& point) {
    point.bound = bound.count;
    point.limiter = highest(bounds.bounds).name;
    point.resident_warps = launch.resident_warps;
    point.registers = launch.registers_per_thread;
    point.shared_memory = launch.shared_memory_per_group;
  }

  /// @param worst  a time in seconds: nothing is simulated where the bound is above it
  void predict_to(double worst, bool with_range, const Item& item, TunedPoint& point,
                  std::vector<std::string>* warnings) {
    auto kernel = take(item);
    if (!kernel) kernel = import(item, point);
    auto lowered = lower_launch(*std::move(kernel), devices[item.device], options.launch, kRankingEffort);
    put_launch(lowered.launch, lowered.bounds, to_seconds(highest(lowered.bounds.bounds).cycles, lowered.device.clock),
               point);
    if (*point.bound > worst) return;
    lowered.options.range = with_range;
    lowered.options.doubts = warnings != nullptr;
    auto prediction = predict(lowered);
    point.time = prediction.time.count;
    point.range = interval_of_time(prediction);
    if (warnings != nullptr) *warnings = std::move(prediction.warnings);
  }

  /// The point of a step for an item, with the cost added to the totals.
  template <class Step>
  TunedPoint said_by(const Step& step, std::size_t Cost::*count, double Cost::*seconds) {
    TunedPoint point;
    const auto before = cpu_seconds();
    try {
      step(point);
    } catch (const GateError&) {
      throw;
    } catch (const Error& error) {
      point.error = reason_of(error);
    }
    const std::scoped_lock lock(mutex);
    ++(cost.*count);
    cost.*seconds += cpu_seconds() - before;
    return point;
  }
};

Tuner::Tuner(TuningSpace space, std::string source, std::vector<Device> devices, TunerOptions options)
    : state_(new State(std::move(space), std::move(source), std::move(devices), std::move(options))) {
  state_->options.launch.doubts = false;
  state_->options.launch.kernel_launch_is_given = true;
  if (is_source(state_->source)) {
    auto flags = state_->options.compiler.flags;
    flags.insert(flags.end(), state_->space.flags.begin(), state_->space.flags.end());
    state_->files = source_files(state_->source, flags, state_->options.before);
    choose_macros(state_->space, state_->files);
  } else if (!state_->space.macros.empty() || !state_->space.flags.empty()) {
    throw UsageError(Diagnostic{state_->source, "the space has macros or flags, and this is not source", "",
                                "give the source, or a space of launches alone"});
  }
  state_->configurations = configurations_of(state_->space);
  state_->find_sources();
}

Tuner::~Tuner() = default;

const TuningSpace& Tuner::space() const { return state_->space; }
const std::vector<TextFile>& Tuner::files() const { return state_->files; }
const std::vector<Device>& Tuner::devices() const { return state_->devices; }
const std::vector<Configuration>& Tuner::configurations() const { return state_->configurations; }
std::size_t Tuner::sources() const { return state_->flags.size(); }

void Tuner::draw(std::size_t count, std::uint64_t seed) {
  ChosenPoints chosen(state_->configurations.size());
  chosen.draw(count, seed);
  std::vector<Configuration> left;
  for (std::size_t i = 0; i < chosen.size(); ++i) left.push_back(std::move(state_->configurations[chosen[i]]));
  state_->configurations = std::move(left);
  state_->targets.clear();
  state_->target_of.clear();
  state_->find_sources();
}

std::vector<std::vector<Tuner::Item>> Tuner::parts() const {
  // By how many parts of the same source come before, then by source.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Item>> parts;
  std::vector<std::size_t> counts(state_->codes.size());
  for (std::size_t i = 0; i < state_->configurations.size(); ++i)
    for (std::size_t device = 0; device < state_->devices.size(); ++device) {
      const Item item{i, device};
      const auto code = state_->code_of(item);
      parts[{counts[code]++ / kMostOfPart, code}].push_back(item);
    }
  std::vector<std::vector<Item>> in_order;
  for (auto& [place, items] : parts) in_order.push_back(std::move(items));
  return in_order;
}

TunedPoint Tuner::bound(const Item& item) const {
  const auto step = [&](TunedPoint& point) {
    auto kernel = state_->import(item, point);
    const auto early = early_bounds(kernel, state_->devices[item.device], state_->options.launch);
    State::put_launch(early.launch, early.bounds, early.highest, point);
    state_->keep(item, *point.bound, std::move(kernel));
  };
  return state_->said_by(step, &Cost::bounded, &Cost::bounding);
}

TunedPoint Tuner::simulate(const Item& item, double worst, bool with_range, std::vector<std::string>* warnings) const {
  const auto step = [&](TunedPoint& point) { state_->predict_to(worst, with_range, item, point, warnings); };
  return state_->said_by(step, &Cost::simulated, &Cost::simulating);
}

void Tuner::explain(const Item& item) const {
  TunedPoint point;
  lower_launch(state_->import(item, point), state_->devices[item.device], state_->options.launch);
}

Tuner::Cost Tuner::cost() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->cost;
}

}  // namespace warpipe
