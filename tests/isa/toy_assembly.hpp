#pragma once

#include <string>

#include "warpipe/isa/program.hpp"

namespace warpipe::test {

/// Reads the assembly of a machine without another reader: waves of 64, physical registers s0 to s15 (uniform, 32
/// bits), v0 to v15 (per lane, 32 bits), vcc and exec (masks of 64 bits) and scc (a uniform predicate); s[2:3] is a
/// number of 64 bits. `exec` holds the active lanes. Line 1 is the first line of the text; `;` begins a comment.
///
///   thread D; group D                the thread's index in its group; the group's in the grid
///   arg D, N                         parameter N, through memory; raises counter 1
///   mov D, A; add D, A, B; shl D, A, B; or D, A, B; fadd D, A, B
///   addc D, A, B                     also writes the carry to vcc; addci D, A, B adds vcc, too
///   less C, A, B                     into vcc, a bit for each lane, or scc
///   and_save D, A                    D = exec, exec = exec and A, scc = is some lane active
///   load D, A, B; store D, A, B      global memory at lane register A plus uniform base B; raises counter 0
///   lds_load D, A; lds_store D, A    the memory of the group, 1024 bytes at `tile`; raises counter 1
///   wait C, N                        until at most N accesses of counter C are under way
///   barrier; jump L; if R, L; if_none R, L; end
///
/// @return a program whose parameters are x (a pointer), n (32 bits) and p (64 bits)
isa::Program read_toy(const std::string& text);

}  // namespace warpipe::test
