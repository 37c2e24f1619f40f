#include <algorithm>
#include <numeric>
#include <random>

#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

using Pointer = unsigned long long;

/// How a load goes through the caches.
struct ThroughL1 {
  __device__ static void follow(Pointer& place) {
#if WARPIPE_PTX
    asm volatile("ld.global.ca.u64 %0,[%0];" : "+l"(place));
#else
    place = *reinterpret_cast<const Pointer*>(place);  // a volatile one would pass the first level on AMD
    opaque(place);
#endif
  }
};
struct PastL1 {
  __device__ static void follow(Pointer& place) {
#if WARPIPE_PTX
    asm volatile("ld.global.cg.u64 %0,[%0];" : "+l"(place));
#else
    place = __atomic_load_n(reinterpret_cast<const Pointer*>(place), __ATOMIC_RELAXED);
    opaque(place);
#endif
  }
};

constexpr int kSteps = 16;  // loads that a trip of the loop holds
constexpr int kLonger = 4;  // trips of the long run by those of the short one
constexpr int kLanes = 32;  // entries of a node; a wider warp spans two nodes
constexpr int kNodeBytes = kLanes * static_cast<int>(sizeof(Pointer));

/// Each lane follows its own pointers; `lanes_apart` is 0 where all lanes of a warp follow the same ones.
template <class Level>
__global__ __launch_bounds__(1024) void chase_kernel(const Pointer* const* starts, Pointer* ends, Stamps stamps,
                                                     int lanes_apart, int trips) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % kLanes;
  Pointer place = reinterpret_cast<Pointer>(starts[thread / kLanes] + lane * lanes_apart);
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) Level::follow(place);
  }
  end_stamp(stamps, start);
  ends[thread] = place;
}

/// Nodes in one random ring through all of the footprint.
class Ring {
 public:
  Ring(std::size_t footprint_bytes, unsigned seed)
      : nodes_(std::max<std::size_t>(2, footprint_bytes / kNodeBytes)), memory_(nodes_ * kLanes), order_(nodes_) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::mt19937_64 random(seed);
    for (std::size_t i = nodes_ - 1; i > 0; --i) std::swap(order_[i], order_[random() % (i + 1)]);
    std::vector<Pointer> entries(nodes_ * kLanes);
    for (std::size_t i = 0; i < nodes_; ++i)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        entries[order_[i] * kLanes + lane] = address(order_[(i + 1) % nodes_], lane);
    memory_.write(entries);
  }

  /// Where a chase that started `position` places along the ring stands after `steps` loads.
  Pointer place(std::size_t position, std::size_t steps, std::size_t lane) const {
    return address(order_[(position + steps) % nodes_], lane);
  }
  const Pointer* start(std::size_t position) const { return memory_.data() + order_[position % nodes_] * kLanes; }
  std::size_t nodes() const { return nodes_; }

 private:
  Pointer address(std::size_t node, std::size_t lane) const {
    return reinterpret_cast<Pointer>(memory_.data() + node * kLanes + lane);
  }

  std::size_t nodes_;
  Buffer<Pointer> memory_;
  std::vector<std::size_t> order_;
};

/// Where the loads of a chase are served, and how it is named.
struct ChaseCase {
  const char* kernel;
  bool coalesced;  ///< each lane has its own 8 bytes; else all lanes read the same
  bool through_l1;
  std::size_t footprint_bytes;
  int trips;  ///< of the short run, at most; the long one makes kLonger times as many
  bool cold;  ///< other data pass the second-level cache before each run
};

class Chase {
 public:
  Chase(Session& session, const ChaseCase& which, const Ring& ring) : session_(session), which_(which), ring_(ring) {}

  void measure(const Residency& residency) {
    StampedLauncher launcher(session_.device(), residency);
    const auto threads = static_cast<std::size_t>(launcher.threads());
    const auto warps = threads / kLanes;
    std::vector<const Pointer*> places(warps);
    for (std::size_t warp = 0; warp < warps; ++warp) places[warp] = ring_.start(position(warp, warps));
    const Buffer<const Pointer*> starts(places);
    const Buffer<Pointer> ends(threads);
    const auto run = [&](int trips) {
      if (which_.cold) session_.flush_caches();
      return launcher.run([&](const Stamps& stamps) {
        const auto kernel = which_.through_l1 ? &chase_kernel<ThroughL1> : &chase_kernel<PastL1>;
        GPU_LAUNCH(kernel, launcher.groups(), residency.group_size, residency.local_bytes, starts.data(), ends.data(),
                   stamps, which_.coalesced ? 1 : 0, trips);
      });
    };
    const int brief = trips(warps);
    const int lengthy = kLonger * brief;
    const auto cycles = difference(
        session_.options().repeats, [&] { return run(brief); }, [&] { return run(lengthy); });
    check(ends, warps, static_cast<std::size_t>(lengthy) * kSteps);

    Row row;
    row.kernel = which_.kernel;
    row.group_size = residency.group_size;
    row.groups = launcher.groups();
    row.concurrent_groups = residency.groups;
    row.parameters = {{"footprint_bytes", static_cast<double>(which_.footprint_bytes)},
                      {"steps", static_cast<double>(lengthy - brief) * kSteps}};
    row.how = which_.cold ? "chase, second-level cache flushed before each run" : "chase";
    session_.write(row, cycles);
  }

