	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.protected	fir                     ; -- Begin function fir
	.globl	fir
	.p2align	8
	.type	fir,@function
fir:                                    ; @fir
.Lfunc_begin0:
	.file	0 "." "fir.hip" md5 0x8821e13ffa5b518ce0f3934738a24399
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.0:
	.file	1 "./../../../kernels/hip/include/hip" "hip_runtime.h" md5 0x6c2e934388d355178af83a6eb8764d0f
	.loc	1 67 3 prologue_end             ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_load_dword s12, s[0:1], 0x34
.Ltmp0:
	.loc	1 62 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:62:3
	s_load_dword s3, s[0:1], 0x20
	s_load_dwordx8 s[4:11], s[0:1], 0x0
.Ltmp1:
	.loc	1 67 3                          ; ./../../../kernels/hip/include/hip/hip_runtime.h:67:3
	s_waitcnt lgkmcnt(0)
	s_and_b32 s0, s12, 0xffff
.Ltmp2:
	.loc	0 4 34                          ; fir.hip:4:34
	s_mul_i32 s2, s2, s0
	.loc	0 4 47 is_stmt 0                ; fir.hip:4:47
	v_add_u32_e32 v0, s2, v0
	.loc	0 6 30 is_stmt 1                ; fir.hip:6:30
	s_cmp_eq_u32 s3, 0
	s_mov_b32 s0, 0
	.loc	0 6 3 is_stmt 0                 ; fir.hip:6:3
	s_cbranch_scc1 .LBB0_3
; %bb.1:
	.loc	0 0 3                           ; fir.hip:0:3
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v1, s3
	v_mov_b32_e32 v5, s9
	v_mov_b32_e32 v6, s11
	v_mov_b32_e32 v7, s8
	v_mov_b32_e32 v8, s10
	v_mov_b32_e32 v9, v0
	v_mov_b32_e32 v4, 0
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	.loc	0 7 29 is_stmt 1                ; fir.hip:7:29
	v_cmp_gt_u32_e32 vcc, s0, v0
	.loc	0 8 12                          ; fir.hip:8:12
	s_load_dword s1, s[6:7], 0x0
	.loc	0 6 38                          ; fir.hip:6:38
	s_add_i32 s0, s0, 1
	.loc	0 7 26                          ; fir.hip:7:26
	v_cndmask_b32_e32 v2, 0, v1, vcc
	v_cndmask_b32_e32 v11, v5, v6, vcc
	v_cndmask_b32_e32 v10, v7, v8, vcc
	.loc	0 7 0 is_stmt 0                 ; fir.hip:7:0
	v_add_u32_e32 v2, v2, v9
	v_lshl_add_u64 v[10:11], v[2:3], 2, v[10:11]
	.loc	0 7 26                          ; fir.hip:7:26
	global_load_dword v2, v[10:11], off
	.loc	0 6 30 is_stmt 1                ; fir.hip:6:30
	s_add_u32 s6, s6, 4
	s_addc_u32 s7, s7, 0
	v_add_u32_e32 v9, -1, v9
	s_cmp_eq_u32 s3, s0
	.loc	0 8 9                           ; fir.hip:8:9
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_fmac_f32_e32 v4, s1, v2
	.loc	0 6 3                           ; fir.hip:6:3
	s_cbranch_scc0 .LBB0_2
	s_branch .LBB0_4
.LBB0_3:
	.loc	0 0 3 is_stmt 0                 ; fir.hip:0:3
	v_mov_b32_e32 v4, 0
.LBB0_4:
.Ltmp3:
	.loc	1 62 3 is_stmt 1                ; ./../../../kernels/hip/include/hip/hip_runtime.h:62:3
	v_mov_b32_e32 v2, s4
	v_mov_b32_e32 v3, s5
.Ltmp4:
	.loc	0 10 3                          ; fir.hip:10:3
	v_mov_b32_e32 v1, 0
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
	.loc	0 10 16 is_stmt 0               ; fir.hip:10:16
	global_store_dword v[0:1], v4, off
	.loc	0 11 1 is_stmt 1                ; fir.hip:11:1
	s_endpgm
.Ltmp5:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel fir
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
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 13
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
	.size	fir, .Lfunc_end0-fir
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 204
; NumSgprs: 19
; NumVgprs: 12
; NumAgprs: 0
; TotalNumVgprs: 12
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 19
; NumVGPRsForWavesPerEU: 12
; AccumOffset: 12
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 2
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.type	__hip_cuid_e17e089547a27907,@object ; @__hip_cuid_e17e089547a27907
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_e17e089547a27907
__hip_cuid_e17e089547a27907:
	.byte	0                               ; 0x0
	.size	__hip_cuid_e17e089547a27907, 1

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_e17e089547a27907
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
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
      - .offset:         32
        .size:           4
        .value_kind:     by_value
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
    .name:           fir
    .private_segment_fixed_size: 0
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         fir.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     12
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
