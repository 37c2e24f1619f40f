kernel.o:	file format elf64-amdgpu
Disassembly of section .text:
0000000000001900 <histogram>:
	s_load_dword s10, s[0:1], 0x0                              // 000000001900: C0020280 00000000
	s_load_dwordx4 s[4:7], s[0:1], 0x8                         // 000000001908: C00A0100 00000008
	s_add_u32 s8, s0, 24                                       // 000000001910: 80089800
	v_lshlrev_b32_e32 v4, 2, v0                                // 000000001914: 24080082
	v_lshl_add_u32 v0, s2, 8, v0                               // 000000001918: D1FD0000 04011002
	s_addc_u32 s9, s1, 0                                       // 000000001920: 82098001
	v_mov_b32_e32 v1, 0                                        // 000000001924: 7E020280
	s_waitcnt lgkmcnt(0)                                       // 000000001928: BF8CC07F
	v_cmp_gt_i32_e32 vcc, s10, v0                              // 00000000192C: 7D88000A
	ds_write_b32 v4, v1                                        // 000000001930: D81A0000 00000104
	s_waitcnt lgkmcnt(0)                                       // 000000001938: BF8CC07F
	s_barrier                                                  // 00000000193C: BF8A0000
	s_and_saveexec_b64 s[0:1], vcc                             // 000000001940: BE80206A
	s_cbranch_execz 28                                         // 000000001944: BF88001C <histogram+0xb8>
	s_load_dword s2, s[8:9], 0x0                               // 000000001948: C0020084 00000000
	v_mov_b32_e32 v2, s4                                       // 000000001950: 7E040204
	v_mov_b32_e32 v3, s5                                       // 000000001954: 7E060205
	v_ashrrev_i32_e32 v1, 31, v0                               // 000000001958: 2202009F
	v_lshl_add_u64 v[2:3], v[0:1], 2, v[2:3]                   // 00000000195C: D2080002 04090500
	s_waitcnt lgkmcnt(0)                                       // 000000001964: BF8CC07F
	s_lshl_b32 s2, s2, 8                                       // 000000001968: 8E028802
	s_ashr_i32 s3, s2, 31                                      // 00000000196C: 90039F02
	s_lshl_b64 s[4:5], s[2:3], 2                               // 000000001970: 8E848202
	s_mov_b64 s[8:9], 0                                        // 000000001974: BE880180
	v_mov_b32_e32 v1, 1                                        // 000000001978: 7E020281
	v_mov_b32_e32 v5, 2                                        // 00000000197C: 7E0A0282
	global_load_dword v6, v[2:3], off                          // 000000001980: DC508000 067F0002
	v_add_u32_e32 v0, s2, v0                                   // 000000001988: 68000002
	v_cmp_le_i32_e32 vcc, s10, v0                              // 00000000198C: 7D86000A
	s_or_b64 s[8:9], vcc, s[8:9]                               // 000000001990: 8788086A
	v_lshl_add_u64 v[2:3], v[2:3], 0, s[4:5]                   // 000000001994: D2080002 00110102
	s_waitcnt vmcnt(0)                                         // 00000000199C: BF8C0F70
	v_lshlrev_b32_sdwa v6, v5, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0// 0000000019A0: 240C0CF9 00060605
	ds_add_u32 v6, v1                                          // 0000000019A8: D8000000 00000106
	s_andn2_b64 exec, exec, s[8:9]                             // 0000000019B0: 89FE087E
	s_cbranch_execnz 65522                                     // 0000000019B4: BF89FFF2 <histogram+0x80>
	s_or_b64 exec, exec, s[0:1]                                // 0000000019B8: 87FE007E
	s_waitcnt lgkmcnt(0)                                       // 0000000019BC: BF8CC07F
	s_barrier                                                  // 0000000019C0: BF8A0000
	ds_read_b32 v0, v4                                         // 0000000019C4: D86C0000 00000004
	s_waitcnt lgkmcnt(0)                                       // 0000000019CC: BF8CC07F
	global_atomic_add v4, v0, s[6:7]                           // 0000000019D0: DD088000 00060004
	s_endpgm                                                   // 0000000019D8: BF810000
