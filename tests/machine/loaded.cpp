#include "loaded.hpp"

#include <fstream>
#include <sstream>

#include "support/folders.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {

const ptx::Module& programs() {
  static const ptx::Module kModule = [] {
    std::ifstream file(in_sources("tests/machine/programs.ptx"));
    std::ostringstream text;
    text << file.rdbuf();
    return ptx::read_ptx(text.str(), "programs.ptx");
  }();
  return kModule;
}

Loaded::Loaded() { variables.add(ptx::variables(programs())); }

machine::Machine Loaded::machine(const std::string& kernel) const {
  return {ptx::executable_program(programs(), kernel), variables};
}

}  // namespace warpipe::test
