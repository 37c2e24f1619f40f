	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	scan_inclusive,@function
scan_inclusive:
	.file	0 "kernels/cuda/scan.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 67
	s_load_dword s7, s[4:5], 0x1c
	.loc	1 57
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	.loc	0 11
	v_mov_b32_e32 v3, 0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_and_b32 s4, s7, 0xffff
	.loc	0 10
	s_mul_i32 s6, s6, s4
	v_add_u32_e32 v2, s6, v0
	.loc	0 11
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_mov_b32_e32 v1, s1
	v_add_co_u32_e32 v4, vcc, s0, v2
	v_addc_co_u32_e32 v5, vcc, v1, v3, vcc
	global_load_dword v1, v[4:5], off
	.loc	0 12
	v_lshl_add_u32 v4, v0, 2, 0
	.loc	1 67
	s_cmp_lt_u32 s4, 2
	.loc	0 12
	s_waitcnt vmcnt(0)
	ds_write_b32 v4, v1
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 15
	s_cbranch_scc1 .LBB0_5
	.loc	0 0
	s_mov_b32 s5, 1
	s_branch .LBB0_3
.LBB0_2:
	s_or_b64 exec, exec, s[0:1]
	.loc	0 15
	s_lshl_b32 s5, s5, 1
	s_cmp_ge_u32 s5, s4
	.loc	1 100
	s_barrier
	.loc	0 20
	ds_write_b32 v4, v1
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 15
	s_cbranch_scc1 .LBB0_5
.LBB0_3:
	.loc	0 16
	v_cmp_le_u32_e32 vcc, s5, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_2
	.loc	0 0
	v_subrev_u32_e32 v5, s5, v0
	v_lshl_add_u32 v5, v5, 2, 0
	.loc	0 17
	ds_read_b32 v5, v5
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v5
	s_branch .LBB0_2
.LBB0_5:
	.loc	0 23
	v_mov_b32_e32 v0, s3
	v_add_co_u32_e32 v2, vcc, s2, v2
	v_addc_co_u32_e32 v3, vcc, v0, v3, vcc
	global_store_dword v[2:3], v1, off
	.loc	0 24
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel scan_inclusive
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
.Lfunc_end0:
	.text
	.p2align	8
	.type	scan_work_efficient,@function
scan_work_efficient:
	.loc	1 67
	s_load_dword s7, s[4:5], 0x1c
	.loc	1 57
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	.loc	0 35
	v_mov_b32_e32 v5, 0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_and_b32 s7, s7, 0xffff
	.loc	0 33
	s_lshl_b32 s4, s7, 1
	.loc	0 34
	s_mul_i32 s5, s4, s6
	.loc	0 35
	v_add_u32_e32 v4, s5, v0
	v_lshlrev_b64 v[2:3], 2, v[4:5]
	v_mov_b32_e32 v1, s1
	v_add_co_u32_e32 v6, vcc, s0, v2
	.loc	0 36
	v_add_u32_e32 v4, s7, v4
	.loc	0 35
	v_addc_co_u32_e32 v7, vcc, v1, v3, vcc
	.loc	0 36
	v_lshlrev_b64 v[4:5], 2, v[4:5]
	v_add_co_u32_e32 v8, vcc, s0, v4
	v_addc_co_u32_e32 v9, vcc, v1, v5, vcc
	.loc	0 35
	global_load_dword v10, v[6:7], off
	.loc	0 36
	global_load_dword v11, v[8:9], off
	.loc	0 35
	v_lshl_add_u32 v6, v0, 2, 0
	s_mov_b32 s5, 1
	.loc	0 36
	v_lshl_add_u32 v1, s7, 2, v6
	v_lshl_or_b32 v7, v0, 1, 1
	.loc	0 35
	s_waitcnt vmcnt(1)
	ds_write_b32 v6, v10
	.loc	0 36
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v11
.LBB1_1:
	.loc	0 42
	v_cmp_gt_u32_e32 vcc, s7, v0
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 42
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB1_3
	.loc	0 43
	v_mul_lo_u32 v8, s5, v7
	v_lshlrev_b32_e32 v8, 2, v8
	.loc	0 44
	v_add3_u32 v8, v8, 0, -4
	v_lshl_add_u32 v9, s5, 2, v8
	ds_read_b32 v8, v8
	ds_read_b32 v10, v9
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v8, v8, v10
	ds_write_b32 v9, v8
.LBB1_3:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
	.loc	0 46
	s_lshl_b32 s5, s5, 1
	.loc	0 40
	s_lshr_b32 s0, s7, 1
	s_cmp_lt_u32 s7, 2
	s_cbranch_scc1 .LBB1_5
	.loc	0 0
	s_mov_b32 s7, s0
	.loc	0 40
	s_branch .LBB1_1
.LBB1_5:
	.loc	0 48
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB1_7
	.loc	0 0
	s_lshl_b32 s6, s4, 2
	s_add_i32 s6, s6, 0
	s_add_i32 s6, s6, -4
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, s6
	.loc	0 49
	ds_write_b32 v9, v8
.LBB1_7:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
	s_mov_b32 s6, 1
	s_branch .LBB1_9
.LBB1_8:
	s_or_b64 exec, exec, s[0:1]
	.loc	0 52
	s_lshl_b32 s6, s6, 1
	s_cmp_ge_u32 s6, s4
	s_cbranch_scc1 .LBB1_11
.LBB1_9:
	.loc	0 53
	s_lshr_b32 s5, s5, 1
	.loc	0 55
	v_cmp_gt_u32_e32 vcc, s6, v0
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 55
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB1_8
	.loc	0 56
	v_mul_lo_u32 v8, s5, v7
	v_lshlrev_b32_e32 v8, 2, v8
	.loc	0 57
	v_add3_u32 v8, v8, 0, -4
	.loc	0 58
	v_lshl_add_u32 v9, s5, 2, v8
	ds_read_b32 v10, v9
	.loc	0 57
	ds_read_b32 v11, v8
	.loc	0 59
	s_waitcnt lgkmcnt(1)
	ds_write_b32 v8, v10
	.loc	0 60
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v8, v11, v10
	ds_write_b32 v9, v8
	s_branch .LBB1_8
.LBB1_11:
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 64
	ds_read_b32 v0, v6
	v_mov_b32_e32 v6, s3
	v_add_co_u32_e32 v2, vcc, s2, v2
	v_addc_co_u32_e32 v3, vcc, v6, v3, vcc
	.loc	0 65
	ds_read_b32 v6, v1
	.loc	0 64
	s_waitcnt lgkmcnt(1)
	global_store_dword v[2:3], v0, off
	.loc	0 65
	v_mov_b32_e32 v1, s3
	v_add_co_u32_e32 v0, vcc, s2, v4
	v_addc_co_u32_e32 v1, vcc, v1, v5, vcc
	s_waitcnt lgkmcnt(0)
	global_store_dword v[0:1], v6, off
	.loc	0 66
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel scan_work_efficient
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
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.text
	.type	__hip_cuid_5a7a85bcedb3599a,@object
	.section	.bss,"aw",@nobits
__hip_cuid_5a7a85bcedb3599a:
	.byte	0
	.size	__hip_cuid_5a7a85bcedb3599a, 1
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
    .name:           scan_inclusive
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         scan_inclusive.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     6
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
    .name:           scan_work_efficient
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         scan_work_efficient.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     12
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
