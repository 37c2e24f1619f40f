	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	transpose_naive,@function
transpose_naive:
	.file	0 "kernels/cuda/transpose.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 62
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	v_and_b32_e32 v1, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 13
	v_lshl_add_u32 v2, s2, 5, v1
	.loc	0 14
	v_lshl_add_u32 v0, s3, 5, v0
	.loc	0 17
	s_waitcnt lgkmcnt(0)
	v_mad_u64_u32 v[4:5], s[0:1], v0, s8, v[2:3]
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[6:7], v[4:5], 2, s[4:5]
	global_load_dword v8, v[6:7], off
	v_mad_u64_u32 v[0:1], s[0:1], v2, s8, v[0:1]
	s_lshl_b32 s0, s8, 3
	.loc	1 62
	v_mov_b32_e32 v6, s6
	v_mov_b32_e32 v7, s7
	.loc	0 17
	v_ashrrev_i32_e32 v1, 31, v0
	v_add_u32_e32 v2, s0, v4
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[6:7]
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[4:5], v[2:3], 2, s[4:5]
	v_add_u32_e32 v2, s0, v2
	v_ashrrev_i32_e32 v3, 31, v2
	s_waitcnt vmcnt(0)
	global_store_dword v[0:1], v8, off
	global_load_dword v6, v[4:5], off
	v_lshl_add_u64 v[4:5], v[2:3], 2, s[4:5]
	v_add_u32_e32 v2, s0, v2
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[4:5]
	s_waitcnt vmcnt(0)
	global_store_dword v[0:1], v6, off offset:32
	global_load_dword v4, v[4:5], off
	s_waitcnt vmcnt(0)
	global_store_dword v[0:1], v4, off offset:64
	global_load_dword v2, v[2:3], off
	s_waitcnt vmcnt(0)
	global_store_dword v[0:1], v2, off offset:96
	.loc	0 19
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel transpose_naive
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
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
		.amdhsa_next_free_vgpr 9
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.p2align	8
	.type	transpose_tiled,@function
transpose_tiled:
	.loc	1 62
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	.loc	0 26
	s_lshl_b32 s1, s3, 5
	v_bfe_u32 v8, v0, 10, 10
	v_add_u32_e32 v1, s1, v8
	.loc	0 25
	s_lshl_b32 s0, s2, 5
	.loc	0 29
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v1, v1, s8
	v_and_b32_e32 v9, 0x3ff, v0
	v_add3_u32 v0, s0, v9, v1
	v_ashrrev_i32_e32 v1, 31, v0
	s_lshl_b32 s2, s8, 3
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s2, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[4:5], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s2, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[6:7], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s2, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[4:5]
	global_load_dword v10, v[2:3], off
	global_load_dword v11, v[4:5], off
	global_load_dword v12, v[6:7], off
	global_load_dword v13, v[0:1], off
	v_lshlrev_b32_e32 v0, 2, v9
	.loc	0 33
	v_add_u32_e32 v1, s0, v8
	.loc	0 36
	v_lshlrev_b32_e32 v2, 2, v8
	.loc	0 29
	v_lshl_add_u32 v7, v8, 7, v0
	.loc	0 36
	v_lshl_add_u32 v14, v9, 7, v2
	v_mul_lo_u32 v0, v1, s8
	v_add3_u32 v0, s1, v9, v0
	v_add_u32_e32 v2, s2, v0
	v_add_u32_e32 v4, s2, v2
	v_ashrrev_i32_e32 v1, 31, v0
	v_add_u32_e32 v6, s2, v4
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[6:7]
	v_ashrrev_i32_e32 v3, 31, v2
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[6:7]
	v_lshl_add_u64 v[4:5], v[4:5], 2, s[6:7]
	.loc	0 29
	s_waitcnt vmcnt(2)
	ds_write2st64_b32 v7, v10, v11 offset1:4
	s_waitcnt vmcnt(0)
	ds_write2st64_b32 v7, v12, v13 offset0:8 offset1:12
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 36
	ds_read2_b32 v[8:9], v14 offset1:8
	ds_read2_b32 v[10:11], v14 offset0:16 offset1:24
	v_ashrrev_i32_e32 v7, 31, v6
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[6:7]
	s_waitcnt lgkmcnt(1)
	global_store_dword v[0:1], v8, off
	global_store_dword v[2:3], v9, off
	s_waitcnt lgkmcnt(0)
	global_store_dword v[4:5], v10, off
	global_store_dword v[6:7], v11, off
	.loc	0 38
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel transpose_tiled
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
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
		.amdhsa_next_free_vgpr 15
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.text
	.p2align	8
	.type	transpose_padded,@function
