// Loops: guesses the motion of registers, and proves it.
#include <algorithm>
#include <utility>

#include "symbolic/form_walk.hpp"
#include "symbolic/induction.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostTrips = (std::int64_t{1} << 31) - 1;  // without any known limit
constexpr int kMostProofs = 6;

Range bounds(int bits) {
  if (bits == 1) return {0, 1};
  const auto half = std::int64_t{1} << (std::min(bits, 61) - 1);
  return {-half, half - 1};
}

}  // namespace

void FormWalk::loop(const NaturalLoop& loop) {
  const auto number = loop_at_.at(loop.header);
  const auto coming = coming_to(loop.header, loops_[number].outer);
  if (!coming) return;
  const auto& start = *coming;
  const auto outside = context_;
  auto guess = guessed(loop, number, start.state);
  Trip trip;
  for (int proof = 0;; ++proof) {
    const auto most = guess.last ? std::clamp<std::int64_t>(forms_.range(*guess.last).most, 0, kMostTrips) : kMostTrips;
    const auto old = guess.trip;
    guess.trip = forms_.variable({Place::Trip, number}, {0, std::max<std::int64_t>(most, 1)});
    for (auto& held : guess.held)
      if (held) held->form = forms_.substitute(held->form, forms_.variable_of(old), guess.trip);
    context_ = forms_.all(outside, start.when);
    if (guess.last) context_ = forms_.all(context_, forms_.not_negative(forms_.sum(*guess.last, guess.trip, -1)));
    around_.push_back(number);
    trip = follow(loop, number, beginning(loops_[number], start.state, guess));
    around_.pop_back();
    context_ = outside;
    const auto last = last_trip(trip, guess.trip, std::nullopt);
    const bool trips_hold = last == guess.last;
    const bool holds = guesses_ > 0 || prove(loops_[number], trip.end, guess);
    if (holds && (trips_hold || guesses_ > 0)) break;
    if (!trips_hold) guess.last = proof < kMostProofs / 2 ? last : std::nullopt;
    if (proof == kMostProofs) {
      // Guesses that never come to rest are unknown.
      for (auto& held : guess.held) held.reset();
      guess.last.reset();
    }
    if (proof > kMostProofs) break;
  }
  if (records()) {
    auto& known = result_.loops[number];
    known.entered = forms_.all(outside, start.when);
    known.trip = guess.trip;
    known.trips =
        guess.last ? forms_.plus(*guess.last, 1)
                   : forms_.unknown(static_cast<Reasons>(kUnknownTrips | reasons_of(trip)), loop.header, {1, kNever});
    if (guess.last && trip.left.size() == 1)
      if (const auto end = branches_.find(trip.left.front().branch); end != branches_.end()) end->second.is_end = true;
  }
  leave(loops_[number], start, trip, guess);
}

/// The reasons for unknown trips: the reasons of the loop's conditions.
Reasons FormWalk::reasons_of(const Trip& trip) const {
  Reasons reasons = 0;
  for (const auto& [block, branch, arrival] : trip.left)
    reasons = static_cast<Reasons>(reasons | forms_.reasons(arrival.when));
  return reasons;
}

/// Follows one trip.
FormWalk::Trip FormWalk::follow(const NaturalLoop& loop, std::uint32_t number, State state) {
  frames_.push_back({number, {}, {}});
  coming_[loop.header].push_back({forms_.constant(1), std::move(state)});
  list(loop.body);
  auto frame = std::move(frames_.back());
  frames_.pop_back();
  Trip trip{{forms_.constant(0), {}}, std::move(frame.left)};
  if (!frame.again.empty()) trip.end = merged(std::move(frame.again));
  return trip;
}

/// Follows a trip with variables in registers, and guesses by its end.
FormWalk::Guess FormWalk::guessed(const NaturalLoop& loop, std::uint32_t number, const State& start) {
  const auto& known = loops_[number];
  Guess guess;
  guess.trip = forms_.variable({Place::Trip, number}, {0, kMostTrips});
  const bool was_guessing = std::exchange(forms_.is_guessing, true);
  ++guesses_;
  auto state = start;
  for (const auto place : known.written)
    if (!state[place].of_lanes)
      state[place].form = forms_.variable({Place::Carried, place}, bounds(program_.registers[register_[place]].bits));
  const auto trip = follow(loop, number, state);
  guess.held.resize(known.written.size());
  guess.reasons.resize(known.written.size(), kCarried);
  if (!trip.end.state.empty()) solve(known, start, trip.end, guess);
  const Forms::Replace replace = [&](Variable variable) -> std::optional<Form> {
    if (variable.place != Place::Carried) return std::nullopt;
    const auto at = std::ranges::lower_bound(known.written, variable.number);
    if (at == known.written.end() || *at != variable.number) return std::nullopt;
    const auto index = static_cast<std::size_t>(at - known.written.begin());
    if (const auto& held = guess.held[index]) return held->form;
    return forms_.unknown(guess.reasons[index], variable.number, bounds(program_.registers[register_[*at]].bits));
  };
  guess.last = last_trip(trip, guess.trip, replace);
  --guesses_;
  forms_.is_guessing = was_guessing;
  return guess;
}

