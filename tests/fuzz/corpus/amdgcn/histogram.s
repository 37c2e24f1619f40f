	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	histogram,@function
histogram:
	.file	0 "kernels/cuda/histogram.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 57
	s_load_dword s10, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	.loc	1 72
	s_add_u32 s8, s0, 24
	.loc	0 11
	v_lshlrev_b32_e32 v4, 2, v0
	.loc	0 14
	v_lshl_add_u32 v0, s2, 8, v0
	.loc	1 72
	s_addc_u32 s9, s1, 0
	v_mov_b32_e32 v1, 0
	.loc	0 14
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, s10, v0
	.loc	0 11
	ds_write_b32 v4, v1
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 14
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_3
	.loc	1 72
	s_load_dword s2, s[8:9], 0x0
	.loc	1 57
	v_mov_b32_e32 v2, s4
	v_mov_b32_e32 v3, s5
	.loc	0 14
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[2:3], v[0:1], 2, v[2:3]
	.loc	0 10
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s2, s2, 8
	.loc	0 14
	s_ashr_i32 s3, s2, 31
	s_lshl_b64 s[4:5], s[2:3], 2
	s_mov_b64 s[8:9], 0
	v_mov_b32_e32 v1, 1
	v_mov_b32_e32 v5, 2
.LBB0_2:
	.loc	0 15
	global_load_dword v6, v[2:3], off
	.loc	0 14
	v_add_u32_e32 v0, s2, v0
	v_cmp_le_i32_e32 vcc, s10, v0
	s_or_b64 s[8:9], vcc, s[8:9]
	v_lshl_add_u64 v[2:3], v[2:3], 0, s[4:5]
	.loc	0 15
	s_waitcnt vmcnt(0)
	v_lshlrev_b32_sdwa v6, v5, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	.loc	1 170
	ds_add_u32 v6, v1
	.loc	0 14
	s_andn2_b64 exec, exec, s[8:9]
	s_cbranch_execnz .LBB0_2
.LBB0_3:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 18
	ds_read_b32 v0, v4
	.loc	1 170
	s_waitcnt lgkmcnt(0)
	global_atomic_add v4, v0, s[6:7]
	.loc	0 19
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel histogram
		.amdhsa_group_segment_fixed_size 1024
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
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 7
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.type	__hip_cuid_d18bf4e6bd3cc457,@object
	.section	.bss,"aw",@nobits
__hip_cuid_d18bf4e6bd3cc457:
	.byte	0
	.size	__hip_cuid_d18bf4e6bd3cc457, 1
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .offset:         0
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
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .max_flat_workgroup_size: 1024
    .name:           histogram
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         histogram.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     7
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
