#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// Forms: whole numbers as functions of a thread's place, its group's place and the trips of the enclosing loops:
///
///     4 * thread_x + 1024 * group_x + 131072 * trip_1
///
/// A form is the number of a node in an arena. The arena makes each function once and in a single way: sums are flat
/// and in order, quotients give up divisible terms, a range decides as much as it can. So two forms are known to be
/// equal where their numbers are. Each node knows a range around all its values; no result is ever taken modulo
/// anything in silence.

namespace warpipe::isa {

/// A function, as the number of a node in the arena that made it.
struct Form {
  std::uint32_t id = 0;
  friend auto operator<=>(const Form&, const Form&) = default;
};

/// The variable of a form.
enum class Place : std::uint8_t {
  Thread,  ///< in its group; `number` is the axis
  Group,   ///< in the grid; likewise
  Trip,    ///< the trips of a loop so far; `number` is the loop's
  Start,   ///< a warp's first trip in a part of a loop; likewise
  Carried  ///< the value of a register at the start of an iteration, while being solved; `number` is the register's
};

struct Variable {
  Place place = Place::Thread;
  std::uint32_t number = 0;
  std::int64_t key() const { return (static_cast<std::int64_t>(place) << 32) | static_cast<std::int64_t>(number); }
  /// A bit of 64, possibly shared with further variables.
  std::uint64_t bit() const { return std::uint64_t{1} << (static_cast<unsigned>(place) * 6 + number) % 64; }
  friend auto operator<=>(const Variable&, const Variable&) = default;
};

/// The reason for a number without a form. Several may hold: bits of a set.
enum Reason : std::uint16_t {
  kReadsMemory = 1,     ///< it was loaded
  kOfAtomic = 2,        ///< it was returned by an atomic
  kOtherLanes = 4,      ///< it comes from other lanes of the warp
  kOfMask = 8,          ///< an execution mask that is not followed
  kOfHardware = 16,     ///< a clock, the number of a compute unit
  kNotSaid = 32,        ///< an argument, or a field of it, without a value in the launch
  kNotFollowed = 64,    ///< an operation other than arithmetic of whole numbers, as of floats
  kNotWritten = 128,    ///< the register is read before it is written
  kCarried = 256,       ///< it moves from iteration to iteration in no known way
  kUnknownTrips = 512,  ///< it is made in a loop with unknown trips
  kTooLarge = 1024      ///< it does not fit in 62 bits
};
using Reasons = std::uint16_t;
/// The reasons that are data, unknown to any arithmetic.
inline constexpr Reasons kData = kReadsMemory | kOfAtomic | kOfHardware | kNotSaid | kNotWritten;

/// The operation of a form's node. Truths are 1 and 0.
enum class FormKind : std::uint8_t {
  Constant,
  Variable,
  Unknown,      ///< a number with only its range known; the same in all forms of an execution
  Sum,          ///< a constant plus terms times factors
  Product,      ///< of all arguments
  Quotient,     ///< of two, rounded down
  Remainder,    ///< of the first by the second, not negative
  Power,        ///< of two
  Common,       ///< the common bits of two numbers, none negative
  Least,        ///< of two
  Greatest,     ///< of two
  NotNegative,  ///< a truth
  Zero,         ///< a truth
  All,          ///< of truths
  Choice        ///< the second where the first is true, else the third
};

struct Term {
  Form form;
  std::int64_t factor = 1;
  friend auto operator<=>(const Term&, const Term&) = default;
};
using Terms = std::vector<Term>;

struct Range {
  std::int64_t least = 0, most = 0;
  bool within(std::int64_t low, std::int64_t high) const { return low <= least && most <= high; }
};

/// The contents of a form's node.
struct FormView {
  FormKind kind = FormKind::Constant;
  std::int64_t number = 0;      ///< of a constant or a sum; of a variable or an unknown its key
  std::span<const Term> terms;  ///< of a sum; of any other kind the arguments, with factor 1
  Form argument(std::size_t index) const { return terms[index].form; }
};

class Forms {
 public:
  static constexpr std::int64_t kFar = std::int64_t{1} << 62;  ///< no form goes beyond

  Forms();
  Forms(const Forms&) = delete;
  Forms(Forms&&) = default;
  Forms& operator=(const Forms&) = delete;
  Forms& operator=(Forms&&) = default;

  Form constant(std::int64_t number);
  Form variable(Variable variable, Range range);
  /// @param place  identifies the unknown: of the instruction, loop or register
  Form unknown(Reasons reasons, std::uint32_t place, Range range);

  Form sum(Form one, Form other, std::int64_t factor = 1);  ///< one + factor x other
  Form plus(Form one, std::int64_t number);
  Form scaled(Form one, std::int64_t factor);
  Form linear(std::int64_t constant, std::span<const Term> terms);
  Form product(Form one, Form other);
  /// @param divisor  at least 1
  Form quotient(Form one, Form divisor);
  Form remainder(Form one, Form divisor);
  Form quotient(Form one, std::int64_t divisor) { return quotient(one, constant(divisor)); }
  Form remainder(Form one, std::int64_t divisor) { return remainder(one, constant(divisor)); }
  Form power(Form exponent);          ///< of 2; the exponent is not negative
  Form common(Form one, Form other);  ///< none is negative
  Form least(Form one, Form other);
  Form greatest(Form one, Form other);

