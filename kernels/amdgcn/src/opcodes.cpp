#include "opcodes.hpp"

#include <fmt/format.h>

#include <map>

#include "lines.hpp"

namespace warpipe::amdgcn {
namespace {

/// `names` part by `|`; {t} in names and the rest stands for each of the types of a family.
struct Row {
  std::string_view names;
  std::string_view operands;
  std::string_view op;
  std::string_view semantics;
  int flops = 0;
};

/// @source AMD, "AMD Instinct MI300 Instruction Set Architecture" (and the same of MI100, MI200, RDNA 2 and RDNA 3):
///         instruction pages, with the values written to scc
constexpr Row kScalarRows[] = {
    {"s_mov_b32", "d a", "scalar", "d=mov.b32(a)"},
    {"s_mov_b64", "d2 a2", "scalar", "d=mov.b64(a)"},
    {"s_cmov_b32", "d a", "scalar", "d=sel.b32(a,d,scc)"},
    {"s_cmov_b64", "d2 a2", "scalar", "d=sel.b64(a,d,scc)"},
    {"s_movk_i32", "d k", "scalar", "d=mov.b32(k)"},
    {"s_cmovk_i32", "d k", "scalar", "d=sel.b32(k,d,scc)"},
    {"s_addk_i32", "d k", "scalar",
     "t=add.u32(d,k);scc=ne.u32(0,and.u32(and.u32(not.u32(xor.u32(d,k)),xor.u32(d,t)),0x80000000));d=mov.b32(t)"},
    {"s_mulk_i32", "d k", "scalar", "d=mul.u32(d,k)"},
    {"s_add_u32|s_add_co_u32", "d a b", "scalar", "scc=carry.u32(a,b);d=add.u32(a,b)"},
    {"s_sub_u32|s_sub_co_u32", "d a b", "scalar", "scc=borrow.u32(a,b);d=sub.u32(a,b)"},
    {"s_add_i32|s_add_co_i32", "d a b", "scalar",
     "t=add.u32(a,b);scc=ne.u32(0,and.u32(and.u32(not.u32(xor.u32(a,b)),xor.u32(a,t)),0x80000000));d=mov.b32(t)"},
    {"s_sub_i32|s_sub_co_i32", "d a b", "scalar",
     "t=sub.u32(a,b);scc=ne.u32(0,and.u32(and.u32(xor.u32(a,b),xor.u32(a,t)),0x80000000));d=mov.b32(t)"},
    {"s_addc_u32|s_add_co_ci_u32", "d a b", "scalar", "t=add.u32(a,b,scc);scc=carry.u32(a,b,scc);d=mov.b32(t)"},
    {"s_subb_u32|s_sub_co_ci_u32", "d a b", "scalar", "t=sub.u32(a,b,scc);scc=borrow.u32(a,b,scc);d=mov.b32(t)"},
    {"s_absdiff_i32", "d a b", "scalar", "d=absdiff.i32(a,b,0);scc=ne.u32(d,0)"},
    {"s_abs_i32", "d a", "scalar", "d=abs.i32(a);scc=ne.u32(d,0)"},
    {"s_mul_i32", "d a b", "scalar", "d=mul.u32(a,b)"},
    {"s_mul_hi_u32", "d a b", "scalar", "d=mulhi.u32(a,b)"},
    {"s_mul_hi_i32", "d a b", "scalar", "d=mulhi.i32(a,b)"},
    {"s_min_i32", "d a b", "scalar", "scc=lt.i32(a,b);d=min.i32(a,b)"},
    {"s_min_u32", "d a b", "scalar", "scc=lt.u32(a,b);d=min.u32(a,b)"},
    {"s_max_i32", "d a b", "scalar", "scc=gt.i32(a,b);d=max.i32(a,b)"},
    {"s_max_u32", "d a b", "scalar", "scc=gt.u32(a,b);d=max.u32(a,b)"},
    {"s_cselect_b32", "d a b", "scalar", "d=sel.b32(a,b,scc)"},
    {"s_cselect_b64", "d2 a2 b2", "scalar", "d=sel.b64(a,b,scc)"},
    {"s_lshl1_add_u32", "d a b", "scalar",
     "t=shl.u32(a,1);scc=or.p(ne.u32(shr.u32(a,31),0),carry.u32(t,b));d=add.u32(t,b)"},
    {"s_lshl2_add_u32", "d a b", "scalar",
     "t=shl.u32(a,2);scc=or.p(ne.u32(shr.u32(a,30),0),carry.u32(t,b));d=add.u32(t,b)"},
    {"s_lshl3_add_u32", "d a b", "scalar",
     "t=shl.u32(a,3);scc=or.p(ne.u32(shr.u32(a,29),0),carry.u32(t,b));d=add.u32(t,b)"},
    {"s_lshl4_add_u32", "d a b", "scalar",
     "t=shl.u32(a,4);scc=or.p(ne.u32(shr.u32(a,28),0),carry.u32(t,b));d=add.u32(t,b)"},
    {"s_pack_ll_b32_b16", "d a b", "scalar", "d=or.u32(and.u32(a,0xffff),shl.u32(b,16))"},
    {"s_pack_lh_b32_b16", "d a b", "scalar", "d=or.u32(and.u32(a,0xffff),and.u32(b,0xffff0000))"},
    {"s_pack_hh_b32_b16", "d a b", "scalar", "d=or.u32(shr.u32(a,16),and.u32(b,0xffff0000))"},
    {"s_sext_i32_i8", "d a", "scalar", "d=ext.i32(a,0,8)"},
    {"s_sext_i32_i16", "d a", "scalar", "d=ext.i32(a,0,16)"},
    {"s_bfm_b32", "d a b", "scalar", "d=shl.u32(sub.u32(shl.u32(1,and.u32(a,31)),1),and.u32(b,31))"},
    {"s_bfm_b64", "d2 a b", "scalar", "d=shl.u64(sub.u64(shl.u64(1,and.u32(a,63)),1),and.u32(b,63))"},
    {"s_bfe_u32", "d a b", "scalar", "d=ext.u32(a,and.u32(b,31),and.u32(shr.u32(b,16),127));scc=ne.u32(d,0)"},
    {"s_bfe_i32", "d a b", "scalar", "d=ext.i32(a,and.u32(b,31),and.u32(shr.u32(b,16),127));scc=ne.u32(d,0)"},
    {"s_bfe_u64", "d2 a2 b", "scalar", "d=ext.u64(a,and.u32(b,63),and.u32(shr.u32(b,16),127));scc=ne.u64(d,0)"},
    {"s_bfe_i64", "d2 a2 b", "scalar", "d=ext.i64(a,and.u32(b,63),and.u32(shr.u32(b,16),127));scc=ne.u64(d,0)"},
    {"s_brev_b32", "d a", "scalar", "d=rev.u32(a)"},
    {"s_brev_b64", "d2 a2", "scalar", "d=rev.u64(a)"},
    {"s_bcnt1_i32_b32", "d a", "scalar", "d=popc.u32(a);scc=ne.u32(d,0)"},
    {"s_bcnt1_i32_b64", "d a2", "scalar", "d=popc.u64(a);scc=ne.u32(d,0)"},
    {"s_bcnt0_i32_b32", "d a", "scalar", "d=popc.u32(not.u32(a));scc=ne.u32(d,0)"},
    {"s_bcnt0_i32_b64", "d a2", "scalar", "d=popc.u64(not.u64(a));scc=ne.u32(d,0)"},
    {"s_ff1_i32_b32|s_ctz_i32_b32", "d a", "scalar", "d=sel.u32(0xffffffff,clz.u32(rev.u32(a)),eq.u32(a,0))"},
    {"s_ff1_i32_b64|s_ctz_i32_b64", "d a2", "scalar", "d=sel.u32(0xffffffff,clz.u64(rev.u64(a)),eq.u64(a,0))"},
    {"s_ff0_i32_b32", "d a", "scalar", "t=not.u32(a);d=sel.u32(0xffffffff,clz.u32(rev.u32(t)),eq.u32(t,0))"},
    {"s_ff0_i32_b64", "d a2", "scalar", "t=not.u64(a);d=sel.u32(0xffffffff,clz.u64(rev.u64(t)),eq.u64(t,0))"},
    {"s_flbit_i32_b32|s_clz_i32_u32", "d a", "scalar", "d=sel.u32(0xffffffff,clz.u32(a),eq.u32(a,0))"},
    {"s_flbit_i32_b64|s_clz_i32_u64", "d a2", "scalar", "d=sel.u32(0xffffffff,clz.u64(a),eq.u64(a,0))"},
    {"s_flbit_i32|s_cls_i32", "d a", "scalar", "d=hibs.i32(a)"},
    {"s_bitset0_b32", "d a", "scalar", "d=andn.u32(d,shl.u32(1,and.u32(a,31)))"},
    {"s_bitset1_b32", "d a", "scalar", "d=or.u32(d,shl.u32(1,and.u32(a,31)))"},
    {"s_bitset0_b64", "d2 a", "scalar", "d=andn.u64(d,shl.u64(1,and.u32(a,63)))"},
    {"s_bitset1_b64", "d2 a", "scalar", "d=or.u64(d,shl.u64(1,and.u32(a,63)))"},
    {"s_bitcmp0_b32", "a b", "scalar", "scc=eq.u32(0,and.u32(1,shr.u32(a,and.u32(b,31))))"},
    {"s_bitcmp1_b32", "a b", "scalar", "scc=ne.u32(0,and.u32(1,shr.u32(a,and.u32(b,31))))"},
    {"s_bitcmp0_b64", "a2 b", "scalar", "scc=eq.u64(0,and.u64(1,shr.u64(a,and.u32(b,63))))"},
    {"s_bitcmp1_b64", "a2 b", "scalar", "scc=ne.u64(0,and.u64(1,shr.u64(a,and.u32(b,63))))"},
    {"s_wqm_b32", "d a", "scalar", "d=?;scc=?"},
    {"s_wqm_b64", "d2 a2", "scalar", "d=?;scc=?"},
    {"s_quadmask_b32", "d a", "scalar", "d=?;scc=?"},
    {"s_quadmask_b64", "d2 a2", "scalar", "d=?;scc=?"},
    {"s_bitreplicate_b64_b32", "d2 a", "scalar", "d=?"},
    {"s_getpc_b64", "d2", "scalar", "d=?"},
    {"s_getreg_b32", "d k", "scalar", "d=?"},
    {"s_memtime|s_memrealtime", "d2", "scalar", "d=?"},
};

/// {w}: 32 or 64 bits, {n}: their registers.
constexpr Row kMaskRows[] = {
    {"s_and_b{w}", "d{n} a{n} b{n}", "scalar", "d=and.u{w}(a,b);scc=ne.u{w}(d,0)"},
    {"s_or_b{w}", "d{n} a{n} b{n}", "scalar", "d=or.u{w}(a,b);scc=ne.u{w}(d,0)"},
    {"s_xor_b{w}", "d{n} a{n} b{n}", "scalar", "d=xor.u{w}(a,b);scc=ne.u{w}(d,0)"},
    {"s_andn2_b{w}|s_and_not1_b{w}", "d{n} a{n} b{n}", "scalar", "d=andn.u{w}(a,b);scc=ne.u{w}(d,0)"},
    {"s_orn2_b{w}|s_or_not1_b{w}", "d{n} a{n} b{n}", "scalar", "d=or.u{w}(a,not.u{w}(b));scc=ne.u{w}(d,0)"},
    {"s_nand_b{w}", "d{n} a{n} b{n}", "scalar", "d=not.u{w}(and.u{w}(a,b));scc=ne.u{w}(d,0)"},
    {"s_nor_b{w}", "d{n} a{n} b{n}", "scalar", "d=not.u{w}(or.u{w}(a,b));scc=ne.u{w}(d,0)"},
    {"s_xnor_b{w}", "d{n} a{n} b{n}", "scalar", "d=not.u{w}(xor.u{w}(a,b));scc=ne.u{w}(d,0)"},
    {"s_not_b{w}", "d{n} a{n}", "scalar", "d=not.u{w}(a);scc=ne.u{w}(d,0)"},
    {"s_lshl_b{w}", "d{n} a{n} b", "scalar", "d=shl.u{w}(a,and.u32(b,{l}));scc=ne.u{w}(d,0)"},
    {"s_lshr_b{w}", "d{n} a{n} b", "scalar", "d=shr.u{w}(a,and.u32(b,{l}));scc=ne.u{w}(d,0)"},
    {"s_ashr_i{w}", "d{n} a{n} b", "scalar", "d=shr.i{w}(a,and.u32(b,{l}));scc=ne.u{w}(d,0)"},
    {"s_and_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=and.u{w}(a,exec);d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_or_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=or.u{w}(a,exec);d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_xor_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=xor.u{w}(a,exec);d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_andn2_saveexec_b{w}|s_and_not1_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=andn.u{w}(a,exec);d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_andn1_saveexec_b{w}|s_and_not0_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=andn.u{w}(exec,a);d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_orn2_saveexec_b{w}|s_or_not1_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=or.u{w}(a,not.u{w}(exec));d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_orn1_saveexec_b{w}|s_or_not0_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=or.u{w}(not.u{w}(a),exec);d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_nand_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=not.u{w}(and.u{w}(a,exec));d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_nor_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=not.u{w}(or.u{w}(a,exec));d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_xnor_saveexec_b{w}", "d{n} a{n}", "scalar",
     "t=mov.b{w}(exec);exec=not.u{w}(xor.u{w}(a,exec));d=mov.b{w}(t);scc=ne.u{w}(exec,0)"},
    {"s_andn1_wrexec_b{w}|s_and_not0_wrexec_b{w}", "d{n} a{n}", "scalar",
     "exec=andn.u{w}(exec,a);d=mov.b{w}(exec);scc=ne.u{w}(exec,0)"},
    {"s_andn2_wrexec_b{w}|s_and_not1_wrexec_b{w}", "d{n} a{n}", "scalar",
     "exec=andn.u{w}(a,exec);d=mov.b{w}(exec);scc=ne.u{w}(exec,0)"},
};

constexpr Row kVectorRows[] = {
    // moves and choices
    {"v_mov_b32|v_accvgpr_read_b32|v_accvgpr_write_b32|v_accvgpr_mov_b32|v_accvgpr_read|v_accvgpr_write", "d a", "iadd",
     "d=mov.b32(a)"},
    {"v_mov_b64", "d2 a2", "iadd", "d=mov.b64(a)"},
    {"v_cndmask_b32", "d a b n", "select", "d=sel.b32(b,a,n)"},
    {"v_swap_b32", "d x", "iadd", "t=mov.b32(d);d=mov.b32(x);x=mov.b32(t)"},
    {"v_readfirstlane_b32", "d a", "iadd", "d=from.b32(a,elect.u32())"},
    // whole numbers
    {"v_add_u32|v_add_nc_u32|v_add_nc_i32|v_add_i32", "d a b", "iadd", "d=add.u32(a,b)"},
    {"v_sub_u32|v_sub_nc_u32|v_sub_nc_i32|v_sub_i32", "d a b", "iadd", "d=sub.u32(a,b)"},
    {"v_subrev_u32|v_subrev_nc_u32", "d a b", "iadd", "d=sub.u32(b,a)"},
    {"v_add_co_u32", "d m a b", "iadd", "t=add.u32(a,b);m=carry.u32(a,b);d=mov.b32(t)"},
    {"v_sub_co_u32", "d m a b", "iadd", "t=sub.u32(a,b);m=borrow.u32(a,b);d=mov.b32(t)"},
    {"v_subrev_co_u32", "d m a b", "iadd", "t=sub.u32(b,a);m=borrow.u32(b,a);d=mov.b32(t)"},
    {"v_addc_co_u32|v_add_co_ci_u32", "d m a b n", "iadd", "t=add.u32(a,b,n);m=carry.u32(a,b,n);d=mov.b32(t)"},
    {"v_subb_co_u32|v_sub_co_ci_u32", "d m a b n", "iadd", "t=sub.u32(a,b,n);m=borrow.u32(a,b,n);d=mov.b32(t)"},
    {"v_subbrev_co_u32|v_subrev_co_ci_u32", "d m a b n", "iadd", "t=sub.u32(b,a,n);m=borrow.u32(b,a,n);d=mov.b32(t)"},
    {"v_add3_u32", "d a b c", "iadd", "d=add.u32(add.u32(a,b),c)"},
    {"v_lshl_add_u32", "d a b c", "iadd", "d=add.u32(shl.u32(a,and.u32(b,31)),c)"},
    {"v_lshl_add_u64", "d2 a2 b c2", "iadd", "d=add.u64(shl.u64(a,and.u32(b,7)),c)"},
    {"v_add_lshl_u32", "d a b c", "iadd", "d=shl.u32(add.u32(a,b),and.u32(c,31))"},
    {"v_xad_u32", "d a b c", "iadd", "d=add.u32(xor.u32(a,b),c)"},
    {"v_mul_lo_u32|v_mul_lo_i32", "d a b", "imul", "d=mul.u32(a,b)"},
    {"v_mul_hi_u32", "d a b", "imul", "d=mulhi.u32(a,b)"},
    {"v_mul_hi_i32", "d a b", "imul", "d=mulhi.i32(a,b)"},
    {"v_mul_u32_u24", "d a b", "iadd", "d=mul.u32(and.u32(a,0xffffff),and.u32(b,0xffffff))"},
    {"v_mul_i32_i24", "d a b", "iadd", "d=mul.u32(ext.i32(a,0,24),ext.i32(b,0,24))"},
    {"v_mul_hi_u32_u24", "d a b", "iadd", "d=mulhi.u32(and.u32(a,0xffffff),and.u32(b,0xffffff))"},
    {"v_mul_hi_i32_i24", "d a b", "iadd", "d=mulhi.i32(ext.i32(a,0,24),ext.i32(b,0,24))"},
    {"v_mad_u32_u24", "d a b c", "iadd", "d=mad.u32(and.u32(a,0xffffff),and.u32(b,0xffffff),c)"},
    {"v_mad_i32_i24", "d a b c", "iadd", "d=mad.u32(ext.i32(a,0,24),ext.i32(b,0,24),c)"},
    {"v_mad_u64_u32", "d2 m a b c2", "imad", "t=mulwide.u32(a,b);m=carry.u64(t,c);d=add.u64(t,c)"},
    {"v_mad_i64_i32", "d2 m a b c2", "imad", "m=?;d=add.u64(mulwide.i32(a,b),c)"},
    {"v_mad_u32_u16", "d a b c", "iadd", "d=mad.u32(and.u32(a,0xffff),and.u32(b,0xffff),c)"},
    {"v_mad_i32_i16", "d a b c", "iadd", "d=mad.u32(ext.i32(a,0,16),ext.i32(b,0,16),c)"},
    {"v_min_u32", "d a b", "iadd", "d=min.u32(a,b)"},
    {"v_max_u32", "d a b", "iadd", "d=max.u32(a,b)"},
    {"v_min_i32", "d a b", "iadd", "d=min.i32(a,b)"},
    {"v_max_i32", "d a b", "iadd", "d=max.i32(a,b)"},
    {"v_min3_u32", "d a b c", "iadd", "d=min.u32(min.u32(a,b),c)"},
    {"v_max3_u32", "d a b c", "iadd", "d=max.u32(max.u32(a,b),c)"},
    {"v_min3_i32", "d a b c", "iadd", "d=min.i32(min.i32(a,b),c)"},
    {"v_max3_i32", "d a b c", "iadd", "d=max.i32(max.i32(a,b),c)"},
    {"v_med3_u32", "d a b c", "iadd", "d=max.u32(min.u32(a,b),min.u32(max.u32(a,b),c))"},
    {"v_med3_i32", "d a b c", "iadd", "d=max.i32(min.i32(a,b),min.i32(max.i32(a,b),c))"},
    {"v_sad_u32", "d a b c", "iadd", "d=absdiff.u32(a,b,c)"},
    {"v_sad_u8|v_sad_u16|v_sad_hi_u8|v_msad_u8|v_lerp_u8", "d a b c", "iadd", "d=?"},
    // bits
    {"v_and_b32", "d a b", "logic", "d=and.u32(a,b)"},
    {"v_or_b32", "d a b", "logic", "d=or.u32(a,b)"},
    {"v_xor_b32", "d a b", "logic", "d=xor.u32(a,b)"},
    {"v_xnor_b32", "d a b", "logic", "d=not.u32(xor.u32(a,b))"},
    {"v_not_b32", "d a", "logic", "d=not.u32(a)"},
    {"v_or3_b32", "d a b c", "logic", "d=or.u32(or.u32(a,b),c)"},
    {"v_xor3_b32", "d a b c", "logic", "d=xor.u32(xor.u32(a,b),c)"},
    {"v_and_or_b32", "d a b c", "logic", "d=or.u32(and.u32(a,b),c)"},
    {"v_lshl_or_b32", "d a b c", "logic", "d=or.u32(shl.u32(a,and.u32(b,31)),c)"},
    {"v_bfi_b32", "d a b c", "logic", "d=or.u32(and.u32(a,b),andn.u32(c,a))"},
    {"v_bfe_u32", "d a b c", "shift", "d=ext.u32(a,and.u32(b,31),and.u32(c,31))"},
    {"v_bfe_i32", "d a b c", "shift", "d=ext.i32(a,and.u32(b,31),and.u32(c,31))"},
    {"v_bfm_b32", "d a b", "shift", "d=shl.u32(sub.u32(shl.u32(1,and.u32(a,31)),1),and.u32(b,31))"},
    {"v_lshlrev_b32", "d a b", "shift", "d=shl.u32(b,and.u32(a,31))"},
    {"v_lshrrev_b32", "d a b", "shift", "d=shr.u32(b,and.u32(a,31))"},
    {"v_ashrrev_i32", "d a b", "shift", "d=shr.i32(b,and.u32(a,31))"},
    {"v_lshlrev_b64|v_lshlrev_b64_pseudo", "d2 a b2", "shift", "d=shl.u64(b,and.u32(a,63))"},
    {"v_lshrrev_b64", "d2 a b2", "shift", "d=shr.u64(b,and.u32(a,63))"},
    {"v_ashrrev_i64", "d2 a b2", "shift", "d=shr.i64(b,and.u32(a,63))"},
    {"v_alignbit_b32", "d a b c", "shift", "d=fshr.u32(b,a,and.u32(c,31))"},
    {"v_alignbyte_b32", "d a b c", "shift", "d=fshr.u32(b,a,shl.u32(and.u32(c,3),3))"},
    {"v_bfrev_b32", "d a", "logic", "d=rev.u32(a)"},
    {"v_bcnt_u32_b32", "d a b", "logic", "d=add.u32(popc.u32(a),b)"},
    {"v_ffbh_u32|v_clz_i32_u32", "d a", "logic", "d=sel.u32(0xffffffff,clz.u32(a),eq.u32(a,0))"},
    {"v_ffbl_b32|v_ctz_i32_b32", "d a", "logic", "d=sel.u32(0xffffffff,clz.u32(rev.u32(a)),eq.u32(a,0))"},
    {"v_ffbh_i32|v_cls_i32", "d a", "logic", "d=hibs.i32(a)"},
    {"v_perm_b32", "d a b c", "logic", "d=?"},
    {"v_mbcnt_lo_u32_b32", "d a b", "logic", "d=add.u32(popc.u32(and.u32(a,below_lo)),b)"},
    {"v_mbcnt_hi_u32_b32", "d a b", "logic", "d=add.u32(popc.u32(and.u32(a,below_hi)),b)"},
    // 16 bits
    {"v_add_u16|v_add_nc_u16", "d a b", "iadd", "d=and.u32(add.u32(a,b),0xffff)"},
    {"v_sub_u16|v_sub_nc_u16", "d a b", "iadd", "d=and.u32(sub.u32(a,b),0xffff)"},
    {"v_subrev_u16", "d a b", "iadd", "d=and.u32(sub.u32(b,a),0xffff)"},
    {"v_mul_lo_u16", "d a b", "iadd", "d=and.u32(mul.u32(a,b),0xffff)"},
    {"v_lshlrev_b16", "d a b", "shift", "d=and.u32(shl.u32(b,and.u32(a,15)),0xffff)"},
    {"v_lshrrev_b16", "d a b", "shift", "d=shr.u32(and.u32(b,0xffff),and.u32(a,15))"},
    {"v_ashrrev_i16", "d a b", "shift", "d=and.u32(shr.i32(ext.i32(b,0,16),and.u32(a,15)),0xffff)"},
    {"v_min_u16", "d a b", "iadd", "d=min.u32(and.u32(a,0xffff),and.u32(b,0xffff))"},
    {"v_max_u16", "d a b", "iadd", "d=max.u32(and.u32(a,0xffff),and.u32(b,0xffff))"},
    {"v_min_i16", "d a b", "iadd", "d=and.u32(min.i32(ext.i32(a,0,16),ext.i32(b,0,16)),0xffff)"},
    {"v_max_i16", "d a b", "iadd", "d=and.u32(max.i32(ext.i32(a,0,16),ext.i32(b,0,16)),0xffff)"},
    {"v_mad_u16|v_mad_legacy_u16", "d a b c", "iadd", "d=and.u32(mad.u32(a,b,c),0xffff)"},
    {"v_mad_i16|v_mad_legacy_i16|v_add_nc_i16|v_sub_nc_i16", "d a b c", "iadd", "d=?"},
    {"v_pack_b32_f16", "d a b", "logic", "d=or.u32(and.u32(a,0xffff),shl.u32(b,16))"},
    {"v_pk_mov_b32", "d2 a2 b2", "iadd", "pk"},
    // floats of 32 bits
    {"v_add_f32", "d a b", "fadd", "d=add.f32(a,b)", 1},
    {"v_sub_f32", "d a b", "fadd", "d=sub.f32(a,b)", 1},
    {"v_subrev_f32", "d a b", "fadd", "d=sub.f32(b,a)", 1},
    {"v_mul_f32", "d a b", "fmul", "d=mul.f32(a,b)", 1},
    {"v_mul_legacy_f32|v_mul_dx9_zero_f32", "d a b", "fmul", "d=?", 1},
    {"v_fma_f32", "d a b c", "ffma", "d=mad.f32(a,b,c)", 2},
    {"v_fmac_f32", "d a b", "ffma", "d=mad.f32(a,b,d)", 2},
    {"v_mac_f32", "d a b", "ffma", "d=add.f32(mul.f32(a,b),d)", 2},
    {"v_mad_f32", "d a b c", "ffma", "d=add.f32(mul.f32(a,b),c)", 2},
    {"v_fmaak_f32|v_fmamk_f32", "d a b c", "ffma", "d=mad.f32(a,b,c)", 2},
    {"v_madak_f32|v_madmk_f32", "d a b c", "ffma", "d=add.f32(mul.f32(a,b),c)", 2},
    {"v_min_f32", "d a b", "compare", "d=min.f32(a,b)"},
    {"v_max_f32", "d a b", "compare", "d=max.f32(a,b)"},
    {"v_min3_f32", "d a b c", "compare", "d=min.f32(min.f32(a,b),c)"},
    {"v_max3_f32", "d a b c", "compare", "d=max.f32(max.f32(a,b),c)"},
    {"v_med3_f32", "d a b c", "compare", "d=?"},
    {"v_pk_fma_f32", "d2 a2 b2 c2", "ffma", "pk:mad.f32", 4},
    {"v_pk_mul_f32", "d2 a2 b2", "fmul", "pk:mul.f32", 2},
    {"v_pk_add_f32", "d2 a2 b2", "fadd", "pk:add.f32", 2},
    {"v_rcp_f32|v_rcp_iflag_f32", "d a", "rcp", "d=rcp.f32(a)"},
    {"v_rsq_f32", "d a", "rsqrt", "d=rsq.f32(a)"},
    {"v_sqrt_f32", "d a", "sqrt", "d=sqrt.f32(a)"},
    {"v_exp_f32", "d a", "exp2", "d=exp2.f32(a)"},
    {"v_log_f32", "d a", "log2", "d=log2.f32(a)"},
    {"v_sin_f32", "d a", "sin", "d=?"},
    {"v_cos_f32", "d a", "cos", "d=?"},
    {"v_exp_legacy_f32|v_log_legacy_f32", "d a", "exp2", "d=?"},
    {"v_fract_f32", "d a", "fadd", "d=sub.f32(a,floor.f32(a))"},
    {"v_floor_f32", "d a", "convert", "d=floor.f32(a)"},
    {"v_ceil_f32", "d a", "convert", "d=ceil.f32(a)"},
    {"v_trunc_f32", "d a", "convert", "d=trunc.f32(a)"},
    {"v_rndne_f32", "d a", "convert", "d=rndne.f32(a)"},
    {"v_ldexp_f32", "d a b", "fmul",
     "t=max.i32(min.i32(b,254),-252);u=shr.i32(t,1);d=mul.f32(mul.f32(a,shl.u32(add.u32(u,127),23)),shl.u32(add.u32("
     "sub.u32(t,u),127),23))"},
    {"v_frexp_mant_f32", "d a", "convert", "d=?"},
    {"v_frexp_exp_i32_f32", "d a", "convert", "d=?"},
    // In the idiom of a division the last instruction gives the rounded quotient: the instructions before it need not
    // scale.
    {"v_div_scale_f32", "d m a b c", "fmul", "d=mov.b32(a);m=mov.p(0)"},
    {"v_div_fmas_f32", "d a b c", "ffma", "d=mad.f32(a,b,c)", 2},
    {"v_div_fixup_f32", "d a b c", "fmul", "d=div.f32(c,b)"},
    // of 64 bits
    {"v_add_f64", "d2 a2 b2", "dadd", "d=add.f64(a,b)", 1},
    {"v_mul_f64", "d2 a2 b2", "dmul", "d=mul.f64(a,b)", 1},
    {"v_fma_f64", "d2 a2 b2 c2", "dfma", "d=mad.f64(a,b,c)", 2},
    {"v_fmac_f64", "d2 a2 b2", "dfma", "d=mad.f64(a,b,d)", 2},
    {"v_min_f64", "d2 a2 b2", "dadd", "d=min.f64(a,b)"},
    {"v_max_f64", "d2 a2 b2", "dadd", "d=max.f64(a,b)"},
    {"v_floor_f64", "d2 a2", "dadd", "d=floor.f64(a)"},
    {"v_ceil_f64", "d2 a2", "dadd", "d=ceil.f64(a)"},
    {"v_trunc_f64", "d2 a2", "dadd", "d=trunc.f64(a)"},
    {"v_rndne_f64", "d2 a2", "dadd", "d=rndne.f64(a)"},
    {"v_fract_f64|v_frexp_mant_f64", "d2 a2", "dadd", "d=?"},
    {"v_frexp_exp_i32_f64", "d a2", "dadd", "d=?"},
    {"v_ldexp_f64", "d2 a2 b", "dmul", "d=?"},
    {"v_rcp_f64", "d2 a2", "rcp", "d=?"},
    {"v_rsq_f64", "d2 a2", "rsqrt", "d=?"},
    {"v_sqrt_f64", "d2 a2", "sqrt", "d=?"},
    {"v_div_scale_f64", "d2 m a2 b2 c2", "dmul", "d=mov.b64(a);m=mov.p(0)"},
    {"v_div_fmas_f64", "d2 a2 b2 c2", "dfma", "d=mad.f64(a,b,c)", 2},
    {"v_div_fixup_f64", "d2 a2 b2 c2", "dmul", "d=div.f64(c,b)"},
    {"v_trig_preop_f64", "d2 a2 b", "dmul", "d=?"},
    // of 16 bits, never used for control
    {"v_add_f16|v_sub_f16|v_subrev_f16|v_mul_f16|v_min_f16|v_max_f16|v_ldexp_f16|v_fmac_f16|v_mac_f16", "d a b", "hfma",
     "d=?", 1},
    {"v_fma_f16|v_mad_f16|v_fmaak_f16|v_fmamk_f16|v_mad_legacy_f16|v_fma_legacy_f16|v_med3_f16|v_min3_f16|v_max3_f16|v_"
     "div_fixup_f16|v_div_fixup_legacy_f16",
     "d a b c", "hfma", "d=?", 2},
    {"v_pk_add_f16|v_pk_mul_f16|v_pk_min_f16|v_pk_max_f16|v_pk_fmac_f16|v_pk_add_u16|v_pk_add_i16|v_pk_sub_u16|v_pk_"
     "sub_i16|v_pk_mul_lo_u16|v_pk_lshlrev_b16|v_pk_lshrrev_b16|v_pk_ashrrev_i16|v_pk_min_u16|v_pk_max_u16|v_pk_min_"
     "i16|v_pk_max_i16",
     "d a b", "hfma", "d=?", 2},
    {"v_pk_fma_f16|v_pk_mad_u16|v_pk_mad_i16|v_fma_mix_f32|v_fma_mixlo_f16|v_fma_mixhi_f16|v_mad_mix_f32|v_mad_mixlo_"
     "f16|v_mad_mixhi_f16",
     "d a b c", "hfma", "d=?", 4},
    {"v_dot2_f32_f16|v_dot2_f32_bf16|v_dot4_i32_i8|v_dot4_u32_u8|v_dot8_i32_i4|v_dot8_u32_u4|v_dot2_i32_i16|v_dot2_u32_"
     "u16|v_dot4_i32_iu8|v_dot8_i32_iu4",
     "d a b c", "hfma", "d=?", 4},
    {"v_dot2c_f32_f16|v_dot4c_i32_i8|v_dot8c_i32_i4|v_dot2c_i32_i16", "d a b", "hfma", "d=?", 4},
    {"v_rcp_f16", "d a", "rcp", "d=?"},
    {"v_rsq_f16", "d a", "rsqrt", "d=?"},
    {"v_sqrt_f16", "d a", "sqrt", "d=?"},
    {"v_exp_f16", "d a", "exp2", "d=?"},
    {"v_log_f16", "d a", "log2", "d=?"},
    {"v_sin_f16|v_cos_f16", "d a", "sin", "d=?"},
    {"v_floor_f16|v_ceil_f16|v_trunc_f16|v_rndne_f16|v_fract_f16|v_frexp_mant_f16|v_frexp_exp_i16_f16", "d a",
     "convert", "d=?"},
    // conversions
    {"v_cvt_f32_u32", "d a", "convert", "d=cvt.u32.f32(a)"},
    {"v_cvt_f32_i32", "d a", "convert", "d=cvt.i32.f32(a)"},
    {"v_cvt_u32_f32", "d a", "convert", "d=cvt.f32.u32(a)"},
    {"v_cvt_i32_f32", "d a", "convert", "d=cvt.f32.i32(a)"},
    {"v_cvt_f64_u32", "d2 a", "convert.64", "d=cvt.u32.f64(a)"},
    {"v_cvt_f64_i32", "d2 a", "convert.64", "d=cvt.i32.f64(a)"},
    {"v_cvt_u32_f64", "d a2", "convert.64", "d=sel.u32(cvt.f64.u32(a),0,both.f64(a,a))"},
    {"v_cvt_i32_f64", "d a2", "convert.64", "d=sel.u32(cvt.f64.i32(a),0,both.f64(a,a))"},
    {"v_cvt_f32_f64", "d a2", "convert.64", "d=cvt.f64.f32(a)"},
    {"v_cvt_f64_f32", "d2 a", "convert.64", "d=cvt.f32.f64(a)"},
    {"v_cvt_f32_ubyte0", "d a", "convert", "d=cvt.u32.f32(ext.u32(a,0,8))"},
    {"v_cvt_f32_ubyte1", "d a", "convert", "d=cvt.u32.f32(ext.u32(a,8,8))"},
    {"v_cvt_f32_ubyte2", "d a", "convert", "d=cvt.u32.f32(ext.u32(a,16,8))"},
    {"v_cvt_f32_ubyte3", "d a", "convert", "d=cvt.u32.f32(ext.u32(a,24,8))"},
    {"v_cvt_f16_f32|v_cvt_f32_f16|v_cvt_f16_u16|v_cvt_f16_i16|v_cvt_u16_f16|v_cvt_i16_f16|v_cvt_flr_i32_f32|v_cvt_rpi_"
     "i32_f32|v_cvt_nearest_i32_f32|v_cvt_floor_i32_f32|v_cvt_off_f32_i4|v_cvt_f32_fp8|v_cvt_f32_bf8|v_cvt_norm_i16_"
     "f16|v_cvt_norm_u16_f16|v_cvt_u32_u16|v_cvt_i32_i16|v_sat_pk_u8_i16",
     "d a", "convert", "d=?"},
    {"v_cvt_pk_f32_fp8|v_cvt_pk_f32_bf8", "d2 a", "convert", "d=?"},
    {"v_cvt_pkrtz_f16_f32|v_cvt_pk_rtz_f16_f32|v_cvt_pk_u16_u32|v_cvt_pk_i16_i32|v_cvt_pknorm_i16_f32|v_cvt_pknorm_u16_"
     "f32|v_cvt_pk_fp8_f32|v_cvt_pk_bf8_f32|v_cvt_sr_fp8_f32|v_cvt_sr_bf8_f32",
     "d a b", "convert", "d=?"},
    {"v_cvt_pk_u8_f32", "d a b c", "convert", "d=?"},
    // lanes
    {"v_permlane16_b32|v_permlanex16_b32", "d a b c", "iadd", "d=?"},
    {"v_permlane64_b32", "d a", "iadd", "d=?"},
};

/// Without lanes: v_readlane and v_writelane reach lanes whether they are active or not.
constexpr Row kLaneRows[] = {
    {"v_readlane_b32", "d a b", "iadd", "readlane"},
    {"v_writelane_b32", "d a b", "iadd", "d=?"},
};

constexpr Row kBranchRows[] = {
    {"s_branch", "", "branch", ""},
    {"s_cbranch_scc0", "", "branch", "!scc"},
    {"s_cbranch_scc1", "", "branch", "scc"},
    {"s_cbranch_vccz", "", "branch", "!vcc"},
    {"s_cbranch_vccnz", "", "branch", "vcc"},
    {"s_cbranch_execz", "", "branch", "!exec"},
    {"s_cbranch_execnz", "", "branch", "exec"},
};

/// Handled where instructions are fetched: they take a slot of the wave and no unit.
constexpr std::string_view kIgnored =
    "s_nop|s_sleep|s_setprio|s_clause|s_inst_prefetch|s_set_inst_prefetch_distance|s_icache_inv|s_dcache_inv|s_dcache_"
    "wb|s_setreg_b32|s_setreg_imm32_b32|s_round_mode|s_denorm_mode|s_code_end|s_ttracedata|s_incperflevel|s_"
    "decperflevel|s_sethalt|s_setkill|s_version|s_waitcnt_depctr|s_delay_alu|s_wait_idle|s_sendmsg|s_wakeup|buffer_"
    "wbl2|buffer_inv|buffer_wbinvl1|buffer_wbinvl1_vol|buffer_invl2|buffer_gl0_inv|buffer_gl1_inv|s_gl1_inv|v_nop|s_"
    "dcache_inv_vol|s_dcache_wb_vol|s_ttracedata_imm|s_subvector_loop_begin|s_subvector_loop_end|s_singleuse_vdst";

constexpr Row kRefused[] = {
    {"s_setpc_b64|s_swappc_b64|s_call_b64|s_rfe_b64", "", "",
     "calls are not followed: compile so that functions are inlined (`-O3`, `__forceinline__`)"},
    {"s_movrels_b32|s_movrels_b64|s_movreld_b32|s_movreld_b64|v_movrels_b32|v_movreld_b32|v_movrelsd_b32|s_set_gpr_idx_"
     "on|s_set_gpr_idx_off|s_set_gpr_idx_idx|s_set_gpr_idx_mode",
     "", "", "registers that are chosen by a number are not followed: index arrays by numbers that the compiler knows"},
    {"s_trap", "", "", "what a trap does is not known"},
    {"s_cbranch_cdbgsys|s_cbranch_cdbguser|s_cbranch_join|s_cbranch_i_fork|s_cbranch_g_fork", "", "",
     "such a branch is not followed"},
};

/// Products of matrices: shape, blocks and types from the names, the rate by the type of the factors.
struct MatrixRow {
  std::string_view names;
  std::string_view operands;
  std::string_view op;
  int multiply_adds;
  int blocks = 1;
};
constexpr MatrixRow kMatrixRows[] = {
    {"v_mfma_f32_32x32x1_2b_f32|v_mfma_f32_32x32x1f32", "d32 a b c32", "mma.f32", 32 * 32 * 1 * 2, 2},
    {"v_mfma_f32_16x16x1_4b_f32|v_mfma_f32_16x16x1f32", "d16 a b c16", "mma.f32", 16 * 16 * 1 * 4, 4},
    {"v_mfma_f32_4x4x1_16b_f32|v_mfma_f32_4x4x1f32", "d4 a b c4", "mma.f32", 4 * 4 * 1 * 16, 16},
    {"v_mfma_f32_32x32x2_f32|v_mfma_f32_32x32x2f32", "d16 a b c16", "mma.f32", 32 * 32 * 2},
    {"v_mfma_f32_16x16x4_f32|v_mfma_f32_16x16x4f32", "d4 a b c4", "mma.f32", 16 * 16 * 4},
    {"v_mfma_f32_32x32x4_xf32|v_mfma_f32_32x32x4xf32", "d16 a2 b2 c16", "mma.tf32", 32 * 32 * 4},
    {"v_mfma_f32_16x16x8_xf32|v_mfma_f32_16x16x8xf32", "d4 a2 b2 c4", "mma.tf32", 16 * 16 * 8},
    {"v_mfma_f32_32x32x4_2b_f16|v_mfma_f32_32x32x4f16", "d32 a2 b2 c32", "mma.f16.f32", 32 * 32 * 4 * 2, 2},
    {"v_mfma_f32_16x16x4_4b_f16|v_mfma_f32_16x16x4f16", "d16 a2 b2 c16", "mma.f16.f32", 16 * 16 * 4 * 4, 4},
    {"v_mfma_f32_4x4x4_16b_f16|v_mfma_f32_4x4x4f16", "d4 a2 b2 c4", "mma.f16.f32", 4 * 4 * 4 * 16, 16},
    {"v_mfma_f32_32x32x8_f16|v_mfma_f32_32x32x8f16|v_mfma_f32_32x32x8_bf16_1k|v_mfma_f32_32x32x8bf16_1k|v_mfma_f32_"
     "32x32x8_bf16",
     "d16 a2 b2 c16", "mma.f16.f32", 32 * 32 * 8},
    {"v_mfma_f32_16x16x16_f16|v_mfma_f32_16x16x16f16|v_mfma_f32_16x16x16_bf16_1k|v_mfma_f32_16x16x16bf16_1k|v_mfma_f32_"
     "16x16x16_bf16",
     "d4 a2 b2 c4", "mma.f16.f32", 16 * 16 * 16},
    {"v_mfma_f32_32x32x4_2b_bf16_1k|v_mfma_f32_32x32x4bf16_1k|v_mfma_f32_32x32x4_2b_bf16", "d32 a2 b2 c32",
     "mma.f16.f32", 32 * 32 * 4 * 2, 2},
    {"v_mfma_f32_16x16x4_4b_bf16_1k|v_mfma_f32_16x16x4bf16_1k|v_mfma_f32_16x16x4_4b_bf16", "d16 a2 b2 c16",
     "mma.f16.f32", 16 * 16 * 4 * 4, 4},
    {"v_mfma_f32_4x4x4_16b_bf16_1k|v_mfma_f32_4x4x4bf16_1k|v_mfma_f32_4x4x4_16b_bf16", "d4 a2 b2 c4", "mma.f16.f32",
     4 * 4 * 4 * 16, 16},
    {"v_mfma_f32_32x32x2bf16", "d32 a b c32", "mma.f16.f32", 32 * 32 * 2 * 2, 2},
    {"v_mfma_f32_16x16x2bf16", "d16 a b c16", "mma.f16.f32", 16 * 16 * 2 * 4, 4},
    {"v_mfma_f32_4x4x2bf16", "d4 a b c4", "mma.f16.f32", 4 * 4 * 2 * 16, 16},
    {"v_mfma_f32_32x32x4bf16", "d16 a b c16", "mma.f16.f32", 32 * 32 * 4},
    {"v_mfma_f32_16x16x8bf16", "d4 a b c4", "mma.f16.f32", 16 * 16 * 8},
    {"v_mfma_i32_32x32x4_2b_i8|v_mfma_i32_32x32x4i8", "d32 a b c32", "mma.s8", 32 * 32 * 4 * 2, 2},
    {"v_mfma_i32_16x16x4_4b_i8|v_mfma_i32_16x16x4i8", "d16 a b c16", "mma.s8", 16 * 16 * 4 * 4, 4},
    {"v_mfma_i32_4x4x4_16b_i8|v_mfma_i32_4x4x4i8", "d4 a b c4", "mma.s8", 4 * 4 * 4 * 16, 16},
    {"v_mfma_i32_32x32x8i8", "d16 a b c16", "mma.s8", 32 * 32 * 8},
    {"v_mfma_i32_16x16x16i8", "d4 a b c4", "mma.s8", 16 * 16 * 16},
    {"v_mfma_i32_32x32x16_i8|v_mfma_i32_32x32x16i8", "d16 a2 b2 c16", "mma.s8", 32 * 32 * 16},
    {"v_mfma_i32_16x16x32_i8|v_mfma_i32_16x16x32i8", "d4 a2 b2 c4", "mma.s8", 16 * 16 * 32},
    {"v_mfma_f64_16x16x4_f64|v_mfma_f64_16x16x4f64", "d8 a2 b2 c8", "mma.f64", 16 * 16 * 4},
    {"v_mfma_f64_4x4x4_4b_f64|v_mfma_f64_4x4x4f64", "d2 a2 b2 c2", "mma.f64", 4 * 4 * 4 * 4, 4},
    {"v_mfma_f32_32x32x16_fp8_fp8|v_mfma_f32_32x32x16_bf8_bf8|v_mfma_f32_32x32x16_fp8_bf8|v_mfma_f32_32x32x16_bf8_fp8",
     "d16 a2 b2 c16", "mma.f8.f32", 32 * 32 * 16},
    {"v_mfma_f32_16x16x32_fp8_fp8|v_mfma_f32_16x16x32_bf8_bf8|v_mfma_f32_16x16x32_fp8_bf8|v_mfma_f32_16x16x32_bf8_fp8",
     "d4 a2 b2 c4", "mma.f8.f32", 16 * 16 * 32},
    {"v_wmma_f32_16x16x16_f16|v_wmma_f32_16x16x16_bf16", "d8 a8 b8 c8", "mma.f16.f32", 16 * 16 * 16},
    {"v_wmma_f16_16x16x16_f16|v_wmma_bf16_16x16x16_bf16", "d8 a8 b8 c8", "mma.f16", 16 * 16 * 16},
    {"v_wmma_i32_16x16x16_iu8", "d8 a4 b4 c8", "mma.s8", 16 * 16 * 16},
    {"v_wmma_i32_16x16x16_iu4", "d8 a2 b2 c8", "mma.s4", 16 * 16 * 16},
};

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string made(text);
  for (auto at = made.find(what); at != std::string::npos; at = made.find(what, at + by.size()))
    made.replace(at, what.size(), by);
  return made;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = text.find('|');
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parts;
}

class Table {
 public:
  Table() {
    for (const auto& row : kScalarRows) add(row, Form::Scalar);
    for (const auto& row : kMaskRows)
      for (const bool wide : {false, true}) add_mask_row(row, wide);
    for (const auto& row : kVectorRows) add(row, Form::Vector);
    for (const auto& row : kLaneRows) add(row, Form::Scalar);
    add_scalar_comparisons();
    add_vector_comparisons();
    for (const auto& row : kBranchRows) add(row, Form::Branch);
    for (const auto& row : kRefused) add(row, Form::Refused);
    add({kIgnored, "", "", ""}, Form::Ignored);
    add({"s_endpgm|s_endpgm_saved", "", "", ""}, Form::End);
    add({"s_barrier", "", "barrier", ""}, Form::Barrier);
    add({"s_waitcnt|s_waitcnt_vscnt|s_waitcnt_vmcnt|s_waitcnt_lgkmcnt|s_waitcnt_expcnt", "", "", ""}, Form::Wait);
    for (const auto& row : kMatrixRows)
      for (const auto& name : parts_of(row.names)) {
        Opcode made{name,
                    Form::Vector,
                    std::string(row.operands),
                    std::string(row.op),
                    "d=?",
                    {},
                    {},
                    0,
                    row.multiply_adds,
                    row.blocks};
        put(std::move(made));
      }
    add_memory();
  }

