#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "ops.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {

/// kChains independent chains of an op. The loop holds kSteps steps in all, kSteps / kChains per chain; two kernels
/// with different kSteps differ by steps alone, so their difference has neither launch nor loop in it.
template <class Op, int kChains, int kSteps>
__global__ __launch_bounds__(1024) void chain_kernel(const typename Op::Value* starts, typename Op::Value* results,
                                                     Stamps stamps, const Operands<typename Op::Value>* from_memory,
                                                     int trips) {
  // From memory and not from the arguments, which machine code would read in the loop. Each lane has an entry of its
  // own in `starts`, all with the same value: of a value shared by all lanes the compiler would know too much.
  const Operands<typename Op::Value> operands = *from_memory;
  typename Op::Value x[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) x[c] = starts[threadIdx.x % warpSize * kChains + c];
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int step = 0; step < kSteps / kChains; ++step) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) Op::apply(x[c], operands);
    }
  }
  end_stamp(stamps, start);
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
  for (int c = 0; c < kChains; ++c) results[thread * kChains + c] = x[c];
}

/// Measures an op with a number of chains.
template <class Op, int kChains>
class ChainMeasurement {
 public:
  using Value = typename Op::Value;

  explicit ChainMeasurement(Session& session)
      : session_(session), operands_(operands(Op{}, Value{})), starts_(kChains) {
    for (int c = 0; c < kChains; ++c) start_value(c, starts_[static_cast<std::size_t>(c)]);
  }

  /// At every number of resident warps.
  void measure() {
    for (const Residency& residency : plan()) {
      if (session_.is_over()) return;
      measure(residency);
    }
  }

  /// With all warps that fit, where the issue latency decides, and with the fewest, where the completion latency does.
  void probe() {
    const std::vector<Residency> all = plan();
    session_.begin_probe(table_name(Op::name) + "_full");
    measure(all.back());
    session_.begin_probe(table_name(Op::name) + "_alone");
    measure(all.front());
  }

 private:
  static constexpr int kLong = 3 * Op::kShort;

  std::vector<Residency> plan() const {
    return plan_for(session_,
                    {reinterpret_cast<const void*>(&chain_kernel<Op, kChains, Op::kShort>),
                     reinterpret_cast<const void*>(&chain_kernel<Op, kChains, kLong>)},
                    3);
  }

  void measure(const Residency& residency) {
    StampedLauncher launcher(session_.device(), residency);
    const Buffer<Value> starts(one_for_each_lane());
    const Buffer<Operands<Value>> known(std::vector<Operands<Value>>{operands_});
    const Buffer<Value> results(static_cast<std::size_t>(launcher.threads()) * kChains);
    const auto run = [&](auto steps, int trips) {
      return launcher.run([&](const Stamps& stamps) {
        GPU_LAUNCH((chain_kernel<Op, kChains, decltype(steps)::value>), launcher.groups(), residency.group_size,
                   residency.local_bytes, starts.data(), results.data(), stamps, known.data(), trips);
      });
    };
    const auto run_short = [&](int trips) { return run(std::integral_constant<int, Op::kShort>{}, trips); };
    const auto run_long = [&](int trips) { return run(std::integral_constant<int, kLong>{}, trips); };

    const double brief = run_short(kTrialTrips).cycles;
    check(results, kTrialTrips * Op::kShort / kChains, residency);
    const double lengthy = run_long(kTrialTrips).cycles;
    check(results, kTrialTrips * kLong / kChains, residency);
    const int trips =
        trips_for(session_.scaled(200000.0, 1500.0), (lengthy - brief) / kTrialTrips, kTrialTrips, 100000);
    const auto difference = measure::difference(
        session_.options().repeats, [&] { return run_short(trips); }, [&] { return run_long(trips); });

    Row row;
    row.kernel = "chain_" + table_name(Op::name);
    row.group_size = residency.group_size;
    row.groups = launcher.groups();
    row.concurrent_groups = residency.groups;
    row.parameters = {{"chains", kChains},
                      {"steps", static_cast<double>(trips) * (kLong - Op::kShort) / kChains * parts_of_a_step()}};
    row.how = "chain";
    session_.write(row, difference);
  }

  /// Compares the results of the first and the last group with the same chain on the host.
  void check(const Buffer<Value>& results, int steps, const Residency& residency) {
    const std::size_t count = static_cast<std::size_t>(residency.group_size) * kChains;
    std::vector<Value> expected = starts_;
    for (Value& value : expected)
      for (int i = 0; i < steps; ++i) value = Op::step(value, operands_);
    for (const std::size_t first : {std::size_t{0}, results.size() - count}) {
      const std::vector<Value> found = results.read(first, count);
      for (std::size_t i = 0; i < count; ++i) {
        if (agrees(found[i], expected[i % kChains], Op::kTolerance)) continue;
        session_.wrong_result(std::string(Op::name) + ", " + std::to_string(kChains) + " chains, result " +
                              std::to_string(first + i));
        return;
      }
    }
  }

  std::vector<Value> one_for_each_lane() const {
    std::vector<Value> all;
    for (int lane = 0; lane < session_.device().limits.warp_size; ++lane)
      all.insert(all.end(), starts_.begin(), starts_.end());
    return all;
  }

  /// The number of instructions of the op itself in a step on this device.
  int parts_of_a_step() const {
    const int capability = session_.device().compute_capability;
    return capability != 0 && capability < Op::kOneInstructionFrom ? Op::kInstructionsBefore : 1;
  }

  static constexpr int kTrialTrips = 8;
  Session& session_;
  Operands<Value> operands_;
  std::vector<Value> starts_;
};

/// Whether the device has the op; reports a missing op.
template <class Op>
bool has_op(Session& session) {
  const bool is_old = session.device().compute_capability < Op::kLeastComputeCapability;
  if (!is_old && (!Op::kNeedsPtx || WARPIPE_PTX != 0)) return true;
  session.left_out(std::string(Op::name) + ": no such instruction here");
  return false;
}

template <class Op>
void measure_chains(Session& session) {
  if (!has_op<Op>(session)) return;
  ChainMeasurement<Op, 1>(session).measure();
  ChainMeasurement<Op, 2>(session).measure();
  ChainMeasurement<Op, 4>(session).measure();
  ChainMeasurement<Op, 8>(session).measure();
}

template <class... Ops>
void measure_all_chains(Session& session) {
  (measure_chains<Ops>(session), ...);
}

template <class... Ops>
void probe_chains(Session& session) {
  const auto probe = [&](auto op) {
    using Op = decltype(op);
    if (!session.is_over() && has_op<Op>(session)) ChainMeasurement<Op, 1>(session).probe();
  };
  (probe(Ops{}), ...);
}

}  // namespace measure
