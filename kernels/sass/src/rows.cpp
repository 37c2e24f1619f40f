#include "rows.hpp"

#include <algorithm>
#include <array>

#include "lanes.hpp"

namespace warpipe::sass {
namespace {

constexpr std::uint16_t operator""_forms(unsigned long long digits) {
  std::uint16_t mask = 0;
  for (; digits != 0; digits /= 10) mask = static_cast<std::uint16_t>(mask | (1U << (digits % 10)));
  return mask;
}

constexpr std::uint16_t kAlu = 1234567_forms, kOfB = 1456_forms, kAny = 0xff;
constexpr int kFirst = 75, kLast = 199;

using enum Layout;

/// In the order of opcodes. An instruction that takes only an issue slot is a `wait`: the vocabulary has no other op
/// for it.
/// @source opcodes, forms and bits: Mesa, src/nouveau/compiler/nak/sm70_encode.rs (MIT); the rest: experiments with
///         ptxas 13.0, docs/cubins.md
constexpr std::array kRows = std::to_array<Row>({
    // Whole numbers and truths, per lane.
    {0x002, kOfB, kFirst, kLast, "MOV", Alu, "B", "11", "", "", lanes::move, "iadd", 0},
    {0x002, 2_forms, 120, kLast, "MOV.64", Alu, "W", "22", "", "", lanes::move_constant, "iadd", 0},
    {0x003, kAlu, kFirst, kLast, "P2R", Alu, "AB", "111", "", "", lanes::pack_predicates, "logic", 0},
    {0x004, kAlu, kFirst, kLast, "R2P", Alu, "AB", "-11", "", "", lanes::unpack_predicates, "logic", 0},
    {0x007, 2_forms, 120, kLast, "SEL.64", Alu, "AC", "222", "", "P", lanes::select_wide, "select", 0},
    {0x007, kAlu, kFirst, kLast, "SEL", Alu, "AB", "111", "", "P", lanes::select, "select", 0},
    {0x008, kAlu, kFirst, kLast, "FSEL", Alu, "AB", "111", "AB|", "P", lanes::select, "select", 0},
    {0x009, kAlu, kFirst, kLast, "FMNMX", Alu, "AB", "111", "AB|", "P", lanes::extreme_float, "compare", 1},
    {0x00a, kAlu, kFirst, kLast, "FSET", Alu, "A+", "111", "A+|", "P", nullptr, "compare", 0},
    {0x00b, kAlu, kFirst, kLast, "FSETP", Alu, "A+", "-11", "A+|", "pqP", lanes::compare_float, "compare", 0},
    {0x00c, kAlu, kFirst, kLast, "ISETP", Alu, "AB", "-11", "", "pqPER", lanes::compare, "compare", 0},
    {0x00f, kAlu, 90, kLast, "VIMNMX3", Alu, "ABC", "1111", "", "P", lanes::extreme3, "compare", 0},
    {0x010, kAlu, kFirst, kLast, "IADD3", Alu, "ABC", "1111", "ABC", "pqXPQ", lanes::add3, "iadd", 0},
    {0x011, kAlu, kFirst, kLast, "LEA", Alu, "ABC", "1111", "A", "pXP", lanes::shift_and_add, "iadd", 0},
    {0x012, kAlu, kFirst, kLast, "LOP3", Alu, "ABC", "1111", "", "pP", lanes::logic3, "logic", 0},
    {0x013, kOfB, kFirst, kLast, "IABS", Alu, "B", "11", "", "", lanes::absolute, "iadd", 0},
    {0x014, kAlu, kFirst, kLast, "VABSDIFF", Alu, "ABC", "1111", "", "", nullptr, "iadd", 0},
    {0x015, kAlu, kFirst, kLast, "VABSDIFF4", Alu, "ABC", "1111", "", "", nullptr, "iadd", 0},
    {0x016, kAlu, kFirst, kLast, "PRMT", Alu, "ABC", "1111", "", "", lanes::permute, "logic", 0},
    {0x017, kAlu, 120, kLast, "IMNMX.64", Alu, "AB", "222", "", "P", lanes::extreme_wide, "compare", 0},
    {0x017, kAlu, kFirst, kLast, "IMNMX", Alu, "AB", "111", "", "P", lanes::extreme, "compare", 0},
    {0x019, kAlu, kFirst, kLast, "SHF", Alu, "ABC", "1111", "", "", lanes::shift, "shift", 0},
    {0x01a, kAlu, kFirst, kLast, "SGXT", Alu, "AB", "111", "", "", lanes::extend, "logic", 0},
    {0x01b, kAlu, kFirst, kLast, "BMSK", Alu, "AB", "111", "", "", lanes::bit_mask, "logic", 0},
    {0x01c, 4_forms, kFirst, kLast, "PLOP3", Fields, "", "-", "", "pqPQS", lanes::predicates, "logic", 0},
    // Floats.
    {0x020, kAlu, kFirst, kLast, "FMUL", Alu, "AB", "111", "AB|", "", lanes::multiply_float, "fmul", 1},
    {0x021, kAlu, kFirst, kLast, "FADD", Alu, "A+", "111", "A+|", "", lanes::add_float, "fadd", 1},
    {0x022, kAlu, kFirst, kLast, "FSWZADD", Alu, "AB", "111", "", "", nullptr, "fadd", 1},
    {0x023, kAlu, kFirst, kLast, "FFMA", Alu, "ABC", "1111", "ABC|", "", lanes::fused_float, "ffma", 2},
    {0x024, kAlu, kFirst, kLast, "IMAD", Alu, "ABC", "1111", "BC", "pXP", lanes::multiply_add, "imad", 0},
    {0x025, kAlu, kFirst, kLast, "IMAD.WIDE", Alu, "ABC", "2112", "BC", "pXP", lanes::multiply_add_wide, "imad.wide",
     0},
    {0x026, kAlu, kFirst, kLast, "IDP", Alu, "ABC", "1111", "", "", lanes::dot_product, "imad", 0},
    {0x027, kAlu, kFirst, kLast, "IMAD.HI", Alu, "ABC", "1112", "B", "pXP", lanes::multiply_add_high, "imad.wide", 0},
    {0x028, kAlu, kFirst, kLast, "DMUL", Alu, "AB", "222", "AB|", "", lanes::multiply_double, "dmul", 1},
    {0x029, kAlu, kFirst, kLast, "DADD", Alu, "AC", "222", "AC|", "", lanes::add_double, "dadd", 1},
    {0x02a, kAlu, kFirst, kLast, "DSETP", Alu, "A+", "-22", "A+|", "pqP", lanes::compare_double, "dadd", 0},
    {0x02b, kAlu, kFirst, kLast, "DFMA", Alu, "ABC", "2222", "ABC|", "", lanes::fused_double, "dfma", 2},
    {0x030, kAlu, kFirst, kLast, "HADD2", Alu, "A+", "111", "", "", nullptr, "hfma", 2},
    {0x031, kAlu, kFirst, kLast, "HFMA2", Alu, "ABC", "1111", "", "", lanes::half_constant, "hfma", 4},
    {0x032, kAlu, kFirst, kLast, "HMUL2", Alu, "AB", "111", "", "", nullptr, "hfma", 2},
    {0x033, kAlu, kFirst, kLast, "HSET2", Alu, "A+", "111", "", "P", nullptr, "hfma", 0},
    {0x034, kAlu, kFirst, kLast, "HSETP2", Alu, "A+", "-11", "", "pqP", nullptr, "hfma", 0},
    {0x035, kAlu, kFirst, 99, "HFMA2.MMA", Alu, "ABC", "1111", "", "", lanes::half_constant, "hfma", 4},
    {0x035, kAlu, 100, kLast, "IADD.64", Alu, "AB", "222", "AB", "", lanes::add_wide, "iadd", 0},
    {0x036, kAlu, 90, kLast, "VIADD", Alu, "AB", "111", "AB", "", lanes::add2, "iadd", 0},
    {0x03a, 1_forms, kFirst, kLast, "MOVM", Fields, "A", "1", "", "", nullptr, "shuffle", 0},
    {0x03e, kAlu, 80, kLast, "F2FP", Alu, "ABC", "1111", "", "", nullptr, "logic", 0},
    {0x040, kAlu, 80, kLast, "HMNMX2", Alu, "AB", "111", "", "P", nullptr, "hfma", 2},
    {0x045, kOfB, 86, kLast, "I2FP", Alu, "B", "11", "", "", lanes::to_float_packed, "iadd", 0},
    {0x046, kAlu, 90, kLast, "VIADDMNMX", Alu, "ABC", "1111", "B", "P", lanes::add_and_extreme, "iadd", 0},
    {0x048, kAlu, 86, kLast, "VIMNMX", Alu, "AB", "111", "", "P", lanes::extreme, "compare", 0},
    {0x04a, kAlu, 120, kLast, "VIMNMX", Alu, "AB", "111", "", "P", lanes::extreme, "compare", 0},
    {0x076, kAlu, 100, kLast, "FMNMX3", Alu, "ABC", "1111", "ABC|", "P", lanes::extreme3_float, "compare", 2},
    {0x100, kOfB, kFirst, kLast, "FLO", Alu, "B", "11", "B", "p", lanes::highest_bit, "convert", 0},
    {0x101, kOfB, kFirst, kLast, "BREV", Alu, "B", "11", "", "", lanes::reverse, "convert", 0},
    {0x102, kAlu, kFirst, kLast, "FCHK", Alu, "AB", "-11", "AB|", "p", lanes::check_division, "convert", 0},
    {0x104, kOfB, kFirst, kLast, "F2F", Alu, "B", "11", "B|", "", lanes::float_to_float, "convert", 0},
    {0x105, kOfB, kFirst, kLast, "F2I", Alu, "B", "11", "B|", "", lanes::to_whole, "convert", 0},
    {0x106, kOfB, kFirst, kLast, "I2F", Alu, "B", "11", "", "", lanes::to_float, "convert", 0},
    {0x107, kOfB, kFirst, kLast, "FRND", Alu, "B", "11", "B|", "", lanes::round_float, "convert", 0},
    {0x108, kOfB, kFirst, kLast, "MUFU", Alu, "B", "11", "B|", "", lanes::special_function, "", 1},
    {0x109, kOfB, kFirst, kLast, "POPC", Alu, "B", "11", "B", "", lanes::population, "convert", 0},
    {0x110, kOfB, kFirst, kLast, "F2F", Alu, "B", "11", "B|", "", lanes::float_to_float, "convert.64", 0},
    {0x111, kOfB, kFirst, kLast, "F2I", Alu, "B", "11", "B|", "", lanes::to_whole, "convert.64", 0},
    {0x112, kOfB, kFirst, kLast, "I2F", Alu, "B", "11", "", "", lanes::to_float, "convert.64", 0},
    {0x113, kOfB, kFirst, kLast, "FRND", Alu, "B", "11", "B|", "", lanes::round_float, "convert.64", 0},
    // The uniform datapath: its numbers equal the numbers of lanes, its ops count as theirs.
    {0x054, kAny, 100, kLast, "UFADD", Uniform, "A+", "111", "A+|", "", lanes::add_float, "fadd", 0},
    {0x055, kAny, 100, kLast, "UFFMA", Uniform, "ABC", "1111", "ABC|", "", lanes::fused_float, "ffma", 0},
    {0x056, kAny, 100, kLast, "UFMUL", Uniform, "AB", "111", "AB|", "", lanes::multiply_float, "fmul", 0},
    {0x05a, kAny, 100, kLast, "UI2F", Uniform, "B", "11", "", "", lanes::to_float, "convert", 0},
    {0x05e, kAny, 100, kLast, "UI2FP", Uniform, "B", "11", "", "", lanes::to_float, "iadd", 0},
    {0x082, kAny, kFirst, kLast, "UMOV", Uniform, "B", "11", "", "", lanes::move, "iadd", 0},
    {0x086, 4_forms, kFirst, kLast, "VOTEU", Fields, "", "v", "", "pP", lanes::vote, "vote", 0},
    {0x087, 6_forms, 120, kLast, "USEL.64", Uniform, "AB", "222", "", "P", lanes::select_wide, "select", 0},
    {0x087, kAny, kFirst, kLast, "USEL", Uniform, "AB", "111", "", "P", lanes::select, "select", 0},
    {0x085, kAny, 120, kLast, "UVIMNMX.64", Uniform, "AB", "222", "", "P", lanes::extreme_wide, "compare", 0},
    {0x08c, kAny, kFirst, kLast, "UISETP", Uniform, "AB", "-11", "", "pqPER", lanes::compare, "compare", 0},
    {0x090, kAny, kFirst, kLast, "UIADD3", Uniform, "ABC", "1111", "ABC", "pqXPQ", lanes::add3, "iadd", 0},
    {0x091, kAny, kFirst, kLast, "ULEA", Uniform, "ABC", "1111", "A", "pXP", lanes::shift_and_add, "iadd", 0},
    {0x092, kAny, kFirst, kLast, "ULOP3", Uniform, "ABC", "1111", "", "pP", lanes::logic3, "logic", 0},
    {0x096, kAny, kFirst, kLast, "UPRMT", Uniform, "ABC", "1111", "", "", lanes::permute, "logic", 0},
    {0x099, kAny, kFirst, kLast, "USHF", Uniform, "ABC", "1111", "", "", lanes::shift, "shift", 0},
    {0x09a, kAny, kFirst, kLast, "USGXT", Uniform, "AB", "111", "", "", lanes::extend, "logic", 0},
    {0x09b, kAny, kFirst, kLast, "UBMSK", Uniform, "AB", "111", "", "", lanes::bit_mask, "logic", 0},
    {0x09c, 4_forms, kFirst, kLast, "UPLOP3", Uniform, "", "-", "", "pqPQR", lanes::predicates, "logic", 0},
    {0x097, kAny, 90, kLast, "UIADD3.64", Uniform, "ABC", "2222", "ABC", "pq", lanes::add3_wide, "iadd", 0},
    {0x0a4, kAny, kFirst, kLast, "UIMAD", Uniform, "ABC", "1111", "BC", "pXP", lanes::multiply_add, "imad", 0},
    {0x0a5, kAny, kFirst, kLast, "UIMAD.WIDE", Uniform, "ABC", "2112", "BC", "pXP", lanes::multiply_add_wide, "imad",
     0},
    {0x0a7, kAny, kFirst, kLast, "UIMAD.HI", Uniform, "ABC", "1112", "B", "pXP", lanes::multiply_add_high, "imad", 0},
    {0x0bd, kAny, kFirst, kLast, "UFLO", Uniform, "B", "11", "B", "p", lanes::highest_bit, "convert", 0},
    {0x0be, kAny, kFirst, kLast, "UBREV", Uniform, "B", "11", "", "", lanes::reverse, "convert", 0},
    {0x0bf, kAny, kFirst, kLast, "UPOPC", Uniform, "B", "11", "B", "", lanes::population, "convert", 0},
    {0x083, kAny, kFirst, kLast, "UP2UR", Uniform, "AB", "111", "", "", lanes::pack_predicates, "logic", 0},
    {0x084, kAny, kFirst, kLast, "UR2UP", Uniform, "AB", "-11", "", "", lanes::unpack_predicates, "logic", 0},
    {0x0bb, 5_forms, kFirst, 99, "ULDC", Constant, "", "u", "", "", lanes::load_constant, "constant.load.uniform", 0},
    {0x0b9, 5_forms, kFirst, 99, "ULDC", Constant, "", "u", "", "", lanes::load_constant, "constant.load.uniform", 0},
    {0x1ac, 35_forms, 100, kLast, "LDCU", Constant, "", "u", "", "", lanes::load_constant, "constant.load", 0},
    // The hardware's numbers, constants, and moves from lanes to the uniform registers.
    {0x005, 4_forms, kFirst, kLast, "CS2R", Special, "", "w", "", "", lanes::move_index, "index", 0},
    {0x006, 4_forms, kFirst, kLast, "VOTE", Fields, "", "1", "", "pP", lanes::vote, "vote", 0},
    {0x119, 4_forms, kFirst, kLast, "S2R", Special, "", "1", "", "", lanes::move_index, "index", 0},
    {0x1c3, 4_forms, kFirst, kLast, "S2UR", Special, "", "v", "", "", lanes::move_index, "index", 0},
    {0x182, 25_forms, kFirst, kLast, "LDC", Constant, "", "m", "", "", lanes::load_constant, "constant.load", 0},
    {0x1c2, kAny, kFirst, kLast, "R2UR", Fields, "A", "v", "", "p", lanes::from_lane, "iadd", 0},
    {0x0ca, 1_forms, 90, kLast, "R2UR", Fields, "A", "v", "", "p", lanes::from_lane, "iadd", 0},
    {0x1c4, kAny, 80, kLast, "REDUX", Fields, "A", "v", "", "", lanes::reduce, "shuffle.reduce", 0},
    {0x189, kAny, kFirst, kLast, "SHFL", Shuffle, "", "1", "", "p", lanes::shuffle, "shuffle", 0},
    {0x1a1, kAny, kFirst, kLast, "MATCH", Fields, "A", "1", "", "p", lanes::match, "shuffle.match", 0},
    // Memory: the space, then result, number and scale.
    {0x180, kAny, kFirst, kLast, "LD", Load, "N", "1", "", "", nullptr, "global.load", 0},
    {0x181, kAny, kFirst, kLast, "LDG", Load, "G", "1", "", "", nullptr, "global.load", 0},
    {0x183, kAny, kFirst, kLast, "LDL", Load, "L", "1", "", "", nullptr, "global.load", 0},
    {0x184, kAny, kFirst, kLast, "LDS", Load, "S", "1-s", "", "", nullptr, "shared.load", 0},
    {0x185, kAny, kFirst, kLast, "ST", Store, "N", "-1", "", "", nullptr, "global.store", 0},
    {0x186, kAny, kFirst, kLast, "STG", Store, "G", "-1", "", "", nullptr, "global.store", 0},
    {0x187, kAny, kFirst, kLast, "STL", Store, "L", "-1", "", "", nullptr, "global.store", 0},
    {0x188, kAny, kFirst, kLast, "STS", Store, "S", "-1s", "", "", nullptr, "shared.store", 0},
    {0x18a, kAny, kFirst, kLast, "ATOM", Atomic, "N", "11", "", "", nullptr, "global.atomic", 0},
    {0x18b, kAny, kFirst, kLast, "ATOM.CAS", Compare, "N", "11", "", "", nullptr, "global.atomic", 0},
    {0x18c, kAny, kFirst, kLast, "ATOMS", Atomic, "S", "11s", "", "", nullptr, "shared.atomic", 0},
    {0x18d, kAny, kFirst, kLast, "ATOMS.CAS", Compare, "S", "11s", "", "", nullptr, "shared.atomic", 0},
    {0x18e, kAny, kFirst, kLast, "RED", Atomic, "G", "-1", "", "", nullptr, "global.atomic", 0},
    {0x1a3, kAny, kFirst, kLast, "ATOMG", Atomic, "G", "11", "", "", nullptr, "global.atomic", 0},
    {0x1a6, kAny, 90, kLast, "REDG", Atomic, "G", "-1", "", "", nullptr, "global.atomic", 0},
    {0x1a8, kAny, kFirst, kLast, "ATOMG", Atomic, "G", "11", "", "", nullptr, "global.atomic", 0},
    {0x1a9, kAny, kFirst, kLast, "ATOMG.CAS", Compare, "G", "11", "", "", nullptr, "global.atomic", 0},
    {0x1ae, kAny, 80, kLast, "LDGSTS", Copy, "G", "-1", "", "", nullptr, "global.load", 0},
    // Where other loads have a scale, it has the form of its matrices.
    {0x03b, kAny, kFirst, kLast, "LDSM", Load, "S", "1-", "", "", nullptr, "shared.load", 0},
    {0x1af, kAny, 80, kLast, "LDGDEPBAR", Fields, "", "-", "", "", nullptr, "wait", 0},
    // Textures and surfaces: registers by channels, with separate source registers.
    {0x160, kAny, kFirst, kLast, "TEX", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x161, kAny, kFirst, kLast, "TEX", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x163, kAny, kFirst, kLast, "TLD4", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x164, kAny, kFirst, kLast, "TLD4", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x166, kAny, kFirst, kLast, "TLD", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x167, kAny, kFirst, kLast, "TLD", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x198, kAny, kFirst, kLast, "SULD", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x199, kAny, kFirst, kLast, "SULD", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x19a, kAny, kFirst, kLast, "SULD", Texture, "AB", "1", "", "", nullptr, "global.load", 0},
    {0x19c, kAny, kFirst, kLast, "SUST", Texture, "AB", "-", "", "", nullptr, "global.store", 0},
    {0x19d, kAny, kFirst, kLast, "SUST", Texture, "AB", "-", "", "", nullptr, "global.store", 0},
    {0x19e, kAny, kFirst, kLast, "SUST", Texture, "AB", "-", "", "", nullptr, "global.store", 0},
    // Products of matrices.
    {0x037, kAny, kFirst, kLast, "IMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x03c, kAny, kFirst, kLast, "HMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x03d, kAny, kFirst, kLast, "BMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x03f, kAny, 80, kLast, "DMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x07a, kAny, 120, kLast, "QMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x1f0, kAny, 90, 90, "HGMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x1f1, kAny, 90, 90, "IGMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x1f3, kAny, 90, 90, "QGMMA", Matrix, "", "1", "", "", nullptr, "", 0},
    {0x1c5, kAny, 90, 90, "WARPGROUP", Fields, "", "-", "", "", nullptr, "wait", 0},
    // Copy engines, and their barriers.
    {0x1a7, 2_forms, 90, kLast, "SYNCS.PHASECHK", Barrier, "B", "-1", "", "p", lanes::granted, "wait", 0},
    {0x1a7, 134567_forms, 90, kLast, "SYNCS.ARRIVE", Barrier, "B", "-1", "", "", nullptr, "arrive", 0},
    {0x1b2, kAny, 90, kLast, "SYNCS.EXCH", Barrier, "", "-", "", "g", nullptr, "shared.store", 0},
    {0x1b4, kAny, 90, kLast, "UTMALDG", Engine, "", "-", "", "g", nullptr, "global.copy", 0},
    {0x1b5, kAny, 90, kLast, "UTMASTG", Engine, "", "-", "", "g", nullptr, "global.store", 0},
    {0x1ba, kAny, 90, kLast, "UBLKCP", Engine, "", "-", "", "g", nullptr, "", 0},
    {0x1b7, kAny, 90, kLast, "UTMACMDFLUSH", Fields, "", "-", "", "g", nullptr, "wait", 0},
    {0x1c6, kAny, 90, kLast, "FENCE.VIEW", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x1c7, 6_forms, 90, kLast, "UCGABAR_WAIT", Fields, "", "-", "", "g", nullptr, "barrier", 0},
    {0x1c7, kAny, 90, kLast, "UCGABAR_ARV", Fields, "", "-", "", "g", nullptr, "wait", 0},
    {0x1c8, kAny, 90, kLast, "USETMAXREG", Fields, "", "-", "", "gu", lanes::granted, "wait", 0},
    {0x02f, 4_forms, 90, kLast, "ELECT", Fields, "", "-", "", "p", lanes::elect, "vote", 0},
    {0x11b, kAny, 90, kLast, "ENDCOLLECTIVE", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x11c, kAny, kFirst, kLast, "B2R", Fields, "", "1", "", "p", nullptr, "index", 0},
    // Control.
    {0x141, kAny, kFirst, kLast, "BSYNC", Fields, "", "-", "", "P", nullptr, "wait", 0},
    {0x142, kAny, kFirst, kLast, "BREAK", Fields, "", "-", "", "P", nullptr, "wait", 0},
    {0x143, 1_forms, kFirst, kLast, "CALL.ABS", Return, "", "-", "", "P", nullptr, "branch", 0},
    {0x143, kAny, kFirst, kLast, "CALL.ABS", Fields, "", "-", "", "P", nullptr, "branch", 0},
    {0x14e, kAny, kFirst, kLast, "LEPC", Fields, "", "2", "", "", nullptr, "index", 0},
    {0x144, 1_forms, kFirst, kLast, "CALL.REL", Return, "", "-", "", "P", nullptr, "branch", 0},
    {0x144, kAny, kFirst, kLast, "CALL.REL", Branch, "", "-", "", "P", nullptr, "branch", 0},
    {0x145, kAny, kFirst, kLast, "BSSY", Branch, "", "-", "", "P", nullptr, "wait", 0},
    {0x146, kAny, kFirst, kLast, "YIELD", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x147, 45_forms, kFirst, kLast, "BRA", Branch, "", "-", "", "P", nullptr, "branch", 0},
    {0x147, 2_forms, kFirst, kLast, "BRA.U", Branch, "", "-", "", "U", nullptr, "branch", 0},
    {0x148, 1_forms, kFirst, 89, "WARPSYNC", Alu, "B", "-1", "", "P", nullptr, "wait", 0},
    {0x148, kAny, kFirst, kLast, "WARPSYNC", Fields, "", "-", "", "P", nullptr, "wait", 0},
    {0x149, kAny, kFirst, kLast, "BRX", Return, "", "-", "", "P", nullptr, "branch", 0},
    {0x14d, kAny, kFirst, kLast, "EXIT", Fields, "", "-", "", "P", nullptr, "branch", 0},
    {0x150, kAny, kFirst, kLast, "RET.REL", Return, "", "-", "", "P", nullptr, "branch", 0},
    {0x155, kAny, kFirst, kLast, "BMOV", Fields, "", "1", "", "", nullptr, "wait", 0},
    {0x156, 1_forms, kFirst, kLast, "BMOV", Alu, "B", "-1", "", "", nullptr, "wait", 0},
    {0x156, kAny, kFirst, kLast, "BMOV", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x158, kAny, 100, kLast, "BRXU", Return, "", "-", "", "P", nullptr, "branch", 0},
    {0x15b, kAny, kFirst, kLast, "KILL", Fields, "", "-", "", "P", nullptr, "branch", 0},
    {0x15c, kAny, kFirst, kLast, "BPT", Fields, "", "-", "", "", nullptr, "branch", 0},
    {0x15d, kAny, kFirst, kLast, "NANOSLEEP", Fields, "", "-", "", "P", nullptr, "wait", 0},
    {0x118, kAny, kFirst, kLast, "NOP", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x11a, kAny, kFirst, kLast, "DEPBAR", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x11d, kAny, kFirst, kLast, "BAR", Fields, "", "-", "", "BP", nullptr, "barrier", 0},
    {0x18f, kAny, kFirst, kLast, "CCTL", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x192, kAny, kFirst, kLast, "MEMBAR", Fields, "", "-", "", "", nullptr, "wait", 0},
    {0x1ab, kAny, kFirst, kLast, "ERRBAR", Fields, "", "-", "", "", nullptr, "wait", 0},
});

}  // namespace

std::span<const Row> rows() { return kRows; }

const Row* find_row(unsigned opcode, unsigned form, int architecture) {
  const auto found = std::ranges::find_if(kRows, [&](const Row& row) {
    return row.opcode == opcode && ((row.forms >> form) & 1) != 0 && architecture >= row.first &&
           architecture <= row.last;
  });
  return found == kRows.end() ? nullptr : &*found;
}

}  // namespace warpipe::sass
