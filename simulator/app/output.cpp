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

#include "colour.hpp"
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
  int append(std::string_view text) const { return write_all(descriptor_, text); }

  /// @return 0 or the error
  int replace_target() {
    ::fchmod(descriptor_, mode_of_target());
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

Place::Place(std::string given) : file(std::move(given)) {
  if (file.empty() || file == "-") return;
  struct stat status {};
  const bool exists = ::stat(file.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) cannot_create(file, errno);
  if (exists && S_ISDIR(status.st_mode)) cannot_create(file, EISDIR);
  if (exists && ::access(file.c_str(), W_OK) != 0) cannot_create(file, errno);
  kind = exists && !S_ISREG(status.st_mode) ? Kind::Special : Kind::File;
  if (kind == Kind::Special) return;
  std::error_code error;
  if (const auto resolved = fs::weakly_canonical(file, error); !error) file = resolved.string();
  const TemporaryFile probe(file);
}

void Output::write(std::string_view text) const {
  const bool is_seen = place_.kind == Place::Kind::StandardOutput && shows_colours(STDOUT_FILENO);
  write_pieces([&](const auto& take) { take(is_seen ? with_bold_headings(text) : std::string(text)); });
}

void Output::write_pieces(const std::function<void(const std::function<void(std::string_view)>&)>& make) const {
  if (place_.kind != Place::Kind::File) {
    RowOutput whole(place_.file);
    make([&](std::string_view piece) { whole.append(piece); });
    return whole.finish();
  }
  TemporaryFile beside(place_.file);
  make([&](std::string_view piece) {
    if (const int error = beside.append(piece)) write_failed(place_.file, error);
  });
  if (const int error = beside.replace_target()) write_failed(place_.file, error);
}

RowOutput::~RowOutput() {
  if (descriptor_ > STDOUT_FILENO) ::close(descriptor_);
}

void RowOutput::open() {
  if (place_.kind == Place::Kind::StandardOutput) {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  const bool is_file = place_.kind == Place::Kind::File;
  descriptor_ = ::open(place_.file.c_str(), O_WRONLY | O_CLOEXEC | (is_file ? O_CREAT : 0), 0666);
  if (descriptor_ < 0) cannot_create(place_.file, errno);
  const auto size = static_cast<off_t>(size_);
  if (is_file && (::ftruncate(descriptor_, size) != 0 || ::lseek(descriptor_, size, SEEK_SET) < 0)) fail(errno);
}

void RowOutput::fail(int error) {
  if (error == EPIPE) throw ClosedPipe{};
  write_failed(place_.name(), error);
}

void RowOutput::append(std::string_view rows) {
  if (descriptor_ < 0) open();
  if (const int error = write_all(descriptor_, rows)) {
    // Where not even this works, a reader finds a part of a row, which it can tell by its missing end.
    if (place_.kind == Place::Kind::File && ::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) fail(errno);
    fail(error);
  }
  size_ += rows.size();
}

void RowOutput::finish() {
  if (descriptor_ < 0) open();
  if (place_.kind == Place::Kind::StandardOutput) return;
  const bool kept_back = place_.kind == Place::Kind::File && ::fsync(descriptor_) != 0 && errno != EINVAL;
  if (kept_back || ::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

}  // namespace warpipe::app
