#include "warpipe/elf/amd_descriptor.hpp"

#include "bytes.hpp"

namespace warpipe::elf {
namespace {

constexpr std::uint64_t kDescriptorBytes = 64;
constexpr std::uint16_t kRelocatable = 1;
constexpr std::string_view kEnd{".kd"};

/// Bits of a word of the descriptor.
struct Field {
  const char* name;
  std::uint64_t word;  ///< bytes from the start
  unsigned shift, bits;
};

/// @source LLVM, User Guide for AMDGPU Backend: kernel descriptor, compute_pgm_rsrc2
constexpr Field kFields[] = {
    {"group_segment_fixed_size", 0, 0, 32},
    {"private_segment_fixed_size", 4, 0, 32},
    {"enable_private_segment", 52, 0, 1},
    {"user_sgpr_count", 52, 1, 5},
    {"system_sgpr_workgroup_id_x", 52, 7, 1},
    {"system_sgpr_workgroup_id_y", 52, 8, 1},
    {"system_sgpr_workgroup_id_z", 52, 9, 1},
    {"system_sgpr_workgroup_info", 52, 10, 1},
    {"system_vgpr_workitem_id", 52, 11, 2},
    {"user_sgpr_private_segment_buffer", 56, 0, 1},
    {"user_sgpr_dispatch_ptr", 56, 1, 1},
    {"user_sgpr_queue_ptr", 56, 2, 1},
    {"user_sgpr_kernarg_segment_ptr", 56, 3, 1},
    {"user_sgpr_dispatch_id", 56, 4, 1},
    {"user_sgpr_flat_scratch_init", 56, 5, 1},
    {"user_sgpr_private_segment_size", 56, 6, 1},
    {"wavefront_size32", 56, 10, 1},
    {"user_sgpr_kernarg_preload_length", 56, 16, 7},
    {"user_sgpr_kernarg_preload_offset", 56, 23, 9},
};

AmdDescriptor read_descriptor(std::string_view bytes, const std::string& place, std::string kernel) {
  AmdDescriptor made{std::move(kernel), {}};
  Bytes text(bytes, place);
  for (const auto& field : kFields) {
    text.go_to(field.word);
    const std::uint64_t word = text.read<std::uint32_t>();
    made.directives[field.name] =
        static_cast<std::int64_t>((word >> field.shift) & ((std::uint64_t{1} << field.bits) - 1));
  }
  return made;
}

}  // namespace

std::vector<AmdDescriptor> read_amd_descriptors(const Object& object) {
  std::vector<AmdDescriptor> found;
  for (const auto& symbol : object.symbols) {
    if (!symbol.name.ends_with(kEnd) || symbol.section == 0 || symbol.section >= object.sections.size()) continue;
    const auto& section = object.sections[symbol.section];
    const auto start = object.type == kRelocatable ? symbol.value : symbol.value - section.address;
    Bytes bytes(section.contents, object.place(section));
    bytes.go_to(start);
    found.push_back(read_descriptor(bytes.take(kDescriptorBytes), bytes.place(),
                                    symbol.name.substr(0, symbol.name.size() - kEnd.size())));
  }
  return found;
}

}  // namespace warpipe::elf
