	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	reduce_interleaved,@function
reduce_interleaved:
	.file	0 "kernels/cuda/reduction.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 67
	s_load_dword s7, s[4:5], 0x1c
	.loc	1 57
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	.loc	0 14
	v_mov_b32_e32 v3, 0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_and_b32 s4, s7, 0xffff
	.loc	0 14
	s_mul_i32 s5, s6, s4
	v_add_u32_e32 v2, s5, v0
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_mov_b32_e32 v1, s1
	v_add_co_u32_e32 v2, vcc, s0, v2
	v_addc_co_u32_e32 v3, vcc, v1, v3, vcc
	global_load_dword v2, v[2:3], off
	v_lshl_add_u32 v1, v0, 2, 0
	.loc	1 67
	s_cmp_lt_u32 s4, 2
	.loc	0 14
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v2
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 17
	s_cbranch_scc1 .LBB0_5
	.loc	0 0
	s_mov_b32 s7, 1
	s_branch .LBB0_3
.LBB0_2:
	s_or_b64 exec, exec, s[0:1]
	.loc	0 17
	s_cmp_ge_u32 s5, s4
	s_mov_b32 s7, s5
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 17
	s_cbranch_scc1 .LBB0_5
.LBB0_3:
	.loc	0 18
	s_lshl_b32 s5, s7, 1
	s_add_i32 s0, s5, -1
	v_and_b32_e32 v2, s0, v0
	v_cmp_eq_u32_e32 vcc, 0, v2
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_2
	.loc	0 0
	v_lshl_add_u32 v2, s7, 2, v1
	.loc	0 19
	ds_read_b32 v2, v2
	ds_read_b32 v3, v1
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	ds_write_b32 v1, v2
	s_branch .LBB0_2
.LBB0_5:
	.loc	0 23
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_7
	.loc	0 0
	v_mov_b32_e32 v0, 0
	.loc	0 24
	ds_read_b32 v1, v0
	s_mov_b32 s7, 0
	s_lshl_b64 s[0:1], s[6:7], 2
	s_add_u32 s0, s2, s0
	s_addc_u32 s1, s3, s1
	s_waitcnt lgkmcnt(0)
	global_store_dword v0, v1, s[0:1]
.LBB0_7:
	.loc	0 26
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel reduce_interleaved
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 272
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
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 4
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.p2align	8
	.type	reduce_sequential,@function
reduce_sequential:
	.loc	1 67
	s_load_dword s7, s[4:5], 0x1c
	.loc	1 57
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	.loc	0 31
	v_mov_b32_e32 v3, 0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_and_b32 s4, s7, 0xffff
	.loc	0 31
	s_mul_i32 s5, s6, s4
	v_add_u32_e32 v2, s5, v0
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_mov_b32_e32 v1, s1
	v_add_co_u32_e32 v2, vcc, s0, v2
	v_addc_co_u32_e32 v3, vcc, v1, v3, vcc
	global_load_dword v2, v[2:3], off
	v_lshl_add_u32 v1, v0, 2, 0
	.loc	1 67
	s_cmp_lt_u32 s4, 2
	.loc	0 31
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v2
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 34
	s_cbranch_scc0 .LBB1_5
.LBB1_1:
	.loc	0 40
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB1_3
	.loc	0 0
	v_mov_b32_e32 v0, 0
	.loc	0 41
	ds_read_b32 v1, v0
	s_mov_b32 s7, 0
	s_lshl_b64 s[0:1], s[6:7], 2
	s_add_u32 s0, s2, s0
	s_addc_u32 s1, s3, s1
	s_waitcnt lgkmcnt(0)
	global_store_dword v0, v1, s[0:1]
.LBB1_3:
	.loc	0 43
	s_endpgm
.LBB1_4:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
	.loc	0 34
	s_cmp_lt_u32 s4, 4
	s_mov_b32 s4, s5
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 34
	s_cbranch_scc1 .LBB1_1
.LBB1_5:
	s_lshr_b32 s5, s4, 1
	.loc	0 35
	v_cmp_gt_u32_e32 vcc, s5, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB1_4
	.loc	0 0
	v_lshl_add_u32 v2, s5, 2, v1
	.loc	0 36
	ds_read_b32 v2, v2
	ds_read_b32 v3, v1
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	ds_write_b32 v1, v2
	s_branch .LBB1_4
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel reduce_sequential
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 272
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
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 4
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.text
	.p2align	8
	.type	reduce_shuffle,@function
reduce_shuffle:
	.loc	1 67
	s_load_dword s7, s[4:5], 0x1c
	.loc	1 57
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	.loc	0 49
	v_mov_b32_e32 v3, 0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_and_b32 s4, s7, 0xffff
	.loc	0 49
	s_mul_i32 s5, s6, s4
	v_add_u32_e32 v2, s5, v0
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_mov_b32_e32 v1, s1
	v_add_co_u32_e32 v2, vcc, s0, v2
	v_addc_co_u32_e32 v3, vcc, v1, v3, vcc
	global_load_dword v2, v[2:3], off
	v_lshl_add_u32 v1, v0, 2, 0
	.loc	1 67
	s_cmpk_lt_u32 s4, 0x42
	.loc	0 49
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v2
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 52
	s_cbranch_scc0 .LBB2_6
