#include "support/random_model.hpp"

namespace warpipe::random_model {
namespace {

using rc::Gen;
namespace gen = rc::gen;

// From `least` to `most`, both included, whatever size RapidCheck is at.
template <class Whole>
Gen<Whole> between(Whole least, Whole most) {
  return gen::resize(rc::kNominalSize, gen::inRange<Whole>(least, static_cast<Whole>(most + 1)));
}

template <class T>
Gen<std::vector<T>> up_to(int most, const Gen<T>& element) {
  return gen::resize(most, gen::container<std::vector<T>>(gen::resize(rc::kNominalSize, element)));
}

template <class T>
Gen<std::optional<T>> perhaps(std::size_t percent, const Gen<T>& value) {
  return gen::weightedOneOf<std::optional<T>>(
      {{100 - percent, gen::just(std::optional<T>())},
       {percent, gen::map(value, [](const T& present) { return std::optional<T>(present); })}});
}

Gen<bool> chance(std::size_t percent) {
  return gen::weightedOneOf<bool>({{100 - percent, gen::just(false)}, {percent, gen::just(true)}});
}

// Mostly few whole cycles, so that warps are often ready at the same time and the order among equals shows; now and
// then many cycles, and now and then more digits than a milli-cycle holds.
Gen<Time> time_up_to(int cycles) {
  const auto whole = [](Time most) {
    return gen::map(between<Time>(0, most), [](Time count) { return count * kCycle; });
  };
  return gen::weightedOneOf<Time>(
      {{6, whole(std::min(cycles, 4))}, {2, whole(cycles)}, {1, between<Time>(0, cycles * kCycle)}});
}

Gen<Points> points(int cycles) {
  const auto further = gen::pair(between(1, 6), time_up_to(cycles));
  return gen::build<Points>(
      gen::set(&Points::residents, gen::weightedOneOf<int>({{3, gen::just(1)}, {1, between(1, 6)}})),
      gen::set(&Points::first, time_up_to(cycles)),
      gen::set(&Points::further, gen::weightedOneOf<std::vector<std::pair<int, Time>>>(
                                     {{3, gen::just(std::vector<std::pair<int, Time>>())}, {1, up_to(2, further)}})));
}

Gen<Increments> increments() {
  return gen::build<Increments>(gen::set(&Increments::issue, time_up_to(4)),
                                gen::set(&Increments::completion, time_up_to(8)));
}

Gen<Stage> stages() {
  return gen::build<Stage>(gen::set(&Stage::pipeline, between(0, 5)), gen::set(&Stage::issue, points(12)),
                           gen::set(&Stage::after, time_up_to(20)), gen::set(&Stage::per_conflict, time_up_to(2)),
                           gen::set(&Stage::per_transaction, time_up_to(2)));
}

Gen<Op> ops() {
  return gen::build<Op>(gen::set(&Op::pipeline, between(0, 5)), gen::set(&Op::issue, points(8)),
                        gen::set(&Op::completion, points(40)), gen::set(&Op::per_conflict, perhaps(30, increments())),
                        gen::set(&Op::per_transaction, perhaps(30, increments())), gen::set(&Op::ways, between(1, 3)),
                        gen::set(&Op::transactions, between(1, 4)), gen::set(&Op::issue_slots, between(0, 2)),
                        gen::set(&Op::retires_at_issue, chance(20)), gen::set(&Op::then, up_to(2, stages())));
}

Gen<Pipeline> pipelines() {
  return gen::build<Pipeline>(
      gen::set(&Pipeline::scope, gen::element(Scope::ComputeUnit, Scope::Scheduler, Scope::Device)),
      gen::set(&Pipeline::backlog, perhaps(40, time_up_to(20))));
}

Gen<Level> levels() {
  const auto rate = [](std::size_t percent) { return perhaps(percent, between(1, 24)); };
  return gen::build<Level>(gen::set(&Level::of_unit, chance(70)), gen::set(&Level::sectors, gen::element(1, 2, 4)),
                           gen::set(&Level::sector_bytes, gen::element(4, 8, 16)),
                           gen::set(&Level::latency, time_up_to(60)), gen::set(&Level::read_rate, rate(80)),
                           gen::set(&Level::write_rate, rate(30)), gen::set(&Level::mixed_rate, rate(40)),
                           gen::set(&Level::unit_rate, rate(50)), gen::set(&Level::per_line, time_up_to(3)),
                           gen::set(&Level::per_packet, time_up_to(2)), gen::set(&Level::line_rate, rate(50)),
                           gen::set(&Level::store_line_rate, rate(40)));
}

Gen<FarCode> far_code() {
  return gen::build<FarCode>(gen::set(&FarCode::warp_interval, between(0, kLongestStall)),
                             gen::set(&FarCode::interval, time_up_to(5)));
}

Gen<DeviceModel> devices(const Shape& shape) {
  return gen::build<DeviceModel>(
      gen::set(&DeviceModel::compute_units, between(1, 4)), gen::set(&DeviceModel::warp_size, gen::element(4, 8)),
      gen::set(&DeviceModel::schedulers, perhaps(60, between(1, 3))), gen::set(&DeviceModel::interval, time_up_to(3)),
      gen::set(&DeviceModel::warp_interval, time_up_to(5)), gen::set(&DeviceModel::register_read, time_up_to(2)),
      gen::set(&DeviceModel::launch_latency, time_up_to(30)), gen::set(&DeviceModel::dispatch_interval, time_up_to(10)),
      gen::set(&DeviceModel::launch_begin, time_up_to(20)), gen::set(&DeviceModel::launch_end, time_up_to(20)),
      gen::set(&DeviceModel::far_code, up_to(2, far_code())),
      gen::set(&DeviceModel::policy,
               gen::map(gen::elementOf(kPolicies), [](const PolicyRow& row) { return row.policy; })),
      gen::set(&DeviceModel::further_pipelines, up_to(4, pipelines())), gen::set(&DeviceModel::barrier, ops()),
      gen::set(&DeviceModel::first_op, ops()), gen::set(&DeviceModel::further_ops, up_to(3, ops())),
      gen::set(&DeviceModel::levels,
               shape.levels ? gen::nonEmpty(up_to(3, levels())) : gen::just(std::vector<Level>())),
      gen::set(&DeviceModel::store_latency, perhaps(70, time_up_to(60))), gen::set(&DeviceModel::global_op, ops()));
}

Gen<Edge> edges() {
  const auto back = gen::weightedOneOf<int>({{3, gen::just(1)}, {1, between(1, 4)}});
  return gen::build<Edge>(gen::set(&Edge::producer, between(0, 20)), gen::set(&Edge::back, back),
                          gen::set(&Edge::latency, perhaps(20, time_up_to(30))));
}

Gen<LevelUse> level_uses() {
  return gen::build<LevelUse>(gen::set(&LevelUse::part, between(0, 8)),
                              gen::set(&LevelUse::sectors, perhaps(50, between(0, 60))));
}

Gen<Instruction> instructions() {
  const Gen<Access> access = gen::pair(gen::element(1, 2, 4, 8, 12, 16), gen::element(0, 1, 4, 8, 12, 16, 20));
  return gen::build<Instruction>(
      gen::set(&Instruction::op, between(0, 20)), gen::set(&Instruction::after, up_to(3, edges())),
      gen::set(&Instruction::issue_latency, perhaps(10, time_up_to(10))),
      gen::set(&Instruction::completion_latency, perhaps(10, time_up_to(30))),
      gen::set(&Instruction::conflict_degree, perhaps(40, between(1, 4))),
      gen::set(&Instruction::transactions, perhaps(40, between(1, 6))), gen::set(&Instruction::by_kind, chance(30)),
      gen::set(&Instruction::access, perhaps(20, access)), gen::set(&Instruction::lines, perhaps(20, between(1, 4))),
      gen::set(&Instruction::turns, perhaps(20, between(1, 9))), gen::set(&Instruction::register_reads, between(1, 4)),
      gen::set(&Instruction::stall, gen::weightedOneOf<int>({{3, gen::just(0)}, {1, between(1, kLongestStall)}})),
      gen::set(&Instruction::code_bytes,
               gen::weightedOneOf<int>(
                   {{3, gen::just(0)}, {1, gen::element(kFarBytes, kFarBytes + 1, 2 * kFarBytes, 2 * kFarBytes + 1)}})),
      gen::set(&Instruction::levels, gen::weightedOneOf<std::vector<LevelUse>>(
                                         {{1, gen::just(std::vector<LevelUse>())}, {4, up_to(3, level_uses())}})),
      gen::set(&Instruction::by_warp, chance(15)), gen::set(&Instruction::arrives, perhaps(35, between(0, 5))),
      gen::set(&Instruction::awaits, perhaps(25, between(0, 5))));
}

Gen<std::vector<Node>> bodies(const Shape& shape, int depth);

Gen<Node> nodes(const Shape& shape, int depth) {
  const auto plain = gen::build<Node>(gen::set(&Node::instruction, instructions()));
  if (depth == 0) return plain;
  const auto inner = [=] { return bodies(shape, depth - 1); };
  const auto loop = gen::build<Node>(
      gen::set(&Node::kind, gen::just(Node::Kind::Loop)), gen::set(&Node::number, between(0, shape.most_trips)),
      gen::set(&Node::by_warp, chance(20)), gen::set(&Node::by_kind, chance(50)), gen::set(&Node::body, inner()));
  const auto when =
      gen::build<Node>(gen::set(&Node::kind, gen::just(Node::Kind::When)), gen::set(&Node::number, between(0, 5)),
                       gen::set(&Node::by_kind, chance(50)), gen::set(&Node::body, inner()));
  return gen::weightedOneOf<Node>({{6, plain}, {2, loop}, {1, when}});
}

// Not empty: a kernel needs a body, also after shrinking.
Gen<std::vector<Node>> bodies(const Shape& shape, int depth) { return gen::nonEmpty(up_to(5, nodes(shape, depth))); }

Gen<std::optional<Kinds>> kinds_of_groups() {
  const auto numbers = gen::container<std::vector<int>>(4, between(0, 3));
  return gen::map(gen::build<Kinds>(gen::set(&Kinds::runs, up_to(4, gen::pair(between(0, 3), between(1, 4)))),
                                    gen::set(&Kinds::few, numbers), gen::set(&Kinds::by_warp, numbers)),
                  [](const Kinds& kinds) { return std::optional<Kinds>(kinds); });
}

Gen<KernelModel> kernels(const Shape& shape) {
  return gen::build<KernelModel>(
      gen::set(&KernelModel::threads_more, between(0, 20)),
      gen::set(&KernelModel::groups, between(1, shape.most_groups)),
      gen::set(&KernelModel::concurrent_groups, between(1, 4)),
      gen::set(&KernelModel::kinds, shape.kinds ? kinds_of_groups() : gen::just(std::optional<Kinds>())),
      gen::set(&KernelModel::signals, shape.signals ? gen::nonEmpty(up_to(2, gen::pair(between(1, 5), between(0, 3))))
                                                    : gen::just(std::vector<Signal>())),
      gen::set(&KernelModel::body, bodies(shape, 2)));
}

// At most: conditions are taken to hold.
std::int64_t most_instructions(const std::vector<Node>& body) {
  std::int64_t sum = 0;
  for (const Node& node : body) {
    if (node.kind == Node::Kind::Instruction)
      ++sum;
    else
      sum += most_instructions(node.body) * (node.kind == Node::Kind::Loop ? node.number : 1);
  }
  return sum;
}

std::int64_t most_issues(const Model& model) {
  const std::int64_t warps = model.kernel.threads_more / model.device.warp_size + 1;
  return most_instructions(model.kernel.body) * warps * model.kernel.groups;
}

}  // namespace

Gen<Model> models(const Shape& shape) {
  const auto any = gen::build<Model>(gen::set(&Model::kernel, kernels(shape)), gen::set(&Model::device, devices(shape)),
                                     gen::set(&Model::all_units, chance(50)));
  const std::int64_t most = shape.most_issues;
  return gen::suchThat(any, [most](const Model& model) { return most_issues(model) <= most; });
}

Gen<Model> models_with_any_memory(Shape shape) {
  shape.levels = false;
  Shape with_levels = shape;
  with_levels.levels = true;
  return gen::oneOf(models(shape), models(with_levels));
}

Gen<Model> models_of_any_kind(Shape shape) {
  Shape with_signals = shape;
  with_signals.signals = true;
  return gen::weightedOneOf<Model>({{2, models_with_any_memory(shape)}, {1, models(with_signals)}});
}

}  // namespace warpipe::random_model
