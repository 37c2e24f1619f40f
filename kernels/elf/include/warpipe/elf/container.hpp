#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Files that hold several pieces of code.

namespace warpipe::elf {

enum class Kind {
  None,        ///< no binary that is known here
  Cubin,       ///< machine code of NVIDIA, alone
  CodeObject,  ///< machine code of AMD, alone
  Other,       ///< an ELF file of another machine, such as an object of the host, which may hold a fat binary
  FatBinary,   ///< several pieces for GPUs of NVIDIA
  Bundle       ///< several pieces as clang packs them
};

/// What bytes are, by how they begin.
Kind kind_of(std::string_view bytes);

/// A piece of code in a file.
struct Piece {
  std::string target;           ///< "sm_80", "gfx942"
  bool is_machine_code = true;  ///< else PTX
  enum class Packing { None, Lz4, Zstandard };
  Packing packing = Packing::None;
  std::string_view contents;                        ///< as they lie in the file
  std::uint64_t packed_bytes = 0, plain_bytes = 0;  ///< of what is packed: of the contents, and of what they hold
  bool is_compressed() const { return packing != Packing::None; }
};

/// The pieces of a fat binary, of a host's object that holds one, or of a bundle that are for GPUs; of a cubin or a
/// code object, itself.
/// @param bytes  must outlive what is returned
/// @throws InputError for what is damaged, or none of these
std::vector<Piece> read_pieces(std::string_view bytes, const std::string& file);

/// Whether machine code for one target runs on devices of another: that of AMD on its own, that of NVIDIA on later ones
/// of its generation, too.
/// @param code, device  "sm_80", "gfx942"
bool runs_on(std::string_view code, std::string_view device);

/// Of several pieces of machine code the one that counts: the latest that runs on a device, else the first.
/// @param start  of their targets, "sm_" or "gfx"
/// @return       null where there is none
const Piece* piece_for(const std::vector<Piece>& pieces, std::string_view start, std::string_view device);

}  // namespace warpipe::elf