transpose_padded:
	.loc	1 62
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	.loc	0 44
	s_lshl_b32 s1, s3, 5
	v_bfe_u32 v8, v0, 10, 10
	v_add_u32_e32 v1, s1, v8
	.loc	0 43
	s_lshl_b32 s0, s2, 5
	.loc	0 47
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v1, v1, s8
	v_and_b32_e32 v9, 0x3ff, v0
	v_add3_u32 v0, s0, v9, v1
	v_ashrrev_i32_e32 v1, 31, v0
	s_lshl_b32 s2, s8, 3
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s2, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[4:5], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s2, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[6:7], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s2, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[4:5]
	global_load_dword v10, v[2:3], off
	global_load_dword v11, v[4:5], off
	global_load_dword v12, v[6:7], off
	global_load_dword v13, v[0:1], off
	s_movk_i32 s3, 0x84
	v_lshlrev_b32_e32 v0, 2, v9
	.loc	0 51
	v_add_u32_e32 v1, s0, v8
	.loc	0 54
	v_lshlrev_b32_e32 v2, 2, v8
	.loc	0 47
	v_mad_u32_u24 v7, v8, s3, v0
	.loc	0 54
	v_mad_u32_u24 v14, v9, s3, v2
	v_mul_lo_u32 v0, v1, s8
	v_add3_u32 v0, s1, v9, v0
	v_add_u32_e32 v2, s2, v0
	v_add_u32_e32 v4, s2, v2
	v_ashrrev_i32_e32 v1, 31, v0
	v_add_u32_e32 v6, s2, v4
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[6:7]
	v_ashrrev_i32_e32 v3, 31, v2
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[6:7]
	v_lshl_add_u64 v[4:5], v[4:5], 2, s[6:7]
	.loc	0 47
	s_waitcnt vmcnt(3)
	ds_write_b32 v7, v10
	s_waitcnt vmcnt(2)
	ds_write_b32 v7, v11 offset:1056
	s_waitcnt vmcnt(1)
	ds_write_b32 v7, v12 offset:2112
	s_waitcnt vmcnt(0)
	ds_write_b32 v7, v13 offset:3168
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 54
	ds_read2_b32 v[8:9], v14 offset1:8
	ds_read2_b32 v[10:11], v14 offset0:16 offset1:24
	v_ashrrev_i32_e32 v7, 31, v6
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[6:7]
	s_waitcnt lgkmcnt(1)
	global_store_dword v[0:1], v8, off
	global_store_dword v[2:3], v9, off
	s_waitcnt lgkmcnt(0)
	global_store_dword v[4:5], v10, off
	global_store_dword v[6:7], v11, off
	.loc	0 56
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel transpose_padded
		.amdhsa_group_segment_fixed_size 4224
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
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
		.amdhsa_next_free_vgpr 15
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.text
.Lfunc_end2:
	.text
	.p2align	8
	.type	transpose_padded_1,@function
