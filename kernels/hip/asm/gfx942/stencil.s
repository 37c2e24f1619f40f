	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	stencil_1d,@function
stencil_1d:
	.file	0 "kernels/cuda/stencil.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 57
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	.loc	0 16
	v_lshl_add_u32 v2, s2, 8, v0
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b32_e32 v1, 2, v0
	.loc	0 17
	v_cmp_gt_u32_e32 vcc, 6, v0
	.loc	1 57
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v4, s4
	v_mov_b32_e32 v5, s5
	.loc	0 16
	v_lshl_add_u64 v[4:5], v[2:3], 2, v[4:5]
	global_load_dword v6, v[4:5], off
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v6
	.loc	0 17
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_2
	.loc	0 18
	global_load_dword v0, v[4:5], off offset:1024
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v0 offset:1024
.LBB0_2:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 21
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, weights@rel32@lo+4
	s_addc_u32 s1, s1, weights@rel32@hi+12
	ds_read2_b32 v[4:5], v1 offset0:2 offset1:3
	.loc	0 24
	ds_read_b32 v10, v1 offset:16
	.loc	0 21
	s_load_dwordx4 s[0:3], s[0:1], 0x0
	.loc	0 24
	ds_read2_b32 v[6:7], v1 offset0:5 offset1:6
	ds_read2_b32 v[8:9], v1 offset1:1
	.loc	1 57
	v_mov_b32_e32 v0, s6
	v_mov_b32_e32 v1, s7
	.loc	0 24
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v4, v4, v10
	v_mul_f32_e32 v10, s1, v4
	v_fmac_f32_e32 v10, s0, v5
	v_pk_add_f32 v[4:5], v[8:9], v[6:7] op_sel:[1,0] op_sel_hi:[0,1]
	v_pk_mul_f32 v[4:5], s[2:3], v[4:5]
	.loc	0 26
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
	.loc	0 24
	v_add_f32_e32 v4, v10, v4
	v_add_f32_e32 v4, v4, v5
	.loc	0 26
	global_store_dword v[0:1], v4, off
	.loc	0 27
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel stencil_1d
		.amdhsa_group_segment_fixed_size 1048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 11
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.p2align	8
	.type	stencil_2d,@function
stencil_2d:
	.loc	1 67
	s_load_dword s4, s[0:1], 0x24
	.loc	1 62
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_and_b32_e32 v1, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s5, s4, 16
	s_and_b32 s4, s4, 0xffff
	.loc	0 33
	s_mul_i32 s2, s2, s4
	.loc	0 34
	s_mul_i32 s3, s3, s5
	.loc	0 33
	v_add_u32_e32 v4, s2, v1
	.loc	0 34
	v_add_u32_e32 v6, s3, v0
	.loc	0 35
	v_cmp_gt_i32_e32 vcc, s8, v4
	v_cmp_gt_i32_e64 s[2:3], s9, v6
	s_and_b64 s[2:3], vcc, s[2:3]
	s_and_saveexec_b64 s[4:5], s[2:3]
	s_cbranch_execz .LBB1_6
	.loc	1 62
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	.loc	0 38
	v_mad_u64_u32 v[0:1], s[0:1], v6, s8, v[4:5]
	.loc	0 39
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 41
	v_cmp_lt_i32_e32 vcc, 0, v4
	.loc	0 39
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
	global_load_dword v5, v[2:3], off
	.loc	0 41
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .LBB1_5
	s_add_i32 s0, s8, -1
	s_add_i32 s2, s9, -1
	v_cmp_gt_i32_e32 vcc, s0, v4
	v_cmp_gt_i32_e64 s[2:3], s2, v6
	v_cmp_lt_i32_e64 s[0:1], 0, v6
	s_and_b64 s[2:3], vcc, s[2:3]
	s_and_b64 s[2:3], s[2:3], s[0:1]
	s_and_saveexec_b64 s[0:1], s[2:3]
	s_cbranch_execz .LBB1_4
	.loc	0 42
	v_subrev_u32_e32 v6, s8, v0
	v_ashrrev_i32_e32 v7, 31, v6
	s_ashr_i32 s9, s8, 31
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
	v_lshl_add_u64 v[8:9], s[8:9], 2, v[2:3]
	global_load_dword v4, v[2:3], off offset:-4
	global_load_dword v10, v[2:3], off offset:4
	global_load_dword v11, v[6:7], off
	global_load_dword v12, v[8:9], off
	s_waitcnt vmcnt(2)
	v_add_f32_e32 v2, v4, v10
	s_waitcnt vmcnt(1)
	v_add_f32_e32 v2, v2, v11
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v2, v12
	v_mul_f32_e32 v2, 0x3e000000, v2
	v_fmac_f32_e32 v2, 0.5, v5
	v_mov_b32_e32 v5, v2
.LBB1_4:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
.LBB1_5:
	s_or_b64 exec, exec, s[10:11]
	.loc	1 62
	v_mov_b32_e32 v2, s6
	v_mov_b32_e32 v3, s7
	.loc	0 44
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
	s_waitcnt vmcnt(0)
	global_store_dword v[0:1], v5, off
.LBB1_6:
	.loc	0 45
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel stencil_2d
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
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 13
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.text
	.type	weights,@object
	.data
	.p2align	4, 0x0
weights:
	.long	0x3ecccccd
	.long	0x3e19999a
	.long	0x3dcccccd
	.long	0x3d4ccccd
	.size	weights, 16
	.type	__hip_cuid_29034db11bdeda14,@object
	.section	.bss,"aw",@nobits
__hip_cuid_29034db11bdeda14:
	.byte	0
	.size	__hip_cuid_29034db11bdeda14, 1
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
    .group_segment_fixed_size: 1048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 1024
    .name:           stencil_1d
    .private_segment_fixed_size: 0
    .sgpr_count:     14
    .sgpr_spill_count: 0
    .symbol:         stencil_1d.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     11
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .offset:         0
        .size:           4
        .value_kind:     by_value
      - .offset:         4
        .size:           4
        .value_kind:     by_value
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
    .name:           stencil_2d
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         stencil_2d.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     13
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
