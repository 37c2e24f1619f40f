#include "drawn_models.hpp"

#include <array>
#include <random>
#include <string>

#include "simulators.hpp"
#include "support/random_model.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/write_kernel.hpp"

namespace warpipe::conformance {
namespace {

constexpr double kOddClock = 1.41e9;  // a level's seconds are then no whole number of milli-cycles

/// A drawn number of each resource: now one limit binds and now another.
class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) : random_(seed) {}
  /// From `least` to `most`, both included.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
  }
  std::int64_t one_of(const std::vector<std::int64_t>& values) {
    return values[static_cast<std::size_t>(between(0, std::ssize(values) - 1))];
  }
  bool chance(std::int64_t percent) { return between(1, 100) <= percent; }

 private:
  std::mt19937_64 random_;
};

/// Rule 9: the limits of the device decide how many groups reside on a unit.
void leave_occupancy_to_limits(Drawer& draw, Json& model) {
  Json& launch = model["kernel"]["launch"];
  erase(launch, "concurrent_groups");
  launch["groups"] = draw.between(6, 12);
  model["kernel"]["resources"] = {{"registers_per_thread", draw.between(1, 48)},
                                  {"shared_memory_per_group", draw.between(1, 300)}};
  Json& limits = model["device"]["limits"];
  limits["groups_per_unit"] = draw.between(2, 6);
  if (draw.chance(60)) limits["warps_per_unit"] = draw.between(4, 16);
  if (draw.chance(70)) {
    limits["registers_per_unit"] = draw.one_of({768, 1000, 1536, 2048, 4096});
    limits["register_allocation"] = draw.one_of({1, 8, 64, 128});
    limits["warp_allocation"] = draw.one_of({1, 2, 3, 4});
  }
  if (draw.chance(70)) {
    limits["shared_memory_per_unit"] = draw.one_of({512, 700, 1024});
    limits["shared_memory_allocation"] = draw.one_of({1, 64, 128});
    limits["shared_memory_reserved_per_group"] = draw.one_of({0, 16, 100});
  }
}

/// The nouns of a model do without the sizes of caches, required in the file of a device.
Device with_sizes(Device device) {
  constexpr std::int64_t kBytes = 65536;
  if (!device.memory) return device;
  for (std::size_t i = 0; i + 1 < device.memory->levels.size(); ++i) device.memory->levels[i].bytes = kBytes;
  return device;
}

Json files_of(const random_model::Model& model) {
  const Device device = random_model::read_device(model);
  Json json;
  json["policy"] = to_string(device.policy);
  json["units"] = model.all_units ? "all" : "one";
  json["kernel"] = Json::parse(write_kernel_json(random_model::read_kernel(model)));
  json["device"] = Json::parse(write_device_json(with_sizes(device)));
  if (json["device"].contains("issue")) erase(json["device"]["issue"], "policy");
  return json;
}

std::optional<Ticks> cycles_of(Simulator simulator, const Json& model) {
  try {
    const ConformanceCase one = as_case(model);
    return simulated_cycles(simulator, one.kernel, one.device, one.units);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

Json drawn_model(std::uint64_t seed) {
  constexpr int kTrips = 4, kGroups = 9;
  constexpr std::int64_t kIssues = 200;
  static const std::array<random_model::Shape, 8> shapes{{
      {kTrips, kGroups, kIssues},
      {kTrips, kGroups, kIssues, true},
      {kTrips, kGroups, kIssues, false, true},
      {kTrips, kGroups, kIssues, false, false, true},
      {kTrips, kGroups, kIssues},  // whose limits decide how many groups reside on a unit
      {kTrips, kGroups, kIssues, true, true},
      {kTrips, kGroups, kIssues, false, true, true},
      {kTrips, 2 * kGroups, kIssues, true},
  }};
  constexpr std::size_t kLimits = 4;
  const std::size_t turn = seed % shapes.size();
  try {
    const auto model = random_model::models(shapes[turn])(rc::Random(seed), rc::kNominalSize).value();
    Json json = files_of(model);
    Drawer draw(seed);
    if (turn == kLimits) leave_occupancy_to_limits(draw, json);
    if (!model.device.levels.empty() && draw.chance(30)) json["device"]["clock_hz"] = kOddClock;
    as_case(json);
    return json;
  } catch (const rc::GenerationFailure&) {
    return nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

ConformanceCase as_case(Json model) {
  model["case"] = "drawn";
  model["cycles"] = "0.000";
  return read_conformance_case(model.dump());
}

std::optional<Ticks> cycles_of_product(const Json& model) { return cycles_of(Simulator::Product, model); }
std::optional<Ticks> cycles_of_reference(const Json& model) { return cycles_of(Simulator::Reference, model); }

}  // namespace warpipe::conformance
