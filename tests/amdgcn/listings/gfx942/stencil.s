kernel.o:	file format elf64-amdgpu
Disassembly of section .text:
0000000000001b00 <stencil_1d>:
	s_load_dwordx4 s[4:7], s[0:1], 0x0                         // 000000001B00: C00A0100 00000000
	v_lshl_add_u32 v2, s2, 8, v0                               // 000000001B08: D1FD0002 04011002
	v_ashrrev_i32_e32 v3, 31, v2                               // 000000001B10: 2206049F
	v_lshlrev_b32_e32 v1, 2, v0                                // 000000001B14: 24020082
	v_cmp_gt_u32_e32 vcc, 6, v0                                // 000000001B18: 7D980086
	s_waitcnt lgkmcnt(0)                                       // 000000001B1C: BF8CC07F
	v_mov_b32_e32 v4, s4                                       // 000000001B20: 7E080204
	v_mov_b32_e32 v5, s5                                       // 000000001B24: 7E0A0205
	v_lshl_add_u64 v[4:5], v[2:3], 2, v[4:5]                   // 000000001B28: D2080004 04110502
	global_load_dword v6, v[4:5], off                          // 000000001B30: DC508000 067F0004
	s_waitcnt vmcnt(0)                                         // 000000001B38: BF8C0F70
	ds_write_b32 v1, v6                                        // 000000001B3C: D81A0000 00000601
	s_and_saveexec_b64 s[0:1], vcc                             // 000000001B44: BE80206A
	s_cbranch_execz 5                                          // 000000001B48: BF880005 <stencil_1d+0x60>
	global_load_dword v0, v[4:5], off offset:1024              // 000000001B4C: DC508400 007F0004
	s_waitcnt vmcnt(0)                                         // 000000001B54: BF8C0F70
	ds_write_b32 v1, v0 offset:1024                            // 000000001B58: D81A0400 00000001
	s_or_b64 exec, exec, s[0:1]                                // 000000001B60: 87FE007E
	s_waitcnt lgkmcnt(0)                                       // 000000001B64: BF8CC07F
	s_barrier                                                  // 000000001B68: BF8A0000
	s_getpc_b64 s[0:1]                                         // 000000001B6C: BE801C00
	s_add_u32 s0, s0, 0x2680                                   // 000000001B70: 8000FF00 00002680
	s_addc_u32 s1, s1, 0                                       // 000000001B78: 8201FF01 00000000
	ds_read2_b32 v[4:5], v1 offset0:2 offset1:3                // 000000001B80: D86E0302 04000001
	ds_read_b32 v10, v1 offset:16                              // 000000001B88: D86C0010 0A000001
	s_load_dwordx4 s[0:3], s[0:1], 0x0                         // 000000001B90: C00A0000 00000000
	ds_read2_b32 v[6:7], v1 offset0:5 offset1:6                // 000000001B98: D86E0605 06000001
	ds_read2_b32 v[8:9], v1 offset1:1                          // 000000001BA0: D86E0100 08000001
	v_mov_b32_e32 v0, s6                                       // 000000001BA8: 7E000206
	v_mov_b32_e32 v1, s7                                       // 000000001BAC: 7E020207
	s_waitcnt lgkmcnt(0)                                       // 000000001BB0: BF8CC07F
	v_add_f32_e32 v4, v4, v10                                  // 000000001BB4: 02081504
	v_mul_f32_e32 v10, s1, v4                                  // 000000001BB8: 0A140801
	v_fmac_f32_e32 v10, s0, v5                                 // 000000001BBC: 76140A00
	v_pk_add_f32 v[4:5], v[8:9], v[6:7] op_sel:[1,0] op_sel_hi:[0,1]// 000000001BC0: D3B24804 10020D08
	v_pk_mul_f32 v[4:5], s[2:3], v[4:5]                        // 000000001BC8: D3B14004 18020802
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]                   // 000000001BD0: D2080000 04010502
	v_add_f32_e32 v4, v10, v4                                  // 000000001BD8: 0208090A
	v_add_f32_e32 v4, v4, v5                                   // 000000001BDC: 02080B04
	global_store_dword v[0:1], v4, off                         // 000000001BE0: DC708000 007F0400
	s_endpgm                                                   // 000000001BE8: BF810000
