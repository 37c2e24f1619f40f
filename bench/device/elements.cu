#include <algorithm>
#include <limits>

#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

/// The shipped kernels stream_read, stream_init, stream_scale and stream_triad: one double per thread, no loop, so that
/// many groups follow each other. Their graphs say which instructions these kernels have.
namespace measure {
namespace {

constexpr double kValue = 0.25;       // what stream_init writes
constexpr double kNeedle = 123;       // what stream_read looks for
constexpr double kUntouched = -1e30;  // what stands where nothing was written

/// What the inputs hold: small numbers, of which all results are exact.
__host__ __device__ inline double b_of(long long i) { return static_cast<double>(i % 61); }
__host__ __device__ inline double c_of(long long i) { return static_cast<double>(i % 17); }
__host__ __device__ inline double d_of(long long i) { return static_cast<double>(i % 7); }

struct Arrays {
  double *a, *b, *c, *d;
};

struct Read {
  static constexpr const char* kernel = "stream_read";
  __device__ static void apply(const Arrays& arrays, int i, bool never, const double* kept) {
    const double value = arrays.b[i];
    if (value == kNeedle) arrays.a[i] = value;
    if (never) arrays.a[i] = value + kept[threadIdx.x];
  }
  __device__ static double result(long long) { return kUntouched; }
};
struct Init {
  static constexpr const char* kernel = "stream_init";
  __device__ static void apply(const Arrays& arrays, int i, bool never, const double* kept) {
    arrays.a[i] = kValue;
    if (never) arrays.a[i] = kept[threadIdx.x];
  }
  __device__ static double result(long long) { return kValue; }
};
struct Scale {
  static constexpr const char* kernel = "stream_scale";
  __device__ static void apply(const Arrays& arrays, int i, bool never, const double* kept) {
    arrays.a[i] = arrays.b[i] * 1.25;
    if (never) arrays.a[i] = kept[threadIdx.x];
  }
  __device__ static double result(long long i) { return b_of(i) * 1.25; }
};
struct Triad {
  static constexpr const char* kernel = "stream_triad";
  __device__ static void apply(const Arrays& arrays, int i, bool never, const double* kept) {
    arrays.a[i] = arrays.b[i] * arrays.d[i] + arrays.c[i];
    if (never) arrays.a[i] = kept[threadIdx.x];
  }
  __device__ static double result(long long i) { return b_of(i) * d_of(i) + c_of(i); }
};

/// @param never  false, which the compiler does not know: the shared memory that holds down the occupancy has a use
template <class Element>
__global__ void element_kernel(Arrays arrays, long long n, bool never) {
  GPU_DYNAMIC_SHARED(double, kept);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  if (never) kept[threadIdx.x] = i;
  Element::apply(arrays, i, never, kept);
}

__global__ void fill_kernel(Arrays arrays, long long n) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    arrays.a[i] = kUntouched;
    arrays.b[i] = b_of(i);
    arrays.c[i] = c_of(i);
    arrays.d[i] = d_of(i);
  }
}

/// Counts the elements that are not what they should be: results up to `done`, nothing behind.
template <class Element>
__global__ void check_kernel(const double* a, long long done, long long n, unsigned* wrong) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    if (a[i] != (i < done ? Element::result(i) : kUntouched)) atomicAdd(wrong, 1u);
}

constexpr int kFullWaves = 300;
constexpr int kAloneWaves = 1500;

class ElementProbes {
 public:
  explicit ElementProbes(Session& session)
      : session_(session),
        group_(std::min(512, session.device().limits.threads_per_group)),
        n_(elements()),
        a_(size()),
        b_(size()),
        c_(size()),
        d_(size()) {}

  /// With all groups that fit; the driver divides the memory of a unit as it likes.
  template <class Element>
  void full(const char* name) {
    probe<Element>(name, {group_, most<Element>(), 0, 0}, full_waves());
  }

  /// With as few groups of one warp as unused shared memory can hold it to.
  template <class Element>
  void alone(const char* name) {
    const auto plan = plan_for_group_size(session_, kernel<Element>(), session_.device().limits.warp_size, kAll);
    probe<Element>(name, plan.front(), session_.scaled(kAloneWaves, 8));
  }

  /// With about a quarter of the groups that fit.
  template <class Element>
  void quarter(const char* name) {
    const auto plan = plan_for_group_size(session_, kernel<Element>(), group_, kAll);
    const auto wanted = std::find_if(plan.begin(), plan.end(), [&](const Residency& residency) {
      return 4 * residency.groups >= plan.back().groups;
    });
    probe<Element>(name, *wanted, session_.scaled(kFullWaves, 4));
  }

  bool fits() const { return n_ > 0; }

