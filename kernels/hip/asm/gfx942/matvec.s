	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	matvec_row_a_thread,@function
matvec_row_a_thread:
	.file	0 "kernels/cuda/matvec.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 67
	s_load_dword s3, s[0:1], 0x2c
	.loc	1 62
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_and_b32 s3, s3, 0xffff
	.loc	0 7
	s_mul_i32 s2, s2, s3
	v_add_u32_e32 v0, s2, v0
	.loc	0 8
	v_cmp_gt_i32_e32 vcc, s8, v0
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_6
	.loc	1 62
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dwordx2 s[2:3], s[0:1], 0x18
	.loc	0 13
	s_cmp_lt_i32 s9, 1
	s_cbranch_scc1 .LBB0_4
	.loc	0 0
	v_mul_lo_u32 v4, v0, s9
	.loc	1 62
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s4
	v_mov_b32_e32 v3, s5
	.loc	0 13
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[2:3], v[4:5], 2, v[2:3]
	v_mov_b32_e32 v4, 0
.LBB0_3:
	.loc	0 14
	global_load_dword v1, v[2:3], off
	s_load_dword s0, s[6:7], 0x0
	.loc	0 13
	s_add_i32 s9, s9, -1
	s_add_u32 s6, s6, 4
	s_addc_u32 s7, s7, 0
	v_lshl_add_u64 v[2:3], v[2:3], 0, 4
	s_cmp_eq_u32 s9, 0
	.loc	0 14
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_fmac_f32_e32 v4, s0, v1
	.loc	0 13
	s_cbranch_scc0 .LBB0_3
	s_branch .LBB0_5
.LBB0_4:
	.loc	0 0
	v_mov_b32_e32 v4, 0
.LBB0_5:
	.loc	1 62
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s2
	v_mov_b32_e32 v3, s3
	.loc	0 16
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
	global_store_dword v[0:1], v4, off
.LBB0_6:
	.loc	0 17
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel matvec_row_a_thread
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
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.p2align	8
	.type	matvec_row_a_warp,@function
matvec_row_a_warp:
	.loc	1 68
	s_load_dword s3, s[0:1], 0x2c
	.loc	1 57
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_bfe_u32 v1, v0, 10, 10
	.loc	1 68
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s3, s3, 16
	.loc	0 24
	s_mul_i32 s2, s2, s3
	v_add_u32_e32 v2, s2, v1
	.loc	0 25
	v_cmp_gt_i32_e32 vcc, s8, v2
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB1_7
	.loc	1 57
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dwordx2 s[2:3], s[0:1], 0x18
	v_and_b32_e32 v0, 0x3ff, v0
	.loc	0 30
	v_cmp_gt_i32_e32 vcc, s9, v0
	v_mov_b32_e32 v5, 0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB1_5
	.loc	1 57
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v4, s4
	v_mov_b32_e32 v5, s5
	.loc	0 30
	v_mad_u64_u32 v[6:7], s[4:5], v2, s9, v[0:1]
	v_ashrrev_i32_e32 v7, 31, v6
	v_lshl_add_u64 v[6:7], v[6:7], 2, v[4:5]
	v_lshlrev_b32_e32 v4, 2, v0
	v_mov_b32_e32 v5, 0
	v_lshl_add_u64 v[8:9], s[6:7], 0, v[4:5]
	s_mov_b64 s[4:5], 0
	s_mov_b64 s[6:7], 0x80
	v_mov_b32_e32 v1, v0
.LBB1_3:
	.loc	0 31
	global_load_dword v3, v[6:7], off
	global_load_dword v4, v[8:9], off
	.loc	0 30
	v_add_u32_e32 v1, 32, v1
	v_cmp_le_i32_e32 vcc, s9, v1
	v_lshl_add_u64 v[6:7], v[6:7], 0, s[6:7]
	v_lshl_add_u64 v[8:9], v[8:9], 0, s[6:7]
	s_or_b64 s[4:5], vcc, s[4:5]
	.loc	0 31
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v5, v3, v4
	.loc	0 30
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB1_3
	.loc	0 0
	s_or_b64 exec, exec, s[4:5]
.LBB1_5:
	s_or_b64 exec, exec, s[0:1]
	v_mbcnt_lo_u32_b32 v1, -1, 0
	v_mbcnt_hi_u32_b32 v3, -1, v1
	v_and_b32_e32 v4, 63, v3
	.loc	1 133
	v_add_u32_e32 v1, 16, v4
	v_cmp_gt_i32_e32 vcc, 64, v1
	v_add_u32_e32 v6, 8, v4
	s_nop 0
	v_cndmask_b32_e64 v1, 0, 1, vcc
	v_lshlrev_b32_e32 v1, 4, v1
	.loc	1 117
	v_add_lshl_u32 v1, v1, v3, 2
	ds_bpermute_b32 v1, v1, v5
	.loc	1 133
	v_cmp_gt_i32_e32 vcc, 64, v6
	.loc	0 35
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v5, v1
	v_cndmask_b32_e64 v6, 0, 1, vcc
	.loc	1 133
	v_lshlrev_b32_e32 v5, 3, v6
	.loc	1 117
	v_add_lshl_u32 v5, v5, v3, 2
	ds_bpermute_b32 v5, v5, v1
	.loc	1 133
	v_add_u32_e32 v6, 4, v4
	v_cmp_gt_i32_e32 vcc, 64, v6
	v_add_u32_e32 v6, 2, v4
	v_add_u32_e32 v4, 1, v4
	.loc	0 35
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v5
	v_cndmask_b32_e64 v5, 0, 1, vcc
	.loc	1 133
	v_lshlrev_b32_e32 v5, 2, v5
	.loc	1 117
	v_add_lshl_u32 v5, v5, v3, 2
	ds_bpermute_b32 v5, v5, v1
	.loc	1 133
	v_cmp_gt_i32_e32 vcc, 64, v6
	.loc	0 35
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v5
	v_cndmask_b32_e64 v5, 0, 1, vcc
	.loc	1 133
	v_lshlrev_b32_e32 v5, 1, v5
	.loc	1 117
	v_add_lshl_u32 v5, v5, v3, 2
	ds_bpermute_b32 v5, v5, v1
	.loc	1 133
	v_cmp_gt_i32_e32 vcc, 64, v4
	.loc	0 35
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v5
	.loc	1 133
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v3, 2, v3
	ds_bpermute_b32 v3, v3, v1
	.loc	0 37
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .LBB1_7
	.loc	1 57
	v_mov_b32_e32 v4, s2
	v_mov_b32_e32 v5, s3
	.loc	0 35
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v6, v1, v3
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[4:5]
	.loc	0 38
	global_store_dword v[0:1], v6, off
.LBB1_7:
	.loc	0 40
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel matvec_row_a_warp
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
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.text
	.type	__hip_cuid_963d91eb1b1f23de,@object
	.section	.bss,"aw",@nobits
__hip_cuid_963d91eb1b1f23de:
	.byte	0
	.size	__hip_cuid_963d91eb1b1f23de, 1
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
    .name:           matvec_row_a_thread
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .symbol:         matvec_row_a_thread.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     6
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
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
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
    .name:           matvec_row_a_warp
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .symbol:         matvec_row_a_warp.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
