	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.protected	matrixtranspose         ; -- Begin function matrixtranspose
	.globl	matrixtranspose
	.p2align	8
	.type	matrixtranspose,@function
matrixtranspose:                        ; @matrixtranspose
.Lfunc_begin0:
	.file	0 "." "matrixtranspose.hip" md5 0xc1e22d4c17b59ba2060122c5b22d706a
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.0:
	.file	1 "./../../../kernels/hip/include/hip" "hip_runtime.h" md5 0x6c2e934388d355178af83a6eb8764d0f
	.loc	1 67 3 prologue_end             ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	v_bfe_u32 v22, v0, 10, 10
	v_and_b32_e32 v23, 0x3ff, v0
	s_waitcnt lgkmcnt(0)
	s_load_dword s11, s[0:1], 0x2c
.Ltmp0:
                                        ; kill: killed $sgpr0_sgpr1
	.loc	0 7 57                          ; matrixtranspose.hip:7:57
	s_add_i32 s0, s2, s3
	.loc	0 7 71 is_stmt 0                ; matrixtranspose.hip:7:71
	v_cvt_f32_u32_e32 v1, s10
	s_sub_i32 s3, 0, s10
	.loc	0 11 53 is_stmt 1               ; matrixtranspose.hip:11:53
	v_mov_b32_e32 v17, 0
.Ltmp1:
	.loc	1 67 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_waitcnt lgkmcnt(0)
	s_and_b32 s1, s11, 0xffff
