	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.protected	matrixmultiplication    ; -- Begin function matrixmultiplication
	.globl	matrixmultiplication
	.p2align	8
	.type	matrixmultiplication,@function
matrixmultiplication:                   ; @matrixmultiplication
.Lfunc_begin0:
	.file	0 "." "matrixmultiplication.hip" md5 0x8c82b31d74bdca4f3415d65426b2136b
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.0:
	.file	1 "./../../../kernels/hip/include/hip" "hip_runtime.h" md5 0x6c2e934388d355178af83a6eb8764d0f
	.loc	1 57 3 prologue_end             ; ./../../../kernels/hip/include/hip/hip_runtime.h:57:3
	s_load_dword s10, s[0:1], 0x18
.Ltmp0:
	.loc	1 72 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:72:3
	s_load_dword s13, s[0:1], 0x28
.Ltmp1:
	.loc	1 67 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_load_dword s14, s[0:1], 0x34
.Ltmp2:
	.loc	1 57 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:57:3
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	v_and_b32_e32 v52, 0x3ff, v0
	v_bfe_u32 v50, v0, 10, 10
.Ltmp3:
	.loc	1 67 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_waitcnt lgkmcnt(0)
	s_and_b32 s15, s14, 0xffff
	v_cvt_f32_u32_e32 v0, s15
.Ltmp4:
	.loc	0 18 33                         ; matrixmultiplication.hip:18:33
	s_mul_i32 s11, s2, s15
	.loc	0 18 46 is_stmt 0               ; matrixmultiplication.hip:18:46
	v_add_u32_e32 v51, s11, v52
	.loc	0 19 65 is_stmt 1               ; matrixmultiplication.hip:19:65
	s_ashr_i32 s11, s10, 31
	v_rcp_iflag_f32_e32 v0, v0
	s_lshr_b32 s11, s11, 30
	s_sub_i32 s12, 0, s15
	s_add_i32 s10, s10, s11
	v_mul_f32_e32 v0, 0x4f7ffffe, v0
	v_cvt_u32_f32_e32 v0, v0
	s_ashr_i32 s16, s10, 2
	s_abs_i32 s11, s16
	s_ashr_i32 s10, s10, 31
	v_readfirstlane_b32 s17, v0
	s_mul_i32 s12, s12, s17
	s_mul_hi_u32 s12, s17, s12
	s_add_i32 s17, s17, s12
	s_mul_hi_u32 s12, s11, s17
	s_mul_i32 s17, s12, s15
	s_sub_i32 s11, s11, s17
	s_add_i32 s17, s12, 1
	s_sub_i32 s18, s11, s15
	s_cmp_ge_u32 s11, s15
	s_cselect_b32 s12, s17, s12
	s_cselect_b32 s11, s18, s11
	s_add_i32 s17, s12, 1
	s_cmp_ge_u32 s11, s15
	s_cselect_b32 s11, s17, s12
	s_xor_b32 s11, s11, s10
	s_sub_i32 s17, s11, s10
	.loc	0 21 27                         ; matrixmultiplication.hip:21:27
	s_cmp_lt_i32 s17, 1
	.loc	0 19 33                         ; matrixmultiplication.hip:19:33
	s_mul_i32 s10, s13, s15
	.loc	0 21 3                          ; matrixmultiplication.hip:21:3
	s_cbranch_scc1 .LBB0_5
; %bb.1:
.Ltmp5:
	.loc	1 57 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:57:3
	s_load_dwordx2 s[0:1], s[0:1], 0x20
	v_lshlrev_b32_e32 v0, 2, v50
