// Results in lanes of the opcode table's rows, against arithmetic of the host, over edges and random numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <random>

#include "support/kernel_machine.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"

namespace warpipe::test {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::size_t kLanes = 64;

std::uint32_t drawn(std::mt19937_64& random) {
  static constexpr std::uint32_t kEdges[] = {0,          1,          2,          31,        32,       33,
                                             63,         64,         0x7fff,     0x8000,    0xffff,   0x10000,
                                             0x7fffffff, 0x80000000, 0xffffffff, 0x800000,  0xffffff, 0x1000000,
                                             0x3f800000, 0xbf800000, 0x7f800000, 0xff800000};
  const auto sort = random() % 3;
  if (sort == 0) return kEdges[random() % std::size(kEdges)];
  return static_cast<std::uint32_t>(random() >> (sort == 1 ? 0 : random() % 32));
}

/// Executes a body in a wave. v0 is the lane; v1 to v6 hold a lane's words of `in`, s8 to s13 the words of lane 0; v20
/// and v21 are stored.
Words executed(const std::string& body, const Words& in) {
  std::string text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nk:\n";
  text +=
      "v_lshlrev_b32_e32 v9, 2, v0\ns_load_dwordx4 s[4:7], s[0:1], 0x0\nv_mov_b32 v20, 0\nv_mov_b32 v21, 0\ns_waitcnt "
      "lgkmcnt(0)\n";
  for (int i = 0; i < 6; ++i) text += fmt::format("global_load_dword v{}, v9, s[4:5] offset:{}\n", i + 1, i * 256);
  text += "s_waitcnt vmcnt(0)\n";
  for (int i = 0; i < 6; ++i) text += fmt::format("v_readlane_b32 s{}, v{}, 0\n", i + 8, i + 1);
  text += body +
          "\ns_mov_b64 exec, -1\nglobal_store_dword v9, v20, s[6:7]\nglobal_store_dword v9, v21, s[6:7] "
          "offset:256\ns_endpgm\n";
  text += ".amdhsa_kernel k\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_user_sgpr_count 2\n.end_amdhsa_kernel\n";
  const auto module = amdgcn::read_assembly(text, "k.s");
  const auto program = amdgcn::decode(module, module.kernels.front());
  KernelMachine machine(program);
  const Words zeros(2 * kLanes);
  const auto from = machine.add_array(std::as_bytes(std::span(in))),
             to = machine.add_array(std::as_bytes(std::span(zeros)));
  isa::Launch launch;
  launch.block = {static_cast<std::int64_t>(kLanes), 1, 1};
  machine.run(launch, {from, to});
  Words out(2 * kLanes);
  const auto bytes = machine.bytes_at(to, out.size() * 4);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

struct Case {
  std::string body;
  std::function<std::uint64_t(const std::array<std::uint32_t, 6>&, std::size_t lane)> expected;  ///< v20, and above v21
  bool uniform = false;                                                                          ///< of s8 to s13
};

void PrintTo(const Case& one, std::ostream* stream) { *stream << one.body; }

std::int32_t signed_of(std::uint32_t x) { return static_cast<std::int32_t>(x); }
float real(std::uint32_t x) { return std::bit_cast<float>(x); }
std::uint64_t pair(std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 32; }

class AmdLanes : public testing::TestWithParam<Case> {};

TEST_P(AmdLanes, ComputeWhatTheHostDoes) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 8; ++round) {
    Words in(6 * kLanes);
    for (auto& word : in) word = drawn(random);
    const auto out = executed(GetParam().body, in);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::array<std::uint32_t, 6> x{};
      for (std::size_t i = 0; i < 6; ++i) x[i] = in[i * kLanes + (GetParam().uniform ? 0 : lane)];
      ASSERT_EQ(pair(out[lane], out[kLanes + lane]), GetParam().expected(x, lane))
          << "lane " << lane << fmt::format(" of {:#x} {:#x} {:#x} {:#x}", x[0], x[1], x[2], x[3]);
    }
  }
}