.Ltmp2:
	.loc	0 7 71                          ; matrixtranspose.hip:7:71
	v_rcp_iflag_f32_e32 v0, v1
	.loc	0 9 50                          ; matrixtranspose.hip:9:50
	s_mul_i32 s2, s2, s1
	.loc	0 9 57 is_stmt 0                ; matrixtranspose.hip:9:57
	v_add_u32_e32 v1, s2, v22
	v_mul_lo_u32 v1, v1, s8
	.loc	0 7 71 is_stmt 1                ; matrixtranspose.hip:7:71
	v_mul_f32_e32 v0, 0x4f7ffffe, v0
	v_cvt_u32_f32_e32 v0, v0
	v_lshlrev_b32_e32 v1, 2, v1
	v_readfirstlane_b32 s11, v0
	s_mul_i32 s3, s3, s11
	s_mul_hi_u32 s3, s11, s3
	s_add_i32 s11, s11, s3
	s_mul_hi_u32 s3, s0, s11
	s_mul_i32 s3, s3, s10
	s_sub_i32 s0, s0, s3
	s_sub_i32 s3, s0, s10
	s_cmp_ge_u32 s0, s10
	s_cselect_b32 s0, s3, s0
	s_sub_i32 s3, s0, s10
	s_cmp_ge_u32 s0, s10
	s_cselect_b32 s0, s3, s0
	.loc	0 9 32                          ; matrixtranspose.hip:9:32
	s_mul_i32 s0, s0, s1
	.loc	0 11 61                         ; matrixtranspose.hip:11:61
	v_add3_u32 v16, s0, v23, v1
	.loc	0 11 53 is_stmt 0               ; matrixtranspose.hip:11:53
	v_lshl_add_u64 v[8:9], v[16:17], 4, s[6:7]
	.loc	0 11 61                         ; matrixtranspose.hip:11:61
	v_add_u32_e32 v16, s8, v16
	.loc	0 11 53                         ; matrixtranspose.hip:11:53
	v_lshl_add_u64 v[10:11], v[16:17], 4, s[6:7]
	.loc	0 11 61                         ; matrixtranspose.hip:11:61
	v_add_u32_e32 v16, s8, v16
	.loc	0 11 53                         ; matrixtranspose.hip:11:53
	v_lshl_add_u64 v[18:19], v[16:17], 4, s[6:7]
	.loc	0 11 61                         ; matrixtranspose.hip:11:61
	v_add_u32_e32 v16, s8, v16
	.loc	0 11 51                         ; matrixtranspose.hip:11:51
	global_load_dwordx4 v[0:3], v[8:9], off
	global_load_dwordx4 v[4:7], v[10:11], off
	.loc	0 11 53                         ; matrixtranspose.hip:11:53
	v_lshl_add_u64 v[20:21], v[16:17], 4, s[6:7]
	.loc	0 11 51                         ; matrixtranspose.hip:11:51
	global_load_dwordx4 v[8:11], v[18:19], off
	global_load_dwordx4 v[12:15], v[20:21], off
	.loc	0 10 27 is_stmt 1               ; matrixtranspose.hip:10:27
	v_lshlrev_b32_e32 v16, 6, v22
	.loc	0 14 35                         ; matrixtranspose.hip:14:35
	v_lshlrev_b32_e32 v19, 6, v23
	.loc	0 10 38                         ; matrixtranspose.hip:10:38
	v_lshlrev_b32_e32 v18, 4, v23
	.loc	0 14 46                         ; matrixtranspose.hip:14:46
	v_lshlrev_b32_e32 v20, 4, v22
	.loc	0 10 23                         ; matrixtranspose.hip:10:23
	v_mul_u32_u24_e32 v16, s1, v16
	.loc	0 14 31                         ; matrixtranspose.hip:14:31
	v_mul_u32_u24_e32 v19, s1, v19
	.loc	0 11 36                         ; matrixtranspose.hip:11:36
	s_mul_i32 s3, s1, 48
	.loc	0 10 38                         ; matrixtranspose.hip:10:38
	v_add3_u32 v18, 0, v16, v18
	.loc	0 14 46                         ; matrixtranspose.hip:14:46
	v_add3_u32 v19, 0, v19, v20
	.loc	0 16 55                         ; matrixtranspose.hip:16:55
	v_add_u32_e32 v16, s0, v22
	.loc	0 11 36                         ; matrixtranspose.hip:11:36
	v_add_u32_e32 v20, s3, v18
	.loc	0 15 75                         ; matrixtranspose.hip:15:75
	v_add_u32_e32 v21, s3, v19
	.loc	0 11 36                         ; matrixtranspose.hip:11:36
	s_lshl_b32 s3, s1, 4
	s_lshl_b32 s1, s1, 5
	.loc	0 16 69                         ; matrixtranspose.hip:16:69
	v_mul_lo_u32 v16, s9, v16
	.loc	0 11 36                         ; matrixtranspose.hip:11:36
	v_add_u32_e32 v24, s3, v18
	v_add_u32_e32 v25, s1, v18
	.loc	0 15 35                         ; matrixtranspose.hip:15:35
	v_add_u32_e32 v26, s3, v19
	.loc	0 15 53 is_stmt 0               ; matrixtranspose.hip:15:53
	v_add_u32_e32 v27, s1, v19
	.loc	0 16 69 is_stmt 1               ; matrixtranspose.hip:16:69
	v_lshlrev_b32_e32 v16, 2, v16
	.loc	0 16 38 is_stmt 0               ; matrixtranspose.hip:16:38
	v_add3_u32 v16, s2, v23, v16
	.loc	0 17 3 is_stmt 1                ; matrixtranspose.hip:17:3
	v_lshl_add_u64 v[28:29], v[16:17], 4, s[4:5]
	.loc	0 18 10                         ; matrixtranspose.hip:18:10
	v_add_u32_e32 v16, s9, v16
	.loc	0 18 3 is_stmt 0                ; matrixtranspose.hip:18:3
	v_lshl_add_u64 v[30:31], v[16:17], 4, s[4:5]
	.loc	0 19 10 is_stmt 1               ; matrixtranspose.hip:19:10
	v_add_u32_e32 v16, s9, v16
	.loc	0 19 3 is_stmt 0                ; matrixtranspose.hip:19:3
	v_lshl_add_u64 v[32:33], v[16:17], 4, s[4:5]
	.loc	0 20 10 is_stmt 1               ; matrixtranspose.hip:20:10
	v_add_u32_e32 v16, s9, v16
	.loc	0 20 3 is_stmt 0                ; matrixtranspose.hip:20:3
	v_lshl_add_u64 v[34:35], v[16:17], 4, s[4:5]
	.loc	0 11 51 is_stmt 1               ; matrixtranspose.hip:11:51
	s_waitcnt vmcnt(3)
	ds_write_b128 v18, v[0:3]
	s_waitcnt vmcnt(2)
	ds_write_b128 v24, v[4:7]
	s_waitcnt vmcnt(1)
	ds_write_b128 v25, v[8:11]
	s_waitcnt vmcnt(0)
	ds_write_b128 v20, v[12:15]
