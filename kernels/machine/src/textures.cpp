// Reads of textures, reads and writes of surfaces, lane by lane.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "cells.hpp"
#include "group.hpp"
#include "warpipe/machine/texture.hpp"

namespace warpipe::machine {
namespace {

using isa::LaneOp;
using Kind = isa::Type::Kind;
using Place = std::array<std::int64_t, 3>;
using Colour = std::array<double, 4>;
using Coordinates = std::array<double, 3>;

/// The texture of a handle, whose memory is there.
const Texture& texture_of(const Warp& warp, const Step& step, std::uint64_t handle, std::size_t lane) {
  const auto& execution = warp.worker->execution;
  const auto found = execution.textures.find(handle);
  if (found == execution.textures.end())
    fail(warp, step.instruction, Fault::Kind::OutOfBounds,
         fmt::format("there is no texture or surface object {:#x}", handle), lane, handle);
  const auto& texture = found->second;
  const auto behind = std::ranges::upper_bound(execution.ranges, texture.data, {}, &Range::begin);
  if (behind == execution.ranges.begin() ||
      texture.data + static_cast<std::uint64_t>(texture.bytes()) > std::prev(behind)->end)
    fail(warp, step.instruction, Fault::Kind::OutOfBounds,
         fmt::format("the memory of texture or surface object {:#x} is not there any more", handle), lane,
         texture.data);
  return texture;
}

std::byte* texel_at(const Texture& texture, const Place& at) {
  const auto offset = at[2] * texture.plane_bytes + at[1] * texture.row_bytes + at[0] * texture.texel_bytes();
  return reinterpret_cast<std::byte*>(texture.data) + offset;  // NOLINT: an address of this process
}

/// A channel as a number; whole numbers as a fraction of the greatest where the texture demands it.
double number_of(std::uint32_t bits, const Texture& texture) {
  const auto& type = texture.channel;
  if (type.kind == Kind::Float)
    return static_cast<double>(type.bits == 16 ? half_to_float(static_cast<std::uint16_t>(bits))
                                               : std::bit_cast<float>(bits));
  const bool has_sign = type.kind == Kind::Signed;
  const double whole = has_sign ? static_cast<double>(isa::sign_extended(bits, type.bits)) : static_cast<double>(bits);
  if (!texture.reads_fractions) return whole;
  return std::max(-1.0, whole / (std::ldexp(1.0, type.bits - (has_sign ? 1 : 0)) - 1));
}

Colour colour_at(const Texture& texture, const Place& at) {
  Colour colour{};
  const auto bytes = static_cast<std::size_t>(texture.channel.bits / 8);
  const auto* const texel = texel_at(texture, at);
  for (std::size_t i = 0; i < static_cast<std::size_t>(texture.channels); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, texel + i * bytes, bytes);
    colour[i] = number_of(bits, texture);
  }
  return colour;
}

/// A texel's number along an axis, brought within.
/// @return nothing where the border is
std::optional<std::int64_t> within(const Texture& texture, std::size_t axis, std::int64_t at) {
  using Outside = Texture::Outside;
  const auto size = texture.size[axis];
  if (at >= 0 && at < size) return at;
  auto way = texture.outside[axis];
  if (!texture.is_normalised && way != Outside::Border) way = Outside::Clamp;
  const auto rest = [at](std::int64_t of) { return (at % of + of) % of; };
  switch (way) {
    case Outside::Wrap:
      return rest(size);
    case Outside::Mirror:
      return std::min(rest(2 * size), 2 * size - 1 - rest(2 * size));
    case Outside::Border:
      return std::nullopt;
    default:
      return std::clamp<std::int64_t>(at, 0, size - 1);
  }
}

/// @param axes   of the texture; on further axes `at` is within
Colour colour_within(const Texture& texture, std::size_t axes, Place at) {
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto found = within(texture, axis, at[axis]);
    if (!found) return texture.border;
    at[axis] = *found;
  }
  return colour_at(texture, at);
}

