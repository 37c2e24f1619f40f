	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	black_scholes,@function
black_scholes:
	.file	0 "kernels/cuda/black_scholes.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 67
	s_load_dword s0, s[4:5], 0x44
	.loc	1 62
	s_load_dwordx4 s[16:19], s[4:5], 0x0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_and_b32 s0, s0, 0xffff
	.loc	0 18
	s_mul_i32 s6, s6, s0
	v_add_u32_e32 v0, s6, v0
	.loc	0 19
	v_cmp_gt_i32_e32 vcc, s16, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_2
	.loc	0 0
	s_load_dwordx8 s[8:15], s[4:5], 0x10
	.loc	0 22
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_mov_b32 s2, 0xf800000
	.loc	0 26
	v_mul_f32_e64 v6, s18, 0.5
	.loc	0 22
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s9
	v_add_co_u32_e32 v2, vcc, s8, v0
	v_addc_co_u32_e32 v3, vcc, v3, v1, vcc
	.loc	0 24
	v_mov_b32_e32 v5, s13
	v_add_co_u32_e32 v4, vcc, s12, v0
	v_addc_co_u32_e32 v5, vcc, v5, v1, vcc
	.loc	0 22
	global_load_dword v2, v[2:3], off
	.loc	0 23
	v_mov_b32_e32 v3, s11
	.loc	0 24
	global_load_dword v8, v[4:5], off
	.loc	0 23
	v_add_co_u32_e32 v4, vcc, s10, v0
	v_addc_co_u32_e32 v5, vcc, v3, v1, vcc
	global_load_dword v3, v[4:5], off
	.loc	1 62
	v_mov_b32_e32 v7, s17
	.loc	0 26
	v_fma_f32 v9, s18, v6, v7
	.loc	0 31
	v_mov_b32_e32 v7, s15
	v_add_co_u32_e32 v6, vcc, s14, v0
	v_addc_co_u32_e32 v7, vcc, v7, v1, vcc
	.loc	1 203
	v_mov_b32_e32 v5, 0x260
	s_mov_b32 s6, 0x3e6d3389
	s_mov_b32 s8, 0x3faa466f
	.loc	0 7
	v_mov_b32_e32 v4, 0xbfe91eea
	s_mov_b32 s10, 0x3fe40778
	s_mov_b32 s12, 0xbeb68f87
	s_mov_b32 s16, 0x3ea385fa
	s_mov_b32 s20, 0x3ecc422a
	s_load_dwordx2 s[4:5], s[4:5], 0x30
	.loc	1 203
	s_waitcnt vmcnt(1)
	v_mul_f32_e32 v10, 0x4f800000, v8
	.loc	0 30
	v_mul_f32_e64 v13, v8, -s17
	.loc	1 207
	v_mul_f32_e32 v13, 0x3fb8aa3b, v13
	v_exp_f32_e32 v13, v13
	.loc	0 26
	s_waitcnt vmcnt(0)
	v_div_scale_f32 v11, s[0:1], v3, v3, v2
	.loc	1 203
	v_cmp_gt_f32_e64 s[0:1], s2, v8
	v_cndmask_b32_e64 v10, v8, v10, s[0:1]
	.loc	0 26
	v_rcp_f32_e32 v14, v11
	.loc	1 203
	v_sqrt_f32_e32 v15, v10
	.loc	0 26
	v_div_scale_f32 v12, vcc, v2, v3, v2
	v_fma_f32 v16, -v11, v14, 1.0
	.loc	1 203
	v_add_u32_e32 v17, -1, v15
	.loc	0 26
	v_fmac_f32_e32 v14, v16, v14
	.loc	1 203
	v_fma_f32 v16, -v17, v15, v10
	.loc	0 26
	v_mul_f32_e32 v20, v12, v14
	.loc	1 203
	v_cmp_ge_f32_e64 s[2:3], 0, v16
	.loc	0 26
	v_fma_f32 v16, -v11, v20, v12
	v_fmac_f32_e32 v20, v16, v14
	v_fma_f32 v11, -v11, v20, v12
	.loc	1 203
	v_add_u32_e32 v18, 1, v15
	.loc	0 26
	v_div_fmas_f32 v11, v11, v14, v20
	.loc	1 203
	v_fma_f32 v19, -v18, v15, v10
	.loc	0 26
	v_div_fixup_f32 v11, v11, v3, v2
	.loc	1 203
	v_cndmask_b32_e64 v15, v15, v17, s[2:3]
	v_cmp_lt_f32_e64 s[2:3], 0, v19
	.loc	1 210
	v_log_f32_e32 v11, v11
	.loc	1 203
	v_cndmask_b32_e64 v15, v15, v18, s[2:3]
	v_mul_f32_e32 v16, 0x37800000, v15
	v_cndmask_b32_e64 v12, v15, v16, s[0:1]
	v_cmp_class_f32_e32 vcc, v10, v5
	v_cndmask_b32_e32 v5, v12, v10, vcc
	.loc	1 210
	v_mul_f32_e32 v11, 0x3f317218, v11
	.loc	0 25
	v_mul_f32_e32 v10, s18, v5
	.loc	0 26
	v_fmac_f32_e32 v11, v9, v8
	v_div_scale_f32 v8, s[0:1], v10, v10, v11
	v_rcp_f32_e32 v9, v8
	.loc	0 30
	v_mul_f32_e32 v3, v3, v13
	.loc	0 26
	v_div_scale_f32 v12, vcc, v11, v10, v11
	v_fma_f32 v13, -v8, v9, 1.0
	v_fmac_f32_e32 v9, v13, v9
	v_mul_f32_e32 v13, v12, v9
	v_fma_f32 v14, -v8, v13, v12
	v_fmac_f32_e32 v13, v14, v9
	v_fma_f32 v8, -v8, v13, v12
	v_div_fmas_f32 v8, v8, v9, v13
	v_div_fixup_f32 v12, v8, v10, v11
	.loc	0 27
	v_fma_f32 v13, -v5, s18, v12
	.loc	0 8
	v_mul_f32_e32 v5, -0.5, v12
	.loc	1 216
	v_and_b32_e32 v8, 0x7fffffff, v12
	.loc	0 8
	v_mul_f32_e32 v5, v12, v5
	v_mul_f32_e32 v10, -0.5, v13
	.loc	1 216
	v_and_b32_e32 v9, 0x7fffffff, v13
	.loc	1 207
	v_mul_f32_e32 v5, 0x3fb8aa3b, v5
	.loc	0 8
	v_mul_f32_e32 v11, v13, v10
	.loc	0 5
	v_pk_fma_f32 v[8:9], v[8:9], s[6:7], 1.0 op_sel_hi:[1,0,0]
	.loc	1 207
	v_exp_f32_e32 v10, v5
	v_mul_f32_e32 v5, 0x3fb8aa3b, v11
	.loc	0 5
	v_div_scale_f32 v14, s[0:1], v9, v9, 1.0
	v_div_scale_f32 v16, s[0:1], v8, v8, 1.0
	.loc	1 207
	v_exp_f32_e32 v11, v5
	.loc	0 5
	v_rcp_f32_e32 v5, v14
	v_rcp_f32_e32 v17, v16
	v_div_scale_f32 v15, vcc, 1.0, v9, 1.0
	v_fma_f32 v19, -v14, v5, 1.0
	v_fma_f32 v20, -v16, v17, 1.0
	v_fmac_f32_e32 v5, v19, v5
	v_div_scale_f32 v18, s[0:1], 1.0, v8, 1.0
	v_fmac_f32_e32 v17, v20, v17
	v_mul_f32_e32 v19, v15, v5
	v_mul_f32_e32 v20, v18, v17
	v_fma_f32 v21, -v14, v19, v15
	v_fma_f32 v22, -v16, v20, v18
	v_fmac_f32_e32 v19, v21, v5
	v_fmac_f32_e32 v20, v22, v17
	v_fma_f32 v14, -v14, v19, v15
	v_fma_f32 v15, -v16, v20, v18
	v_div_fmas_f32 v5, v14, v5, v19
	s_mov_b64 vcc, s[0:1]
	v_div_fixup_f32 v9, v5, v9, 1.0
	v_div_fmas_f32 v5, v15, v17, v20
	v_div_fixup_f32 v8, v5, v8, 1.0
	.loc	0 7
	v_pk_fma_f32 v[4:5], v[8:9], s[8:9], v[4:5] op_sel_hi:[1,0,0]
	v_pk_fma_f32 v[4:5], v[8:9], v[4:5], s[10:11] op_sel_hi:[1,1,0]
	v_pk_fma_f32 v[4:5], v[8:9], v[4:5], s[12:13] op_sel_hi:[1,1,0]
	v_pk_fma_f32 v[4:5], v[8:9], v[4:5], s[16:17] op_sel_hi:[1,1,0]
	.loc	0 8
	v_pk_mul_f32 v[10:11], v[10:11], s[20:21] op_sel_hi:[1,0]
	.loc	0 7
	v_pk_mul_f32 v[4:5], v[8:9], v[4:5]
	.loc	0 8
	v_pk_mul_f32 v[8:9], v[10:11], v[4:5]
	.loc	0 9
	v_pk_fma_f32 v[4:5], v[10:11], v[4:5], 1.0 op_sel_hi:[1,1,0] neg_lo:[1,0,0] neg_hi:[1,0,0]
	v_cmp_lt_f32_e32 vcc, 0, v13
	v_cndmask_b32_e32 v5, v9, v5, vcc
	v_cmp_lt_f32_e32 vcc, 0, v12
	v_cndmask_b32_e32 v4, v8, v4, vcc
	.loc	0 31
	v_pk_mul_f32 v[8:9], v[2:3], v[4:5]
	.loc	0 32
	v_sub_f32_e32 v4, 1.0, v4
	v_sub_f32_e32 v5, 1.0, v5
	v_mul_f32_e32 v2, v2, v4
	v_fma_f32 v2, v3, v5, -v2
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s5
	v_add_co_u32_e32 v0, vcc, s4, v0
	.loc	0 31
	v_sub_f32_e32 v8, v8, v9
	.loc	0 32
	v_addc_co_u32_e32 v1, vcc, v3, v1, vcc
	.loc	0 31
	global_store_dword v[6:7], v8, off
	.loc	0 32
	global_store_dword v[0:1], v2, off
.LBB0_2:
	.loc	0 33
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel black_scholes
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 312
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
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 23
		.amdhsa_next_free_sgpr 22
		.amdhsa_accum_offset 24
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.type	__hip_cuid_be76d963b2bfcf8d,@object
	.section	.bss,"aw",@nobits
__hip_cuid_be76d963b2bfcf8d:
	.byte	0
	.size	__hip_cuid_be76d963b2bfcf8d, 1
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
      - .actual_access:  read_only
        .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  write_only
        .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  write_only
        .address_space:  global
        .offset:         48
        .size:           8
        .value_kind:     global_buffer
      - .offset:         56
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         60
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         64
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         68
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         70
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         72
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         74
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         76
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         78
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         96
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         104
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         112
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         120
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 312
    .max_flat_workgroup_size: 1024
    .name:           black_scholes
    .private_segment_fixed_size: 0
    .sgpr_count:     26
    .sgpr_spill_count: 0
    .symbol:         black_scholes.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     23
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