transpose_padded_1:
	.loc	1 62
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dword s8, s[0:1], 0x0
	.loc	0 64
	s_lshl_b32 s1, s3, 5
	v_bfe_u32 v4, v0, 10, 10
	v_add_u32_e32 v1, s1, v4
	.loc	0 63
	s_lshl_b32 s0, s2, 5
	.loc	0 67
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v1, v1, s8
	v_and_b32_e32 v5, 0x3ff, v0
	v_add3_u32 v0, s0, v5, v1
	.loc	1 62
	v_mov_b32_e32 v2, s4
	v_mov_b32_e32 v3, s5
	.loc	0 67
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
	global_load_dword v2, v[0:1], off
	s_movk_i32 s2, 0x84
	v_lshlrev_b32_e32 v0, 2, v5
	.loc	0 74
	v_lshlrev_b32_e32 v1, 2, v4
	.loc	0 71
	v_add_u32_e32 v3, s0, v4
	.loc	0 67
	v_mad_u32_u24 v4, v4, s2, v0
	.loc	0 74
	v_mad_u32_u24 v6, v5, s2, v1
	.loc	1 62
	v_mov_b32_e32 v0, s6
	v_mov_b32_e32 v1, s7
	.loc	0 67
	s_waitcnt vmcnt(0)
	ds_write_b32 v4, v2
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 74
	ds_read_b32 v4, v6
	v_mul_lo_u32 v2, v3, s8
	v_add3_u32 v2, s1, v5, v2
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	global_store_dword v[0:1], v4, off
	.loc	0 81
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel transpose_padded_1
		.amdhsa_group_segment_fixed_size 4224
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
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
		.amdhsa_next_free_vgpr 7
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.text
.Lfunc_end3:
	.text
	.p2align	8
	.type	transpose_padded_16,@function