std::vector<Case> cases() {
  using X = std::array<std::uint32_t, 6>;
  std::vector<Case> all;
  const auto vector = [&](const std::string& body, std::function<std::uint64_t(const X&)> f) {
    all.push_back({body, [f = std::move(f)](const X& x, std::size_t) { return f(x); }});
  };
  const auto scalar = [&](const std::string& body, std::function<std::uint64_t(const X&)> f) {
    all.push_back({body + "\nv_mov_b32 v20, s20\nv_mov_b32 v21, s21",
                   [f = std::move(f)](const X& x, std::size_t) { return f(x); }, true});
  };
  const auto low = [](std::uint64_t x) { return x & 0xffffffff; };
  // Sums with carries, shifts and adds.
  vector("v_add3_u32 v20, v1, v2, v3", [=](const X& x) { return low(std::uint64_t{x[0]} + x[1] + x[2]); });
  vector("v_lshl_add_u32 v20, v1, v2, v3", [=](const X& x) { return low((x[0] << (x[1] & 31)) + x[2]); });
  vector("v_add_lshl_u32 v20, v1, v2, v3", [=](const X& x) { return low((x[0] + x[1]) << (x[2] & 31)); });
  vector("v_lshl_add_u64 v[20:21], v[1:2], 3, v[3:4]",
         [=](const X& x) { return (pair(x[0], x[1]) << 3) + pair(x[2], x[3]); });
  vector("v_add_co_u32_e32 v20, vcc, v1, v3\nv_addc_co_u32_e32 v21, vcc, v2, v4, vcc",
         [=](const X& x) { return pair(x[0], x[1]) + pair(x[2], x[3]); });
  vector("v_sub_co_u32_e32 v20, vcc, v1, v3\nv_subb_co_u32_e32 v21, vcc, v2, v4, vcc",
         [=](const X& x) { return pair(x[0], x[1]) - pair(x[2], x[3]); });
  vector("v_add_co_u32_e32 v1, vcc, v1, v3\nv_addc_co_u32_e64 v20, s[30:31], 0, 0, vcc",
         [=](const X& x) { return low((std::uint64_t{x[0]} + x[2]) >> 32); });
  vector("v_mad_u64_u32 v[20:21], s[30:31], v1, v2, v[3:4]",
         [=](const X& x) { return std::uint64_t{x[0]} * x[1] + pair(x[2], x[3]); });
  vector("v_mad_i64_i32 v[20:21], s[30:31], v1, v2, v[3:4]", [=](const X& x) {
    return static_cast<std::uint64_t>(std::int64_t{signed_of(x[0])} * signed_of(x[1])) + pair(x[2], x[3]);
  });
  vector("v_mul_hi_i32 v20, v1, v2", [=](const X& x) {
    return low(static_cast<std::uint64_t>((std::int64_t{signed_of(x[0])} * signed_of(x[1])) >> 32));
  });
  vector("v_mul_u32_u24_e32 v20, v1, v2",
         [=](const X& x) { return low(std::uint64_t{x[0] & 0xffffff} * (x[1] & 0xffffff)); });
  vector("v_mul_i32_i24_e32 v20, v1, v2", [=](const X& x) {
    return low(static_cast<std::uint64_t>(std::int64_t{signed_of(x[0] << 8) >> 8} * (signed_of(x[1] << 8) >> 8)));
  });
  vector("v_mad_i32_i24 v20, v1, v2, v3", [=](const X& x) {
    return low(
        static_cast<std::uint64_t>(std::int64_t{signed_of(x[0] << 8) >> 8} * (signed_of(x[1] << 8) >> 8) + x[2]));
  });
  vector("v_med3_i32 v20, v1, v2, v3", [=](const X& x) {
    std::array y{signed_of(x[0]), signed_of(x[1]), signed_of(x[2])};
    std::sort(y.begin(), y.end());
    return low(static_cast<std::uint32_t>(y[1]));
  });
  vector("v_sad_u32 v20, v1, v2, v3",
         [=](const X& x) { return low((x[0] > x[1] ? x[0] - x[1] : x[1] - x[0]) + x[2]); });
  // Bits.
  vector("v_bfe_u32 v20, v1, v2, v3",
         [=](const X& x) { return (x[0] >> (x[1] & 31)) & ((std::uint64_t{1} << (x[2] & 31)) - 1); });
  vector("v_bfe_i32 v20, v1, 8, 5",
         [=](const X& x) { return low(static_cast<std::uint32_t>(signed_of(x[0] << 19) >> 27)); });
  vector("v_bfi_b32 v20, v1, v2, v3", [=](const X& x) { return (x[0] & x[1]) | (~x[0] & x[2]); });
  vector("v_alignbit_b32 v20, v1, v2, v3", [=](const X& x) { return low(pair(x[1], x[0]) >> (x[2] & 31)); });
  vector("v_alignbyte_b32 v20, v1, v2, v3", [=](const X& x) { return low(pair(x[1], x[0]) >> (8 * (x[2] & 3))); });
  vector("v_ffbl_b32_e32 v20, v1",
         [=](const X& x) { return x[0] == 0 ? 0xffffffff : static_cast<std::uint64_t>(std::countr_zero(x[0])); });
  vector("v_ffbh_u32_e32 v20, v1",
         [=](const X& x) { return x[0] == 0 ? 0xffffffff : static_cast<std::uint64_t>(std::countl_zero(x[0])); });
  vector("v_ashrrev_i64 v[20:21], v3, v[1:2]", [=](const X& x) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(pair(x[0], x[1])) >> (x[2] & 63));
  });
  vector("v_lshlrev_b64 v[20:21], v3, v[1:2]", [=](const X& x) { return pair(x[0], x[1]) << (x[2] & 63); });
  vector("v_bcnt_u32_b32 v20, v1, v2",
         [=](const X& x) { return low(static_cast<std::uint64_t>(std::popcount(x[0])) + x[1]); });
  // Floats, signs and magnitudes of sources, clamps, pairs.
  const auto bits = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x)}; };
  vector("v_and_b32 v1, 0x4fffffff, v1\nv_and_b32 v2, 0x4fffffff, v2\nv_mul_f32_e64 v20, -|v1|, v2",
         [=](const X& x) { return bits(-std::abs(real(x[0] & 0x4fffffff)) * real(x[1] & 0x4fffffff)); });
  vector("v_cvt_f32_i32_e32 v1, v1\nv_mul_f32_e64 v20, v1, 0.5 clamp",
         [=](const X& x) { return bits(std::clamp(static_cast<float>(signed_of(x[0])) * 0.5F, 0.0F, 1.0F)); });
  vector("v_cvt_f32_i32_e32 v1, v1\nv_mul_f32_e64 v20, v1, v1 mul:2", [=](const X& x) {
    const auto y = static_cast<float>(signed_of(x[0]));
    return bits(y * y * 2);
  });
  vector(
      "v_cvt_f32_u32_e32 v1, v1\nv_cvt_f32_u32_e32 v2, v2\nv_cvt_f32_u32_e32 v3, v3\nv_cvt_f32_u32_e32 v4, "
      "v4\nv_pk_add_f32 v[20:21], v[1:2], v[3:4] op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[0,1]",
      [=](const X& x) {
        return bits(static_cast<float>(x[0]) - static_cast<float>(x[3])) |
               bits(static_cast<float>(x[1]) + static_cast<float>(x[2])) << 32;
      });
  vector("v_cvt_f32_i32_e32 v1, v1\nv_and_b32 v2, 31, v2\nv_ldexp_f32 v20, v1, v2", [=](const X& x) {
    return bits(std::ldexp(static_cast<float>(signed_of(x[0])), static_cast<int>(x[1] & 31)));
  });
  // Comparisons into masks, choices, sections of registers.
  vector("v_cmp_lt_i32_e32 vcc, v1, v2\nv_cndmask_b32_e32 v20, v3, v4, vcc",
         [=](const X& x) { return std::uint64_t{signed_of(x[0]) < signed_of(x[1]) ? x[3] : x[2]}; });
  vector("v_cmp_nlt_f32_e64 s[30:31], v1, v2\nv_cndmask_b32_e64 v20, 0, 1, s[30:31]",
         [=](const X& x) { return std::uint64_t{!(real(x[0]) < real(x[1]))}; });
  vector("v_cmp_class_f32_e64 s[30:31], v1, 0x1f8\nv_cndmask_b32_e64 v20, 0, 1, s[30:31]",
         [=](const X& x) { return std::uint64_t{std::isfinite(real(x[0]))}; });
  vector("v_cmp_class_f32_e64 s[30:31], v1, 0x207\nv_cndmask_b32_e64 v20, 0, 1, s[30:31]",
         [=](const X& x) { return std::uint64_t{!std::isfinite(real(x[0]))}; });
  vector("v_cmpx_gt_u32_e32 vcc, v1, v2\nv_mov_b32 v20, 1", [=](const X& x) { return std::uint64_t{x[0] > x[1]}; });
  vector("v_add_u32_sdwa v20, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1",
         [=](const X& x) { return low(((x[0] >> 8) & 255) + (x[1] >> 16)); });
  vector(
      "v_mov_b32 v20, v3\nv_add_u32_sdwa v20, v1, v2 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:DWORD "
      "src1_sel:DWORD",
      [=](const X& x) { return (x[2] & 0xff00ffff) | std::uint64_t{((x[0] + x[1]) & 255) << 16}; });
  vector("v_add_u32_sdwa v20, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
         [=](const X& x) { return low(static_cast<std::uint32_t>(static_cast<std::int8_t>(x[0])) + x[1]); });
  // The idiom of a division of whole numbers.
  vector(
      "v_and_b32 v1, 0xffffff, v1\nv_or_b32 v2, 1, v2\nv_and_b32 v2, 0xffff, v2\nv_cvt_f32_u32 v5, v2\nv_rcp_iflag_f32 "
      "v5, v5\nv_cvt_f32_u32 v6, v1\nv_mul_f32 v5, v6, v5\nv_trunc_f32 v5, v5\nv_cvt_u32_f32 v5, v5\n"
      "v_mul_lo_u32 v6, v5, v2\nv_sub_u32 v6, v1, v6\nv_cmp_gt_i32 vcc, 0, v6\nv_cndmask_b32 v7, 0, -1, vcc\nv_add_u32 "
      "v5, v5, v7\nv_mul_lo_u32 v6, v5, v2\nv_sub_u32 v6, v1, v6\nv_cmp_ge_u32 vcc, v6, v2\nv_addc_co_u32 v20, vcc, 0, "
      "v5, vcc",
      [=](const X& x) { return std::uint64_t{(x[0] & 0xffffff) / ((x[1] | 1) & 0xffff)}; });
  // The scalar unit.
  scalar("s_add_u32 s20, s8, s10\ns_addc_u32 s21, s9, s11",
         [=](const X& x) { return pair(x[0], x[1]) + pair(x[2], x[3]); });
  scalar("s_sub_u32 s20, s8, s10\ns_subb_u32 s21, s9, s11",
         [=](const X& x) { return pair(x[0], x[1]) - pair(x[2], x[3]); });
  scalar("s_add_i32 s20, s8, s9\ns_cselect_b32 s21, 1, 0", [=](const X& x) {
    std::int32_t sum = 0;
    const bool over = __builtin_add_overflow(signed_of(x[0]), signed_of(x[1]), &sum);
    return pair(static_cast<std::uint32_t>(sum), over ? 1 : 0);
  });
  scalar("s_sub_i32 s20, s8, s9\ns_cselect_b32 s21, 1, 0", [=](const X& x) {
    std::int32_t sum = 0;
    const bool over = __builtin_sub_overflow(signed_of(x[0]), signed_of(x[1]), &sum);
    return pair(static_cast<std::uint32_t>(sum), over ? 1 : 0);
  });
  scalar("s_lshl3_add_u32 s20, s8, s9\ns_cselect_b32 s21, 1, 0", [=](const X& x) {
    const auto sum = (std::uint64_t{x[0]} << 3) + x[1];
    return pair(static_cast<std::uint32_t>(sum), (sum >> 32) != 0 ? 1 : 0);
  });
  scalar("s_bfe_u32 s20, s8, 0x50007\ns_cselect_b32 s21, 1, 0", [=](const X& x) {
    const auto y = (x[0] >> 7) & 31;
    return pair(y, y != 0 ? 1 : 0);
  });
  scalar("s_bfe_i32 s20, s8, 0x50007\ns_mov_b32 s21, 0",
         [=](const X& x) { return low(static_cast<std::uint32_t>(signed_of(x[0] << 20) >> 27)); });
  scalar("s_ashr_i64 s[20:21], s[8:9], s10", [=](const X& x) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(pair(x[0], x[1])) >> (x[2] & 63));
  });
  scalar("s_ff1_i32_b64 s20, s[8:9]\ns_bcnt1_i32_b64 s21, s[8:9]", [=](const X& x) {
    const auto y = pair(x[0], x[1]);
    return pair(y == 0 ? 0xffffffff : static_cast<std::uint32_t>(std::countr_zero(y)),
                static_cast<std::uint32_t>(std::popcount(y)));
  });
  scalar("s_min_i32 s20, s8, s9\ns_cselect_b32 s21, 1, 0", [=](const X& x) {
    return pair(static_cast<std::uint32_t>(std::min(signed_of(x[0]), signed_of(x[1]))),
                signed_of(x[0]) < signed_of(x[1]) ? 1 : 0);
  });
  scalar("s_mul_hi_u32 s20, s8, s9\ns_absdiff_i32 s21, s10, s11", [=](const X& x) {
    const auto d = std::int64_t{signed_of(x[2])} - signed_of(x[3]);
    return pair(static_cast<std::uint32_t>((std::uint64_t{x[0]} * x[1]) >> 32),
                static_cast<std::uint32_t>(d < 0 ? -d : d));
  });
  scalar("s_cmp_lg_u32 s8, s9\ns_cselect_b64 s[20:21], s[8:9], s[10:11]",
         [=](const X& x) { return x[0] != x[1] ? pair(x[0], x[1]) : pair(x[2], x[3]); });
  scalar("s_movk_i32 s20, 0x8000\ns_addk_i32 s20, 0xffff\ns_mov_b32 s21, 0", [=](const X&) { return low(0xffff7fff); });
  // Masks: the old mask is kept, the new mask counts.
  vector(
      "v_cmp_gt_u32_e32 vcc, v1, v2\ns_and_saveexec_b64 s[30:31], vcc\nv_mov_b32 v20, 1\ns_xor_b64 exec, exec, "
      "s[30:31]\nv_mov_b32 v20, 2\ns_or_b64 exec, exec, s[30:31]\nv_mov_b32 v21, 3",
      [=](const X& x) { return pair(x[0] > x[1] ? 1 : 2, 3); });
  vector(
      "v_cmp_gt_u32_e32 vcc, v1, v2\ns_andn1_saveexec_b64 s[30:31], vcc\nv_mov_b32 v20, 1\ns_mov_b64 exec, "
      "s[30:31]\nv_mov_b32 v21, 3",
      [=](const X& x) { return pair(x[0] > x[1] ? 0 : 1, 3); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Rows, AmdLanes, testing::ValuesIn(cases()));

/// Of each lane, the lane whose number it gets; 64: it keeps 99.
void expect_lanes(const std::string& instruction, const std::function<std::size_t(std::size_t)>& from,
                  std::uint32_t otherwise) {
  SCOPED_TRACE(instruction);
  const auto out = executed("v_mov_b32 v20, 0x63\nv_add_u32 v8, 0x64, v0\n" + instruction, Words(6 * kLanes));
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(out[lane], from(lane) < kLanes ? 100 + from(lane) : otherwise) << "lane " << lane;
}

TEST(AmdLanesAcross, ReadTheLanesThatDppSays) {
  const auto in_row = [](std::size_t lane, std::int64_t by) {
    const auto place = static_cast<std::int64_t>(lane % 16) + by;
    return place < 0 || place > 15 ? kLanes : lane - lane % 16 + static_cast<std::size_t>(place);
  };
  expect_lanes(
      "v_mov_b32_dpp v20, v8 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", [](std::size_t l) { return l ^ 1; }, 0);
  expect_lanes(
      "v_mov_b32_dpp v20, v8 row_shr:2 row_mask:0xf bank_mask:0xf", [&](std::size_t l) { return in_row(l, -2); }, 99);
  expect_lanes(
      "v_mov_b32_dpp v20, v8 row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:0",
      [&](std::size_t l) { return in_row(l, 3); }, 0);
  expect_lanes(
      "v_mov_b32_dpp v20, v8 row_ror:4 row_mask:0xf bank_mask:0xf",
      [](std::size_t l) { return l / 16 * 16 + (l + 12) % 16; }, 0);
  expect_lanes(
      "v_mov_b32_dpp v20, v8 row_bcast:15 row_mask:0xa bank_mask:0xf",
      [](std::size_t l) { return l / 16 % 2 == 1 ? l / 16 * 16 - 1 : kLanes; }, 99);
  expect_lanes(
      "v_mov_b32_dpp v20, v8 row_bcast:31 row_mask:0xc bank_mask:0xf",
      [](std::size_t l) { return l >= 32 ? std::size_t{31} : kLanes; }, 99);
  expect_lanes(
      "v_mov_b32_dpp v20, v8 row_half_mirror row_mask:0xf bank_mask:0xf",
      [](std::size_t l) { return l / 8 * 8 + 7 - l % 8; }, 0);
  expect_lanes(
      "v_mov_b32_dpp v20, v8 wave_shr:1 row_mask:0xf bank_mask:0xf",
      [](std::size_t l) { return l == 0 ? kLanes : l - 1; }, 99);
}

TEST(AmdLanesAcross, ReadTheLanesThatPermutationsSay) {
  expect_lanes(
      "v_xor_b32 v7, 5, v0\nv_lshlrev_b32 v7, 2, v7\nds_bpermute_b32 v20, v7, v8\ns_waitcnt lgkmcnt(0)",
      [](std::size_t l) { return l ^ 5; }, 0);
  expect_lanes(
      "ds_swizzle_b32 v20, v8 offset:swizzle(SWAP,16)\ns_waitcnt lgkmcnt(0)", [](std::size_t l) { return l ^ 16; }, 0);
  expect_lanes(
      "ds_swizzle_b32 v20, v8 offset:swizzle(BROADCAST,8,3)\ns_waitcnt lgkmcnt(0)",
      [](std::size_t l) { return l / 8 * 8 + 3; }, 0);
  expect_lanes(
      "ds_swizzle_b32 v20, v8 offset:swizzle(BITMASK_PERM,\"0pi1p\")\ns_waitcnt lgkmcnt(0)",
      [](std::size_t l) { return (l & 32) | (l & 8) | (~l & 4) | 2 | (l & 1); }, 0);
  expect_lanes(
      "v_readlane_b32 s20, v8, 17\nv_mov_b32 v20, s20", [](std::size_t) { return std::size_t{17}; }, 0);
  expect_lanes(
      "s_mov_b64 exec, 0xff0\nv_readfirstlane_b32 s20, v8\ns_mov_b64 exec, -1\nv_mov_b32 v20, s20",
      [](std::size_t) { return std::size_t{4}; }, 0);
  expect_lanes(
      "v_mbcnt_lo_u32_b32 v20, -1, 0\nv_mbcnt_hi_u32_b32 v20, -1, v20\nv_add_u32 v20, 0x64, v20",
      [](std::size_t l) { return l; }, 0);
}

// v20 holds the bytes written by narrow stores, among zeros.
TEST(AmdStores, NarrowOnesWriteTheirBytes) {
  const std::string reads = "\ns_waitcnt vmcnt(0)\nglobal_load_dword v20, v9, s[6:7]\ns_waitcnt vmcnt(0)";
  const auto left = [&](const std::string& stores) {
    Words in(6 * kLanes, 0x87654321);
    for (std::size_t lane = 0; lane < kLanes; ++lane) in[lane] += static_cast<std::uint32_t>(lane);
    return executed(stores + reads, in)[5];
  };
  EXPECT_EQ(left("global_store_byte v9, v1, s[6:7] offset:1"), 0x2600U);
  EXPECT_EQ(left("global_store_short v9, v1, s[6:7] offset:2"), 0x43260000U);
}

// HSA, kernel dispatch packet: 16 bits each of a group's size from byte 4 on, the size of the grid in threads from 12
// on.
/// @param before  registers set by a launch before the packet's address, and their number
/// @param behind  likewise between it and the address of the arguments
Words packet_of_launch(const std::string& before, int first, const std::string& behind, int further) {
  const int arguments = first + 2 + further;
  std::string text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nk:\n";
  text += fmt::format(
      "s_load_dword s20, s[{0}:{1}], 0x14\ns_load_dwordx4 s[16:19], s[{0}:{1}], 0x4\n"
      "s_load_dwordx2 s[14:15], s[{2}:{3}], 0x0\nv_mov_b32 v9, 0\ns_waitcnt lgkmcnt(0)\n",
      first, first + 1, arguments, arguments + 1);
  for (int i = 0; i < 5; ++i)
    text +=
        fmt::format("v_mov_b32 v{0}, s{1}\nglobal_store_dword v9, v{0}, s[14:15] offset:{2}\n", 10 + i, 16 + i, 4 * i);
  text += fmt::format(
      "s_endpgm\n.amdhsa_kernel k\n{}.amdhsa_user_sgpr_dispatch_ptr 1\n{}.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
      ".amdhsa_user_sgpr_count {}\n.end_amdhsa_kernel\n",
      before, behind, arguments + 2);
  const auto module = amdgcn::read_assembly(text, "k.s");
  const auto program = amdgcn::decode(module, module.kernels.front());
  KernelMachine machine(program);
  Words packet(5);
  const auto to = machine.add_array(std::as_bytes(std::span(packet)));
  isa::Launch launch;
  launch.block = {32, 2, 3};
  launch.grid = {3, 5, 2};
  machine.run(launch, {to});
  const auto bytes = machine.bytes_at(to, 4 * packet.size());
  std::memcpy(packet.data(), bytes.data(), bytes.size());
  return packet;
}

TEST(AmdDispatchPacket, HasTheSizesOfTheLaunch) {
  const Words sizes{32 | 2 << 16, 3, 32 * 3, 2 * 5, 3 * 2};
  EXPECT_EQ(packet_of_launch("", 0, "", 0), sizes);
  EXPECT_EQ(packet_of_launch(".amdhsa_user_sgpr_private_segment_buffer 1\n", 4, "", 0), sizes);
  EXPECT_EQ(packet_of_launch("", 0, ".amdhsa_user_sgpr_queue_ptr 1\n", 2), sizes);
}

}  // namespace
}  // namespace warpipe::test