.Ltmp6:
	.loc	0 21 3                          ; matrixmultiplication.hip:21:3
	s_mul_i32 s19, s13, 3
	v_mad_u32_u24 v32, v0, s15, v52
	v_mov_b32_e32 v33, 0
	v_mad_u32_u24 v54, v0, s15, s15
	s_add_i32 s19, s2, s19
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[34:35], v[32:33], 4, s[0:1]
	v_add_u32_e32 v32, v54, v52
	v_add_u32_e32 v55, s15, v54
	s_mul_i32 s19, s19, s15
	v_lshl_add_u64 v[36:37], v[32:33], 4, s[0:1]
	v_add_u32_e32 v32, v55, v52
	v_add_u32_e32 v56, s15, v55
	v_add_u32_e32 v57, s19, v52
	s_mul_i32 s19, s15, s15
	v_mul_u32_u24_e32 v1, s15, v0
	v_lshl_add_u64 v[38:39], v[32:33], 4, s[0:1]
	v_add_u32_e32 v32, v56, v52
	s_mul_i32 s19, s13, s19
	s_lshl_b32 s13, s13, 1
	s_mov_b32 s12, 0
	v_lshl_add_u64 v[40:41], v[32:33], 4, s[0:1]
	v_lshlrev_b32_e32 v32, 4, v1
	s_add_i32 s2, s2, s13
	v_mul_lo_u32 v53, v0, s16
	v_lshl_add_u64 v[0:1], v[32:33], 0, s[0:1]
	s_mul_i32 s2, s2, s15
	s_mov_b32 s13, s12
	s_lshl_b32 s18, s10, 2
	s_ashr_i32 s11, s10, 31
	v_lshl_add_u64 v[42:43], v[0:1], 0, 12
	s_lshl_b32 s19, s19, 2
	v_add_u32_e32 v58, s2, v52
	.loc	0 0 0 is_stmt 0                 ; matrixmultiplication.hip:0:0
	v_mov_b64_e32 v[0:1], s[12:13]
	v_mov_b32_e32 v59, v51
	v_mov_b64_e32 v[2:3], s[12:13]
	v_mov_b64_e32 v[4:5], s[12:13]
	v_mov_b64_e32 v[6:7], s[12:13]
	v_mov_b64_e32 v[8:9], s[12:13]
	v_mov_b64_e32 v[10:11], s[12:13]
	v_mov_b64_e32 v[12:13], s[12:13]
	v_mov_b64_e32 v[14:15], s[12:13]
.LBB0_2:                                ; =>This Loop Header: Depth=1
                                        ;     Child Loop BB0_3 Depth 2
	.loc	0 22 27 is_stmt 1               ; matrixmultiplication.hip:22:27
	s_mul_i32 s2, s12, s15
	.loc	0 23 72                         ; matrixmultiplication.hip:23:72
	v_add3_u32 v20, s2, v52, v53
	.loc	0 23 65 is_stmt 0               ; matrixmultiplication.hip:23:65
	v_ashrrev_i32_e32 v21, 31, v20
	v_lshl_add_u64 v[16:17], v[20:21], 4, s[4:5]
	.loc	0 23 63                         ; matrixmultiplication.hip:23:63
	global_load_dwordx4 v[16:19], v[16:17], off
	.loc	0 23 72                         ; matrixmultiplication.hip:23:72
	v_add_u32_e32 v20, s16, v20
	.loc	0 23 65                         ; matrixmultiplication.hip:23:65
	v_ashrrev_i32_e32 v21, 31, v20
	v_lshl_add_u64 v[22:23], v[20:21], 4, s[4:5]
	.loc	0 23 72                         ; matrixmultiplication.hip:23:72
	v_add_u32_e32 v20, s16, v20
	.loc	0 23 65                         ; matrixmultiplication.hip:23:65
	v_ashrrev_i32_e32 v21, 31, v20
	s_mov_b32 s2, 0
	v_mov_b64_e32 v[44:45], v[42:43]
	s_mov_b32 s13, 0
	.loc	0 23 63                         ; matrixmultiplication.hip:23:63
	s_waitcnt vmcnt(0)
	global_store_dwordx4 v[34:35], v[16:19], off
	global_load_dwordx4 v[16:19], v[22:23], off
	.loc	0 23 65                         ; matrixmultiplication.hip:23:65
	v_lshl_add_u64 v[22:23], v[20:21], 4, s[4:5]
	.loc	0 23 72                         ; matrixmultiplication.hip:23:72
	v_add_u32_e32 v20, s16, v20
	.loc	0 23 65                         ; matrixmultiplication.hip:23:65
	v_ashrrev_i32_e32 v21, 31, v20
	v_lshl_add_u64 v[20:21], v[20:21], 4, s[4:5]
	.loc	0 23 63                         ; matrixmultiplication.hip:23:63
	s_waitcnt vmcnt(0)
	global_store_dwordx4 v[36:37], v[16:19], off
	global_load_dwordx4 v[16:19], v[22:23], off
	s_waitcnt vmcnt(0)
	global_store_dwordx4 v[38:39], v[16:19], off
	global_load_dwordx4 v[16:19], v[20:21], off
	s_waitcnt vmcnt(0)
	global_store_dwordx4 v[40:41], v[16:19], off