  std::vector<Opcode> opcodes;

 private:
  void put(Opcode made) {
    const auto special = made.semantics.starts_with("pk") || made.semantics == "readlane";
    if ((made.form == Form::Scalar || made.form == Form::Vector) && !special)
      made.statements = parse_semantics(made.semantics);
    opcodes.push_back(std::move(made));
  }

  void add(const Row& row, Form form) {
    for (const auto& name : parts_of(row.names))
      put({name,
           form,
           std::string(row.operands),
           std::string(row.op),
           std::string(row.semantics),
           {},
           {},
           row.flops,
           0});
  }

  void add_mask_row(const Row& row, bool wide) {
    const auto fill = [&](std::string_view text) {
      return replaced(replaced(replaced(text, "{w}", wide ? "64" : "32"), "{n}", wide ? "2" : "1"), "{l}",
                      wide ? "63" : "31");
    };
    for (const auto& name : parts_of(fill(row.names)))
      put({name, Form::Scalar, fill(row.operands), std::string(row.op), fill(row.semantics), {}, {}, 0, 0});
  }

  void add_scalar_comparisons() {
    for (const auto& [name, comparison] : std::map<std::string, std::string>{
             {"eq", "eq"}, {"lg", "ne"}, {"gt", "gt"}, {"ge", "ge"}, {"lt", "lt"}, {"le", "le"}})
      for (const std::string type : {"i32", "u32"}) {
        put({"s_cmp_" + name + "_" + type,
             Form::Scalar,
             "a b",
             "scalar",
             fmt::format("scc={}.{}(a,b)", comparison, type),
             {},
             {},
             0,
             0});
        put({"s_cmpk_" + name + "_" + type,
             Form::Scalar,
             type == "i32" ? "a k" : "a h",
             "scalar",
             fmt::format("scc={}.{}(a,{})", comparison, type, type == "i32" ? "k" : "h"),
             {},
             {},
             0,
             0});
      }
    for (const auto& [name, comparison] : {std::pair{"eq", "eq"}, std::pair{"lg", "ne"}, std::pair{"ne", "ne"}})
      put({fmt::format("s_cmp_{}_u64", name),
           Form::Scalar,
           "a2 b2",
           "scalar",
           fmt::format("scc={}.u64(a,b)", comparison),
           {},
           {},
           0,
           0});
  }

