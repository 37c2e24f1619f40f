#include "terminal/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "terminal/colours.hpp"
#include "terminal/exit_status.hpp"
#include "terminal/fitted_report.hpp"
#include "terminal/transcript.hpp"
#include "terminal/width.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/printable.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_create(const std::string& file, int error) {
  throw InputError(Diagnostic{file, "the output cannot be created: " + reason(error), "",
                              "give a file in a directory that you may write"});
}

[[noreturn]] void write_failed(const std::string& place, int error) {
  const auto* advice = error == ENOSPC || error == EDQUOT ? "free some space, or send the result elsewhere"
                                                          : "send the result elsewhere";
  throw OutputError(Diagnostic{place, "the result could not be written: " + reason(error), "", advice});
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

/// @return 0 or the error
int synchronize(int descriptor) {
  return ::fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;  // a file system need not have it
}

/// The mode of the replaced file, else the mode of a new file.
mode_t mode_of(const std::string& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) return status.st_mode & 07777;
  const auto mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// The descriptor of a path: /dev/fd/3, /proc/self/fd/3.
std::optional<int> descriptor_of(const std::string& path) {
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const auto number = std::string_view(path).substr(folder.size());
    int descriptor = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), descriptor);
    if (error == std::errc() && end == number.data() + number.size()) return descriptor;
  }
  return std::nullopt;
}

/// The end of symbolic links, also a file not there yet, or a descriptor.
std::string end_of_links(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks && !descriptor_of(path.string()); ++i) {
    const auto target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  return path.string();
}

/// A file beside the target, removed at its end unless it has replaced the target.
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
    ::fchmod(descriptor_, mode_of(target_));
    // Errors that the file system reports late may come only here.
    if (const int error = synchronize(descriptor_)) return error;
    if (::close(std::exchange(descriptor_, -1)) != 0) return errno;
    if (::rename(path_.c_str(), target_.c_str()) != 0) return errno;
    replaced_ = true;
    return 0;
  }

 private:
  std::string target_, path_;
  int descriptor_ = -1;
  bool replaced_ = false;
};

}  // namespace

Place::Place(const std::string& path) : given(path), file(path) {
  if (given.empty() || given == "-") return;
  file = end_of_links(given);
  struct stat status {};
  if (const auto open = descriptor_of(file)) {
    descriptor = *open;
    if (::fstat(descriptor, &status) != 0) cannot_create(given, errno);
    return;
  }
  const bool exists = ::stat(file.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) cannot_create(file, errno);
  if (exists && S_ISDIR(status.st_mode)) cannot_create(file, EISDIR);
  if (exists && ::access(file.c_str(), W_OK) != 0) cannot_create(file, errno);
  kind = exists && !S_ISREG(status.st_mode) ? Kind::Special : Kind::File;
  if (kind == Kind::Special) return;
  const TemporaryFile probe(file);
}

std::string resolved(const std::string& path) {
  const auto end = end_of_links(path);
  std::error_code error;
  const auto canonical = fs::weakly_canonical(end, error);
  return error ? end : canonical.string();
}

bool is_standard_output(const std::string& given) {
  return given.empty() || given == "-" || descriptor_of(end_of_links(given)) == STDOUT_FILENO;
}

/// Names and texts of files may hold control characters of terminals.
void Output::write(std::string_view text) const {
  const bool is_standard_output = place_.is_standard_output();
  write_pieces([&](const auto& take) { take(is_standard_output ? printable(text, "\n\r\t") : std::string(text)); });
}

void Output::show(std::string_view report) const {
  if (!place_.is_standard_output()) return write(report);
  auto shown = printable(report, "\n\r\t");
  if (const auto width = terminal_width()) shown = fitted_report(shown, *width);
  if (shows_colours(STDOUT_FILENO)) shown = painted_report(shown);
  write_pieces([&](const auto& take) { take(shown); });
}

void Output::write_pieces(const std::function<void(const std::function<void(std::string_view)>&)>& make) const {
  if (place_.kind != Place::Kind::File) {
    RowOutput whole(place_.file);
    make([&](std::string_view piece) { whole.append(piece); });
    return whole.finish();
  }
  TemporaryFile beside(place_.file);
  if (transcript() != nullptr) transcript()->begin(Said::To::File, place_.given);
  make([&](std::string_view piece) {
    if (const int error = beside.append(piece)) write_failed(place_.file, error);
    if (transcript() != nullptr) transcript()->add(Said::To::File, place_.given, piece);
  });
  if (const int error = beside.replace_target()) write_failed(place_.file, error);
}

RowOutput::RowOutput(const std::string& file, bool resume) : place_(file) {
  if (resume && transcript() != nullptr) transcript()->give_up();
  if (place_.kind != Place::Kind::File) return;
  std::error_code error;
  const auto part = place_.file + ".part";
  const bool has_part = fs::exists(part, error);
  if (has_part && !resume)
    throw InputError(Diagnostic{part, "this file has the rows of a run that did not end", "",
                                "go on with them by --resume, or remove it"});
  const bool has_rows = fs::exists(place_.file, error) && fs::file_size(place_.file, error) > 0;
  working_file_ = has_part || (has_rows && !resume) ? part : place_.file;
}

RowOutput::~RowOutput() {
  if (descriptor_ >= 0 && descriptor_ != place_.descriptor) ::close(descriptor_);
}

void RowOutput::open() {
  if (transcript() != nullptr) {
    if (place_.kind == Place::Kind::File) transcript()->begin(Said::To::Rows, place_.given);
    if (place_.kind != Place::Kind::File && !place_.is_standard_output()) transcript()->give_up();
  }
  if (place_.kind == Place::Kind::Descriptor) {
    descriptor_ = place_.descriptor;
    return;
  }
  const bool is_file = place_.kind == Place::Kind::File;
  const auto& path = is_file ? working_file_ : place_.file;
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | (is_file ? O_CREAT : 0), 0666);
  if (descriptor_ < 0) cannot_create(path, errno);
  const auto size = static_cast<off_t>(size_);
  if (is_file && (::ftruncate(descriptor_, size) != 0 || ::lseek(descriptor_, size, SEEK_SET) < 0)) fail(errno);
}

void RowOutput::fail(int error) {
  if (error == EPIPE) throw ClosedPipe{};
  write_failed(working_file_.empty() ? place_.name() : working_file_, error);
}

void RowOutput::append(std::string_view rows) {
  if (descriptor_ < 0) open();
  if (const int error = write_all(descriptor_, rows)) {
    // Where not even this works, a reader finds a part of a row, known by its missing end.
    if (place_.kind == Place::Kind::File && ::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) fail(errno);
    fail(error);
  }
  size_ += rows.size();
  if (transcript() == nullptr) return;
  const bool is_file = place_.kind == Place::Kind::File;
  transcript()->add(is_file ? Said::To::Rows : Said::To::StandardOutput, is_file ? place_.given : "", rows);
}

void RowOutput::finish() {
  if (descriptor_ < 0) open();
  if (place_.kind == Place::Kind::Descriptor) return;
  if (stands_beside()) ::fchmod(descriptor_, mode_of(place_.file));
  if (place_.kind == Place::Kind::File)
    if (const int error = synchronize(descriptor_)) fail(error);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (stands_beside() && ::rename(working_file_.c_str(), place_.file.c_str()) != 0) fail(errno);
}

}  // namespace warpipe::app
