#include "warpipe/idg/op.hpp"

#include <algorithm>
#include <array>

namespace warpipe {

OpClass class_of(std::string_view op) {
  constexpr std::array<std::string_view, 7> kSpecialFunctions{"rcp", "rsqrt", "sqrt", "sin", "cos", "exp2", "log2"};
  if (op.starts_with("global.")) return OpClass::GlobalMemory;
  if (op.starts_with("texture.")) return OpClass::TextureMemory;
  if (op.starts_with("shared.")) return OpClass::SharedMemory;
  if (op == "shuffle") return OpClass::Shuffle;
  if (op == "convert" || op == "convert.64") return OpClass::Conversion;
  if (op == "barrier") return OpClass::Barrier;
  const bool is_special = std::ranges::find(kSpecialFunctions, op) != kSpecialFunctions.end();
  return is_special ? OpClass::SpecialFunction : OpClass::Other;
}

AccessKind access_kind(std::string_view op) {
  const auto says = [op](std::string_view what) { return op.find(what) != std::string_view::npos; };
  return says(".store") ? AccessKind::Store : says(".atomic") ? AccessKind::Atomic : AccessKind::Load;
}

}  // namespace warpipe