.Ltmp7:
	.loc	1 100 3 is_stmt 1               ; ./../../../kernels/hip/include/hip/hip_runtime.h:100:3
	s_barrier
.Ltmp8:
.LBB0_3:                                ;   Parent Loop BB0_2 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	.loc	0 28 45                         ; matrixmultiplication.hip:28:45
	v_add_u32_e32 v32, s13, v54
	.loc	0 29 25                         ; matrixmultiplication.hip:29:25
	v_add_u32_e32 v16, s2, v59
	.loc	0 28 45                         ; matrixmultiplication.hip:28:45
	v_lshl_add_u64 v[18:19], v[32:33], 4, s[0:1]
	v_add_u32_e32 v32, s13, v55
	.loc	0 29 25                         ; matrixmultiplication.hip:29:25
	v_ashrrev_i32_e32 v17, 31, v16
	.loc	0 28 45                         ; matrixmultiplication.hip:28:45
	v_lshl_add_u64 v[46:47], v[32:33], 4, s[0:1]
	v_add_u32_e32 v32, s13, v56
	.loc	0 29 25                         ; matrixmultiplication.hip:29:25
	v_lshl_add_u64 v[60:61], v[16:17], 4, s[6:7]
	.loc	0 28 43                         ; matrixmultiplication.hip:28:43
	global_load_dwordx4 v[20:23], v[44:45], off offset:-12
	global_load_dwordx4 v[28:31], v[18:19], off
	global_load_dwordx4 v[24:27], v[46:47], off
	.loc	0 28 45 is_stmt 0               ; matrixmultiplication.hip:28:45
	v_lshl_add_u64 v[16:17], v[32:33], 4, s[0:1]
	.loc	0 29 40 is_stmt 1               ; matrixmultiplication.hip:29:40
	v_lshl_add_u64 v[18:19], s[10:11], 4, v[60:61]
	global_load_dwordx4 v[46:49], v[18:19], off
	.loc	0 28 43                         ; matrixmultiplication.hip:28:43
	s_nop 0
	global_load_dwordx4 v[16:19], v[16:17], off
	.loc	0 25 37                         ; matrixmultiplication.hip:25:37
	s_add_i32 s13, s13, 1
	.loc	0 29 25                         ; matrixmultiplication.hip:29:25
	global_load_dwordx4 v[60:63], v[60:61], off
	.loc	0 25 29                         ; matrixmultiplication.hip:25:29
	v_lshl_add_u64 v[44:45], v[44:45], 0, 16
