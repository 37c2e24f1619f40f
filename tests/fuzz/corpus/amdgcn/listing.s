kernel.o:	file format elf64-amdgpu
Disassembly of section .text:
0000000000001e00 <saxpy>:
	s_load_dword s3, s[0:1], 0x24                              // 000000001E00: C00200C0 00000024
	s_load_dwordx2 s[4:5], s[0:1], 0x0                         // 000000001E08: C0060100 00000000
	s_waitcnt lgkmcnt(0)                                       // 000000001E10: BF8CC07F
	s_and_b32 s3, s3, 0xffff                                   // 000000001E14: 8603FF03 0000FFFF
	s_mul_i32 s2, s2, s3                                       // 000000001E1C: 92020302
	v_add_u32_e32 v0, s2, v0                                   // 000000001E20: 68000002
	v_cmp_gt_i32_e32 vcc, s4, v0                               // 000000001E24: 7D880004
	s_and_saveexec_b64 s[2:3], vcc                             // 000000001E28: BE82206A
	s_cbranch_execz 18                                         // 000000001E2C: BF880012 <saxpy+0x78>
	s_load_dwordx4 s[8:11], s[0:1], 0x8                        // 000000001E30: C00A0200 00000008
	v_ashrrev_i32_e32 v1, 31, v0                               // 000000001E38: 2202009F
	v_lshlrev_b64 v[0:1], 2, v[0:1]                            // 000000001E3C: D28F0000 00020082
	s_waitcnt lgkmcnt(0)                                       // 000000001E44: BF8CC07F
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[0:1]                   // 000000001E48: D2080002 04010008
	v_lshl_add_u64 v[0:1], s[10:11], 0, v[0:1]                 // 000000001E50: D2080000 0401000A
	global_load_dword v4, v[2:3], off                          // 000000001E58: DC508000 047F0002
	global_load_dword v5, v[0:1], off                          // 000000001E60: DC508000 057F0000
	s_waitcnt vmcnt(0)                                         // 000000001E68: BF8C0F70
	v_fmac_f32_e32 v5, s5, v4                                  // 000000001E6C: 760A0805
	global_store_dword v[0:1], v5, off                         // 000000001E70: DC708000 007F0500
	s_endpgm                                                   // 000000001E78: BF810000
0000000000001f00 <saxpy_grid_stride>:
	s_load_dword s3, s[0:1], 0x24                              // 000000001F00: C00200C0 00000024
	s_load_dwordx2 s[8:9], s[0:1], 0x0                         // 000000001F08: C0060200 00000000
	s_add_u32 s10, s0, 24                                      // 000000001F10: 800A9800
	s_addc_u32 s11, s1, 0                                      // 000000001F14: 820B8001
	s_waitcnt lgkmcnt(0)                                       // 000000001F18: BF8CC07F
	s_and_b32 s3, s3, 0xffff                                   // 000000001F1C: 8603FF03 0000FFFF
	s_mul_i32 s2, s2, s3                                       // 000000001F24: 92020302
	v_add_u32_e32 v0, s2, v0                                   // 000000001F28: 68000002
	v_cmp_gt_i32_e32 vcc, s8, v0                               // 000000001F2C: 7D880008
	s_and_saveexec_b64 s[4:5], vcc                             // 000000001F30: BE84206A
	s_cbranch_execz 31                                         // 000000001F34: BF88001F <saxpy_grid_stride+0xb4>
	s_load_dword s2, s[10:11], 0x0                             // 000000001F38: C0020085 00000000
	s_load_dwordx4 s[4:7], s[0:1], 0x8                         // 000000001F40: C00A0100 00000008
	v_ashrrev_i32_e32 v1, 31, v0                               // 000000001F48: 2202009F
	v_lshlrev_b64 v[2:3], 2, v[0:1]                            // 000000001F4C: D28F0002 00020082
	s_mov_b64 s[10:11], 0                                      // 000000001F54: BE8A0180
	s_waitcnt lgkmcnt(0)                                       // 000000001F58: BF8CC07F
	s_mul_i32 s0, s2, s3                                       // 000000001F5C: 92000302
	s_ashr_i32 s1, s0, 31                                      // 000000001F60: 90019F00
	s_lshl_b64 s[2:3], s[0:1], 2                               // 000000001F64: 8E828200
	v_lshl_add_u64 v[4:5], s[4:5], 0, v[2:3]                   // 000000001F68: D2080004 04090004
	v_lshl_add_u64 v[6:7], s[6:7], 0, v[2:3]                   // 000000001F70: D2080006 04090006
	global_load_dword v1, v[4:5], off                          // 000000001F78: DC508000 017F0004
	global_load_dword v8, v[6:7], off                          // 000000001F80: DC508000 087F0006
	v_add_u32_e32 v0, s0, v0                                   // 000000001F88: 68000000
	v_cmp_le_i32_e32 vcc, s8, v0                               // 000000001F8C: 7D860008
	v_lshl_add_u64 v[2:3], v[2:3], 0, s[2:3]                   // 000000001F90: D2080002 00090102
	s_or_b64 s[10:11], vcc, s[10:11]                           // 000000001F98: 878A0A6A
	s_waitcnt vmcnt(0)                                         // 000000001F9C: BF8C0F70
	v_fmac_f32_e32 v8, s9, v1                                  // 000000001FA0: 76100209
	global_store_dword v[6:7], v8, off                         // 000000001FA4: DC708000 007F0806
	s_andn2_b64 exec, exec, s[10:11]                           // 000000001FAC: 89FE0A7E
	s_cbranch_execnz 65517                                     // 000000001FB0: BF89FFED <saxpy_grid_stride+0x68>
	s_endpgm                                                   // 000000001FB4: BF810000
