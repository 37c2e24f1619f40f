#include "terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace warpipe::test {

Terminal::Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) {
    ADD_FAILURE() << "no pseudo terminal";
    return;
  }
  path_ = ::ptsname(master_);
  // Open on this side too: reading ends when text() closes it, not when a program does.
  slave_ = ::open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct termios modes {};
  ::tcgetattr(slave_, &modes);
  ::cfmakeraw(&modes);  // line ends stay as they are
  ::tcsetattr(slave_, TCSANOW, &modes);
  reader_ = std::thread([this] {
    std::array<char, 4096> block{};
    for (ssize_t count = 0; (count = ::read(master_, block.data(), block.size())) > 0;) {
      const std::scoped_lock lock(mutex_);
      text_.append(block.data(), static_cast<std::size_t>(count));
    }
  });
}

Terminal::~Terminal() {
  text();
  if (master_ >= 0) ::close(master_);
}

std::string Terminal::text_so_far() const {
  const std::scoped_lock lock(mutex_);
  return text_;
}

std::string Terminal::text() {
  if (slave_ >= 0) ::close(std::exchange(slave_, -1));
  if (reader_.joinable()) reader_.join();
  return text_;
}

}  // namespace warpipe::test
