	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	dot,@function
dot:
	.file	0 "kernels/cuda/dot.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 57
	s_load_dwordx2 s[8:9], s[0:1], 0x18
	.loc	1 67
	s_load_dword s3, s[0:1], 0x2c
	.loc	1 57
	s_load_dword s16, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	.loc	1 67
	s_add_u32 s10, s0, 32
	s_addc_u32 s11, s1, 0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s3, s3, 0xffff
	.loc	0 16
	s_mul_i32 s0, s2, s3
	v_add_u32_e32 v2, s0, v0
	v_cmp_gt_i32_e32 vcc, s16, v2
	v_mov_b32_e32 v3, 0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_4
	.loc	1 72
	s_load_dword s12, s[10:11], 0x0
	.loc	0 16
	v_ashrrev_i32_e32 v3, 31, v2
	s_mov_b64 s[10:11], 0
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_mov_b32_e32 v3, 0
	.loc	0 12
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s12, s12, s3
	.loc	0 16
	s_ashr_i32 s13, s12, 31
	s_lshl_b64 s[14:15], s[12:13], 2
.LBB0_2:
	.loc	0 17
	v_lshl_add_u64 v[6:7], s[4:5], 0, v[4:5]
	v_lshl_add_u64 v[8:9], s[6:7], 0, v[4:5]
	global_load_dword v1, v[6:7], off
	global_load_dword v10, v[8:9], off
	.loc	0 16
	v_add_u32_e32 v2, s12, v2
	v_cmp_le_i32_e32 vcc, s16, v2
	v_lshl_add_u64 v[4:5], v[4:5], 0, s[14:15]
	s_or_b64 s[10:11], vcc, s[10:11]
	.loc	0 17
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v3, v1, v10
	.loc	0 16
	s_andn2_b64 exec, exec, s[10:11]
	s_cbranch_execnz .LBB0_2
	.loc	0 0
	s_or_b64 exec, exec, s[10:11]
.LBB0_4:
	s_or_b64 exec, exec, s[0:1]
	v_mbcnt_lo_u32_b32 v1, -1, 0
	v_mbcnt_hi_u32_b32 v5, -1, v1
	v_and_b32_e32 v6, 63, v5
	.loc	1 133
	v_add_u32_e32 v1, 16, v6
	v_cmp_gt_i32_e32 vcc, 64, v1
	v_add_u32_e32 v4, 8, v6
	v_add_u32_e32 v7, 4, v6
	v_cndmask_b32_e64 v1, 0, 1, vcc
	v_lshlrev_b32_e32 v1, 4, v1
	.loc	1 117
	v_add_lshl_u32 v1, v1, v5, 2
	ds_bpermute_b32 v2, v1, v3
	.loc	1 133
	v_cmp_gt_i32_e32 vcc, 64, v4
	v_add_u32_e32 v8, 2, v6
	v_add_u32_e32 v6, 1, v6
	v_cndmask_b32_e64 v4, 0, 1, vcc
	.loc	0 21
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v3, v3, v2
	.loc	1 133
	v_lshlrev_b32_e32 v2, 3, v4
	.loc	1 117
	v_add_lshl_u32 v2, v2, v5, 2
	ds_bpermute_b32 v4, v2, v3
	.loc	1 133
	v_cmp_gt_i32_e32 vcc, 64, v7
	.loc	0 21
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v4, v3, v4
	v_cndmask_b32_e64 v3, 0, 1, vcc
	.loc	1 133
	v_lshlrev_b32_e32 v3, 2, v3
	.loc	1 117
	v_add_lshl_u32 v3, v3, v5, 2
	ds_bpermute_b32 v7, v3, v4
	.loc	1 133
	v_cmp_gt_i32_e32 vcc, 64, v8
	.loc	0 21
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v7, v4, v7
	v_cndmask_b32_e64 v4, 0, 1, vcc
	.loc	1 133
	v_lshlrev_b32_e32 v4, 1, v4
	.loc	1 117
	v_add_lshl_u32 v4, v4, v5, 2
	ds_bpermute_b32 v8, v4, v7
	.loc	1 133
	v_cmp_gt_i32_e32 vcc, 64, v6
	.loc	0 9
	v_and_b32_e32 v6, 31, v0
	.loc	0 21
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v7, v7, v8
	.loc	1 133
	v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v5, 2, v5
	ds_bpermute_b32 v8, v5, v7
	.loc	0 23
	v_cmp_eq_u32_e32 vcc, 0, v6
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_6
	.loc	0 21
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v7, v7, v8
	v_lshrrev_b32_e32 v8, 3, v0
	v_and_b32_e32 v8, 0x7c, v8
	.loc	0 24
	ds_write_b32 v8, v7
.LBB0_6:
	.loc	0 0
	s_or_b64 exec, exec, s[0:1]
	.loc	0 27
	v_cmp_gt_u32_e64 s[0:1], 32, v0
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 27
	s_and_saveexec_b64 s[4:5], s[0:1]
	s_cbranch_execz .LBB0_11
	.loc	0 11
	s_lshr_b32 s0, s3, 5
	.loc	0 28
	v_cmp_gt_u32_e64 s[0:1], s0, v6
	v_mov_b32_e32 v0, 0
	s_and_saveexec_b64 s[4:5], s[0:1]
	s_cbranch_execz .LBB0_9
	.loc	0 0
	v_lshlrev_b32_e32 v0, 2, v6
	.loc	0 28
	ds_read_b32 v0, v0
.LBB0_9:
	.loc	0 0
	s_or_b64 exec, exec, s[4:5]
	.loc	1 117
	s_waitcnt lgkmcnt(0)
	ds_bpermute_b32 v1, v1, v0
	.loc	0 31
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v1
	.loc	1 117
	ds_bpermute_b32 v1, v2, v0
	.loc	0 31
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v1
	.loc	1 117
	ds_bpermute_b32 v1, v3, v0
	.loc	0 31
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v1
	.loc	1 117
	ds_bpermute_b32 v1, v4, v0
	.loc	0 31
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v1
	.loc	1 117
	ds_bpermute_b32 v1, v5, v0
	.loc	0 33
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .LBB0_11
	.loc	0 0
	s_mov_b32 s3, 0
	s_lshl_b64 s[0:1], s[2:3], 2
	s_add_u32 s0, s8, s0
	.loc	0 31
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v0, v0, v1
	s_addc_u32 s1, s9, s1
	v_mov_b32_e32 v1, 0
	.loc	0 34
	global_store_dword v1, v0, s[0:1]
.LBB0_11:
	.loc	0 37
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel dot
		.amdhsa_group_segment_fixed_size 128
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
		.amdhsa_next_free_vgpr 11
		.amdhsa_next_free_sgpr 17
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.type	__hip_cuid_da8211f73966ebe8,@object
	.section	.bss,"aw",@nobits
__hip_cuid_da8211f73966ebe8:
	.byte	0
	.size	__hip_cuid_da8211f73966ebe8, 1
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
    .group_segment_fixed_size: 128
    .kernarg_segment_align: 8
    .kernarg_segment_size: 288
    .max_flat_workgroup_size: 1024
    .name:           dot
    .private_segment_fixed_size: 0
    .sgpr_count:     23
    .sgpr_spill_count: 0
    .symbol:         dot.kd
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