.LBB2_1:
	.loc	0 58
	v_cmp_gt_u32_e32 vcc, 32, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB2_4
	.loc	0 59
	ds_read2_b32 v[2:3], v1 offset1:32
	v_mbcnt_lo_u32_b32 v1, -1, 0
	v_mbcnt_hi_u32_b32 v4, -1, v1
	v_and_b32_e32 v5, 63, v4
	.loc	1 133
	v_add_u32_e32 v1, 16, v5
	v_cmp_gt_i32_e32 vcc, 64, v1
	v_cndmask_b32_e64 v1, 0, 1, vcc
	v_lshlrev_b32_e32 v1, 4, v1
	.loc	0 59
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	1 117
	v_add_lshl_u32 v1, v1, v4, 2
	ds_bpermute_b32 v1, v1, v2
	.loc	1 133
	v_add_u32_e32 v3, 8, v5
	v_cmp_gt_i32_e32 vcc, 64, v3
	s_mov_b32 s7, 0
	.loc	0 62
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v2, v1
	v_cndmask_b32_e64 v2, 0, 1, vcc
	.loc	1 133
	v_lshlrev_b32_e32 v2, 3, v2
	.loc	1 117
	v_add_lshl_u32 v2, v2, v4, 2
	ds_bpermute_b32 v2, v2, v1
	.loc	0 62
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v2
	.loc	1 133
	v_add_u32_e32 v2, 4, v5
	v_cmp_gt_i32_e32 vcc, 64, v2
	v_cndmask_b32_e64 v2, 0, 1, vcc
	v_lshlrev_b32_e32 v2, 2, v2
	.loc	1 117
	v_add_lshl_u32 v2, v2, v4, 2
	ds_bpermute_b32 v2, v2, v1
	.loc	0 62
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v2
	.loc	1 133
	v_add_u32_e32 v2, 2, v5
	v_cmp_gt_i32_e32 vcc, 64, v2
	v_cndmask_b32_e64 v2, 0, 1, vcc
	v_lshlrev_b32_e32 v2, 1, v2
	.loc	1 117
	v_add_lshl_u32 v2, v2, v4, 2
	ds_bpermute_b32 v2, v2, v1
	.loc	0 62
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v2
	.loc	1 133
	v_add_u32_e32 v2, 1, v5
	v_cmp_gt_i32_e32 vcc, 64, v2
	v_addc_co_u32_e32 v2, vcc, 0, v4, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v2, 2, v2
	ds_bpermute_b32 v2, v2, v1
	.loc	0 64
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .LBB2_4
	.loc	0 0
	s_lshl_b64 s[0:1], s[6:7], 2
	s_add_u32 s0, s2, s0
	.loc	0 62
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v1, v2
	s_addc_u32 s1, s3, s1
	v_mov_b32_e32 v1, 0
	.loc	0 65
	global_store_dword v1, v0, s[0:1]
.LBB2_4:
	.loc	0 68
	s_endpgm
.LBB2_5:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
	.loc	0 52
	s_cmpk_lt_u32 s4, 0x84
	s_mov_b32 s4, s5
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 52
	s_cbranch_scc1 .LBB2_1
.LBB2_6:
	s_lshr_b32 s5, s4, 1
	.loc	0 53
	v_cmp_gt_u32_e32 vcc, s5, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB2_5
	.loc	0 0
	v_lshl_add_u32 v2, s5, 2, v1
	.loc	0 54
	ds_read_b32 v2, v2
	ds_read_b32 v3, v1
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	ds_write_b32 v1, v2
	s_branch .LBB2_5
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel reduce_shuffle
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 272
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
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.text
.Lfunc_end2:
	.text
	.type	__hip_cuid_d1c25f57faf99b44,@object
	.section	.bss,"aw",@nobits
__hip_cuid_d1c25f57faf99b44:
	.byte	0
	.size	__hip_cuid_d1c25f57faf99b44, 1
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
        .value_kind:     hidden_block_count_x
      - .offset:         20
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         28
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         30
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         32
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         34
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         36
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         38
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         56
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         80
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         136
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .max_flat_workgroup_size: 1024
    .name:           reduce_interleaved
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         reduce_interleaved.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     4
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
        .value_kind:     hidden_block_count_x
      - .offset:         20
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         28
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         30
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         32
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         34
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         36
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         38
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         56
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         80
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         136
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .max_flat_workgroup_size: 1024
    .name:           reduce_sequential
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         reduce_sequential.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     4
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
        .value_kind:     hidden_block_count_x
      - .offset:         20
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         28
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         30
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         32
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         34
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         36
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         38
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         56
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         80
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         136
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .max_flat_workgroup_size: 1024
    .name:           reduce_shuffle
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         reduce_shuffle.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     6
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
