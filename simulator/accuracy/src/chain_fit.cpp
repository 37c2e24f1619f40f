#include "chain_fit.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "statistics.hpp"

namespace warpipe {
namespace {

bool is_slower_than_its_scheduler(const Program& program, const Step& step) {
  return program.machine.schedulers == 0 || step.scheduler_busy <= step.issue;
}

/// Whether a step waits for its own execution before, and for nothing else.
bool is_a_chain(const InstructionStream& stream, const Step& step) {
  if (step.waits.end - step.waits.begin != 1 || step.stages.begin != step.stages.end) return false;
  const Wait& wait = stream.waits[step.waits.begin];
  return wait.producer == step.score && wait.back == 1 && wait.adjust == Ticks{0};
}

bool are_alike(const Step& a, const Step& b) {
  return a.pipeline == b.pipeline && a.issue == b.issue && a.completion == b.completion;
}

/// Whether all steps stand in the same loops: a round is one pass over all of them.
bool is_one_round(const InstructionStream& stream) {
  const auto ends_loops = [](const Step& step) { return step.loop_ends.begin != step.loop_ends.end; };
  return std::none_of(stream.steps.begin(), std::prev(stream.steps.end()), ends_loops) &&
         std::ranges::all_of(stream.loop_ends, [](const LoopEnd& end) { return end.first == 0; });
}

bool is_plain(const Program& program, const Step& step) {
  const Machine& machine = program.machine;
  return !step.barrier && !step.retires_at_issue && step.completion >= step.issue &&
         is_slower_than_its_scheduler(program, step) && until_next_issue(machine, step) <= step.issue.count &&
         machine.pipelines[step.pipeline].scope != Scope::Device;
}

bool has_a_fair_launch(const Machine& machine) {
  const bool fair = machine.policy == Policy::FirstReady || machine.policy == Policy::RoundRobin;
  return fair && machine.units == 1 && machine.groups <= machine.group_slots &&
         (machine.groups == 1 || machine.group_dispatch_interval == Ticks{0});
}

/// A row of the equations: (a lambda + b Lambda) / measured = 1.
std::array<double, 2> line_of(const ChainRow& row, bool is_saturated) {
  const auto rounds = static_cast<double>(row.shape.rounds);
  const auto issues = static_cast<double>(row.shape.issues);
  if (is_saturated) return {(rounds * issues - 1) / row.cycles, 1 / row.cycles};
  return {(issues - 1) / row.cycles, rounds / row.cycles};
}

double squares(const std::vector<ChainRow>& rows, double issue, double completion) {
  double sum = 0;
  for (const ChainRow& row : rows) {
    const double error = chain_cycles(row.shape, issue, completion) / row.cycles - 1;
    sum += error * error;
  }
  return sum;
}

/// Solves for the unknown latencies where the rows of at least `saturated_from` issues a round are saturated.
/// @return lambda and Lambda; nothing where the equations leave either open
std::optional<std::array<double, 2>> solve(const std::vector<ChainRow>& rows, const ChainLatencies& known,
                                           std::int64_t saturated_from) {
  std::array<double, 2> result{known.issue.value_or(0), known.completion.value_or(0)};
  std::array<Vector, 2> columns;
  Vector right;
  for (const ChainRow& row : rows) {
    const auto line = line_of(row, row.shape.issues >= saturated_from);
    for (const std::size_t j : {0U, 1U}) columns[j].push_back(line[j]);
    right.push_back(1 - (line[0] * result[0] + line[1] * result[1]));
  }
  std::vector<std::size_t> open;
  if (!known.issue) open.push_back(0);
  if (!known.completion) open.push_back(1);
  std::vector<Vector> open_columns;
  for (const std::size_t j : open) open_columns.push_back(columns[j]);
  const auto solution = least_squares(std::move(open_columns), std::move(right));
  if (!solution) return std::nullopt;
  for (std::size_t i = 0; i < open.size(); ++i) result[open[i]] = (*solution)[i];
  if (result[0] < 0 || result[1] < result[0]) return std::nullopt;
  return result;
}

}  // namespace

std::optional<ChainShape> chain_shape(const Program& program) {
  if (program.streams.size() != 1 || !has_a_fair_launch(program.machine)) return std::nullopt;
  const InstructionStream& stream = program.streams.front();
  if (stream.steps.empty() || !is_one_round(stream)) return std::nullopt;
  const Step& first = stream.steps.front();
  for (std::size_t i = 0; i < stream.steps.size(); ++i) {
    const Step& step = stream.steps[i];
    if (!are_alike(step, first) || !is_a_chain(stream, step) || stream.runs[i] != stream.runs[0]) return std::nullopt;
  }
  if (!is_plain(program, first)) return std::nullopt;
  const Machine& machine = program.machine;
  const auto warps = static_cast<std::int64_t>(warps_per_group(program)) * machine.groups;
  const std::int64_t pipelines =
      machine.pipelines[first.pipeline].scope == Scope::Scheduler ? schedulers_per_unit(machine) : 1;
  const std::int64_t warps_of_one = (warps + pipelines - 1) / pipelines;
  return ChainShape{stream.instructions[0], stream.runs[0],
                    warps_of_one * static_cast<std::int64_t>(stream.steps.size())};
}

double chain_cycles(const ChainShape& shape, double issue, double completion) {
  const auto rounds = static_cast<double>(shape.rounds);
  const auto issues = static_cast<double>(shape.issues);
  return (rounds - 1) * std::max(completion, issues * issue) + (issues - 1) * issue + completion;
}

std::optional<ChainLatencies> fit_chains(const std::vector<ChainRow>& rows, const ChainLatencies& known) {
  std::set<std::int64_t> places{INT64_MAX};
  for (const ChainRow& row : rows) places.insert(row.shape.issues);
  std::optional<std::array<double, 2>> best;
  double least = 0;
  for (const std::int64_t place : places) {
    const auto candidate = solve(rows, known, place);
    if (!candidate) continue;
    const double sum = squares(rows, (*candidate)[0], (*candidate)[1]);
    if (best && sum >= least) continue;
    best = candidate;
    least = sum;
  }
  if (!best) return std::nullopt;
  return ChainLatencies{(*best)[0], (*best)[1]};
}

}  // namespace warpipe
