#include "assemble.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "programs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/inputs/child_process.hpp"

namespace warpipe {
namespace {

constexpr std::chrono::seconds kLongest{60};  // a repetition may have no end

}  // namespace

TextFile assembled(const TextFile& file, const amdgcn::ForAssembler& found) {
  const auto clangs = llvm_programs({"amdclang", "clang"});
  if (clangs.empty() || found.target.empty()) throw InputError(to_be_assembled(found, file.name));
  const TemporaryDirectory folder;
  const auto text = folder.path() + "/kernel.s", object = folder.path() + "/kernel.o";
  std::ofstream(text, std::ios::binary) << file.text;
  ChildEnd end;
  for (const auto& clang : clangs) {
    end = run_child({.words = {clang, "--target=amdgcn-amd-amdhsa", "-mcpu=" + found.target, "-nogpulib", "-c",
                               "-I" + std::filesystem::absolute(file.name).parent_path().string(), "-o", object, text},
                     .limit = kLongest});
    if (end.is_good()) return {file.name, read_text_file(object), file.source};
  }
  auto problem = to_be_assembled(found, file.name);
  problem.found += fmt::format("; {} {}: {}", clangs.back(), to_string(end), printed(end.text).substr(0, 300));
  throw InputError(problem);
}

}  // namespace warpipe
