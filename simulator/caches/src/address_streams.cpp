#include "address_streams.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "at_place.hpp"
#include "program_builder.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kPlace = 4096;        // bytes: arrays begin at its multiples
constexpr std::size_t kMostPrograms = 4096;  // kept without a warp running them

std::int64_t round_up(std::int64_t a, std::int64_t granularity) {
  return (a + granularity - 1) / granularity * granularity;
}

Values with_groups(const CacheLaunch& launch) {
  Values values = launch.values;
  values["groups"] = static_cast<double>(launch.groups);
  return values;
}

}  // namespace

bool has_addresses(const Instruction& instruction) {
  return class_of(instruction.op) == OpClass::GlobalMemory && instruction.access &&
         (std::holds_alternative<AccessPattern::Addressed>(instruction.access->lanes) ||
          std::holds_alternative<AccessPattern::Sampled>(instruction.access->lanes));
}

std::size_t array_of(const AccessPattern& access) {
  if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&access.lanes)) return sampled->array;
  return std::get<AccessPattern::Addressed>(access.lanes).array;
}

bool transactions_vary(const Instruction& instruction, const NameSet& names) {
  return instruction.transactions && instruction.transactions->uses_any(names);
}

double executions(const WarpProgram& program, const WarpAccess& access, std::int64_t most_trips) {
  double product = 1;
  for (const std::size_t loop : access.loops)
    product *= static_cast<double>(std::min(program.loops[loop].trips, most_trips));
  return product;
}

AddressStreams::AddressStreams(Kernel kernel, const Device& device, CacheLaunch launch, std::int64_t line_bytes)
    : kernel_(std::move(kernel)),
      launch_(std::move(launch)),
      line_bytes_(line_bytes),
      warps_(static_cast<std::int64_t>(launch_.values.at("warps"))),
      warp_size_(device.warp_size),
      shape_(launch_shape(kernel_, with_groups(launch_))) {
  const NameSet names = names_that_vary(kernel_);
  for (std::size_t i = 0; i < kernel_.instructions.size(); ++i) {
    const Instruction& instruction = kernel_.instructions[i];
    const Op* const row = device.find_op(instruction.op);
    barriers_.push_back(row ? row->barrier : class_of(instruction.op) == OpClass::Barrier);
    if (!has_addresses(instruction)) continue;
    instructions_.push_back(i);
    transactions_vary_.push_back(warpipe::transactions_vary(instruction, names));
    LaneAddresses::Source& source = sources_.emplace_back();
    source.where = instruction.where + "/access/address";
    if (const auto* addressed = std::get_if<AccessPattern::Addressed>(&instruction.access->lanes)) {
      source.address = addressed->address;
      source.operations = operations_of(addressed->address);
    }
  }
  place_arrays(device.compute_units);
  if (const auto* table = table_of_kinds())
    for (std::int64_t end = 0; const GroupKinds::Run& run : *table) table_ends_.push_back(end += run.groups);
}

/// Arrays lie one behind the other. A thread-private array has a frame for every warp that can reside on the device.
void AddressStreams::place_arrays(std::int64_t units) {
  const std::int64_t frames = units * launch_.slots * warps_;
  std::int64_t origin = 0;
  for (const LaunchShape::Array& array : shape_.arrays) {
    Placement placement{origin, array.bytes, 0};
    if (array.thread_private) placement.bytes_per_frame = round_up(round_up(array.bytes, 4) * warp_size_, line_bytes_);
    placements_.push_back(placement);
    origin += round_up(array.thread_private ? placement.bytes_per_frame * frames : array.bytes, kPlace);
  }
}

std::int64_t AddressStreams::kind_of(std::int64_t group) const {
  if (!kernel_.kinds) return 0;
  if (const auto* table = table_of_kinds()) {
    const auto run = std::ranges::upper_bound(table_ends_, group % table_ends_.back());
    return (*table)[static_cast<std::size_t>(run - table_ends_.begin())].kind;
  }
  Values values = with_groups(launch_);
  values["group"] = static_cast<double>(group);
  return at_place("/kinds/of_group",
                  [&] { return std::get<Expression>(kernel_.kinds->of_group).evaluate_whole(values, 0); });
}

std::shared_ptr<WarpProgram> AddressStreams::program(std::int64_t group, std::int64_t warp) {
  const std::int64_t kind = kind_of(group);
  std::shared_ptr<WarpProgram>& program = programs_[{kind, warp}];
  if (program) return program;
  std::shared_ptr<WarpProgram> built = ProgramBuilder(*this, kind, warp).build();
  program = built;
  if (programs_.size() > kMostPrograms)
    std::erase_if(programs_, [](const auto& entry) { return entry.second.use_count() == 1; });
  return built;
}

void WarpStream::start(AddressStreams& streams, std::int64_t group, std::int64_t warp, std::int64_t frame,
                       std::int64_t most_trips) {
  streams_ = &streams;
  program_ = streams.program(group, warp);
  group_ = group;
  warp_ = warp;
  frame_ = frame;
  most_trips_ = most_trips;
  weight_ = 1;
  at_ = 0;
  const LaunchShape& shape = streams.shape();
  coordinates_.assign(kFirstCounter + program_->loops.size(), 0);
  coordinates_[kGroup] = group;
  coordinates_[kGroupX] = group % shape.grid_x;
  coordinates_[kGroupY] = group / shape.grid_x % shape.grid_y;
  coordinates_[kGroupZ] = group / shape.grid_x / shape.grid_y;
  weights_.resize(program_->loops.size());
  boxes_.clear();
  settle(Unwatched());
}

/// The box around the warp's place.
const Boxes::Box& WarpStream::box(std::size_t access) {
  Boxes& boxes = *program_->accesses[access].boxes;
  if (const Boxes::Box* const whole = boxes.whole()) return *whole;
  boxes_.resize(program_->accesses.size());
  const Boxes::Box*& box = boxes_[access];
  if (!box || !box->holds(coordinates_)) box = &boxes.at(coordinates_);
  return *box;
}

/// The number of the current execution of an access, for its warp.
std::int64_t WarpStream::execution(const WarpAccess& access) const {
  std::int64_t number = 0;
  for (const std::size_t loop : access.loops)
    number = number * program_->loops[loop].trips + coordinates_[kFirstCounter + loop];
  return number;
}

Lines WarpStream::lines() {
  const std::size_t index = program_->nodes[at_].index;
  WarpAccess& access = program_->accesses[index];
  const std::int64_t frame = frame_ * access.array.placement.bytes_per_frame;
  const std::int64_t line_bytes = streams_->line_bytes();
  if (access.sampled) {
    Lines lines = access.sampled->at(group_ * streams_->warps_per_group() + warp_, execution(access));
    lines.first += frame / line_bytes;
    return lines;
  }
  if (const Boxes::Box& here = box(index); here.state == Boxes::Box::State::Moves) {
    std::int64_t origin = here.lines.origin + frame;
    for (const auto& [coordinate, bytes] : here.lines.steps) origin += coordinates_[coordinate] * bytes;
    const std::int64_t byte = origin & (line_bytes - 1);
    return {here.lines.pattern->at(byte), (origin - byte) / line_bytes};
  }
  ranges_.clear();
  for (const std::int64_t at : coordinates_) ranges_.push_back({static_cast<double>(at), static_cast<double>(at)});
  lines_.clear();
  access.addresses->at(ranges_, lines_);
  return {lines_, frame / line_bytes};
}

}  // namespace warpipe