  /// v_cmp writes a mask, v_cmpx the execution mask.
  void add_comparison(const std::string& name, const std::string& operands, const std::string& truth) {
    put({"v_cmp_" + name, Form::Vector, "m " + operands, "compare", "m=" + truth, {}, {}, 0, 0});
    put({"v_cmpx_" + name, Form::Vector, operands, "compare", "cmpx=" + truth, {}, {}, 0, 0});
  }

  void add_vector_comparisons() {
    const std::map<std::string, std::string> whole{{"eq", "eq"}, {"ne", "ne"}, {"lg", "ne"}, {"gt", "gt"},
                                                   {"ge", "ge"}, {"lt", "lt"}, {"le", "le"}};
    for (const auto& [name, comparison] : whole)
      for (const std::string type : {"i32", "u32", "i64", "u64"})
        add_comparison(name + "_" + type, type.ends_with("64") ? "a2 b2" : "a b",
                       fmt::format("{}.{}(a,b)", comparison, type));
    for (const auto& [name, comparison] : whole) {
      add_comparison(name + "_u16", "a b", fmt::format("{}.u32(and.u32(a,0xffff),and.u32(b,0xffff))", comparison));
      add_comparison(name + "_i16", "a b", fmt::format("{}.i32(ext.i32(a,0,16),ext.i32(b,0,16))", comparison));
    }
    for (const std::string type : {"i32", "u32", "i64", "u64", "i16", "u16"})
      for (const std::string truth : {"t", "f"})
        add_comparison(truth + "_" + type, type.ends_with("64") ? "a2 b2" : "a b",
                       truth == "t" ? "mov.p(1)" : "mov.p(0)");
    // An ordered comparison is false where an operand is no number; its opposite is true there.
    const std::map<std::string, std::string> floats{{"eq", "eq"},   {"gt", "gt"},   {"ge", "ge"},   {"lt", "lt"},
                                                    {"le", "le"},   {"neq", "neq"}, {"ngt", "ngt"}, {"nge", "nge"},
                                                    {"nlt", "nlt"}, {"nle", "nle"}, {"o", "both"},  {"u", "nboth"}};
    for (const std::string type : {"f32", "f64", "f16"}) {
      const std::string operands = type == "f64" ? "a2 b2" : "a b";
      for (const auto& [name, comparison] : floats)
        add_comparison(name + "_" + type, operands, type == "f16" ? "?" : fmt::format("{}.{}(a,b)", comparison, type));
      add_comparison("lg_" + type, operands, type == "f16" ? "?" : fmt::format("or.p(lt.{0}(a,b),gt.{0}(a,b))", type));
      add_comparison("nlg_" + type, operands,
                     type == "f16" ? "?" : fmt::format("not.p(or.p(lt.{0}(a,b),gt.{0}(a,b)))", type));
      add_comparison("class_" + type, type == "f64" ? "a2 b" : "a b", type == "f32" ? kClass : "?");
      add_comparison("t_" + type, operands, "mov.p(1)");
      add_comparison("f_" + type, operands, "mov.p(0)");
    }
  }

