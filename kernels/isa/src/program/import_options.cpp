#include "warpipe/isa/import_options.hpp"

namespace warpipe::isa {

void answer(ImportOptions& options, const Assumption& assumption, const std::string& value) {
  answer(options.launch, assumption, value);
  if (assumption.kind == Assumption::Kind::Opcode) options.lowering.unknown[assumption.name] = value;
  if (assumption.kind == Assumption::Kind::Block) options.block_from.clear();
  std::erase_if(options.assumed, [&](const Assumption& one) { return one.kind == assumption.kind; });
}

}  // namespace warpipe::isa
