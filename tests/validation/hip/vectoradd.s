	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.protected	vectoradd               ; -- Begin function vectoradd
	.globl	vectoradd
	.p2align	8
	.type	vectoradd,@function
vectoradd:                              ; @vectoradd
.Lfunc_begin0:
	.file	0 "." "vectoradd.hip" md5 0x1d746b98d980021ed15e34c49a7f66ea
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.0:
	.file	1 "./../../../kernels/hip/include/hip" "hip_runtime.h" md5 0x6c2e934388d355178af83a6eb8764d0f
	.loc	1 67 3 prologue_end             ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_load_dword s6, s[0:1], 0x2c
.Ltmp0:
	.loc	1 62 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:62:3
	s_load_dwordx2 s[4:5], s[0:1], 0x18
	v_bfe_u32 v1, v0, 10, 10
	v_and_b32_e32 v0, 0x3ff, v0
.Ltmp1:
	.loc	1 67 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s7, s6, 16
.Ltmp2:
	.loc	0 4 28                          ; vectoradd.hip:4:28
	s_mul_i32 s3, s3, s7
.Ltmp3:
	.loc	1 67 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_and_b32 s6, s6, 0xffff
.Ltmp4:
	.loc	0 4 41                          ; vectoradd.hip:4:41
	v_add_u32_e32 v1, s3, v1
	.loc	0 4 28 is_stmt 0                ; vectoradd.hip:4:28
	s_mul_i32 s2, s2, s6
	.loc	0 6 20 is_stmt 1                ; vectoradd.hip:6:20
	v_mul_lo_u32 v1, v1, s4
	.loc	0 6 28 is_stmt 0                ; vectoradd.hip:6:28
	v_add3_u32 v0, s2, v0, v1
	.loc	0 7 18 is_stmt 1                ; vectoradd.hip:7:18
	s_mul_i32 s2, s5, s4
	.loc	0 7 10 is_stmt 0                ; vectoradd.hip:7:10
	v_cmp_gt_i32_e32 vcc, s2, v0
	.loc	0 7 7                           ; vectoradd.hip:7:7
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_2
; %bb.1:
	.loc	0 0 7                           ; vectoradd.hip:0:7
	s_load_dwordx2 s[2:3], s[0:1], 0x10
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], s[2:3], 0, v[0:1]
	v_lshl_add_u64 v[4:5], s[6:7], 0, v[0:1]
	.loc	0 7 39                          ; vectoradd.hip:7:39
	global_load_dword v6, v[4:5], off
	.loc	0 7 50                          ; vectoradd.hip:7:50
	global_load_dword v7, v[2:3], off
	v_lshl_add_u64 v[0:1], s[4:5], 0, v[0:1]
	.loc	0 7 48                          ; vectoradd.hip:7:48
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v6, v7
	.loc	0 7 37                          ; vectoradd.hip:7:37
	global_store_dword v[0:1], v2, off
.LBB0_2:
	.loc	0 8 1 is_stmt 1                 ; vectoradd.hip:8:1
	s_endpgm
.Ltmp5:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel vectoradd
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
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 8
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
	.size	vectoradd, .Lfunc_end0-vectoradd
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 184
; NumSgprs: 14
; NumVgprs: 8
; NumAgprs: 0
; TotalNumVgprs: 8
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 14
; NumVGPRsForWavesPerEU: 8
; AccumOffset: 8
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 1
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 1
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.type	__hip_cuid_5bd9b5e7ffb37039,@object ; @__hip_cuid_5bd9b5e7ffb37039
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_5bd9b5e7ffb37039
__hip_cuid_5bd9b5e7ffb37039:
	.byte	0                               ; 0x0
	.size	__hip_cuid_5bd9b5e7ffb37039, 1

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_5bd9b5e7ffb37039
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .actual_access:  write_only
        .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
      - .offset:         28
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 288
    .max_flat_workgroup_size: 1024
    .name:           vectoradd
    .private_segment_fixed_size: 0
    .sgpr_count:     14
    .sgpr_spill_count: 0
    .symbol:         vectoradd.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     8
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