  /// Bits of b: signalling and quiet no number, minus infinity, normal, subnormal, zero, then plus from zero on.
  static constexpr const char* kClass =
      "ne.u32(0,and.u32(b,sel.u32(sel.u32(2,1,ne.u32(0,and.u32(a,0x400000))),shl.u32(1,sel.u32("
      "sel.u32(sel.u32(6,7,eq.u32(0,and.u32(a,0x7fffff))),sel.u32(9,8,eq.u32(0x7f800000,and.u32(a,0x7fffffff))),"
      "eq.u32(0,and.u32(a,0x7f800000))),"
      "sel.u32(sel.u32(5,4,eq.u32(0,and.u32(a,0x7fffff))),sel.u32(2,3,eq.u32(0x7f800000,and.u32(a,0x7fffffff))),"
      "eq.u32(0,and.u32(a,0x7f800000))),ge.i32(a,0))),gt.u32(and.u32(a,0x7fffffff),0x7f800000))))";

  void add_access(const std::string& name, const std::string& operands, const std::string& op,
                  const MemoryForm& memory) {
    Opcode made{name, Form::Memory, operands, op, "", {}, memory, 0, 0};
    opcodes.push_back(std::move(made));
  }

  static std::string sized(const std::string& op, int bytes) {
    return op + (bytes <= 4 ? "" : bytes <= 8 ? ".64" : ".128");
  }