 private:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  template <class Element>
  static const void* kernel() {
    return reinterpret_cast<const void*>(&element_kernel<Element>);
  }

  template <class Element>
  int most() const {
    return resident_groups(kernel<Element>(), group_, 0);
  }
  long long groups_of_a_wave() const {
    const int groups = std::max({most<Read>(), most<Init>(), most<Scale>(), most<Triad>()});
    return static_cast<long long>(session_.device().units) * groups;
  }

  /// At least so many that an array exceeds the last cache four times.
  int full_waves() const {
    const auto bytes_of_a_wave = static_cast<std::size_t>(groups_of_a_wave() * group_) * sizeof(double);
    const auto least = 4 * session_.device().last_cache_bytes / bytes_of_a_wave;
    return std::max(session_.scaled(kFullWaves, 4), static_cast<int>(least) + 1);
  }

  /// Of an array: what the longest launch needs; 0 where the memory has no room for four of them.
  long long elements() const {
    if (groups_of_a_wave() == 0) return 0;
    const long long elements = full_waves() * groups_of_a_wave() * group_;
    const bool has_room = static_cast<std::size_t>(elements) < session_.device().memory_bytes / (5 * sizeof(double));
    return has_room && elements <= std::numeric_limits<int>::max() ? elements : 0;
  }
  std::size_t size() const { return static_cast<std::size_t>(n_); }

  Arrays arrays() const { return {a_.data(), b_.data(), c_.data(), d_.data()}; }

  template <class Element>
  void launch(const Residency& residency, int groups, long long elements) {
    GPU_LAUNCH(element_kernel<Element>, groups, residency.group_size, residency.local_bytes, arrays(), elements, false);
  }

  template <class Element>
  void probe(const char* name, const Residency& residency, int waves) {
    if (session_.is_over()) return;
    session_.begin_probe(name);
    const int groups = waves * session_.device().units * residency.groups;
    if (static_cast<long long>(groups) * residency.group_size > n_) {
      session_.left_out(std::string(name) + ": the arrays are too short for its groups");
      return;
    }
    check<Element>(residency, groups);
    Row row;
    row.kernel = Element::kernel;
    row.group_size = residency.group_size;
    row.groups = groups;
    row.concurrent_groups = residency.groups;
    row.how = "elements, a launch less an empty one, other data in the caches before each";
    write_cold_launch(
        session_, row, [&] { launch<Element>(residency, groups, n_); }, [&] { launch<Element>(residency, 1, 0); });
  }

  template <class Element>
  void check(const Residency& residency, int groups) {
    const int sweep = 8 * session_.device().units;
    GPU_LAUNCH(fill_kernel, sweep, 256, 0, arrays(), n_);
    launch<Element>(residency, groups, n_);
    Buffer<unsigned> wrong(1);
    wrong.fill(0);
    const long long done = static_cast<long long>(groups) * residency.group_size;
    GPU_LAUNCH(check_kernel<Element>, sweep, 256, 0, a_.data(), done, n_, wrong.data());
    const unsigned count = wrong.read()[0];
    if (count > 0) session_.wrong_result(std::string(Element::kernel) + ": " + std::to_string(count) + " elements");
    if (std::string(Element::kernel) == Read::kernel) check_read(residency, groups, done);
  }

  /// Shows by the needle that the first and the last element are read.
  void check_read(const Residency& residency, int groups, long long done) {
    for (const long long place : {0LL, done - 1}) {
      const double needle = kNeedle;
      GPU_CHECK(GPU(Memcpy)(b_.data() + place, &needle, sizeof needle, GPU(MemcpyHostToDevice)));
      launch<Read>(residency, groups, n_);
      const double hay = b_of(place);
      GPU_CHECK(GPU(Memcpy)(b_.data() + place, &hay, sizeof hay, GPU(MemcpyHostToDevice)));
      if (a_.read(static_cast<std::size_t>(place), 1)[0] == kUntouched)
        session_.wrong_result("stream_read: element " + std::to_string(place) + " was not read");
    }
  }

  Session& session_;
  int group_;  ///< large enough that the dispatch of groups does not limit
  long long n_;
  Buffer<double> a_, b_, c_, d_;
};

}  // namespace

void probe_elements(Session& session) {
  ElementProbes probes(session);
  if (!probes.fits()) {
    session.left_out("too little memory for four arrays that no cache holds");
    return;
  }
  probes.full<Read>("read_full");
  probes.full<Init>("init_full");
  probes.full<Scale>("scale_full");
  probes.full<Triad>("triad_full");
  probes.alone<Init>("init_alone");
  probes.alone<Read>("read_alone");
  probes.alone<Scale>("scale_alone");
  probes.quarter<Read>("read_quarter");
}

}  // namespace measure
