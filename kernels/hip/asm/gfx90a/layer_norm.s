	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	layer_norm,@function
layer_norm:
	.file	0 "kernels/cuda/layer_norm.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 68
	s_load_dword s0, s[4:5], 0x3c
	.loc	1 57
	s_load_dwordx4 s[16:19], s[4:5], 0x0
	v_bfe_u32 v1, v0, 10, 10
	.loc	1 68
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s0, s0, 16
	.loc	0 18
	s_mul_i32 s6, s6, s0
	v_add_u32_e32 v1, s6, v1
	.loc	0 19
	v_cmp_gt_i32_e32 vcc, s16, v1
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_12
	.loc	1 57
	s_load_dwordx8 s[8:15], s[4:5], 0x10
	v_and_b32_e32 v8, 0x3ff, v0
	.loc	0 22
	v_mul_lo_u32 v0, v1, s17
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 27
	v_cmp_gt_i32_e64 s[0:1], s17, v8
	v_mov_b32_e32 v6, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_lshlrev_b32_e32 v4, 2, v8
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_5
	v_add_co_u32_e32 v2, vcc, v0, v4
	v_addc_co_u32_e32 v3, vcc, 0, v1, vcc
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v5, s9
	v_add_co_u32_e32 v2, vcc, s8, v2
	v_mov_b32_e32 v6, 0
	v_addc_co_u32_e32 v3, vcc, v5, v3, vcc
	s_mov_b64 s[4:5], 0
	v_mov_b32_e32 v5, v8
.LBB0_3:
	.loc	0 28
	global_load_dword v7, v[2:3], off
	.loc	0 27
	v_add_co_u32_e32 v2, vcc, 0x80, v2
	v_add_u32_e32 v5, 32, v5
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_cmp_le_i32_e32 vcc, s17, v5
	s_or_b64 s[4:5], vcc, s[4:5]
	.loc	0 28
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v6, v6, v7
	.loc	0 27
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB0_3
	.loc	0 0
	s_or_b64 exec, exec, s[4:5]
.LBB0_5:
	s_or_b64 exec, exec, s[2:3]
	v_mbcnt_lo_u32_b32 v2, -1, 0
	v_mbcnt_hi_u32_b32 v2, -1, v2
	v_add_u32_e32 v3, 64, v2
	v_and_b32_e32 v3, 0xc0, v3
	.loc	1 127
	v_xor_b32_e32 v5, 16, v2
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v5, v3
	v_cndmask_b32_e32 v5, v2, v5, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v5, 2, v5
	ds_bpermute_b32 v7, v5, v6
	.loc	1 127
	v_xor_b32_e32 v9, 8, v2
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v9, v3
	.loc	1 127
	v_xor_b32_e32 v10, 4, v2
	v_xor_b32_e32 v11, 2, v2
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v6, v6, v7
	.loc	1 128
	v_cndmask_b32_e32 v7, v2, v9, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v7, 2, v7
	ds_bpermute_b32 v9, v7, v6
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v10, v3
	.loc	1 127
	v_xor_b32_e32 v12, 1, v2
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v6, v6, v9
	.loc	1 128
	v_cndmask_b32_e32 v9, v2, v10, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v10, 2, v9
	ds_bpermute_b32 v9, v10, v6
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v11, v3
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v6, v6, v9
	.loc	1 128
	v_cndmask_b32_e32 v9, v2, v11, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v11, 2, v9
	ds_bpermute_b32 v9, v11, v6
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v12, v3
	v_cndmask_b32_e32 v2, v2, v12, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v12, 2, v2
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v9, v6, v9
	.loc	1 117
	ds_bpermute_b32 v2, v12, v9
	.loc	0 30
	v_cvt_f32_i32_e32 v6, s17
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v9, v2
	.loc	0 30
	v_div_scale_f32 v3, s[2:3], v6, v6, v2
	v_rcp_f32_e32 v9, v3
	v_div_scale_f32 v13, vcc, v2, v6, v2
	v_fma_f32 v14, -v3, v9, 1.0
	v_fmac_f32_e32 v9, v14, v9
	v_mul_f32_e32 v14, v13, v9
	v_fma_f32 v15, -v3, v14, v13
	v_fmac_f32_e32 v14, v15, v9
	v_fma_f32 v3, -v3, v14, v13
	v_div_fmas_f32 v3, v3, v9, v14
	v_div_fixup_f32 v9, v3, v6, v2
	v_mov_b32_e32 v13, 0
	.loc	0 34
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_9
	v_add_co_u32_e32 v2, vcc, v0, v4
	v_addc_co_u32_e32 v3, vcc, 0, v1, vcc
	v_mov_b32_e32 v14, s9
	v_add_co_u32_e32 v2, vcc, s8, v2
	v_mov_b32_e32 v13, 0
	v_addc_co_u32_e32 v3, vcc, v14, v3, vcc
	s_mov_b64 s[4:5], 0
	v_mov_b32_e32 v14, v8
