#include "matrix.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "group_barriers.hpp"

namespace warpipe::ptx {
namespace {

using Ops = std::vector<std::string>;

constexpr std::uint8_t kCopies = 0, kProducts = 1, kBulkCopies = 2;  // counters of groups
constexpr std::int64_t kPiece = 256, kLanes = 32, kWarpsOfAProduct = 4;
constexpr std::int64_t kProductsOfQuads = 4;  // mma.m8n8k4 of halves: each eight lanes have a product of their own

struct Shape {
  std::int64_t m = 0, n = 0, k = 0;
};

/// "m16n8k16".
std::optional<Shape> shape_of(const Instruction& instruction) {
  for (const auto& word : instruction.words) {
    int m = 0, n = 0, k = 0, end = 0;
    if (std::sscanf(word.c_str(), "m%3dn%3dk%3d%n", &m, &n, &k, &end) == 3 &&
        static_cast<std::size_t>(end) == word.size())
      return Shape{m, n, k};
  }
  return std::nullopt;
}

const std::map<std::string, std::int64_t, std::less<>>& bits_of_types() {
  static const std::map<std::string, std::int64_t, std::less<>> kBits{
      {"f64", 64}, {"f32", 32}, {"tf32", 32}, {"s32", 32}, {"f16", 16}, {"bf16", 16}, {"s8", 8},
      {"u8", 8},   {"e4m3", 8}, {"e5m2", 8},  {"s4", 4},   {"u4", 4},   {"b1", 1}};
  return kBits;
}

/// The types of the result, the factors and the addend, as far as the words say.
std::vector<std::string> element_types(const Instruction& instruction) {
  std::vector<std::string> types;
  for (const auto& word : instruction.words)
    if (bits_of_types().contains(word)) types.push_back(word);
  return types;
}

/// The kind of a product, by the type of the factors, and of the sum where it matters.
std::optional<std::string> kind_of_product(const std::string& factor, const std::string& sum) {
  static const std::map<std::string, std::string, std::less<>> kKinds{
      {"f16", "f16"}, {"bf16", "f16"}, {"tf32", "tf32"}, {"f64", "f64"}, {"s8", "s8"},  {"u8", "s8"},
      {"s4", "s4"},   {"u4", "s4"},    {"b1", "b1"},     {"e4m3", "f8"}, {"e5m2", "f8"}};
  const auto found = kKinds.find(factor);
  if (found == kKinds.end()) return std::nullopt;
  const bool halves = found->second == "f16" || found->second == "f8";
  return found->second + (halves && sum == "f32" ? ".f32" : "");
}

bool is(const Instruction& instruction, std::string_view family, std::string_view verb) {
  return instruction.opcode() == family && instruction.words.size() > 1 && instruction.words[1] == verb;
}

bool is_group_verb(const Instruction& instruction) {
  return instruction.has("commit_group") || instruction.has("wait_group") || instruction.has("wait_all");
}

/// Rows and columns of a matrix moved by wmma.load and wmma.store, in the order in which they lie in memory.
std::pair<std::int64_t, std::int64_t> tile_of(const Instruction& instruction, const Shape& shape) {
  std::int64_t rows = shape.m, columns = shape.n;
  if (instruction.has("a")) columns = shape.k;
  if (instruction.has("b")) rows = shape.k;
  if (instruction.has("col")) std::swap(rows, columns);
  return {rows, columns};
}

std::optional<MatrixAccess> wmma_access(const Instruction& instruction) {
  const auto shape = shape_of(instruction);
  const auto types = element_types(instruction);
  const auto address = std::ranges::find(instruction.operands, Operand::Kind::Address, &Operand::kind);
  if (!shape || types.empty() || address == instruction.operands.end()) return std::nullopt;
  const auto [rows, columns] = tile_of(instruction, *shape);
  MatrixAccess access;
  access.store = instruction.words[1] == "store";
  access.space = instruction.space();
  access.rows = rows;
  access.element_bytes = std::max<std::int64_t>(1, bits_of_types().find(types.back())->second / 8);
  access.row_bytes = columns * access.element_bytes;
  access.address = &*address;
  if (instruction.operands.size() > 2) access.pitch = &instruction.operands[2];
  return access;
}

std::optional<MatrixAccess> ldmatrix_access(const Instruction& instruction) {
  const auto address = std::ranges::find(instruction.operands, Operand::Kind::Address, &Operand::kind);
  if (address == instruction.operands.end()) return std::nullopt;
  MatrixAccess access;
  access.store = instruction.opcode() == "stmatrix";
  access.rows = instruction.has("x4") ? 32 : instruction.has("x2") ? 16 : 8;
  access.address = &*address;
  access.of_lanes = true;
  return access;
}

/// Of an access to shared memory, by the bytes of a lane.
Ops shared_ops(bool store, std::int64_t bytes) {
  const std::string op = store ? "shared.store" : "shared.load";
  if (bytes <= 4) return {op};
  if (bytes <= 8) return {op + ".64"};
  // No device has an op for a store of 16 bytes.
  const std::int64_t most = store ? 8 : 16;
  return Ops(static_cast<std::size_t>((bytes + most - 1) / most), op + (store ? ".64" : ".128"));
}

Ops access_ops(const MatrixAccess& access) {
  const auto bytes = access.rows * access.row_bytes / kLanes;
  if (access.space == StateSpace::Shared) return shared_ops(access.store, bytes);
  const std::string op = access.store ? "global.store" : "global.load";
  return {bytes > 8 ? op + ".128" : bytes > 4 ? op + ".64" : op};
}

}  // namespace

std::optional<MatrixProduct> matrix_product(const Instruction& instruction) {
  const bool of_group = is(instruction, "wgmma", "mma_async");
  if (!of_group && instruction.opcode() != "mma" && !is(instruction, "wmma", "mma")) return std::nullopt;
  const auto shape = shape_of(instruction);
  const auto types = element_types(instruction);
  if (!shape || types.empty() || instruction.has("block_scale")) return std::nullopt;
  const bool halves = instruction.opcode() == "wmma" && types.size() == 2;  // names the sums alone
  if (!halves && types.size() < 3) return std::nullopt;
  const std::string factor = halves ? "f16" : types[1];
  const auto kind = kind_of_product(factor, types.front());
  if (!kind) return std::nullopt;
  MatrixProduct product;
  product.op = (of_group ? "wgmma." : "mma.") + *kind;
  product.multiply_adds = shape->m * shape->n * shape->k / (of_group ? kWarpsOfAProduct : 1);
  if (instruction.opcode() == "mma" && shape->m == 8 && factor == "f16") product.multiply_adds *= kProductsOfQuads;
  product.sparse = instruction.has("sp") || instruction.has("sp::ordered_metadata");
  return product;
}

std::int64_t pieces_of(const MatrixProduct& product) {
  return std::max<std::int64_t>(1, product.multiply_adds / (product.sparse ? 2 : 1) / kPiece);
}

std::optional<MatrixAccess> matrix_access(const Instruction& instruction) {
  if (is(instruction, "wmma", "load") || is(instruction, "wmma", "store")) return wmma_access(instruction);
  if (instruction.opcode() == "ldmatrix" || instruction.opcode() == "stmatrix") return ldmatrix_access(instruction);
  return std::nullopt;
}

bool is_lane_copy(const Instruction& instruction) {
  return instruction.opcode() == "cp" && instruction.has("async") && !instruction.has("bulk") &&
         !instruction.has("mbarrier") && !is_group_verb(instruction) && instruction.operands.size() > 2;
}

isa::Timing timing_of(const Instruction& instruction) {
  isa::Timing timing;
  const bool bulk = instruction.opcode() == "cp" && instruction.has("bulk");
  if (instruction.opcode() != "cp" && instruction.opcode() != "wgmma") return timing;
  const auto counter = instruction.opcode() == "wgmma" ? kProducts : bulk ? kBulkCopies : kCopies;
  if (is_lane_copy(instruction) || is(instruction, "wgmma", "mma_async") || instruction.has("bulk_group"))
    timing.joins = {counter};
  if (instruction.has("commit_group")) timing.commits = {counter};
  if (instruction.has("wait_all")) timing.waits = {{counter, 0}};
  if (instruction.has("wait_group") && !instruction.operands.empty())
    timing.waits = {
        {counter, static_cast<std::uint32_t>(std::min<std::uint64_t>(instruction.operands[0].bits, 64)) + 1}};
  return timing;
}

std::optional<Ops> matrix_ops(const Instruction& instruction) {
  if (const auto product = matrix_product(instruction)) return Ops{product->op};
  if (const auto access = matrix_access(instruction)) return access_ops(*access);
  if (is_lane_copy(instruction)) {
    const auto bytes = instruction.operands[2].bits;
    return Ops{bytes > 8 ? "global.load.128" : bytes > 4 ? "global.load.64" : "global.load"};
  }
  const auto& opcode = instruction.opcode();
  if ((opcode == "cp" || opcode == "wgmma") && is_group_verb(instruction))
    return instruction.has("commit_group") ? Ops{} : Ops{"wait"};
  if (is(instruction, "wgmma", "fence")) return Ops{};
  return std::nullopt;
}

}  // namespace warpipe::ptx
