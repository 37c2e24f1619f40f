#include "cluster/reception.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

#include "cluster/patience.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

std::string name_of(std::size_t rank, const ToLead& said) { return fmt::format("rank {} on {}", rank, said.computer); }

}  // namespace

Reception::Reception(Link& link, std::uint64_t inputs, std::function<void(const std::string&)> warn)
    : link_(link), inputs_(inputs), warn_(std::move(warn)) {}

void Reception::serve(const Counter& counter) {
  Patience patience;
  std::optional<std::size_t> changes;  // of the desk, at the last look at waiting threads
  while (!counter.desk.is_over()) {
    if (const auto message = link_.receive(kToLead)) {
      note(counter, *message);
      patience.reset();
    } else if (changes != counter.desk.changes()) {
      changes = counter.desk.changes();
      answer_waiting(counter);
    } else {
      patience.wait();
    }
  }
}

void Reception::note(const Counter& counter, const Link::Message& message) {
  auto said = unpack_to_lead(message.bytes);
  const Asker asker{message.from, said.thread};
  switch (said.saying) {
    case Saying::Hello:
      return note_hello(asker, said);
    case Saying::Report:
      return note_report(counter, asker, std::move(said));
    case Saying::Failed:
      return note_failure(counter.desk, asker, said);
    case Saying::Bye:
      return;
  }
}

void Reception::note_hello(const Asker& asker, const ToLead& hello) {
  if (hello.inputs == inputs_) return;
  others_.insert(asker.rank);
  warn_(
      fmt::format("{} takes no part: it reads another kernel, device or measurement, or is another version of the "
                  "program",
                  name_of(asker.rank, hello)));
}

void Reception::note_report(const Counter& counter, const Asker& asker, ToLead report) {
  if (others_.contains(asker.rank)) return;
  if (!report.results.empty()) {
    auto result = report.results.begin();
    counter.desk.done(asker.worker(), report.results.size(), report.seconds,
                      [&](std::size_t index) { counter.keep(index, std::move(*result++)); });
  }
  waiting_.push_back(asker);
  answer_waiting(counter);
}

void Reception::note_failure(Desk& desk, const Asker& asker, const ToLead& failure) {
  const auto name = name_of(asker.rank, failure);
  if (failure.is_fatal) return desk.end(std::make_exception_ptr(GateError(Diagnostic{name, failure.text, "", ""})));
  warn_(fmt::format("{} ends early, its points go to others: {}", name, failure.text));
  desk.lost(asker.worker());
}

void Reception::answer_waiting(const Counter& counter) {
  std::erase_if(waiting_, [&](const Asker& asker) { return answer(counter, asker); });
}

bool Reception::answer(const Counter& counter, const Asker& asker) {
  const auto range = counter.desk.ask(asker.worker());
  if (!range) return false;
  Items items{{}, counter.desk.seconds_of_range()};
  for (std::size_t index = range->first; index < range->end; ++index) items.of_range.push_back(counter.item(index));
  link_.send(asker.rank, kAnswers + static_cast<int>(asker.thread), pack(items));
  return true;
}

}  // namespace warpipe::app