.Ltmp3:
	.loc	1 99 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:99:3
	s_waitcnt lgkmcnt(0)
	.loc	1 100 3                         ; ./../../../kernels/hip/include/hip/hip_runtime.h:100:3
	s_barrier
.Ltmp4:
	.loc	0 15 20                         ; matrixtranspose.hip:15:20
	ds_read_b128 v[0:3], v19
	.loc	0 15 35 is_stmt 0               ; matrixtranspose.hip:15:35
	ds_read_b128 v[4:7], v26
	.loc	0 15 53                         ; matrixtranspose.hip:15:53
	ds_read_b128 v[8:11], v27
	.loc	0 15 75                         ; matrixtranspose.hip:15:75
	ds_read_b128 v[12:15], v21
	.loc	0 17 11 is_stmt 1               ; matrixtranspose.hip:17:11
	s_waitcnt lgkmcnt(3)
	v_mov_b32_e32 v16, v0
	s_waitcnt lgkmcnt(2)
	v_mov_b32_e32 v17, v4
	s_waitcnt lgkmcnt(1)
	v_mov_b32_e32 v18, v8
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v19, v12
	.loc	0 18 20                         ; matrixtranspose.hip:18:20
	v_mov_b32_e32 v20, v1
	v_mov_b32_e32 v21, v5
	v_mov_b32_e32 v22, v9
	v_mov_b32_e32 v23, v13
	.loc	0 19 24                         ; matrixtranspose.hip:19:24
	v_mov_b32_e32 v24, v2
	v_mov_b32_e32 v25, v6
	v_mov_b32_e32 v26, v10
	v_mov_b32_e32 v27, v14
	.loc	0 20 24                         ; matrixtranspose.hip:20:24
	v_mov_b32_e32 v12, v3
	v_mov_b32_e32 v13, v7
	v_mov_b32_e32 v14, v11
	.loc	0 17 11                         ; matrixtranspose.hip:17:11
	global_store_dwordx4 v[28:29], v[16:19], off
	.loc	0 18 20                         ; matrixtranspose.hip:18:20
	global_store_dwordx4 v[30:31], v[20:23], off
	.loc	0 19 24                         ; matrixtranspose.hip:19:24
	global_store_dwordx4 v[32:33], v[24:27], off
	.loc	0 20 24                         ; matrixtranspose.hip:20:24
	global_store_dwordx4 v[34:35], v[12:15], off
	.loc	0 21 1                          ; matrixtranspose.hip:21:1
	s_endpgm
.Ltmp5:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel matrixtranspose
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 288
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
		.amdhsa_next_free_vgpr 36
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 36
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
	.size	matrixtranspose, .Lfunc_end0-matrixtranspose
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 584
; NumSgprs: 18
; NumVgprs: 36
; NumAgprs: 0
; TotalNumVgprs: 36
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 4
; NumSGPRsForWavesPerEU: 18
; NumVGPRsForWavesPerEU: 36
; AccumOffset: 36
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 1
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 8
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.type	__hip_cuid_19e8f67df5f48d75,@object ; @__hip_cuid_19e8f67df5f48d75
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_19e8f67df5f48d75
__hip_cuid_19e8f67df5f48d75:
	.byte	0                               ; 0x0
	.size	__hip_cuid_19e8f67df5f48d75, 1

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_19e8f67df5f48d75
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         20
        .size:           4
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .value_kind:     by_value
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         36
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         40
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         44
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         46
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         48
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         50
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         52
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         54
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         88
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         96
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         152
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 288
    .max_flat_workgroup_size: 1024
    .name:           matrixtranspose
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         matrixtranspose.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     36
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