0000000000001c00 <stencil_2d>:
	s_load_dword s4, s[0:1], 0x24                              // 000000001C00: C0020100 00000024
	s_load_dwordx2 s[8:9], s[0:1], 0x0                         // 000000001C08: C0060200 00000000
	v_and_b32_e32 v1, 0x3ff, v0                                // 000000001C10: 260200FF 000003FF
	v_bfe_u32 v0, v0, 10, 10                                   // 000000001C18: D1C80000 02291500
	s_waitcnt lgkmcnt(0)                                       // 000000001C20: BF8CC07F
	s_lshr_b32 s5, s4, 16                                      // 000000001C24: 8F059004
	s_and_b32 s4, s4, 0xffff                                   // 000000001C28: 8604FF04 0000FFFF
	s_mul_i32 s2, s2, s4                                       // 000000001C30: 92020402
	s_mul_i32 s3, s3, s5                                       // 000000001C34: 92030503
	v_add_u32_e32 v4, s2, v1                                   // 000000001C38: 68080202
	v_add_u32_e32 v6, s3, v0                                   // 000000001C3C: 680C0003
	v_cmp_gt_i32_e32 vcc, s8, v4                               // 000000001C40: 7D880808
	v_cmp_gt_i32_e64 s[2:3], s9, v6                            // 000000001C44: D0C40002 00020C09
	s_and_b64 s[2:3], vcc, s[2:3]                              // 000000001C4C: 8682026A
	s_and_saveexec_b64 s[4:5], s[2:3]                          // 000000001C50: BE842002
	s_cbranch_execz 58                                         // 000000001C54: BF88003A <stencil_2d+0x140>
	s_load_dwordx4 s[4:7], s[0:1], 0x8                         // 000000001C58: C00A0100 00000008
	v_mad_u64_u32 v[0:1], s[0:1], v6, s8, v[4:5]               // 000000001C60: D1E80000 04101106
	v_ashrrev_i32_e32 v1, 31, v0                               // 000000001C68: 2202009F
	v_cmp_lt_i32_e32 vcc, 0, v4                                // 000000001C6C: 7D820880
	s_waitcnt lgkmcnt(0)                                       // 000000001C70: BF8CC07F
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]                   // 000000001C74: D2080002 00110500
	global_load_dword v5, v[2:3], off                          // 000000001C7C: DC508000 057F0002
	s_and_saveexec_b64 s[10:11], vcc                           // 000000001C84: BE8A206A
	s_cbranch_execz 37                                         // 000000001C88: BF880025 <stencil_2d+0x120>
	s_add_i32 s0, s8, -1                                       // 000000001C8C: 8100C108
	s_add_i32 s2, s9, -1                                       // 000000001C90: 8102C109
	v_cmp_gt_i32_e32 vcc, s0, v4                               // 000000001C94: 7D880800
	v_cmp_gt_i32_e64 s[2:3], s2, v6                            // 000000001C98: D0C40002 00020C02
	v_cmp_lt_i32_e64 s[0:1], 0, v6                             // 000000001CA0: D0C10000 00020C80
	s_and_b64 s[2:3], vcc, s[2:3]                              // 000000001CA8: 8682026A
	s_and_b64 s[2:3], s[2:3], s[0:1]                           // 000000001CAC: 86820002
	s_and_saveexec_b64 s[0:1], s[2:3]                          // 000000001CB0: BE802002
	s_cbranch_execz 25                                         // 000000001CB4: BF880019 <stencil_2d+0x11c>
	v_subrev_u32_e32 v6, s8, v0                                // 000000001CB8: 6C0C0008
	v_ashrrev_i32_e32 v7, 31, v6                               // 000000001CBC: 220E0C9F
	s_ashr_i32 s9, s8, 31                                      // 000000001CC0: 90099F08
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]                   // 000000001CC4: D2080006 00110506
	v_lshl_add_u64 v[8:9], s[8:9], 2, v[2:3]                   // 000000001CCC: D2080008 04090408
	global_load_dword v4, v[2:3], off offset:-4                // 000000001CD4: DC509FFC 047F0002
	global_load_dword v10, v[2:3], off offset:4                // 000000001CDC: DC508004 0A7F0002
	global_load_dword v11, v[6:7], off                         // 000000001CE4: DC508000 0B7F0006
	global_load_dword v12, v[8:9], off                         // 000000001CEC: DC508000 0C7F0008
	s_waitcnt vmcnt(2)                                         // 000000001CF4: BF8C0F72
	v_add_f32_e32 v2, v4, v10                                  // 000000001CF8: 02041504
	s_waitcnt vmcnt(1)                                         // 000000001CFC: BF8C0F71
	v_add_f32_e32 v2, v2, v11                                  // 000000001D00: 02041702
	s_waitcnt vmcnt(0)                                         // 000000001D04: BF8C0F70
	v_add_f32_e32 v2, v2, v12                                  // 000000001D08: 02041902
	v_mul_f32_e32 v2, 0x3e000000, v2                           // 000000001D0C: 0A0404FF 3E000000
	v_fmac_f32_e32 v2, 0.5, v5                                 // 000000001D14: 76040AF0
	v_mov_b32_e32 v5, v2                                       // 000000001D18: 7E0A0302
	s_or_b64 exec, exec, s[0:1]                                // 000000001D1C: 87FE007E
	s_or_b64 exec, exec, s[10:11]                              // 000000001D20: 87FE0A7E
	v_mov_b32_e32 v2, s6                                       // 000000001D24: 7E040206
	v_mov_b32_e32 v3, s7                                       // 000000001D28: 7E060207
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]                   // 000000001D2C: D2080000 04090500
	s_waitcnt vmcnt(0)                                         // 000000001D34: BF8C0F70
	global_store_dword v[0:1], v5, off                         // 000000001D38: DC708000 007F0500
	s_endpgm                                                   // 000000001D40: BF810000
