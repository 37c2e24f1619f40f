#pragma once

#include <cstddef>
#include <cstdlib>
#include <optional>

namespace warpipe::app {

/// The number of processes that a launcher of MPI gives in their environment. Asking MPI itself would cost a program
/// started alone as much as many predictions take.
/// @return the number of processes, 0 where it is not given; nothing for a program started alone
inline std::optional<std::size_t> processes_by_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})  // of Open MPI; of MPICH, Intel MPI and Slurm's pmi2
    if (const char* value = std::getenv(name)) return std::strtoul(value, nullptr, 10);
  if (std::getenv("PMIX_RANK") != nullptr) return 0;  // of srun --mpi=pmix
  return std::nullopt;
}

}  // namespace warpipe::app