/// Finds the contents of registers at the start of trips, in order: most depend on other registers.
void FormWalk::solve(const Loop& loop, const State& start, const Arrival& end, Guess& guess) {
  const auto& after = end.state;
  const auto own = [&](std::size_t i) { return Variable{Place::Carried, loop.written[i]}; };
  const auto index_of = [&](Variable variable) -> std::optional<std::size_t> {
    if (variable.place != Place::Carried) return std::nullopt;
    const auto at = std::ranges::lower_bound(loop.written, variable.number);
    if (at == loop.written.end() || *at != variable.number) return std::nullopt;
    return static_cast<std::size_t>(at - loop.written.begin());
  };
  std::vector<bool> settled(loop.written.size(), false);
  const auto held_form = [&](std::size_t i) {
    return forms_.variable(own(i), bounds(program_.registers[register_[loop.written[i]]].bits));
  };
  const Forms::Replace replace = [&](Variable variable) -> std::optional<Form> {
    const auto index = index_of(variable);
    if (!index || !settled[*index]) return std::nullopt;
    if (const auto& held = guess.held[*index]) return held->form;
    return forms_.unknown(guess.reasons[*index], variable.number, {-Forms::kFar, Forms::kFar});
  };
  const auto trip = forms_.variable_of(guess.trip);
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = 0; i < loop.written.size(); ++i) {
      if (settled[i]) continue;
      const auto& first = start[loop.written[i]];
      const auto& last = after[loop.written[i]];
      const auto settle = [&](std::optional<Form> form, Reasons reasons) {
        settled[i] = progress = true;
        if (form) guess.held[i] = Held{*form, first.of_lanes};
        guess.reasons[i] = reasons;
      };
      // A mask of lanes: the active lanes of a trip are the lanes active in all earlier trips.
      if (first.of_lanes || last.of_lanes) {
        const bool is_mask = first.of_lanes && last.of_lanes && program_.mask &&
                             register_[loop.written[i]] - program_.mask->first < program_.mask->count;
        settle(is_mask || first == last ? std::optional(first.form) : std::nullopt, kOfMask);
        continue;
      }
      const auto made = forms_.substitute(forms_.assuming(last.form, end.when), replace);
      bool is_alone = true, has_own = false;
      for (const auto variable : forms_.variables(made))
        if (const auto index = index_of(variable)) (*index == i ? has_own : is_alone) = *index == i;
      if (!forms_.is_known(made)) {
        settle(std::nullopt, forms_.reasons(made));
      } else if (is_alone && has_own) {
        const auto form = carried_form(forms_, first.form, held_form(i), made, guess.trip);
        settle(form && forms_.is_known(*form) ? form : std::nullopt,
               static_cast<Reasons>(kCarried | forms_.reasons(first.form) | (form ? forms_.reasons(*form) : 0)));
      } else if (is_alone) {
        // The previous trip's result.
        const auto before = forms_.substitute(made, trip, forms_.plus(guess.trip, -1));
        const bool goes_on = forms_.substitute(made, trip, forms_.constant(-1)) == first.form;
        const auto form = goes_on ? before : forms_.choice(forms_.zero(guess.trip), first.form, before);
        settle(forms_.is_known(form) ? std::optional(form) : std::nullopt, forms_.reasons(form));
      } else if (const auto view = forms_[made]; view.kind == FormKind::Variable) {
        // A pair of registers changing places.
        const auto other = index_of(forms_.variable_of(made));
        if (!other || after[loop.written[*other]].form != held_form(i)) continue;
        const auto theirs = start[loop.written[*other]].form;
        const auto turn = forms_.remainder(guess.trip, 2);
        const auto form = forms_.choice(turn, theirs, first.form), opposite = forms_.choice(turn, first.form, theirs);
        settle(forms_.is_known(form) ? std::optional(form) : std::nullopt, forms_.reasons(form));
        settled[*other] = true;
        if (forms_.is_known(opposite)) guess.held[*other] = Held{opposite};
      }
    }
  }
}