 private:
  /// A chase that must miss the caches stops before it comes to where the next warp started.
  int trips(std::size_t warps) const {
    if (!which_.cold) return which_.trips;
    const std::size_t untouched = ring_.nodes() / (warps * kLonger * kSteps);
    return std::max(1, std::min(which_.trips, static_cast<int>(untouched)));
  }

  /// Warps start evenly spread along the ring.
  std::size_t position(std::size_t warp, std::size_t warps) const { return warp * ring_.nodes() / warps; }

  void check(const Buffer<Pointer>& ends, std::size_t warps, std::size_t steps) {
    const auto found = ends.read();
    for (std::size_t thread = 0; thread < found.size(); ++thread) {
      const std::size_t lane = which_.coalesced ? thread % kLanes : 0;
      if (found[thread] == ring_.place(position(thread / kLanes, warps), steps, lane)) continue;
      session_.wrong_result(std::string(which_.kernel) + ": thread " + std::to_string(thread) + " lost its way");
      return;
    }
  }

  Session& session_;
  ChaseCase which_;
  const Ring& ring_;
};

constexpr std::size_t kKiB = 1024;
constexpr Residency kOneWarp{kLanes, 1, 0, 1};

std::vector<const void*> chase_kernels() {
  return {reinterpret_cast<const void*>(&chase_kernel<ThroughL1>),
          reinterpret_cast<const void*>(&chase_kernel<PastL1>)};
}

/// Footprints well inside a level: what lies between two levels is served by both, and belongs to neither.
std::vector<ChaseCase> latency_cases(const Session& session) {
  const std::size_t l2 = session.device().l2_bytes;
  const int trips = session.scaled(256, 4);
  std::vector<ChaseCase> cases;
  for (const std::size_t footprint : {2 * kKiB, 4 * kKiB, 8 * kKiB, 16 * kKiB})
    cases.push_back({"chase_l1", false, true, footprint, trips, false});
  for (const std::size_t share : {64, 32, 16, 8, 4})
    cases.push_back({"chase_l2", false, false, l2 / share, trips, false});
  for (const std::size_t times : {4, 8}) cases.push_back({"chase_dram", false, false, times * l2, trips, true});
  return cases;
}

std::vector<ChaseCase> occupancy_cases(const Session& session) {
  const std::size_t l2 = session.device().l2_bytes;
  const int trips = session.scaled(32, 2);
  const std::size_t far = std::min(session.scaled<std::size_t>(16, 4) * l2, session.device().memory_bytes / 4);
  return {{"chase_coalesced_l1", true, true, 8 * kKiB, trips, false},
          {"chase_coalesced_l2", true, false, l2 / 4, trips, false},
          {"chase_coalesced_dram", true, false, far, trips, true}};
}

}  // namespace

void measure_chases(Session& session) {
  for (const ChaseCase& which : latency_cases(session)) {
    if (session.is_over()) return;
    const Ring ring(which.footprint_bytes, 1);
    Chase(session, which, ring).measure(kOneWarp);
  }
  const auto plan = plan_for(session, chase_kernels(), 3);
  for (const ChaseCase& which : occupancy_cases(session)) {
    const Ring ring(which.footprint_bytes, 2);
    for (const Residency& residency : plan) {
      if (session.is_over()) return;
      Chase(session, which, ring).measure(residency);
    }
  }
}

void probe_latencies(Session& session) {
  const std::size_t l2 = session.device().l2_bytes;
  const int trips = session.scaled(256, 4);
  for (const ChaseCase& which : {ChaseCase{"chase_l1", false, true, 8 * kKiB, trips, false},
                                 ChaseCase{"chase_l2", false, false, l2 / 8, trips, false},
                                 ChaseCase{"chase_dram", false, false, 4 * l2, trips, true}}) {
    if (session.is_over()) return;
    session.begin_probe(which.kernel);
    Chase(session, which, Ring(which.footprint_bytes, 1)).measure(kOneWarp);
  }
}

void probe_level_rates(Session& session) {
  const Residency all = plan_for(session, chase_kernels(), 3).back();
  const int trips = session.scaled(32, 2);
  const auto probe = [&](const char* name, const ChaseCase& which) {
    if (session.is_over()) return;
    session.begin_probe(name);
    const Ring ring(which.footprint_bytes, 2);
    Chase(session, which, ring).measure(all);
  };
  probe("l1_full", {"chase_coalesced_l1", true, true, 8 * kKiB, trips, false});
  probe("l2_full", {"chase_coalesced_l2", true, false, session.device().l2_bytes / 4, trips, false});
}

}  // namespace measure
