#include "drawn_kernel.hpp"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace warpipe::test {
namespace {

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  DrawnKernel write() {
    DrawnKernel kernel;
    static constexpr std::int64_t kBlocks[][2] = {{8, 5}, {40, 1}, {4, 12}, {32, 1}, {16, 2}};
    const auto* const block = kBlocks[below(5)];
    kernel.block_x = block[0];
    kernel.block_y = block[1];
    kernel.grid_x = 1 + below(9);
    kernel.grid_y = 1 + below(3);
    kernel.n = 1 + below(400);
    body_ =
        "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y;\n"
        "mov.u32 %r4, %ntid.x; ld.param.u32 %r5, [n]; ld.param.u64 %d0, [p];\n"
        "mad.lo.s32 %r6, %r2, %r4, %r0;\n";
    registers_ = 7;
    for (int i = 0; i < 7; ++i) numbers_.push_back(i);
    statements(3 + below(4), 0);
    kernel.text =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {\n"
        ".reg .pred %p<200>; .reg .b32 %r<600>; .reg .b64 %d<300>;\n" +
        body_ + "ret;\n}\n";
    return kernel;
  }

 private:
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(end));
  }
  int number() { return numbers_[static_cast<std::size_t>(below(static_cast<std::int64_t>(numbers_.size())))]; }
  void add(const std::string& line) { body_ += line + ";\n"; }
  void label(int name) { body_ += fmt::format("L{}:\n", name); }

  int computed() {
    const int to = registers_++, a = number(), b = number();
    static constexpr const char* kForms[] = {
        "add.s32 %r{0}, %r{1}, %r{2}",         "sub.s32 %r{0}, %r{1}, %r{2}",       "add.s32 %r{0}, %r{1}, {3}",
        "shl.b32 %r{0}, %r{1}, {4}",           "shr.u32 %r{0}, %r{1}, {4}",         "shr.s32 %r{0}, %r{1}, {4}",
        "and.b32 %r{0}, %r{1}, {5}",           "xor.b32 %r{0}, %r{1}, {6}",         "rem.u32 %r{0}, %r{1}, {6}",
        "div.u32 %r{0}, %r{1}, {6}",           "min.s32 %r{0}, %r{1}, %r{2}",       "max.s32 %r{0}, %r{1}, {6}",
        "mul.lo.s32 %r{0}, %r{1}, {6}",        "mad.lo.s32 %r{0}, %r{1}, {6}, {3}", "or.b32 %r{0}, %r{1}, {6}",
        "xor.b32 %r{0}, %r{1}, %r{2}",         "and.b32 %r{0}, %r{1}, %r{2}",       "sub.s32 %r{0}, {6}, %r{1}",
        "mad.lo.s32 %r{0}, %r{1}, {6}, %r{2}", "bfe.u32 %r{0}, %r{1}, 2, 3"};
    const auto form = kForms[static_cast<std::size_t>(below(std::size(kForms)))];
    add(fmt::format(fmt::runtime(form), to, a, b, below(40) - 10, below(5), (1 << (1 + below(5))) - 1, 1 + below(13)));
    numbers_.push_back(to);
    return to;
  }

  int compared() {
    static constexpr const char* kSorts[] = {"lt.s32", "ge.s32", "lt.u32", "gt.s32", "eq.s32", "ne.s32", "le.u32"};
    const int to = predicates_++;
    const auto other = below(2) == 0 ? fmt::format("%r{}", number()) : std::to_string(below(60));
    add(fmt::format("setp.{} %p{}, %r{}, {}", kSorts[static_cast<std::size_t>(below(7))], to, number(), other));
    return to;
  }

  void store() {
    const int to = doubles_++;
    if (below(2) == 0)
      add(fmt::format("mul.wide.s32 %d{}, %r{}, 4", to, number()));
    else
      add(fmt::format("cvt.u64.u32 %d{}, %r{}; shl.b64 %d{}, %d{}, 3", to, number(), to, to));
    add(fmt::format("add.s64 %d{}, %d0, %d{}", to, to));
    if (below(4) == 0)
      add(fmt::format("@%p{} st.global.u32 [%d{}+{}], %r0", compared(), to, 4 * below(4)));
    else
      add(fmt::format("st.global.u32 [%d{}], %r0", to));
  }

  /// Definitions within a branch are not seen behind it.
  void inside(int depth) {
    const auto visible = numbers_.size();
    statements(1 + below(3), depth);
    numbers_.resize(visible);
  }

  void branch(int depth) {
    const int past = labels_++, truth = compared(), changed = registers_++;
    add(fmt::format("mov.u32 %r{}, %r{}", changed, number()));
    add(fmt::format("@%p{} bra L{}", truth, past));
    inside(depth + 1);
    add(fmt::format("add.s32 %r{}, %r{}, {}", changed, number(), below(9)));
    if (below(3) == 0) {
      const int end = labels_++;
      add(fmt::format("bra L{}", end));
      label(past);
      inside(depth + 1);
      label(end);
    } else {
      label(past);
    }
    numbers_.push_back(changed);
  }

  /// for (i = first; i < end; i += step), with numbers carried from trip to trip.
  void loop(int depth) {
    const int i = registers_++, end = registers_++, carried = registers_++, head = labels_++, out = labels_++;
    const int sort = static_cast<int>(below(4));
    const int step = static_cast<int>(1 + below(3));
    add(fmt::format("and.b32 %r{}, %r{}, 3", i, number()));
    add(fmt::format("and.b32 %r{}, %r{}, 7", end, number()));
    if (sort == 1) add(fmt::format("mov.u32 %r{}, {}", i, 1 << (1 + below(5))));
    add(fmt::format("and.b32 %r{}, %r{}, 1", carried, number()));
    const int guard = predicates_++;
    if (sort == 0) {
      add(fmt::format("setp.ge.s32 %p{}, %r{}, %r{}", guard, i, end));
      add(fmt::format("@%p{} bra L{}", guard, out));
    }
    label(head);
    if (sort == 2) {
      add(fmt::format("setp.ge.s32 %p{}, %r{}, %r{}", guard, i, end));
      add(fmt::format("@%p{} bra L{}", guard, out));
    }
    const auto visible = numbers_.size();
    numbers_.push_back(i);
    numbers_.push_back(carried);
    statements(1 + below(3), depth + 1);
    numbers_.resize(visible);
    switch (below(5)) {
      case 0:
        add(fmt::format("xor.b32 %r{0}, %r{0}, 1", carried));
        break;
      case 1: {
        const int wraps = predicates_++;
        add(fmt::format("add.s32 %r{0}, %r{0}, 1; setp.eq.s32 %p{1}, %r{0}, 3; selp.b32 %r{0}, 0, %r{0}, %p{1}",
                        carried, wraps));
        break;
      }
      case 2:
        add(fmt::format("add.s32 %r{0}, %r{0}, %r{1}", carried, number()));
        break;
      case 3:
        add(fmt::format("add.s32 %r{0}, %r{0}, %r{1}", carried, i));
        break;
      default:
        add(fmt::format("mov.u32 %r{0}, %r{1}", carried, i));
        break;
    }
    const int again = predicates_++;
    if (sort == 1) {
      add(fmt::format("shr.u32 %r{0}, %r{0}, 1", i));
      add(fmt::format("setp.ne.s32 %p{}, %r{}, 0", again, i));
      add(fmt::format("@%p{} bra L{}", again, head));
    } else if (sort == 2) {
      add(fmt::format("add.s32 %r{0}, %r{0}, {1}; bra L{2}", i, step, head));
    } else {
      add(fmt::format("add.s32 %r{0}, %r{0}, {1}", i, step));
      add(fmt::format("setp.lt.s32 %p{}, %r{}, %r{}", again, i, end));
      if (below(4) == 0) {
        const int breaks = compared();
        add(fmt::format("@%p{} bra L{}", breaks, out));
      }
      add(fmt::format("@%p{} bra L{}", again, head));
    }
    label(out);
    numbers_.push_back(i);
    numbers_.push_back(carried);
  }

  void statements(std::int64_t count, int depth) {
    for (std::int64_t k = 0; k < count; ++k) {
      const auto drawn = below(10);
      if (drawn < 4 || depth > 3)
        computed();
      else if (drawn < 6)
        store();
      else if (drawn < 8)
        branch(depth);
      else
        loop(depth);
    }
    store();
  }

  std::mt19937_64 random_;
  std::string body_;
  std::vector<int> numbers_;  ///< registers with a value
  int registers_ = 0, predicates_ = 0, doubles_ = 1, labels_ = 0;
};

}  // namespace

DrawnKernel drawn_kernel(std::uint64_t seed) { return Writer(seed).write(); }

}  // namespace warpipe::test