std::int64_t floor_of(double number) {
  constexpr double kFar = 1LL << 40;
  return std::isnan(number) ? 0 : static_cast<std::int64_t>(std::floor(std::clamp(number, -kFar, kFar)));
}

/// @source CUDA C++ Programming Guide, "Texture Fetching": weights have 8 bits behind the point
Colour interpolated(const Texture& texture, std::size_t axes, const Coordinates& x, const Place& layer) {
  constexpr double kWeights = 256;
  Place low = layer;
  std::array<double, 3> weight{};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    low[axis] = floor_of(x[axis] - 0.5);
    weight[axis] = std::round((x[axis] - 0.5 - static_cast<double>(low[axis])) * kWeights) / kWeights;
  }
  Colour sum{};
  for (std::size_t corner = 0; corner < std::size_t{1} << axes; ++corner) {
    auto at = low;
    double share = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const bool far = ((corner >> axis) & 1) != 0;
      at[axis] += far ? 1 : 0;
      share *= far ? weight[axis] : 1 - weight[axis];
    }
    const auto colour = share == 0 ? Colour{} : colour_within(texture, axes, at);
    for (std::size_t i = 0; i < 4; ++i) sum[i] += share * colour[i];
  }
  return sum;
}

/// A channel of the four texels around: the two in the row below from the left, then the row above from the right.
/// @source PTX ISA, tld4
Colour gathered(const Texture& texture, const Coordinates& x, const Place& layer, std::size_t channel) {
  constexpr std::array<std::array<std::int64_t, 2>, 4> kCorners{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  Colour all{};
  for (std::size_t i = 0; i < 4; ++i)
    all[i] = colour_within(
        texture, 2, {floor_of(x[0] - 0.5) + kCorners[i][0], floor_of(x[1] - 0.5) + kCorners[i][1], layer[2]})[channel];
  return all;
}

/// The coordinates and layer of a lane's read, as given by the instruction.
struct Aim {
  Coordinates x{};
  Place layer{};  ///< along axes missing in the texture: the layer, or 0
  std::array<std::int64_t, 3> whole{};
};

/// The coordinates begin at the second input, of layers with the layer.
Aim aim_of(const Lanes& lanes, const OperationMore& more, const Texture& texture, std::size_t lane) {
  const auto& of = more.operation.texels;
  Aim aim;
  std::size_t input = 1;
  const auto next = [&] { return static_cast<std::uint32_t>(cell(lanes, more.inputs[input++], lane)); };
  if (of.layered) aim.layer[2] = std::clamp<std::int64_t>(static_cast<std::int32_t>(next()), 0, texture.size[2] - 1);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(of.dimensions); ++axis) {
    const auto bits = next();
    aim.whole[axis] = static_cast<std::int32_t>(bits);
    aim.x[axis] = static_cast<double>(std::bit_cast<float>(bits));
    if (texture.is_normalised) aim.x[axis] *= static_cast<double>(texture.size[axis]);
  }
  return aim;
}

/// By whole coordinates the texels themselves; beyond them zeros.
Colour read_texture(const Lanes& lanes, const OperationMore& more, const Texture& texture, std::size_t lane) {
  const auto& operation = more.operation;
  const auto axes = static_cast<std::size_t>(operation.texels.dimensions);
  const auto aim = aim_of(lanes, more, texture, lane);
  if (operation.type.kind != Kind::Float) {
    auto at = aim.layer;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (aim.whole[axis] < 0 || aim.whole[axis] >= texture.size[axis]) return {};
      at[axis] = aim.whole[axis];
    }
    return colour_at(texture, at);
  }
  if (operation.texels.gathered >= 0)
    return gathered(texture, aim.x, aim.layer, static_cast<std::size_t>(operation.texels.gathered));
  if (texture.interpolates) return interpolated(texture, axes, aim.x, aim.layer);
  auto at = aim.layer;
  for (std::size_t axis = 0; axis < axes; ++axis) at[axis] = floor_of(aim.x[axis]);
  return colour_within(texture, axes, at);
}

