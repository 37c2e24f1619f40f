#pragma once

#include <string_view>

namespace warpipe {

/// The class of an op, told from its name: the vocabulary is open, so a device file may have ops of its own.
enum class OpClass {
  GlobalMemory,     ///< "global.*"
  TextureMemory,    ///< "texture.*"
  SharedMemory,     ///< "shared.*"
  Shuffle,          ///< "shuffle": lanes of a warp exchange registers
  SpecialFunction,  ///< "rcp", "rsqrt", "sqrt", "sin", "cos", "exp2", "log2": the approximate functions of the hardware
  Conversion,       ///< "convert", "convert.64"
  Barrier,          ///< "barrier"
  Other             ///< arithmetic, logic, branches, constants, and every other name
};
OpClass class_of(std::string_view op);

/// The kind of an access to memory, told from the op's name: a load unless the name has ".store" or ".atomic".
enum class AccessKind { Load, Store, Atomic };
AccessKind access_kind(std::string_view op);

}  // namespace warpipe
