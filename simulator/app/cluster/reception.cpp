#include "cluster/reception.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "cluster/patience.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {

Reception::Reception(Link& link, Desk& desk, std::uint64_t study, std::function<void(std::size_t, std::string)> keep,
                     std::function<void(const std::string&)> warn)
    : link_(link),
      desk_(desk),
      study_(study),
      keep_(std::move(keep)),
      warn_(std::move(warn)),
      at_work_(link.size() - 1) {}

void Reception::serve() {
  Patience patience;
  while (at_work_ > 0) {
    if (const auto message = link_.receive(kToLead)) {
      hear(*message);
      patience.reset();
    } else if (changes_ != desk_.changes()) {
      answer_waiting();
    } else {
      patience.wait();
    }
  }
}

std::string Reception::name_of(const Asker& asker, const ToLead& said) {
  return fmt::format("rank {} on {}", asker.rank, said.computer);
}

void Reception::hear(const Link::Message& message) {
  auto said = unpack_to_lead(message.bytes);
  const Asker asker{message.from, said.thread};
  switch (said.saying) {
    case Saying::Hello:
      return hear_hello(asker, said);
    case Saying::Report:
      return hear_report(asker, std::move(said));
    case Saying::Failed:
      return hear_failure(asker, said);
    case Saying::Left:
    case Saying::Bye:
      --at_work_;
  }
}

void Reception::hear_hello(const Asker& asker, const ToLead& hello) {
  if (hello.study == study_) {
    part_takers_.insert(asker.rank);
    return;
  }
  warn_(
      fmt::format("{} takes no part: it reads another kernel, device or measurement, or is another version of the "
                  "program",
                  name_of(asker, hello)));
}

void Reception::hear_report(const Asker& asker, ToLead report) {
  if (!report.results.empty()) {
    auto result = report.results.begin();
    desk_.done(asker.worker(), report.results.size(), report.seconds,
               [&](std::size_t index) { keep_(index, std::move(*result++)); });
  }
  waiting_.push_back(asker);
  answer_waiting();
}

void Reception::hear_failure(const Asker& asker, const ToLead& failure) {
  if (failure.is_fatal)
    return desk_.end(std::make_exception_ptr(GateError(Diagnostic{name_of(asker, failure), failure.text, "", ""})));
  warn_(fmt::format("{} ends early, its points go to others: {}", name_of(asker, failure), failure.text));
  desk_.lost(asker.worker());
}

void Reception::answer_waiting() {
  changes_ = desk_.changes();
  std::erase_if(waiting_, [this](const Asker& asker) { return answer(asker); });
}

bool Reception::answer(const Asker& asker) {
  const bool takes_part = part_takers_.contains(asker.rank);
  const auto range = takes_part ? desk_.ask(asker.worker()) : std::nullopt;
  if (takes_part && !range && !desk_.is_over()) return false;
  const auto answer = range ? Answer{*range, desk_.seconds_of_range()} : Answer{};
  link_.send(asker.rank, kAnswers + static_cast<int>(asker.thread), pack(answer));
  return true;
}

}  // namespace warpipe::app
