#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "exit_status.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_create(const std::string& file, int error) {
  throw InputError(
      Diagnostic{file, "the output cannot be created", reason(error), "give a file in a directory that you may write"});
}

[[noreturn]] void write_failed(const std::string& place, int error) {
  const auto* advice = error == ENOSPC || error == EDQUOT ? "free some space, or send the result elsewhere"
                                                          : "send the result elsewhere";
  throw OutputError(Diagnostic{place, "the result could not be written", reason(error), advice});
}

/// @return 0 or the error
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// A file beside the one to write, that is gone when this ends unless it has taken that one's place.
class TemporaryFile {
 public:
  /// @throws InputError where the directory takes no new file
  explicit TemporaryFile(const std::string& target) : target_(target), path_(target + ".XXXXXX") {
    descriptor_ = ::mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) cannot_create(target, errno);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!replaced_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// @return 0 or the error
  int replace_target_with(std::string_view text) {
    ::fchmod(descriptor_, mode_of_target());
    if (const int error = write_all(descriptor_, text)) return error;
    // What the file system kept back may fail only here.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) return errno;
    if (::close(std::exchange(descriptor_, -1)) != 0) return errno;
    if (::rename(path_.c_str(), target_.c_str()) != 0) return errno;
    replaced_ = true;
    return 0;
  }

 private:
  /// That of the file it replaces, else what a new file gets.
  mode_t mode_of_target() const {
    struct stat status {};
    if (::stat(target_.c_str(), &status) == 0) return status.st_mode & 07777;
    const auto mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
  }

  std::string target_, path_;
  int descriptor_ = -1;
  bool replaced_ = false;
};

}  // namespace

Output::Output(std::string file) : file_(std::move(file)) {
  if (file_.empty() || file_ == "-") return;
  struct stat status {};
  const bool exists = ::stat(file_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) cannot_create(file_, errno);
  if (exists && S_ISDIR(status.st_mode)) cannot_create(file_, EISDIR);
  if (exists && ::access(file_.c_str(), W_OK) != 0) cannot_create(file_, errno);
  kind_ = exists && !S_ISREG(status.st_mode) ? Kind::Special : Kind::File;
  if (kind_ == Kind::Special) return;
  std::error_code error;
  if (const auto resolved = fs::weakly_canonical(file_, error); !error) file_ = resolved.string();
  const TemporaryFile probe(file_);
}

void Output::write(std::string_view text) const {
  if (kind_ == Kind::File) {
    if (const int error = TemporaryFile(file_).replace_target_with(text)) write_failed(file_, error);
    return;
  }
  const bool standard = kind_ == Kind::StandardOutput;
  const int descriptor = standard ? STDOUT_FILENO : ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) cannot_create(file_, errno);
  int error = write_all(descriptor, text);
  if (!standard && ::close(descriptor) != 0 && error == 0) error = errno;
  if (error == EPIPE) throw ClosedPipe{};
  if (error != 0) write_failed(standard ? "standard output" : file_, error);
}

}  // namespace warpipe::app
