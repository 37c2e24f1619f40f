#include "lane_words.hpp"
#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

constexpr int kLanes = 32;
constexpr int kWords = static_cast<int>(kBanks) * kLanes;
constexpr int kShort = 32;  // accesses that the loop of the short kernel holds
constexpr int kLong = 96;

/// What is done to shared memory, again and again. Every word that is read holds its own place, so that each access
/// must wait for the one before it.
struct LoadStep {
  static constexpr const char* kernel = "local_load";
  __device__ static void apply(unsigned& place, const char* base, unsigned) {
#if WARPIPE_PTX
    (void)base;
    asm volatile("ld.shared.u32 %0,[%0];" : "+r"(place));
#else
    place = *reinterpret_cast<const volatile unsigned*>(base + place);
    opaque(place);
#endif
  }
};
/// Stores wait for nothing. They are volatile: of stores of one word to one place the assembler keeps the last.
struct StoreStep {
  static constexpr const char* kernel = "local_store";
  __device__ static void apply(unsigned& place, char* base, unsigned) {
#if WARPIPE_PTX
    (void)base;
    asm volatile("st.volatile.shared.u32 [%0],%0;" : : "r"(place) : "memory");
#else
    *reinterpret_cast<volatile unsigned*>(base + place) = place;
    opaque(place);
#endif
  }
};
/// Adds nothing, but only the host knows that.
struct AtomicStep {
  static constexpr const char* kernel = "local_atomic";
  __device__ static void apply(unsigned& place, char* base, unsigned nothing) {
#if WARPIPE_PTX
    (void)base;
    asm volatile("atom.shared.add.u32 %0,[%0],%1;" : "+r"(place) : "r"(nothing) : "memory");
#else
    place = atomicAdd(reinterpret_cast<unsigned*>(base + place), nothing);
    opaque(place);
#endif
  }
};

/// Where a word lies as the step wants it: its address in the window of shared memory, or its distance from the base.
__device__ inline unsigned place_of(const unsigned* table, unsigned word) {
#if WARPIPE_PTX
  return static_cast<unsigned>(__cvta_generic_to_shared(table + word));
#else
  (void)table;
  return word * static_cast<unsigned>(sizeof(unsigned));
#endif
}

/// @param words  the word of each lane
/// @param ends   distance that each thread has come, in bytes: 0 where all went well
template <class Step, int kSteps>
__global__ __launch_bounds__(1024) void local_kernel(const unsigned* words, unsigned* ends, Stamps stamps, int trips,
                                                     unsigned nothing) {
  __shared__ unsigned table[kWords];
  for (unsigned word = threadIdx.x; word < kWords; word += blockDim.x) table[word] = place_of(table, word);
  const unsigned first = place_of(table, words[threadIdx.x % kLanes]);
  unsigned place = first;
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) Step::apply(place, reinterpret_cast<char*>(table), nothing);
  }
  end_stamp(stamps, start);
  __syncthreads();
  const unsigned own = words[threadIdx.x % kLanes];
  ends[blockIdx.x * blockDim.x + threadIdx.x] = (place - first) | (table[own] - place_of(table, own));
}

template <class Step>
class LocalMeasurement {
 public:
  LocalMeasurement(Session& session, int degree, const std::vector<unsigned>& words)
      : session_(session), degree_(degree), words_(words) {}

  void measure(int group_size) {
    const Residency residency{
        group_size, 1, 0, (group_size + session_.device().limits.warp_size - 1) / session_.device().limits.warp_size};
    StampedLauncher launcher(session_.device(), residency);
    const Buffer<unsigned> ends(static_cast<std::size_t>(launcher.threads()));
    const auto run = [&](auto kernel, int trips) {
      return launcher.run([&](const Stamps& stamps) {
        GPU_LAUNCH(kernel, launcher.groups(), group_size, 0, words_.data(), ends.data(), stamps, trips, 0u);
      });
    };
    const auto run_short = [&](int trips) { return run(&local_kernel<Step, kShort>, trips); };
    const auto run_long = [&](int trips) { return run(&local_kernel<Step, kLong>, trips); };
    const double trial = (run_long(4).cycles - run_short(4).cycles) / 4;
    const int trips = trips_for(session_.scaled(100000.0, 2000.0), trial, 4, 10000);
    const auto cycles = difference(
        session_.options().repeats, [&] { return run_short(trips); }, [&] { return run_long(trips); });
    check(ends);

    Row row;
    row.kernel = Step::kernel;
    row.group_size = group_size;
    row.groups = launcher.groups();
    row.concurrent_groups = 1;
    row.parameters = {{"conflict_degree", degree_}, {"steps", static_cast<double>(trips) * (kLong - kShort)}};
    row.how = "shared memory";
    session_.write(row, cycles);
  }

 private:
  void check(const Buffer<unsigned>& ends) {
    for (const unsigned end : ends.read()) {
      if (end == 0) continue;
      session_.wrong_result(std::string(Step::kernel) + ": a chain left its word");
      return;
    }
  }

  Session& session_;
  int degree_;
  const Buffer<unsigned> words_;
};

std::vector<unsigned> words_of_lanes(unsigned (*word_of)(unsigned lane, unsigned degree), unsigned degree) {
  std::vector<unsigned> words;
  for (unsigned lane = 0; lane < kLanes; ++lane) words.push_back(word_of(lane, degree));
  return words;
}

template <class Step>
void measure_degrees(Session& session, unsigned (*word_of)(unsigned lane, unsigned degree)) {
  for (unsigned degree = 1; degree <= kLanes; degree = session.scaled(degree + 1, degree * 4)) {
    LocalMeasurement<Step> measurement(session, static_cast<int>(degree), words_of_lanes(word_of, degree));
    for (int size = kLanes; size <= session.device().limits.threads_per_group; size *= 2) {
      if (session.is_over()) return;
      measurement.measure(size);
    }
  }
}

}  // namespace

void measure_shared_memory(Session& session) {
  measure_degrees<LoadStep>(session, conflicting_word);
  measure_degrees<StoreStep>(session, conflicting_word);
  measure_degrees<AtomicStep>(session, shared_word);
}

void probe_shared_memory(Session& session) {
  const auto probe = [&](const char* name, unsigned degree, int group_size) {
    if (session.is_over()) return;
    session.begin_probe(name);
    LocalMeasurement<LoadStep>(session, static_cast<int>(degree), words_of_lanes(conflicting_word, degree))
        .measure(group_size);
  };
  const int most = session.device().limits.threads_per_group;
  probe("shared_alone", 1, kLanes);
  probe("shared_full", 1, most);
  probe("shared_alone_conflicts", kLanes, kLanes);
  probe("shared_full_conflicts", kLanes, most);
}

}  // namespace measure