.Ltmp9:
	.loc	0 9 55                          ; matrixmultiplication.hip:9:55
	s_waitcnt vmcnt(5)
	v_mov_b32_e32 v32, v23
	.loc	0 9 29 is_stmt 0                ; matrixmultiplication.hip:9:29
	s_waitcnt vmcnt(2)
	v_pk_mul_f32 v[64:65], v[46:47], v[20:21] op_sel:[0,1]
	v_pk_mul_f32 v[68:69], v[46:47], v[24:25] op_sel:[0,1]
	.loc	0 11 29 is_stmt 1               ; matrixmultiplication.hip:11:29
	v_pk_mul_f32 v[70:71], v[48:49], v[20:21] op_sel:[0,1]
	v_pk_mul_f32 v[74:75], v[48:49], v[24:25] op_sel:[0,1]
	v_pk_mul_f32 v[72:73], v[48:49], v[28:29] op_sel:[0,1]
	s_waitcnt vmcnt(1)
	v_pk_mul_f32 v[76:77], v[48:49], v[16:17] op_sel:[0,1]
	.loc	0 9 23                          ; matrixmultiplication.hip:9:23
	s_waitcnt vmcnt(0)
	v_pk_fma_f32 v[64:65], v[60:61], v[20:21], v[64:65] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[48:49], v[60:61], v[24:25], v[68:69] op_sel_hi:[1,0,1]
	.loc	0 11 23                         ; matrixmultiplication.hip:11:23
	v_pk_fma_f32 v[68:69], v[62:63], v[20:21], v[70:71] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[20:21], v[62:63], v[24:25], v[74:75] op_sel_hi:[1,0,1]
.Ltmp10:
	.loc	0 29 65                         ; matrixmultiplication.hip:29:65
	v_add_u32_e32 v24, s2, v58
	v_ashrrev_i32_e32 v25, 31, v24
.Ltmp11:
	.loc	0 9 29                          ; matrixmultiplication.hip:9:29
	v_pk_mul_f32 v[66:67], v[46:47], v[28:29] op_sel:[0,1]
	v_pk_mul_f32 v[46:47], v[46:47], v[16:17] op_sel:[0,1]
.Ltmp12:
	.loc	0 29 65                         ; matrixmultiplication.hip:29:65
	v_lshl_add_u64 v[24:25], v[24:25], 4, s[6:7]
.Ltmp13:
	.loc	0 9 23                          ; matrixmultiplication.hip:9:23
	v_pk_fma_f32 v[66:67], v[60:61], v[28:29], v[66:67] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[46:47], v[60:61], v[16:17], v[46:47] op_sel_hi:[1,0,1]
	.loc	0 11 23                         ; matrixmultiplication.hip:11:23
	v_pk_fma_f32 v[28:29], v[62:63], v[28:29], v[72:73] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[16:17], v[62:63], v[16:17], v[76:77] op_sel_hi:[1,0,1]
.Ltmp14:
	.loc	0 29 65                         ; matrixmultiplication.hip:29:65
	global_load_dwordx4 v[60:63], v[24:25], off
.Ltmp15:
	.loc	0 9 36                          ; matrixmultiplication.hip:9:36
	s_waitcnt vmcnt(0)
	v_pk_fma_f32 v[24:25], v[60:61], v[22:23], v[64:65] op_sel_hi:[1,0,1]
	.loc	0 11 36                         ; matrixmultiplication.hip:11:36
	v_pk_fma_f32 v[64:65], v[62:63], v[22:23], v[68:69] op_sel_hi:[1,0,1]
.Ltmp16:
	.loc	0 29 94                         ; matrixmultiplication.hip:29:94
	v_add_u32_e32 v22, s2, v57
	v_ashrrev_i32_e32 v23, 31, v22
	v_lshl_add_u64 v[22:23], v[22:23], 4, s[6:7]
.Ltmp17:
	.loc	0 11 36                         ; matrixmultiplication.hip:11:36
	v_pk_fma_f32 v[68:69], v[62:63], v[26:27], v[20:21] op_sel_hi:[1,0,1]
.Ltmp18:
	.loc	0 29 94                         ; matrixmultiplication.hip:29:94
	global_load_dwordx4 v[20:23], v[22:23], off
