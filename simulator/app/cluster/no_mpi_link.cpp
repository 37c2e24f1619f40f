#include <fmt/format.h>

#include "cluster/launcher.hpp"
#include "cluster/link.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {

std::unique_ptr<Link> open_link() {
  const auto said = processes_by_environment();
  if (!said || *said == 1) return nullptr;
  throw UsageError(Diagnostic{"MPI", "a launcher of MPI started this program, which was built without it", "",
                              "start it alone, or build it where libopenmpi-dev is installed"});
}

std::string name_of_mpi() { return "built without MPI"; }

}  // namespace warpipe::app
