#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Containers: files with several pieces of code.

namespace warpipe::elf {

enum class Kind {
  None,        ///< no binary known here
  Cubin,       ///< machine code of NVIDIA, alone
  CodeObject,  ///< machine code of AMD, alone
  Other,       ///< an ELF file of another machine, such as an object of the host, perhaps with a fat binary
  FatBinary,   ///< several pieces for GPUs of NVIDIA
  Bundle       ///< several pieces as clang packs them
};

/// The kind of a file, from its first bytes.
Kind kind_of(std::string_view bytes);

/// A piece of code in a file.
struct Piece {
  std::string target;           ///< "sm_80", "gfx942"
  bool is_machine_code = true;  ///< else PTX
  enum class Packing { None, Lz4, Zstandard };
  Packing packing = Packing::None;
  std::string_view contents;                        ///< as they lie in the file
  std::uint64_t packed_bytes = 0, plain_bytes = 0;  ///< of packed contents: their size in the file, and after unpacking
  bool is_compressed() const { return packing != Packing::None; }
};

/// The pieces for GPUs of a fat binary, of a host's object with a fat binary inside, or of a bundle; of a cubin or a
/// code object, itself.
/// @param bytes  must outlive the result
/// @throws InputError for a damaged file, or any other kind
std::vector<Piece> read_pieces(std::string_view bytes, const std::string& file);

/// Whether machine code for one target runs on devices of another target: AMD's code on its own target, NVIDIA's also
/// on later targets of its generation.
/// @param code, device  "sm_80", "gfx942"
bool runs_on(std::string_view code, std::string_view device);

/// Chooses among several pieces of machine code: the latest that runs on a device, else the first.
/// @param start  of their targets, "sm_" or "gfx"
/// @return       null without such a piece
const Piece* piece_for(const std::vector<Piece>& pieces, std::string_view start, std::string_view device);

}  // namespace warpipe::elf