.Ltmp19:
	.loc	0 9 36                          ; matrixmultiplication.hip:9:36
	v_pk_fma_f32 v[66:67], v[60:61], v[30:31], v[66:67] op_sel_hi:[1,0,1]
	.loc	0 11 36                         ; matrixmultiplication.hip:11:36
	v_pk_fma_f32 v[28:29], v[62:63], v[30:31], v[28:29] op_sel_hi:[1,0,1]
	.loc	0 9 55                          ; matrixmultiplication.hip:9:55
	v_mov_b32_e32 v30, v31
	.loc	0 9 36 is_stmt 0                ; matrixmultiplication.hip:9:36
	v_pk_fma_f32 v[48:49], v[60:61], v[26:27], v[48:49] op_sel_hi:[1,0,1]
	.loc	0 9 55                          ; matrixmultiplication.hip:9:55
	v_mov_b32_e32 v26, v27
	.loc	0 9 36                          ; matrixmultiplication.hip:9:36
	v_pk_fma_f32 v[46:47], v[60:61], v[18:19], v[46:47] op_sel_hi:[1,0,1]
	.loc	0 11 36 is_stmt 1               ; matrixmultiplication.hip:11:36
	v_pk_fma_f32 v[16:17], v[62:63], v[18:19], v[16:17] op_sel_hi:[1,0,1]
	.loc	0 9 55                          ; matrixmultiplication.hip:9:55
	v_mov_b32_e32 v18, v19
.Ltmp20:
	.loc	0 25 29                         ; matrixmultiplication.hip:25:29
	s_add_i32 s2, s2, s18
	s_cmp_eq_u32 s15, s13
.Ltmp21:
	.loc	0 9 49                          ; matrixmultiplication.hip:9:49
	s_waitcnt vmcnt(0)
	v_pk_fma_f32 v[24:25], v[20:21], v[32:33], v[24:25] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[60:61], v[20:21], v[30:31], v[66:67] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[48:49], v[20:21], v[26:27], v[48:49] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[20:21], v[20:21], v[18:19], v[46:47] op_sel_hi:[1,0,1]
	.loc	0 11 49                         ; matrixmultiplication.hip:11:49
	v_pk_fma_f32 v[46:47], v[22:23], v[32:33], v[64:65] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[28:29], v[22:23], v[30:31], v[28:29] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[26:27], v[22:23], v[26:27], v[68:69] op_sel_hi:[1,0,1]
	v_pk_fma_f32 v[16:17], v[22:23], v[18:19], v[16:17] op_sel_hi:[1,0,1]
	.loc	0 9 9                           ; matrixmultiplication.hip:9:9
	v_pk_add_f32 v[12:13], v[12:13], v[24:25]
	v_pk_add_f32 v[8:9], v[8:9], v[60:61]
	v_pk_add_f32 v[4:5], v[4:5], v[48:49]
	v_pk_add_f32 v[0:1], v[0:1], v[20:21]
	.loc	0 11 9                          ; matrixmultiplication.hip:11:9
	v_pk_add_f32 v[14:15], v[46:47], v[14:15]
	v_pk_add_f32 v[10:11], v[28:29], v[10:11]
	v_pk_add_f32 v[6:7], v[26:27], v[6:7]
	v_pk_add_f32 v[2:3], v[16:17], v[2:3]
.Ltmp22:
	.loc	0 25 5                          ; matrixmultiplication.hip:25:5
	s_cbranch_scc0 .LBB0_3
; %bb.4:                                ;   in Loop: Header=BB0_2 Depth=1
	.loc	0 21 47                         ; matrixmultiplication.hip:21:47
	s_add_i32 s12, s12, 1
	.loc	0 21 3 is_stmt 0                ; matrixmultiplication.hip:21:3
	v_add_u32_e32 v57, s19, v57
	v_add_u32_e32 v59, s19, v59
	.loc	0 21 27                         ; matrixmultiplication.hip:21:27
	s_cmp_eq_u32 s12, s17
	.loc	0 21 3                          ; matrixmultiplication.hip:21:3
	v_add_u32_e32 v58, s19, v58
.Ltmp23:
	.loc	1 100 3 is_stmt 1               ; ./../../../kernels/hip/include/hip/hip_runtime.h:100:3
	s_barrier
	s_cbranch_scc0 .LBB0_2
	s_branch .LBB0_6