transpose_padded_16:
	.loc	1 62
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	.loc	0 63
	s_lshl_b32 s1, s2, 5
	.loc	0 64
	s_lshl_b32 s2, s3, 5
	v_bfe_u32 v18, v0, 10, 10
	v_add_u32_e32 v1, s2, v18
	.loc	0 67
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v1, v1, s8
	v_and_b32_e32 v19, 0x3ff, v0
	v_add3_u32 v0, s1, v19, v1
	v_ashrrev_i32_e32 v1, 31, v0
	s_lshl_b32 s0, s8, 1
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[4:5], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[6:7], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[8:9], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[10:11], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[12:13], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[14:15], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[16:17], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	global_load_dword v20, v[2:3], off
	global_load_dword v21, v[4:5], off
	global_load_dword v22, v[6:7], off
	global_load_dword v23, v[8:9], off
	global_load_dword v24, v[10:11], off
	global_load_dword v25, v[12:13], off
	global_load_dword v26, v[14:15], off
	global_load_dword v27, v[16:17], off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[4:5], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[6:7], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[8:9], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[10:11], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[12:13], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[14:15], v[0:1], 2, s[4:5]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[4:5]
	global_load_dword v16, v[2:3], off
	global_load_dword v17, v[4:5], off
	global_load_dword v28, v[6:7], off
	global_load_dword v29, v[8:9], off
	global_load_dword v30, v[10:11], off
	global_load_dword v31, v[12:13], off
	global_load_dword v32, v[14:15], off
	global_load_dword v33, v[0:1], off
	s_movk_i32 s3, 0x84
	v_lshlrev_b32_e32 v0, 2, v19
	.loc	0 74
	v_lshlrev_b32_e32 v2, 2, v18
	.loc	0 67
	v_mad_u32_u24 v5, v18, s3, v0
	.loc	0 71
	v_add_u32_e32 v1, s1, v18
	.loc	0 74
	v_mad_u32_u24 v14, v19, s3, v2
	.loc	0 67
	v_add_u32_e32 v6, 0x400, v5
	v_add_u32_e32 v7, 0x800, v5
	v_add_u32_e32 v8, 0xc00, v5
	.loc	0 74
	v_mul_lo_u32 v0, v1, s8
	v_add3_u32 v0, s2, v19, v0
	v_add_u32_e32 v2, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_add_u32_e32 v4, s0, v2
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[6:7]
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[6:7]
	.loc	0 67
	s_waitcnt vmcnt(14)
	ds_write2_b32 v5, v20, v21 offset1:66
	s_waitcnt vmcnt(12)
	ds_write2_b32 v5, v22, v23 offset0:132 offset1:198
	s_waitcnt vmcnt(10)
	ds_write2_b32 v6, v24, v25 offset0:8 offset1:74
	s_waitcnt vmcnt(8)
	ds_write2_b32 v6, v26, v27 offset0:140 offset1:206
	s_waitcnt vmcnt(6)
	ds_write2_b32 v7, v16, v17 offset0:16 offset1:82
	s_waitcnt vmcnt(4)
	ds_write2_b32 v7, v28, v29 offset0:148 offset1:214
	s_waitcnt vmcnt(2)
	ds_write2_b32 v8, v30, v31 offset0:24 offset1:90
	s_waitcnt vmcnt(0)
	ds_write2_b32 v8, v32, v33 offset0:156 offset1:222
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 74
	ds_read2_b32 v[6:7], v14 offset1:2
	ds_read2_b32 v[8:9], v14 offset0:4 offset1:6
	ds_read2_b32 v[10:11], v14 offset0:8 offset1:10
	ds_read2_b32 v[12:13], v14 offset0:12 offset1:14
	v_ashrrev_i32_e32 v5, 31, v4
	s_waitcnt lgkmcnt(3)
	global_store_dword v[0:1], v6, off
	global_store_dword v[2:3], v7, off
	v_lshl_add_u64 v[0:1], v[4:5], 2, s[6:7]
	s_waitcnt lgkmcnt(2)
	global_store_dword v[0:1], v8, off
	v_add_u32_e32 v0, s0, v4
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	global_store_dword v[2:3], v9, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	s_waitcnt lgkmcnt(1)
	global_store_dword v[2:3], v10, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	global_store_dword v[2:3], v11, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	ds_read2_b32 v[4:5], v14 offset0:16 offset1:18
	s_waitcnt lgkmcnt(1)
	global_store_dword v[2:3], v12, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	global_store_dword v[2:3], v13, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	ds_read2_b32 v[6:7], v14 offset0:20 offset1:22
	s_waitcnt lgkmcnt(1)
	global_store_dword v[2:3], v4, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	global_store_dword v[2:3], v5, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	ds_read2_b32 v[4:5], v14 offset0:24 offset1:26
	s_waitcnt lgkmcnt(1)
	global_store_dword v[2:3], v6, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	global_store_dword v[2:3], v7, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	s_waitcnt lgkmcnt(0)
	global_store_dword v[2:3], v4, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	ds_read2_b32 v[6:7], v14 offset0:28 offset1:30
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	global_store_dword v[2:3], v5, off
	v_lshl_add_u64 v[2:3], v[0:1], 2, s[6:7]
	v_add_u32_e32 v0, s0, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[6:7]
	s_waitcnt lgkmcnt(0)
	global_store_dword v[2:3], v6, off
	global_store_dword v[0:1], v7, off
	.loc	0 86
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel transpose_padded_16
		.amdhsa_group_segment_fixed_size 4224
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
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
		.amdhsa_next_free_vgpr 34
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 36
	.end_amdhsa_kernel
	.text
.Lfunc_end4:
	.text
	.type	__hip_cuid_6fff15beafeeeaa2,@object
	.section	.bss,"aw",@nobits
__hip_cuid_6fff15beafeeeaa2:
	.byte	0
	.size	__hip_cuid_6fff15beafeeeaa2, 1
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 1024
    .name:           transpose_naive
    .private_segment_fixed_size: 0
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         transpose_naive.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     9
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
    .group_segment_fixed_size: 4096
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 1024
    .name:           transpose_tiled
    .private_segment_fixed_size: 0
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         transpose_tiled.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     15
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
    .group_segment_fixed_size: 4224
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 1024
    .name:           transpose_padded
    .private_segment_fixed_size: 0
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         transpose_padded.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     15
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
    .group_segment_fixed_size: 4224
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 1024
    .name:           transpose_padded_1
    .private_segment_fixed_size: 0
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         transpose_padded_1.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     7
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
    .group_segment_fixed_size: 4224
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 1024
    .name:           transpose_padded_16
    .private_segment_fixed_size: 0
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         transpose_padded_16.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     34
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