.LBB0_7:
	.loc	0 35
	global_load_dword v15, v[2:3], off
	.loc	0 34
	v_add_co_u32_e32 v2, vcc, 0x80, v2
	v_add_u32_e32 v14, 32, v14
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_cmp_le_i32_e32 vcc, s17, v14
	s_or_b64 s[4:5], vcc, s[4:5]
	.loc	0 35
	s_waitcnt vmcnt(0)
	v_sub_f32_e32 v15, v15, v9
	.loc	0 36
	v_fmac_f32_e32 v13, v15, v15
	.loc	0 34
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB0_7
	.loc	0 0
	s_or_b64 exec, exec, s[4:5]
.LBB0_9:
	s_or_b64 exec, exec, s[2:3]
	.loc	1 117
	ds_bpermute_b32 v2, v5, v13
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v13, v2
	.loc	1 117
	ds_bpermute_b32 v3, v7, v2
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	1 117
	ds_bpermute_b32 v3, v10, v2
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	1 117
	ds_bpermute_b32 v3, v11, v2
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	1 117
	ds_bpermute_b32 v3, v12, v2
	.loc	0 41
	s_and_b64 exec, exec, s[0:1]
	s_cbranch_execz .LBB0_12
	.loc	0 7
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	0 38
	v_div_scale_f32 v3, s[0:1], v6, v6, v2
	v_rcp_f32_e32 v5, v3
	v_div_scale_f32 v7, vcc, v2, v6, v2
	s_mov_b64 s[2:3], 0
	v_fma_f32 v10, -v3, v5, 1.0
	v_fmac_f32_e32 v5, v10, v5
	v_mul_f32_e32 v10, v7, v5
	v_fma_f32 v11, -v3, v10, v7
	v_fmac_f32_e32 v10, v11, v5
	v_fma_f32 v3, -v3, v10, v7
	v_div_fmas_f32 v3, v3, v5, v10
	v_div_fixup_f32 v2, v3, v6, v2
	.loc	0 41
	v_add_co_u32_e32 v6, vcc, v0, v4
	v_addc_co_u32_e32 v7, vcc, 0, v1, vcc
	v_mov_b32_e32 v1, s9
	v_add_co_u32_e32 v0, vcc, s8, v6
	.loc	0 38
	v_add_f32_e32 v2, s18, v2
	.loc	0 41
	v_addc_co_u32_e32 v1, vcc, v1, v7, vcc
	.loc	1 204
	v_rsq_f32_e32 v10, v2
	.loc	0 41
	v_mov_b32_e32 v3, s11
	v_add_co_u32_e32 v2, vcc, s10, v4
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_mov_b32_e32 v5, s13
	v_add_co_u32_e32 v4, vcc, s12, v4
	v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
	v_mov_b32_e32 v11, s15
	v_add_co_u32_e32 v6, vcc, s14, v6
	v_addc_co_u32_e32 v7, vcc, v11, v7, vcc
.LBB0_11:
	.loc	0 42
	global_load_dword v11, v[0:1], off
	global_load_dword v12, v[2:3], off
	global_load_dword v13, v[4:5], off
	.loc	0 41
	v_add_co_u32_e32 v0, vcc, 0x80, v0
	v_addc_co_u32_e32 v1, vcc, 0, v1, vcc
	v_add_co_u32_e32 v2, vcc, 0x80, v2
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_add_co_u32_e32 v4, vcc, 0x80, v4
	v_add_u32_e32 v8, 32, v8
	v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
	v_cmp_le_i32_e64 s[0:1], s17, v8
	s_or_b64 s[2:3], s[0:1], s[2:3]
	.loc	0 42
	s_waitcnt vmcnt(2)
	v_sub_f32_e32 v11, v11, v9
	v_mul_f32_e32 v11, v10, v11
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v13, v12, v11
	global_store_dword v[6:7], v13, off
	.loc	0 41
	v_add_co_u32_e32 v6, vcc, 0x80, v6
	v_addc_co_u32_e32 v7, vcc, 0, v7, vcc
	s_andn2_b64 exec, exec, s[2:3]
	s_cbranch_execnz .LBB0_11
.LBB0_12:
	.loc	0 44
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel layer_norm
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 304
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 20
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.type	__hip_cuid_5616abc8f94e19ec,@object
	.section	.bss,"aw",@nobits
__hip_cuid_5616abc8f94e19ec:
	.byte	0
	.size	__hip_cuid_5616abc8f94e19ec, 1
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .offset:         0
        .size:           4
        .value_kind:     by_value
      - .offset:         4
        .size:           4
        .value_kind:     by_value
      - .offset:         8
        .size:           4
        .value_kind:     by_value
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
      - .offset:         48
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         52
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         56
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         60
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         62
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         64
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         66
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         68
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         70
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         88
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         96
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         104
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         112
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 304
    .max_flat_workgroup_size: 1024
    .name:           layer_norm
    .private_segment_fixed_size: 0
    .sgpr_count:     24
    .sgpr_spill_count: 0
    .symbol:         layer_norm.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     16
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
