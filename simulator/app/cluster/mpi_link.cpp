#include <fmt/format.h>
#include <mpi.h>
#include <pthread.h>

#include <csignal>
#include <mutex>

#include "cluster/launcher.hpp"
#include "cluster/link.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

/// MPI's own threads get no signals: they are for the program's.
int initialise() {
  sigset_t all{}, before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return provided;
}

/// MPI ends the whole job where one of its functions fails, so no status needs to be checked.
class MpiLink : public Link {
 public:
  MpiLink() {
    if (initialise() < MPI_THREAD_SERIALIZED)
      throw UsageError(Diagnostic{"MPI", "this MPI cannot be used from several threads", "",
                                  "use one that provides MPI_THREAD_SERIALIZED"});
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiLink() override { MPI_Finalize(); }

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }

  void send(std::size_t to, int tag, const Bytes& bytes) override {
    const std::scoped_lock lock(mutex_);
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(to), tag, MPI_COMM_WORLD);
  }

  std::optional<Message> receive(int tag) override {
    const std::scoped_lock lock(mutex_);
    int is_there = 0;
    MPI_Message matched{};
    MPI_Status status{};
    MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_there, &matched, &status);
    if (is_there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{static_cast<std::size_t>(status.MPI_SOURCE), Bytes(static_cast<std::size_t>(size))};
    MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &matched, MPI_STATUS_IGNORE);
    return message;
  }

 private:
  std::mutex mutex_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<Link> open_link() {
  const auto said = processes_by_environment();
  if (!said || *said == 1) return nullptr;
  auto link = std::make_unique<MpiLink>();
  if (*said > link->size())
    throw UsageError(
        Diagnostic{"MPI", fmt::format("the launcher started {} processes, and they do not find each other", *said),
                   "this program has " + name_of_mpi(), "use the launcher of that MPI"});
  return link;
}

std::string name_of_mpi() {
  return fmt::format("MPI: Open MPI {}.{}.{}", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
}

}  // namespace warpipe::app