/// The number of the trip in which a thread leaves the loop.
std::optional<Form> FormWalk::last_trip(const Trip& trip, Form variable, const std::optional<Forms::Replace>& replace) {
  if (trip.left.empty()) return std::nullopt;
  std::vector<Form> exits;
  auto any = forms_.constant(0);
  for (const auto& [block, branch, arrival] : trip.left) {
    exits.push_back(replace ? forms_.substitute(arrival.when, *replace) : arrival.when);
    any = forms_.any(any, exits.back());
  }
  const auto first_of = [&](Form when) {
    return forms_.is_known(when) ? first_trip(forms_, when, variable) : std::nullopt;
  };
  // The condition of a single exit may end with the condition of another exit; the condition of all exits does not.
  const auto of_any = first_of(any);
  auto last = of_any.value_or(forms_.constant(kNever));
  for (std::size_t i = 0; i < exits.size() && !of_any; ++i) {
    const auto first = first_of(exits[i]);
    if (!first) return std::nullopt;
    last = forms_.least(last, *first);
  }
  // A loop ends for every thread inside.
  for (auto view = forms_[last]; view.kind == FormKind::Choice; view = forms_[last]) {
    const auto never = forms_.constant(kNever);
    if (view.argument(1) != never && view.argument(2) != never) break;
    last = view.argument(1) == never ? view.argument(2) : view.argument(1);
  }
  if (!forms_.is_known(last) || forms_.range(last).most >= kNever) return std::nullopt;
  return last;
}

FormWalk::State FormWalk::beginning(const Loop& loop, const State& start, const Guess& guess) {
  auto state = start;
  for (std::size_t i = 0; i < loop.written.size(); ++i) {
    const auto place = loop.written[i];
    const auto bits = program_.registers[register_[place]].bits;
    const auto unknown = [&] {
      return forms_.unknown(guess.reasons[i], (std::uint32_t{1} << 31) | place, bounds(bits));
    };
    state[place] = guess.held[i] ? *guess.held[i] : Held{unknown()};
  }
  return state;
}

/// Forgets wrong guesses: the next trip's form must be the result of this trip.
/// @return whether all are right
bool FormWalk::prove(const Loop& loop, const Arrival& made, Guess& guess) {
  if (made.state.empty()) return true;
  bool all = true;
  const auto trip = forms_.variable_of(guess.trip);
  for (std::size_t i = 0; i < loop.written.size(); ++i) {
    auto& held = guess.held[i];
    if (!held || held->of_lanes) continue;
    const auto& end = made.state[loop.written[i]];
    const auto bits = program_.registers[register_[loop.written[i]]].bits;
    const auto next = forms_.substitute(held->form, trip, forms_.plus(guess.trip, 1));
    const auto differs = [&](Form form) {
      const auto apart = forms_.sum(form, next, -1);
      return (bits < 62 ? forms_.remainder(apart, std::int64_t{1} << bits) : apart) != forms_.constant(0);
    };
    if (!end.of_lanes && (!differs(end.form) || !differs(forms_.assuming(end.form, made.when)))) continue;
    guess.reasons[i] = static_cast<Reasons>(kCarried | forms_.reasons(end.form));
    held.reset();
    all = false;
  }
  return all;
}

/// Threads go on behind the loop, with the registers of their last trip.
void FormWalk::leave(const Loop& loop, const Arrival& start, const Trip& trip, const Guess& guess) {
  const auto variable = forms_.variable_of(guess.trip);
  const auto settled = [&](Form form, std::uint32_t place) {
    if (!forms_.depends_on(form, variable)) return form;
    if (guess.last) return forms_.substitute(form, variable, *guess.last);
    return forms_.unknown(static_cast<Reasons>(kUnknownTrips | reasons_of(trip)), place, bounds(32));
  };
  auto others = forms_.constant(0);
  for (std::size_t i = 0; i < trip.left.size(); ++i) {
    const auto& [block, branch, arrival] = trip.left[i];
    // All entering threads leave, by some exit.
    auto when = forms_.negation(others);
    if (i + 1 < trip.left.size()) {
      when = settled(arrival.when, (loop.header << 4) + static_cast<std::uint32_t>(i));
      if (!forms_.is_truth(when))
        when = forms_.unknown(forms_.reasons(when), (loop.header << 4) + static_cast<std::uint32_t>(i), {0, 1});
    }
    others = forms_.any(others, when);
    auto state = start.state;
    if (!arrival.state.empty())
      for (const auto place : loop.written) {
        state[place] = arrival.state[place];
        state[place].form = settled(state[place].form, (std::uint32_t{3} << 30) | place);
      }
    go(block, forms_.all(start.when, when), std::move(state));
  }
}

}  // namespace warpipe::isa