.Ltmp24:
.LBB0_5:
	.loc	1 0 3 is_stmt 0                 ; ./../../../kernels/hip/include/hip/hip_runtime.h:0:3
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v0, 0
.LBB0_6:
.Ltmp25:
	.loc	1 67 3 is_stmt 1                ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_lshr_b32 s0, s14, 16
.Ltmp26:
	.loc	0 18 68                         ; matrixmultiplication.hip:18:68
	s_mul_i32 s3, s3, s0
	.loc	0 18 81 is_stmt 0               ; matrixmultiplication.hip:18:81
	v_add_u32_e32 v16, s3, v50
	.loc	0 34 56 is_stmt 1               ; matrixmultiplication.hip:34:56
	v_mul_lo_u32 v16, v16, s10
	.loc	0 34 40 is_stmt 0               ; matrixmultiplication.hip:34:40
	v_lshl_add_u32 v16, v16, 2, v51
	.loc	0 34 31                         ; matrixmultiplication.hip:34:31
	v_ashrrev_i32_e32 v17, 31, v16
	v_lshl_add_u64 v[18:19], v[16:17], 4, s[8:9]
	.loc	0 34 67                         ; matrixmultiplication.hip:34:67
	global_store_dwordx4 v[18:19], v[12:15], off
	.loc	0 34 40                         ; matrixmultiplication.hip:34:40
	s_nop 1
	v_add_u32_e32 v12, s10, v16
	.loc	0 34 31                         ; matrixmultiplication.hip:34:31
	v_ashrrev_i32_e32 v13, 31, v12
	v_lshl_add_u64 v[14:15], v[12:13], 4, s[8:9]
	.loc	0 34 67                         ; matrixmultiplication.hip:34:67
	global_store_dwordx4 v[14:15], v[8:11], off
	.loc	0 34 40                         ; matrixmultiplication.hip:34:40
	s_nop 1
	v_add_u32_e32 v8, s10, v12
	.loc	0 34 31                         ; matrixmultiplication.hip:34:31
	v_ashrrev_i32_e32 v9, 31, v8
	v_lshl_add_u64 v[10:11], v[8:9], 4, s[8:9]
	.loc	0 34 67                         ; matrixmultiplication.hip:34:67
	global_store_dwordx4 v[10:11], v[4:7], off
	.loc	0 34 40                         ; matrixmultiplication.hip:34:40
	s_nop 1
	v_add_u32_e32 v4, s10, v8
	.loc	0 34 31                         ; matrixmultiplication.hip:34:31
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[4:5], v[4:5], 4, s[8:9]
	.loc	0 34 67                         ; matrixmultiplication.hip:34:67
	global_store_dwordx4 v[4:5], v[0:3], off
	.loc	0 35 1 is_stmt 1                ; matrixmultiplication.hip:35:1
	s_endpgm
.Ltmp27:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel matrixmultiplication
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 296
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 78
		.amdhsa_next_free_sgpr 20
		.amdhsa_accum_offset 80
		.amdhsa_reserve_vcc 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	matrixmultiplication, .Lfunc_end0-matrixmultiplication
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1364
; NumSgprs: 26
; NumVgprs: 78
; NumAgprs: 0
; TotalNumVgprs: 78
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 9
; NumSGPRsForWavesPerEU: 26
; NumVGPRsForWavesPerEU: 78
; AccumOffset: 80
; Occupancy: 6
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 1
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 19
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.type	__hip_cuid_5f65d9e98f30325,@object ; @__hip_cuid_5f65d9e98f30325
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_5f65d9e98f30325
__hip_cuid_5f65d9e98f30325:
	.byte	0                               ; 0x0
	.size	__hip_cuid_5f65d9e98f30325, 1

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_5f65d9e98f30325
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .offset:         40
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         44
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         48
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         52
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         54
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         56
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         58
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         60
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         62
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         88
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         96
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         104
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 296
    .max_flat_workgroup_size: 1024
    .name:           matrixmultiplication
    .private_segment_fixed_size: 0
    .sgpr_count:     26
    .sgpr_spill_count: 0
    .symbol:         matrixmultiplication.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     78
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
