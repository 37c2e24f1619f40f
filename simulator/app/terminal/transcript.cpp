#include "terminal/transcript.hpp"

#include <algorithm>
#include <utility>

namespace warpipe::app {
namespace {

Transcript*& the_one() {
  static Transcript* one = nullptr;
  return one;
}

bool is_file(Said::To to) { return to == Said::To::File || to == Said::To::Rows; }

}  // namespace

Transcript* transcript() { return the_one(); }

Transcript::Transcript(std::size_t most_bytes) : most_bytes_(most_bytes) { the_one() = this; }
Transcript::~Transcript() { the_one() = nullptr; }

void Transcript::begin(Said::To to, const std::string& file) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::find(said_, file, &Said::file) != said_.end()) has_given_up_ = true;
  said_.push_back({to, file, {}});
}

void Transcript::add(Said::To to, const std::string& file, std::string_view text) {
  const std::scoped_lock lock(mutex_);
  bytes_ += text.size();
  if (bytes_ > most_bytes_) has_given_up_ = true;
  if (has_given_up_) return;
  const auto place = is_file(to)     ? std::ranges::find(said_, file, &Said::file)
                     : said_.empty() ? said_.end()
                                     : std::prev(said_.end());
  if (place == said_.end() || place->to != to) {
    said_.push_back({to, file, std::string(text)});
  } else {
    place->text += text;
  }
}

void Transcript::give_up() {
  const std::scoped_lock lock(mutex_);
  has_given_up_ = true;
}

std::optional<std::vector<Said>> Transcript::take() {
  const std::scoped_lock lock(mutex_);
  if (has_given_up_) return std::nullopt;
  return std::exchange(said_, {});
}

}  // namespace warpipe::app
