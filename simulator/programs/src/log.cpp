#include "warpipe/programs/log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace warpipe::programs {
namespace {

constexpr int kLeastDescriptor = 500;  // programs close the low ones, and count on getting them
constexpr int kMostProcesses = 10000;

}  // namespace

bool Log::is_open() const {
  struct stat now {};
  return descriptor_ >= 0 && process_ == getpid() && fstat(descriptor_, &now) == 0 && now.st_dev == device_ &&
         now.st_ino == file_;
}

bool Log::open() {
  const bool goes_on = process_ == getpid();  // its descriptor was closed
  int opened = -1;
  if (goes_on) {
    opened = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  } else {
    for (int number = 1; number < kMostProcesses; ++number) {
      path_ = folder_ + "/" + name_ + (number == 1 ? "" : "_" + std::to_string(number)) + ".jsonl";
      opened = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
      if (opened >= 0 || errno != EEXIST) break;
    }
  }
  if (opened < 0) return false;
  descriptor_ = fcntl(opened, F_DUPFD_CLOEXEC, kLeastDescriptor);
  if (descriptor_ < 0)
    descriptor_ = opened;
  else
    close(opened);
  struct stat now {};
  fstat(descriptor_, &now);
  device_ = now.st_dev;
  file_ = now.st_ino;
  process_ = getpid();
  return true;
}

bool Log::append(std::string_view line) {
  if (!is_open() && !open()) return false;
  while (!line.empty()) {
    const auto written = write(descriptor_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace warpipe::programs
