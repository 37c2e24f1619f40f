	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.protected	floydwarshall           ; -- Begin function floydwarshall
	.globl	floydwarshall
	.p2align	8
	.type	floydwarshall,@function
floydwarshall:                          ; @floydwarshall
.Lfunc_begin0:
	.file	0 "." "floydwarshall.hip" md5 0xbaf2f171dbf726d3fad1a8629f4ac13c
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.0:
	.file	1 "./../../../kernels/hip/include/hip" "hip_runtime.h" md5 0x6c2e934388d355178af83a6eb8764d0f
	.loc	1 67 3 prologue_end             ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_load_dword s10, s[0:1], 0x24
.Ltmp0:
	.loc	1 62 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:62:3
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	v_and_b32_e32 v1, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
.Ltmp1:
	.loc	1 67 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s0, s10, 16
	s_and_b32 s1, s10, 0xffff
.Ltmp2:
	.loc	0 4 36                          ; floydwarshall.hip:4:36
	s_mul_i32 s3, s3, s0
	.loc	0 3 34                          ; floydwarshall.hip:3:34
	s_mul_i32 s2, s2, s1
	.loc	0 4 49                          ; floydwarshall.hip:4:49
	v_add_u32_e32 v0, s3, v0
	.loc	0 3 47                          ; floydwarshall.hip:3:47
	v_add_u32_e32 v6, s2, v1
	.loc	0 5 34                          ; floydwarshall.hip:5:34
	v_mul_lo_u32 v4, v0, s8
	.loc	0 5 21 is_stmt 0                ; floydwarshall.hip:5:21
	v_mov_b32_e32 v1, 0
	.loc	0 5 42                          ; floydwarshall.hip:5:42
	v_add_u32_e32 v0, v4, v6
	.loc	0 6 44 is_stmt 1                ; floydwarshall.hip:6:44
	v_add_u32_e32 v4, s9, v4
	.loc	0 6 23 is_stmt 0                ; floydwarshall.hip:6:23
	v_mov_b32_e32 v5, v1
	.loc	0 6 65                          ; floydwarshall.hip:6:65
	s_mul_i32 s0, s9, s8
	.loc	0 6 23                          ; floydwarshall.hip:6:23
	v_lshl_add_u64 v[4:5], v[4:5], 2, s[4:5]
	.loc	0 6 73                          ; floydwarshall.hip:6:73
	v_add_u32_e32 v6, s0, v6
	.loc	0 6 53                          ; floydwarshall.hip:6:53
	v_mov_b32_e32 v7, v1
	.loc	0 5 21 is_stmt 1                ; floydwarshall.hip:5:21
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
	.loc	0 6 53                          ; floydwarshall.hip:6:53
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
	.loc	0 6 23 is_stmt 0                ; floydwarshall.hip:6:23
	global_load_dword v8, v[4:5], off
	.loc	0 6 53                          ; floydwarshall.hip:6:53
	global_load_dword v9, v[6:7], off
	.loc	0 5 21 is_stmt 1                ; floydwarshall.hip:5:21
	global_load_dword v10, v[2:3], off
	.loc	0 6 51                          ; floydwarshall.hip:6:51
	s_waitcnt vmcnt(1)
	v_add_u32_e32 v4, v9, v8
	.loc	0 7 15                          ; floydwarshall.hip:7:15
	s_waitcnt vmcnt(0)
	v_cmp_lt_i32_e32 vcc, v4, v10
	.loc	0 7 7 is_stmt 0                 ; floydwarshall.hip:7:7
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_2
; %bb.1:
.Ltmp3:
	.loc	1 62 3 is_stmt 1                ; ./../../../kernels/hip/include/hip/hip_runtime.h:62:3
	v_mov_b32_e32 v6, s6
	v_mov_b32_e32 v7, s7
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[6:7]
.Ltmp4:
	.loc	0 8 32                          ; floydwarshall.hip:8:32
	global_store_dword v[2:3], v4, off
	.loc	0 9 34                          ; floydwarshall.hip:9:34
	v_mov_b32_e32 v2, s9
	global_store_dword v[0:1], v2, off
.LBB0_2:
	.loc	0 11 1                          ; floydwarshall.hip:11:1
	s_endpgm
.Ltmp5:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel floydwarshall
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
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
		.amdhsa_next_free_vgpr 11
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 1
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
	.size	floydwarshall, .Lfunc_end0-floydwarshall
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 220
; NumSgprs: 17
; NumVgprs: 11
; NumAgprs: 0
; TotalNumVgprs: 11
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 17
; NumVGPRsForWavesPerEU: 11
; AccumOffset: 12
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 1
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 2
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.type	__hip_cuid_c42883147cb92fb9,@object ; @__hip_cuid_c42883147cb92fb9
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_c42883147cb92fb9
__hip_cuid_c42883147cb92fb9:
	.byte	0                               ; 0x0
	.size	__hip_cuid_c42883147cb92fb9, 1

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_c42883147cb92fb9
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
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .max_flat_workgroup_size: 1024
    .name:           floydwarshall
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         floydwarshall.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     11
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
