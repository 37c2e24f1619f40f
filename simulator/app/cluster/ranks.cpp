#include "cluster/ranks.hpp"

#include <unistd.h>

#include <array>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/patience.hpp"
#include "cluster/rank_messages.hpp"
#include "cluster/reception.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/parallel/desk.hpp"
#include "warpipe/parallel/loops.hpp"

namespace warpipe::app {
namespace {

/// A range takes 10 ms, in which a message of some 0.1 ms counts little; with a thousand ranks 0.1 s, so the lead reads
/// one message in 0.1 ms. Waiting results are rows of some hundred bytes.
constexpr HandOutLimits kLimits{.window = 1 << 18, .seconds = 0.01, .seconds_per_worker = 1e-4};

std::string name_of_computer() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "a computer without a name";
}

void send_to_lead(Link& link, const ToLead& message) { link.send(0, kToLead, pack(message)); }

ToLead failure(std::size_t thread, const char* why, bool is_fatal) {
  return {
      .saying = Saying::Failed, .thread = thread, .computer = name_of_computer(), .text = why, .is_fatal = is_fatal};
}

std::size_t threads_of_rank(std::size_t asked) { return asked == 0 ? 1 : detail::threads_for(asked); }

}  // namespace

Ranks::Ranks(std::function<void(const std::string&)> warn) : warn_(std::move(warn)), link_(open_link()) {}

Ranks::~Ranks() {
  if (!link_ || link_->size() == 1) return;
  Patience patience;
  if (!leads()) {
    while (!is_dismissed()) patience.wait();
    send_to_lead(*link_, {.saying = Saying::Bye});
    return;
  }
  for (std::size_t rank = 1; rank < link_->size(); ++rank) link_->send(rank, kDismissed, {});
  for (std::size_t left = 1; left < link_->size();) {
    const auto message = link_->receive(kToLead);
    if (message && unpack_to_lead(message->bytes).saying == Saying::Bye) ++left;
    if (!message) patience.wait();
  }
}

void Ranks::for_each_in_order(const Study& study, IndexRange indices,
                              const std::function<std::uint64_t(std::size_t)>& item,
                              const std::function<void(std::string)>& take) {
  const auto make = [&](std::size_t index) { return study.make(item(index)); };
  if (size() == 1) return warpipe::for_each_in_order(indices.first, indices.end, study.threads, make, take);
  std::vector<std::optional<std::string>> waiting(kLimits.window);
  const auto place = [&](std::size_t index) -> auto& { return waiting[index % waiting.size()]; };
  Desk desk(indices, kLimits, [&](std::size_t index) {
    take(std::move(*place(index)));
    place(index).reset();
  });
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < threads_of_rank(study.threads); ++i)
      threads.emplace_back([&, i] { work_at(desk, i, [&](std::size_t index) { place(index) = make(index); }); });
    const auto keep = [&](std::size_t index, std::string result) { place(index) = std::move(result); };
    if (!reception_) reception_ = std::make_unique<Reception>(*link_, fingerprint(study.inputs()), warn_);
    try {
      reception_->serve({desk, item, keep});
    } catch (...) {
      desk.end(std::current_exception());  // the threads here wait for the desk
    }
  }
  desk.rethrow();
}

bool Ranks::is_dismissed() {
  if (!is_dismissed_ && link_->receive(kDismissed)) is_dismissed_ = true;
  return is_dismissed_;
}

/// @return none when the lead has sent this rank away
Items Ranks::wait_for_items(std::size_t thread) {
  for (Patience patience; !is_dismissed(); patience.wait())
    if (const auto items = link_->receive(kAnswers + static_cast<int>(thread))) return unpack_items(items->bytes);
  return {};
}

void Ranks::work_as_thread(const Study& study, std::size_t thread) {
  ToLead report{.saying = Saying::Report, .thread = thread};
  try {
    while (true) {
      send_to_lead(*link_, report);
      const auto items = wait_for_items(thread);
      if (items.of_range.empty()) return;
      report.results.clear();
      const auto make = [&](std::size_t i) { report.results.push_back(study.make(items.of_range[i])); };
      report.seconds = make_range({0, items.of_range.size()}, items.seconds, make).seconds;
    }
  } catch (const GateError& error) {
    send_to_lead(*link_, failure(thread, error.what(), true));
  } catch (const std::exception& error) {
    send_to_lead(*link_, failure(thread, error.what(), false));
  }
}

void Ranks::work(const Study& study) {
  send_to_lead(*link_,
               {.saying = Saying::Hello, .computer = name_of_computer(), .inputs = fingerprint(study.inputs())});
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < threads_of_rank(study.threads); ++i)
    threads.emplace_back([&, i] { work_as_thread(study, i); });
}

void Ranks::give_up(const std::string& why) { send_to_lead(*link_, failure(0, why.c_str(), false)); }

}  // namespace warpipe::app