std::uint64_t bits_of(double number, isa::Type type) {
  if (type.kind == Kind::Float)
    return type.bits == 16 ? half_from(number) : std::bit_cast<std::uint32_t>(static_cast<float>(number));
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(number));
}

/// The place of a lane in a surface, by bytes along a row.
/// @return null where it is outside without a fault
std::byte* surface_place(const Warp& warp, const Step& step, const OperationMore& more, const Texture& surface,
                         std::size_t lane, std::int64_t bytes) {
  using Outside = isa::TexelAccess::Outside;
  const auto& of = more.operation.texels;
  const auto aim = aim_of(warp, more, surface, lane);
  auto at = aim.layer;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(of.dimensions); ++axis) at[axis] = aim.whole[axis];
  const Place most{surface.size[0] * surface.texel_bytes() - bytes, surface.size[1] - 1, surface.size[2] - 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (at[axis] >= 0 && at[axis] <= most[axis]) continue;
    if (of.outside == Outside::Zero) return nullptr;
    if (of.outside == Outside::Fault)
      fail(warp, step.instruction, Fault::Kind::OutOfBounds,
           fmt::format("coordinate {} of a surface is {}, where it may be 0 to {}", axis, at[axis], most[axis]), lane);
    at[axis] = std::clamp<std::int64_t>(at[axis], 0, most[axis]);
  }
  if (at[0] % bytes != 0)
    fail(warp, step.instruction, Fault::Kind::Misaligned,
         fmt::format("{} bytes of a surface at byte {} of a row", bytes, at[0]), lane);
  return texel_at(surface, {0, at[1], at[2]}) + at[0];
}

void reach_surface(Warp& warp, const Step& step, const OperationMore& more, const Texture& surface, std::size_t lane) {
  const bool stores = more.operation.op == LaneOp::SurfaceStore;
  const auto coordinates =
      static_cast<std::size_t>(more.operation.texels.dimensions) + (more.operation.texels.layered ? 1 : 0) + 1;
  const auto elements = stores ? more.inputs.size() - coordinates : more.outputs.size();
  const auto bytes = static_cast<std::size_t>(more.operation.type.bits / 8);
  auto* const place = surface_place(warp, step, more, surface, lane, static_cast<std::int64_t>(elements * bytes));
  for (std::size_t i = 0; i < elements; ++i) {
    std::uint64_t bits = 0;
    if (stores) {
      bits = cell(warp, more.inputs[coordinates + i], lane);
      if (place != nullptr) std::memcpy(place + i * bytes, &bits, bytes);
      continue;
    }
    if (place != nullptr) std::memcpy(&bits, place + i * bytes, bytes);
    set_cell(warp, more.outputs[i], lane, bits);
  }
}

}  // namespace

void reach_texels(Lanes& lanes, const Step& step) {
  auto& warp = warp_of(lanes);
  const auto& more = *static_cast<const OperationMore*>(step.more);
  const auto& operation = more.operation;
  const bool reads_texture = operation.op == LaneOp::TextureLoad;
  if (operation.op == LaneOp::SurfaceStore) ++warp.writes;
  const Texture* texture = nullptr;
  std::uint64_t known = 0;
  for_each_lane(lanes.active, [&](std::size_t lane) {
    const auto handle = cell(lanes, more.inputs[0], lane);
    if (texture == nullptr || handle != known) texture = &texture_of(warp, step, handle, lane);
    known = handle;
    if (!reads_texture) return reach_surface(warp, step, more, *texture, lane);
    const auto colour = read_texture(lanes, more, *texture, lane);
    for (std::size_t i = 0; i < more.outputs.size(); ++i)
      set_cell(lanes, more.outputs[i], lane, bits_of(colour[i], operation.result));
  });
}

}  // namespace warpipe::machine