  void add_memory();
  void add_shared();
};

struct Width {
  const char* name;
  const char* later;  ///< since gfx11
  isa::Type type;
  int elements;
};
using Kind = isa::Type::Kind;
constexpr Width kLoads[] = {{"dword", "b32", {Kind::Bits, 32}, 1},      {"dwordx2", "b64", {Kind::Bits, 32}, 2},
                            {"dwordx3", "b96", {Kind::Bits, 32}, 3},    {"dwordx4", "b128", {Kind::Bits, 32}, 4},
                            {"ubyte", "u8", {Kind::Unsigned, 8}, 1},    {"sbyte", "i8", {Kind::Signed, 8}, 1},
                            {"ushort", "u16", {Kind::Unsigned, 16}, 1}, {"sshort", "i16", {Kind::Signed, 16}, 1}};
constexpr Width kStores[] = {{"dword", "b32", {Kind::Bits, 32}, 1},   {"dwordx2", "b64", {Kind::Bits, 32}, 2},
                             {"dwordx3", "b96", {Kind::Bits, 32}, 3}, {"dwordx4", "b128", {Kind::Bits, 32}, 4},
                             {"byte", "b8", {Kind::Bits, 8}, 1},      {"short", "b16", {Kind::Bits, 16}, 1}};
constexpr const char* kHalves[] = {"ubyte_d16", "ubyte_d16_hi", "sbyte_d16", "sbyte_d16_hi",
                                   "short_d16", "short_d16_hi", "d16_u8",    "d16_hi_u8",
                                   "d16_i8",    "d16_hi_i8",    "d16_b16",   "d16_hi_b16"};

void Table::add_memory() {
  using UnitOf = MemoryForm::Unit;
  using How = isa::Access::Kind;
  const std::pair<const char*, UnitOf> units[] = {
      {"global", UnitOf::Global}, {"flat", UnitOf::Flat}, {"scratch", UnitOf::Scratch}, {"buffer", UnitOf::Buffer}};
  for (const auto& [prefix, unit] : units) {
    const std::string space = "global", before = prefix;
    for (const auto& [name, later, type, elements] : kLoads)
      for (const auto* word : {name, later})
        add_access(before + "_load_" + word, fmt::format("d{}", elements),
                   sized(space + ".load", elements * type.bits / 8), {unit, How::Load, type, elements});
    for (const auto& [name, later, type, elements] : kStores)
      for (const auto* word : {name, later})
        add_access(before + "_store_" + word, fmt::format("a{}", elements),
                   sized(space + ".store", elements * type.bits / 8), {unit, How::Store, type, elements});
    for (const auto* name : kHalves) {
      MemoryForm form{unit,
                      How::Load,
                      {Kind::Unsigned, std::string_view(name).find('8') != std::string_view::npos ||
                                               std::string_view(name).find("byte") != std::string_view::npos
                                           ? 8
                                           : 16},
                      1};
      form.half = true;
      add_access(before + "_load_" + name, "d1", space + ".load", form);
    }
    for (const auto* name : {"byte_d16_hi", "short_d16_hi", "d16_hi_b8", "d16_hi_b16"})
      add_access(
          before + "_store_" + name, "h1", space + ".store",
          {unit, How::Store, {Kind::Bits, name[0] == 'b' || std::string_view(name).ends_with("b8") ? 8 : 16}, 1});
    for (const auto* name :
         {"load_lds_dword", "load_lds_ubyte", "load_lds_sbyte", "load_lds_ushort", "load_lds_sshort"}) {
      MemoryForm form{unit, How::Load, {Kind::Bits, 32}, 1};
      form.to_lds = true;
      add_access(before + "_" + name, "", space + ".load", form);
    }
    if (unit == UnitOf::Scratch) continue;
    for (const auto* name :
         {"swap",    "add",     "sub",      "smin",    "umin",    "smax",       "umax",        "and",
          "or",      "xor",     "inc",      "dec",     "add_f32", "pk_add_f16", "pk_add_bf16", "fmin",
          "fmax",    "csub",    "swap_b32", "add_u32", "sub_u32", "min_i32",    "min_u32",     "max_i32",
          "max_u32", "and_b32", "or_b32",   "xor_b32", "inc_u32", "dec_u32",    "min_f32",     "max_f32"})
      add_access(before + "_atomic_" + name, "a1", "global.atomic", {unit, How::Atomic, {Kind::Bits, 32}, 1});
    for (const auto* name :
         {"swap_x2", "add_x2",  "sub_x2",  "smin_x2", "umin_x2", "smax_x2", "umax_x2",  "and_x2",  "or_x2",
          "xor_x2",  "inc_x2",  "dec_x2",  "add_f64", "min_f64", "max_f64", "swap_b64", "add_u64", "sub_u64",
          "min_i64", "min_u64", "max_i64", "max_u64", "and_b64", "or_b64",  "xor_b64"})
      add_access(before + "_atomic_" + name, "a2", "global.atomic", {unit, How::Atomic, {Kind::Bits, 64}, 1});
    for (const auto* name : {"cmpswap", "cmpswap_b32"})
      add_access(before + "_atomic_" + name, "a2", "global.atomic", {unit, How::Atomic, {Kind::Bits, 32}, 1});
    for (const auto* name : {"cmpswap_x2", "cmpswap_b64"})
      add_access(before + "_atomic_" + name, "a4", "global.atomic", {unit, How::Atomic, {Kind::Bits, 64}, 1});
  }
  const std::pair<const char*, int> scalars[] = {{"dword", 1},     {"dwordx2", 2}, {"dwordx4", 4}, {"dwordx8", 8},
                                                 {"dwordx16", 16}, {"b32", 1},     {"b64", 2},     {"b128", 4},
                                                 {"b256", 8},      {"b512", 16}};
  for (const auto& [name, words] : scalars) {
    add_access(std::string("s_load_") + name, fmt::format("d{}", words), "constant.load",
               {UnitOf::Scalar, How::Load, {Kind::Bits, 32}, words});
    add_access(std::string("s_buffer_load_") + name, fmt::format("d{}", words), "constant.load",
               {UnitOf::ScalarBuffer, How::Load, {Kind::Bits, 32}, words});
  }
  add_shared();
}

void Table::add_shared() {
  using UnitOf = MemoryForm::Unit;
  using How = isa::Access::Kind;
  const auto shared = [](How kind, isa::Type type, int elements, int places = 1, int scale = 1) {
    return MemoryForm{UnitOf::Shared, kind, type, elements, places, scale, false, false};
  };
  constexpr isa::Type kSharedWord{Kind::Bits, 32};
  for (const auto& [bits, elements] :
       {std::pair{"b32", 1}, std::pair{"b64", 2}, std::pair{"b96", 3}, std::pair{"b128", 4}}) {
    for (const auto* verb : {"ds_read_", "ds_load_"})
      add_access(std::string(verb) + bits, fmt::format("d{}", elements), sized("shared.load", elements * 4),
                 shared(How::Load, kSharedWord, elements));
    for (const auto* verb : {"ds_write_", "ds_store_"})
      add_access(std::string(verb) + bits, fmt::format("a{}", elements), sized("shared.store", elements * 4),
                 shared(How::Store, kSharedWord, elements));
  }
  for (const auto& [bits, elements] : {std::pair{"b32", 1}, std::pair{"b64", 2}})
    for (const auto& [stride, by] : {std::pair{"", 1}, std::pair{"st64", 64}}) {
      for (const auto* verb : {"ds_read2", "ds_load_2addr_"})
        add_access(verb[3] == 'r' ? fmt::format("{}{}_{}", verb, stride, bits)
                                  : fmt::format("ds_load_2addr_{}{}", by == 64 ? "stride64_" : "", bits),
                   fmt::format("d{}", 2 * elements), sized("shared.load", elements * 4),
                   shared(How::Load, kSharedWord, elements, 2, 4 * elements * by));
      for (const auto* verb : {"ds_write2", "ds_store_2addr_"})
        add_access(verb[3] == 'w' ? fmt::format("{}{}_{}", verb, stride, bits)
                                  : fmt::format("ds_store_2addr_{}{}", by == 64 ? "stride64_" : "", bits),
                   fmt::format("a{0} b{0}", elements), sized("shared.store", elements * 4),
                   shared(How::Store, kSharedWord, elements, 2, 4 * elements * by));
    }
  for (const auto& [name, type] : std::map<std::string, isa::Type>{{"u8", {Kind::Unsigned, 8}},
                                                                   {"i8", {Kind::Signed, 8}},
                                                                   {"u16", {Kind::Unsigned, 16}},
                                                                   {"i16", {Kind::Signed, 16}}}) {
    for (const auto* verb : {"ds_read_", "ds_load_"}) {
      add_access(verb + name, "d1", "shared.load", shared(How::Load, type, 1));
      for (const auto* half : {"_d16", "_d16_hi"}) {
        auto form = shared(How::Load, type, 1);
        form.half = true;
        add_access(verb + name + half, "d1", "shared.load", form);
      }
    }
  }
  for (const auto* verb : {"ds_write_", "ds_store_"})
    for (const auto& [name, bits] : {std::pair{"b8", 8}, std::pair{"b16", 16}}) {
      add_access(std::string(verb) + name, "a1", "shared.store", shared(How::Store, {Kind::Bits, bits}, 1));
      add_access(std::string(verb) + name + "_d16_hi", "h1", "shared.store", shared(How::Store, {Kind::Bits, bits}, 1));
    }
  for (const auto* name :
       {"add", "sub", "rsub", "inc", "dec", "min", "max", "and", "or", "xor", "wrxchg", "storexchg", "pk_add", "mskor"})
    for (const auto* type : {"_u32", "_i32", "_b32", "_f32", "_f16", "_bf16", "_u64", "_i64", "_b64", "_f64"})
      for (const auto* back : {"", "_rtn"}) {
        const bool wide = std::string_view(type).ends_with("64");
        const auto full = std::string("ds_") + name + back + type;
        add_access(full, fmt::format("{}a{}", *back != 0 ? (wide ? "d2 " : "d1 ") : "", wide ? 2 : 1), "shared.atomic",
                   shared(How::Atomic, {Kind::Bits, wide ? 64 : 32}, 1));
      }
  for (const auto* type : {"b32", "f32", "b64", "f64"})
    for (const auto* name : {"ds_cmpst_", "ds_cmpst_rtn_", "ds_cmpstore_", "ds_cmpstore_rtn_"}) {
      const bool wide = std::string_view(type).ends_with("64");
      add_access(std::string(name) + type,
                 fmt::format("{}a{} b{}",
                             std::string_view(name).find("rtn") != std::string_view::npos ? (wide ? "d2 " : "d1 ") : "",
                             wide ? 2 : 1, wide ? 2 : 1),
                 "shared.atomic", shared(How::Atomic, {Kind::Bits, wide ? 64 : 32}, 1));
    }
  // Through the unit of the group's memory, but not into it.
  put({"ds_bpermute_b32",
       Form::Vector,
       "d a b",
       "shuffle",
       "d=from.b32(b,and.u32(shr.u32(add.u32(a,offset),2),lanes_less_1))",
       {},
       {},
       0,
       0});
  put({"ds_permute_b32", Form::Vector, "d a b", "shuffle", "d=?", {}, {}, 0, 0});
  put({"ds_swizzle_b32", Form::Vector, "d a", "shuffle", "d=from.b32(a,swizzle)", {}, {}, 0, 0});
  put({"ds_append|ds_consume", Form::Vector, "d", "shared.atomic", "d=?", {}, {}, 0, 0});
  put({"ds_nop", Form::Ignored, "", "", "", {}, {}, 0, 0});
}

}  // namespace

const std::vector<Opcode>& opcodes() {
  static const Table kTable;
  return kTable.opcodes;
}

const Opcode* find_opcode(std::string_view name) {
  static const auto kByName = [] {
    std::map<std::string_view, const Opcode*> all;
    for (const auto& opcode : opcodes()) all.emplace(opcode.name, &opcode);
    return all;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

int slowness_of_shape(const Opcode& opcode, const Target& target) {
  // Factors of bfloat16 in one register each, as before CDNA 2 had them in two.
  if (opcode.name.ends_with("bf16") && opcode.operands.find(" a b ") != std::string::npos) return 2;
  if (opcode.blocks == 1) return 1;
  if (opcode.op == "mma.f64") return 2;
  if (!target.fast_single) return 1;
  return opcode.op == "mma.s8" ? 4 : opcode.op == "mma.f16.f32" ? 2 : 1;
}

}  // namespace warpipe::amdgcn