  Form not_negative(Form one);
  Form zero(Form one);
  Form negation(Form truth) { return linear(1, Terms{{truth, -1}}); }
  Form all(Form one, Form other);
  Form any(Form one, Form other);
  Form choice(Form truth, Form one, Form other);
  /// Whether a number is not 0.
  Form truth(Form number);

  FormView operator[](Form form) const;
  Range range(Form form) const { return {nodes_[form.id].least, nodes_[form.id].most}; }
  Reasons reasons(Form form) const { return nodes_[form.id].reasons; }
  bool is_known(Form form) const { return reasons(form) == 0; }
  std::optional<std::int64_t> number(Form form) const;  ///< of a constant
  bool is_truth(Form form) const { return range(form).within(0, 1); }
  Variable variable_of(Form form) const;
  /// The factors of a conjunction of truths; any other truth itself.
  Terms factors(Form truth) const;
  bool depends_on(Form form, Variable variable) const;
  /// The terms of a sum, or the form itself as its only term.
  /// @param constant  the sum's constant is added to it
  Terms terms_of(Form form, std::int64_t& constant) const;
  /// All variables in it, each once.
  std::vector<Variable> variables(Form form) const;
  std::size_t size() const { return nodes_.size(); }

  /// The form with other forms in place of variables.
  using Replace = std::function<std::optional<Form>(Variable)>;
  Form substitute(Form form, const Replace& replace);
  Form substitute(Form form, Variable variable, Form by);
  /// The form where a truth holds: without comparisons that follow from it, or from its opposite.
  Form assuming(Form form, Form truth);

  /// The number at a place; every unknown counts as 0.
  using At = std::function<std::int64_t(Variable)>;
  std::int64_t evaluate(Form form, const At& at) const;

  /// "4 * thread_x + 128 * trip_1", for messages and tests.
  std::string text(Form form) const;

  /// While set, ranges that grow beyond all bounds are cut: for guesses that are checked later.
  bool is_guessing = false;

 private:
  struct Node {
    FormKind kind;
    Reasons reasons = 0;
    std::span<const Term> terms = {};
    std::int64_t number = 0, least = 0, most = 0;
    std::uint64_t variables = 0;                              ///< one bit for several
    mutable std::optional<std::uint64_t> possible_bits = {};  ///< once asked for
  };
  __extension__ using Wide = __int128;

  Form make(FormKind kind, std::int64_t number, std::span<const Term> terms, Wide least, Wide most);
  Form made_of(FormKind kind, std::initializer_list<Form> arguments, Wide least, Wide most);
  Form substitute(Form form, const Replace& replace, std::uint64_t mask, std::unordered_map<std::uint32_t, Form>& done);
  /// The form with other arguments, each replaced by `replace`.
  template <class ReplaceForm>
  Form with_arguments(Form form, const ReplaceForm& replace);
  Form rebuilt(FormKind kind, std::span<const Form> arguments);
  Form assuming(Form form, Form truth, std::unordered_map<std::uint32_t, Form>& done);
  /// The number that is not negative where a comparison holds; none of any other truth.
  std::optional<Form> kept_by(Form truth);
  int implied(Form one, Form other);
  Terms without_remainders(Form form, std::int64_t& constant);
  Form without_lowering_quotients(Form form);
  std::optional<Form> less(Form from, std::int64_t constant, const Terms& kept);
  std::int64_t least_where(Form number, const Terms& facts, bool is_numerator = false);
  std::optional<Form> sign_of_united(Form one);
  std::uint64_t possible_bits(Form form) const;
  std::uint64_t find_possible_bits(Form form) const;
  void join_remainders(std::int64_t& constant, Terms& terms);
  /// Terms and a constant of a sum that are together a remainder.
  struct Ring {
    Terms parts;
    Wide constant = 0;
    Form place;
    std::int64_t modulus = 1, times = 1;  ///< the sum has `times` (place mod modulus)
  };
  using RingOf = std::optional<Ring> (Forms::*)(const Term&, const Terms&);
  std::optional<Ring> ring_of_quotient(const Term& quotient, const Terms& terms);
  std::optional<Ring> ring_of_comparison(const Term& truth, const Terms& terms);
  void find_ring(RingOf ring_of, std::int64_t& constant, Terms& terms);
  Form undefined(Form one, Form divisor);
  std::optional<bool> by_digits(std::int64_t constant, const Terms& terms);
  std::optional<bool> by_digits(std::int64_t constant, const Terms& terms, const Terms& digits);
  std::optional<std::pair<std::int64_t, std::int64_t>> place_of_digit(Form number, Form digit);
  std::optional<Form> by_reciprocal(Form one, std::int64_t divisor);
  std::optional<Form> by_reciprocal_in_steps(std::int64_t constant, const Terms& terms, std::int64_t divisor);
  Form quotient_by(Form one, std::int64_t divisor);
  Form remainder_by(Form one, std::int64_t modulus);
  /// The range of a constant plus terms times their factors.
  Range range_of(std::int64_t constant, std::span<const Term> terms) const;
  Range narrowed(Range range, std::int64_t constant, const Terms& terms);
  struct Split {
    std::int64_t unit = 1, constant = 0;
    Terms upper, lower;
  };
  std::optional<Split> split_by_unit(std::int64_t constant, const Terms& terms, std::int64_t divisor) const;
  Form common_with(Form one, std::uint64_t mask);

  // Neither container moves its elements when it grows: views and nodes stay valid while further nodes are made.
  std::deque<Node> nodes_;
  std::deque<Terms> terms_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_;
};

}  // namespace warpipe::isa
