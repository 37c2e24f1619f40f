	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	mmul_naive,@function
mmul_naive:
	.file	0 "kernels/cuda/mmul.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 67
	s_load_dword s11, s[0:1], 0x2c
	.loc	1 62
	s_load_dwordx2 s[8:9], s[0:1], 0x18
	s_load_dword s10, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	v_and_b32_e32 v1, 0x3ff, v0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s0, s11, 16
	s_and_b32 s1, s11, 0xffff
	.loc	0 8
	s_mul_i32 s3, s3, s0
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 7
	s_mul_i32 s2, s2, s1
	.loc	0 8
	v_add_u32_e32 v0, s3, v0
	.loc	0 7
	v_add_u32_e32 v6, s2, v1
	.loc	0 11
	s_cmp_lt_i32 s10, 1
	v_mul_lo_u32 v0, v0, s10
	s_cbranch_scc1 .LBB0_3
	.loc	1 62
	v_mov_b32_e32 v2, s4
	v_mov_b32_e32 v3, s5
	.loc	0 11
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[2:3], v[0:1], 2, v[2:3]
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v4, v6
	s_mov_b32 s0, s10
.LBB0_2:
	.loc	0 12
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[8:9], v[4:5], 2, s[6:7]
	global_load_dword v7, v[2:3], off
	global_load_dword v5, v[8:9], off
	.loc	0 11
	s_add_i32 s0, s0, -1
	v_lshl_add_u64 v[2:3], v[2:3], 0, 4
	v_add_u32_e32 v4, s10, v4
	s_cmp_eq_u32 s0, 0
	.loc	0 12
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v1, v7, v5
	.loc	0 11
	s_cbranch_scc0 .LBB0_2
	s_branch .LBB0_4
.LBB0_3:
	.loc	0 0
	v_mov_b32_e32 v1, 0
.LBB0_4:
	.loc	0 14
	v_add_u32_e32 v4, v0, v6
	.loc	1 62
	v_mov_b32_e32 v2, s8
	v_mov_b32_e32 v3, s9
	.loc	0 14
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[2:3], v[4:5], 2, v[2:3]
	global_store_dword v[2:3], v1, off
	.loc	0 15
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul_naive
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.p2align	8
	.type	mmul08,@function
mmul08:
	.loc	1 57
	s_load_dword s10, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dwordx2 s[8:9], s[0:1], 0x18
	v_and_b32_e32 v4, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 25
	s_lshl_b32 s0, s2, 3
	.loc	0 26
	v_lshl_add_u32 v1, s3, 3, v0
	.loc	0 29
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s10, 8
	v_mul_lo_u32 v5, v1, s10
	v_mov_b32_e32 v6, 0
	s_cbranch_scc1 .LBB1_3
	.loc	0 0
	s_ashr_i32 s1, s10, 31
	s_lshr_b32 s1, s1, 29
	v_lshlrev_b32_e32 v1, 2, v4
	s_add_i32 s1, s10, s1
	v_lshlrev_b32_e32 v7, 5, v0
	v_add_u32_e32 v9, 0x100, v1
	.loc	0 29
	v_mul_lo_u32 v0, v0, s10
	s_ashr_i32 s1, s1, 3
	v_add_u32_e32 v8, v7, v1
	v_add_u32_e32 v10, v9, v7
	v_add3_u32 v0, v4, v0, s0
	s_lshl_b32 s2, s10, 3
	v_add_u32_e32 v2, v4, v5
	v_mov_b32_e32 v6, 0
.LBB1_2:
	.loc	0 30
	v_ashrrev_i32_e32 v3, 31, v2
	.loc	0 31
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 30
	v_lshl_add_u64 v[12:13], v[2:3], 2, s[4:5]
	.loc	0 31
	v_lshl_add_u64 v[14:15], v[0:1], 2, s[6:7]
	.loc	0 30
	global_load_dword v1, v[12:13], off
	.loc	0 31
	global_load_dword v3, v[14:15], off
	.loc	0 29
	s_add_i32 s1, s1, -1
	v_add_u32_e32 v0, s2, v0
	v_add_u32_e32 v2, 8, v2
	s_cmp_lg_u32 s1, 0
	.loc	0 30
	s_waitcnt vmcnt(1)
	ds_write_b32 v8, v1
	.loc	0 31
	s_waitcnt vmcnt(0)
	ds_write_b32 v10, v3
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 35
	ds_read2_b32 v[20:21], v9 offset1:8
	ds_read_b128 v[12:15], v7
	ds_read_b128 v[16:19], v7 offset:16
	ds_read2_b32 v[22:23], v9 offset0:16 offset1:24
	ds_read2_b32 v[24:25], v9 offset0:32 offset1:40
	ds_read2_b32 v[26:27], v9 offset0:48 offset1:56
	s_waitcnt lgkmcnt(4)
	v_pk_mul_f32 v[12:13], v[12:13], v[20:21]
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	0 35
	v_add_f32_e32 v1, v6, v12
	v_pk_mul_f32 v[14:15], v[14:15], v[22:23]
	v_add_f32_e32 v1, v1, v13
	v_add_f32_e32 v1, v1, v14
	v_pk_mul_f32 v[16:17], v[16:17], v[24:25]
	v_add_f32_e32 v1, v1, v15
	v_add_f32_e32 v1, v1, v16
	v_pk_mul_f32 v[18:19], v[18:19], v[26:27]
	v_add_f32_e32 v1, v1, v17
	v_add_f32_e32 v1, v1, v18
	v_add_f32_e32 v6, v1, v19
	.loc	1 100
	s_barrier
	.loc	0 29
	s_cbranch_scc1 .LBB1_2
.LBB1_3:
	.loc	0 39
	v_add3_u32 v2, s0, v4, v5
	.loc	1 57
	v_mov_b32_e32 v0, s8
	v_mov_b32_e32 v1, s9
	.loc	0 39
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
	global_store_dword v[0:1], v6, off
	.loc	0 43
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul08
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
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
		.amdhsa_next_free_vgpr 28
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 28
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.text
	.p2align	8
	.type	mmul16,@function
mmul16:
	.loc	1 57
	s_load_dword s10, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dwordx2 s[8:9], s[0:1], 0x18
	v_and_b32_e32 v4, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 25
	s_lshl_b32 s0, s2, 4
	.loc	0 26
	v_lshl_add_u32 v1, s3, 4, v0
	.loc	0 29
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s10, 16
	v_mul_lo_u32 v5, v1, s10
	v_mov_b32_e32 v6, 0
	s_cbranch_scc1 .LBB2_3
	.loc	0 0
	s_ashr_i32 s1, s10, 31
	s_lshr_b32 s1, s1, 28
	v_lshlrev_b32_e32 v1, 2, v4
	s_add_i32 s1, s10, s1
	v_lshlrev_b32_e32 v7, 6, v0
	v_add_u32_e32 v9, 0x400, v1
	.loc	0 29
	v_mul_lo_u32 v0, v0, s10
	s_ashr_i32 s1, s1, 4
	v_add_u32_e32 v8, v7, v1
	v_add_u32_e32 v10, v9, v7
	v_add3_u32 v0, v4, v0, s0
	s_lshl_b32 s2, s10, 4
	v_add_u32_e32 v2, v4, v5
	v_mov_b32_e32 v6, 0
.LBB2_2:
	.loc	0 30
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[12:13], v[2:3], 2, s[4:5]
	.loc	0 31
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 30
	global_load_dword v3, v[12:13], off
	.loc	0 31
	v_lshl_add_u64 v[12:13], v[0:1], 2, s[6:7]
	global_load_dword v1, v[12:13], off
	.loc	0 29
	s_add_i32 s1, s1, -1
	v_add_u32_e32 v0, s2, v0
	s_cmp_lg_u32 s1, 0
	v_add_u32_e32 v2, 16, v2
	.loc	0 30
	s_waitcnt vmcnt(1)
	ds_write_b32 v8, v3
	.loc	0 31
	s_waitcnt vmcnt(0)
	ds_write_b32 v10, v1
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 35
	ds_read_b128 v[12:15], v7
	ds_read_b128 v[16:19], v7 offset:16
	ds_read_b128 v[20:23], v7 offset:32
	ds_read_b128 v[24:27], v7 offset:48
	ds_read2_b32 v[28:29], v9 offset1:16
	ds_read2_b32 v[30:31], v9 offset0:32 offset1:48
	ds_read2_b32 v[32:33], v9 offset0:64 offset1:80
	ds_read2_b32 v[34:35], v9 offset0:96 offset1:112
	ds_read2_b32 v[36:37], v9 offset0:128 offset1:144
	ds_read2_b32 v[38:39], v9 offset0:160 offset1:176
	ds_read2_b32 v[40:41], v9 offset0:192 offset1:208
	ds_read2_b32 v[42:43], v9 offset0:224 offset1:240
	s_waitcnt lgkmcnt(7)
	v_fmac_f32_e32 v6, v12, v28
	v_fmac_f32_e32 v6, v13, v29
	s_waitcnt lgkmcnt(6)
	v_fmac_f32_e32 v6, v14, v30
	s_waitcnt lgkmcnt(5)
	v_pk_mul_f32 v[16:17], v[16:17], v[32:33]
	v_fmac_f32_e32 v6, v15, v31
	v_add_f32_e32 v1, v6, v16
	s_waitcnt lgkmcnt(4)
	v_pk_mul_f32 v[18:19], v[18:19], v[34:35]
	v_add_f32_e32 v1, v1, v17
	v_add_f32_e32 v1, v1, v18
	s_waitcnt lgkmcnt(3)
	v_pk_mul_f32 v[20:21], v[20:21], v[36:37]
	v_add_f32_e32 v1, v1, v19
	v_add_f32_e32 v1, v1, v20
	s_waitcnt lgkmcnt(2)
	v_pk_mul_f32 v[22:23], v[22:23], v[38:39]
	v_add_f32_e32 v1, v1, v21
	v_add_f32_e32 v1, v1, v22
	s_waitcnt lgkmcnt(1)
	v_pk_mul_f32 v[24:25], v[24:25], v[40:41]
	v_add_f32_e32 v1, v1, v23
	v_add_f32_e32 v1, v1, v24
	s_waitcnt lgkmcnt(0)
	v_pk_mul_f32 v[26:27], v[26:27], v[42:43]
	v_add_f32_e32 v1, v1, v25
	v_add_f32_e32 v1, v1, v26
	v_add_f32_e32 v6, v1, v27
	.loc	1 100
	s_barrier
	.loc	0 29
	s_cbranch_scc1 .LBB2_2
.LBB2_3:
	.loc	0 39
	v_add3_u32 v2, s0, v4, v5
	.loc	1 57
	v_mov_b32_e32 v0, s8
	v_mov_b32_e32 v1, s9
	.loc	0 39
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
	global_store_dword v[0:1], v6, off
	.loc	0 46
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul16
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
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
		.amdhsa_next_free_vgpr 44
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 44
	.end_amdhsa_kernel
	.text
.Lfunc_end2:
	.text
	.p2align	8
	.type	mmul_register_tiled,@function
mmul_register_tiled:
	.loc	1 57
	s_load_dword s10, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dwordx2 s[8:9], s[0:1], 0x18
	v_bfe_u32 v1, v0, 10, 10
	.loc	0 57
	v_lshl_add_u32 v2, s3, 6, v1
	.loc	0 60
	s_waitcnt lgkmcnt(0)
	s_cmp_gt_i32 s10, 0
	s_mov_b32 s3, 0
	s_cbranch_scc1 .LBB3_2
	.loc	0 0
	v_add_u32_e32 v3, 16, v2
	v_mul_lo_u32 v32, v3, s10
	s_lshl_b32 s0, s10, 4
	v_add_u32_e32 v31, s0, v32
	v_add_u32_e32 v30, s0, v31
	s_mov_b64 s[0:1], 0
	s_branch .LBB3_3
.LBB3_2:
	s_mov_b64 s[0:1], -1
.LBB3_3:
	v_and_b32_e32 v33, 0x3ff, v0
	s_lshl_b32 s2, s2, 6
	.loc	0 60
	s_andn2_b64 vcc, exec, s[0:1]
	v_mul_lo_u32 v34, v2, s10
	s_cbranch_vccnz .LBB3_6
	.loc	0 0
	s_lshl_b32 s0, s10, 4
	v_add_u32_e32 v32, s0, v34
	v_lshlrev_b32_e32 v0, 2, v33
	v_lshlrev_b32_e32 v35, 6, v1
	v_add_u32_e32 v31, s0, v32
	v_add_u32_e32 v36, v35, v0
	v_or_b32_e32 v37, 0x1000, v0
	v_add_u32_e32 v30, s0, v31
	.loc	0 60
	v_mul_lo_u32 v0, v1, s10
	.loc	0 0
	v_mov_b32_e32 v8, 0
	v_lshl_add_u32 v38, v1, 8, v37
	.loc	0 60
	v_add3_u32 v0, v33, v0, s2
	v_add_u32_e32 v39, v33, v30
	v_add_u32_e32 v40, v33, v31
	v_add_u32_e32 v41, v33, v32
	v_add_u32_e32 v42, v33, v34
	s_mov_b32 s1, 0
	v_add_u32_e32 v43, 0x40c, v35
	v_add_u32_e32 v44, 0x80c, v35
	v_add_u32_e32 v45, 0xc0c, v35
	v_add_u32_e32 v46, 0x414, v35
	v_add_u32_e32 v47, 0x814, v35
	v_add_u32_e32 v48, 0xc14, v35
	v_add_u32_e32 v49, 0x41c, v35
	v_add_u32_e32 v50, 0x81c, v35
	v_add_u32_e32 v51, 60, v35
	v_add_u32_e32 v52, 0x400, v37
	v_add_u32_e32 v53, 0xc1c, v35
	v_add_u32_e32 v54, 0x800, v37
	v_add_u32_e32 v55, 0x424, v35
	v_add_u32_e32 v56, 0x824, v35
	v_add_u32_e32 v57, 0xc24, v35
	v_add_u32_e32 v58, 0x42c, v35
	v_add_u32_e32 v59, 0x82c, v35
	v_add_u32_e32 v60, 0xc2c, v35
	v_add_u32_e32 v61, 0xc00, v37
	v_add_u32_e32 v62, 0x434, v35
	v_add_u32_e32 v63, 0x834, v35
	v_add_u32_e32 v64, 0xc34, v35
	v_mov_b32_e32 v9, v8
	v_mov_b32_e32 v16, v8
	v_mov_b32_e32 v17, v8
	v_mov_b32_e32 v14, v8
	v_mov_b32_e32 v15, v8
	v_mov_b32_e32 v12, v8
	v_mov_b32_e32 v13, v8
	v_mov_b32_e32 v10, v8
	v_mov_b32_e32 v11, v8
	v_mov_b32_e32 v6, v8
	v_mov_b32_e32 v7, v8
	v_mov_b32_e32 v4, v8
	v_mov_b32_e32 v5, v8
	v_mov_b32_e32 v2, v8
	v_mov_b32_e32 v3, v8
.LBB3_5:
	.loc	0 63
	v_add_u32_e32 v18, s1, v42
	v_add_u32_e32 v20, s1, v41
	.loc	0 64
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 63
	v_add_u32_e32 v22, s1, v40
	v_add_u32_e32 v24, s1, v39
	v_ashrrev_i32_e32 v19, 31, v18
	v_ashrrev_i32_e32 v21, 31, v20
	.loc	0 64
	v_lshl_add_u64 v[26:27], v[0:1], 2, s[6:7]
	.loc	0 63
	v_ashrrev_i32_e32 v23, 31, v22
	v_ashrrev_i32_e32 v25, 31, v24
	v_lshl_add_u64 v[18:19], v[18:19], 2, s[4:5]
	v_lshl_add_u64 v[20:21], v[20:21], 2, s[4:5]
	.loc	0 64
	global_load_dword v1, v[26:27], off
	global_load_dword v28, v[26:27], off offset:64
	global_load_dword v29, v[26:27], off offset:128
	s_nop 0
	global_load_dword v26, v[26:27], off offset:192
	.loc	0 63
	v_lshl_add_u64 v[22:23], v[22:23], 2, s[4:5]
	v_lshl_add_u64 v[24:25], v[24:25], 2, s[4:5]
	global_load_dword v18, v[18:19], off
	s_nop 0
	global_load_dword v19, v[20:21], off
	s_nop 0
	global_load_dword v20, v[22:23], off
	global_load_dword v21, v[24:25], off
	.loc	0 60
	s_add_i32 s1, s1, 16
	v_add_u32_e32 v0, s0, v0
	s_cmp_lt_i32 s1, s10
	.loc	0 64
	s_waitcnt vmcnt(6)
	ds_write2_b32 v38, v1, v28 offset1:16
	s_waitcnt vmcnt(4)
	ds_write2_b32 v38, v29, v26 offset0:32 offset1:48
	.loc	0 63
	s_waitcnt vmcnt(2)
	ds_write2st64_b32 v36, v18, v19 offset1:4
	s_waitcnt vmcnt(0)
	ds_write2st64_b32 v36, v20, v21 offset0:8 offset1:12
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 73
	ds_read_b96 v[18:20], v35
	.loc	0 74
	ds_read2_b32 v[22:23], v37 offset1:16
	ds_read2_b32 v[24:25], v37 offset0:32 offset1:48
	ds_read2_b32 v[26:27], v37 offset0:64 offset1:80
	ds_read2_b32 v[28:29], v37 offset0:96 offset1:112
	ds_read2_b32 v[68:69], v37 offset0:128 offset1:144
	ds_read2_b32 v[70:71], v37 offset0:160 offset1:176
	.loc	0 80
	s_waitcnt lgkmcnt(5)
	v_fmac_f32_e32 v8, v18, v22
	v_fmac_f32_e32 v9, v18, v23
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v16, v18, v24
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v8, v19, v26
	v_fmac_f32_e32 v9, v19, v27
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v16, v19, v28
	.loc	0 73
	v_mov_b32_e32 v66, v19
	v_mov_b32_e32 v67, v20
	.loc	0 80
	v_fmac_f32_e32 v17, v18, v25
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v8, v20, v68
	v_fmac_f32_e32 v9, v20, v69
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v16, v20, v70
	.loc	0 73
	ds_read_b96 v[18:20], v35 offset:1024
	.loc	0 80
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v14, v18, v22
	v_fmac_f32_e32 v15, v18, v23
	v_fmac_f32_e32 v12, v18, v24
	v_fmac_f32_e32 v14, v19, v26
	v_fmac_f32_e32 v15, v19, v27
	v_fmac_f32_e32 v12, v19, v28
	.loc	0 73
	v_mov_b32_e32 v72, v19
	v_mov_b32_e32 v73, v20
	.loc	0 80
	v_fmac_f32_e32 v13, v18, v25
	v_fmac_f32_e32 v14, v20, v68
	v_fmac_f32_e32 v15, v20, v69
	v_fmac_f32_e32 v12, v20, v70
	.loc	0 73
	ds_read_b96 v[18:20], v35 offset:2048
	.loc	0 80
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v10, v18, v22
	v_fmac_f32_e32 v11, v18, v23
	v_fmac_f32_e32 v6, v18, v24
	v_fmac_f32_e32 v10, v19, v26
	v_fmac_f32_e32 v11, v19, v27
	v_fmac_f32_e32 v6, v19, v28
	.loc	0 73
	v_mov_b32_e32 v74, v19
	v_mov_b32_e32 v75, v20
	.loc	0 80
	v_fmac_f32_e32 v7, v18, v25
	v_fmac_f32_e32 v10, v20, v68
	v_fmac_f32_e32 v11, v20, v69
	v_fmac_f32_e32 v6, v20, v70
	.loc	0 73
	ds_read_b96 v[18:20], v35 offset:3072
	.loc	0 80
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v2, v18, v24
	v_fmac_f32_e32 v4, v18, v22
	v_fmac_f32_e32 v5, v18, v23
	v_fmac_f32_e32 v2, v19, v28
	v_fmac_f32_e32 v4, v19, v26
	v_fmac_f32_e32 v5, v19, v27
	v_fmac_f32_e32 v2, v20, v70
	v_mov_b32_e32 v70, v29
	.loc	0 74
	ds_read2_b32 v[26:27], v37 offset0:224 offset1:240
	ds_read2_b32 v[28:29], v52 offset0:32 offset1:48
	.loc	0 80
	v_fmac_f32_e32 v4, v20, v68
	v_fmac_f32_e32 v5, v20, v69
	.loc	0 73
	ds_read2_b32 v[68:69], v35 offset0:3 offset1:4
	.loc	0 80
	v_fmac_f32_e32 v3, v18, v25
	.loc	0 73
	v_mov_b32_e32 v24, v19
	.loc	0 80
	v_pk_mul_f32 v[18:19], v[66:67], v[70:71]
	s_waitcnt lgkmcnt(2)
	v_mov_b32_e32 v66, v27
	v_add_f32_e32 v1, v18, v17
	s_waitcnt lgkmcnt(1)
	v_mov_b32_e32 v67, v29
	v_add_f32_e32 v1, v19, v1
	v_pk_mul_f32 v[22:23], v[72:73], v[70:71]
	.loc	0 73
	ds_read2_b32 v[72:73], v44 offset1:1
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_mul_f32 v[18:19], v[68:69], v[66:67]
	.loc	0 73
	v_mov_b32_e32 v25, v20
	.loc	0 80
	v_add_f32_e32 v1, v18, v1
	v_add_f32_e32 v17, v19, v1
	v_pk_mul_f32 v[20:21], v[74:75], v[70:71]
	v_pk_mul_f32 v[18:19], v[24:25], v[70:71]
	.loc	0 73
	ds_read2_b32 v[70:71], v43 offset1:1
	ds_read2_b32 v[74:75], v45 offset1:1
	.loc	0 74
	ds_read2_b32 v[24:25], v37 offset0:192 offset1:208
	.loc	0 80
	v_fmac_f32_e32 v16, v68, v26
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v6, v72, v26
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v12, v70, v26
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v2, v74, v26
	v_add_f32_e32 v1, v22, v13
	v_fmac_f32_e32 v16, v69, v28
	v_fmac_f32_e32 v12, v71, v28
	v_fmac_f32_e32 v6, v73, v28
	v_fmac_f32_e32 v2, v75, v28
	v_pk_mul_f32 v[28:29], v[70:71], v[66:67]
	v_add_f32_e32 v1, v23, v1
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v8, v68, v24
	v_fmac_f32_e32 v9, v68, v25
	v_fmac_f32_e32 v14, v70, v24
	v_fmac_f32_e32 v15, v70, v25
	v_fmac_f32_e32 v10, v72, v24
	v_fmac_f32_e32 v11, v72, v25
	v_fmac_f32_e32 v4, v74, v24
	v_fmac_f32_e32 v5, v74, v25
	.loc	0 74
	ds_read2_b32 v[24:25], v52 offset1:16
	.loc	0 80
	v_add_f32_e32 v1, v28, v1
	v_add_f32_e32 v13, v29, v1
	v_add_f32_e32 v1, v20, v7
	v_pk_mul_f32 v[26:27], v[72:73], v[66:67]
	v_add_f32_e32 v1, v21, v1
	v_add_f32_e32 v1, v26, v1
	v_add_f32_e32 v7, v27, v1
	v_add_f32_e32 v1, v18, v3
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v8, v69, v24
	v_fmac_f32_e32 v9, v69, v25
	v_fmac_f32_e32 v14, v71, v24
	v_fmac_f32_e32 v15, v71, v25
	v_fmac_f32_e32 v10, v73, v24
	v_fmac_f32_e32 v11, v73, v25
	v_fmac_f32_e32 v4, v75, v24
	v_fmac_f32_e32 v5, v75, v25
	v_pk_mul_f32 v[24:25], v[74:75], v[66:67]
	v_add_f32_e32 v1, v19, v1
	.loc	0 73
	ds_read2_b32 v[22:23], v46 offset1:1
	ds_read2_b32 v[26:27], v47 offset1:1
	ds_read2_b32 v[18:19], v48 offset1:1
	.loc	0 74
	ds_read2_b32 v[28:29], v52 offset0:64 offset1:80
	.loc	0 73
	ds_read2_b32 v[20:21], v35 offset0:5 offset1:6
	.loc	0 80
	v_add_f32_e32 v1, v24, v1
	v_add_f32_e32 v3, v25, v1
	.loc	0 74
	ds_read2_b32 v[24:25], v52 offset0:128 offset1:144
	.loc	0 80
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[14:15], v[22:23], v[28:29], v[14:15] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[8:9], v[20:21], v[28:29], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[26:27], v[28:29], v[10:11] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[18:19], v[28:29], v[4:5] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[28:29], v52 offset0:96 offset1:112
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[8:9], v[20:21], v[24:25], v[8:9] op_sel:[1,0,0]
	v_pk_fma_f32 v[14:15], v[22:23], v[24:25], v[14:15] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[26:27], v[24:25], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[4:5], v[18:19], v[24:25], v[4:5] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[24:25], v52 offset0:160 offset1:176
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[16:17], v[20:21], v[28:29], v[16:17] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[22:23], v[28:29], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[26:27], v[28:29], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[18:19], v[28:29], v[2:3] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[28:29], v35 offset0:7 offset1:8
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[16:17], v[20:21], v[24:25], v[16:17] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[20:21], v49 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[12:13], v[22:23], v[24:25], v[12:13] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[22:23], v52 offset0:192 offset1:208
	.loc	0 80
	v_pk_fma_f32 v[6:7], v[26:27], v[24:25], v[6:7] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[26:27], v50 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[2:3], v[18:19], v[24:25], v[2:3] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[18:19], v53 offset1:1
	.loc	0 74
	ds_read2_b32 v[24:25], v54 offset1:16
	.loc	0 80
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[8:9], v[28:29], v[22:23], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[14:15], v[20:21], v[22:23], v[14:15] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[10:11], v[26:27], v[22:23], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[4:5], v[18:19], v[22:23], v[4:5] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[22:23], v52 offset0:224 offset1:240
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[8:9], v[28:29], v[24:25], v[8:9] op_sel:[1,0,0]
	v_pk_fma_f32 v[14:15], v[20:21], v[24:25], v[14:15] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[26:27], v[24:25], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[4:5], v[18:19], v[24:25], v[4:5] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[24:25], v54 offset0:32 offset1:48
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[16:17], v[28:29], v[22:23], v[16:17] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[20:21], v[22:23], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[26:27], v[22:23], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[18:19], v[22:23], v[2:3] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[22:23], v35 offset0:9 offset1:10
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[16:17], v[28:29], v[24:25], v[16:17] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[28:29], v55 offset1:1
	ds_read2_b32 v[66:67], v56 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[12:13], v[20:21], v[24:25], v[12:13] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[20:21], v54 offset0:64 offset1:80
	.loc	0 80
	v_pk_fma_f32 v[6:7], v[26:27], v[24:25], v[6:7] op_sel:[1,0,0]
	v_pk_fma_f32 v[2:3], v[18:19], v[24:25], v[2:3] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[18:19], v57 offset1:1
	.loc	0 74
	ds_read2_b32 v[24:25], v54 offset0:128 offset1:144
	ds_read2_b32 v[70:71], v54 offset0:160 offset1:176
	.loc	0 80
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[8:9], v[22:23], v[20:21], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[14:15], v[28:29], v[20:21], v[14:15] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[66:67], v[20:21], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[4:5], v[18:19], v[20:21], v[4:5] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[20:21], v54 offset0:96 offset1:112
	.loc	0 80
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[8:9], v[22:23], v[24:25], v[8:9] op_sel:[1,0,0]
	v_pk_fma_f32 v[68:69], v[28:29], v[24:25], v[14:15] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[66:67], v[24:25], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[24:25], v[18:19], v[24:25], v[4:5] op_sel:[1,0,0]
	s_waitcnt lgkmcnt(0)
	v_pk_fma_f32 v[4:5], v[22:23], v[20:21], v[16:17] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[28:29], v[20:21], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[66:67], v[20:21], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[18:19], v[20:21], v[2:3] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[26:27], v35 offset0:11 offset1:12
	ds_read2_b32 v[14:15], v58 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[20:21], v[22:23], v[70:71], v[4:5] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[4:5], v59 offset1:1
	.loc	0 74
	ds_read2_b32 v[16:17], v54 offset0:192 offset1:208
	.loc	0 80
	v_pk_fma_f32 v[22:23], v[28:29], v[70:71], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[18:19], v[18:19], v[70:71], v[2:3] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[2:3], v60 offset1:1
	.loc	0 74
	ds_read2_b32 v[12:13], v61 offset1:16
	.loc	0 80
	v_pk_fma_f32 v[66:67], v[66:67], v[70:71], v[6:7] op_sel:[1,0,0]
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[6:7], v[26:27], v[16:17], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[14:15], v[16:17], v[68:69] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[4:5], v[16:17], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[16:17], v[2:3], v[16:17], v[24:25] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[24:25], v54 offset0:224 offset1:240
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[6:7], v[26:27], v[12:13], v[6:7] op_sel:[1,0,0]
	v_pk_fma_f32 v[8:9], v[14:15], v[12:13], v[8:9] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[4:5], v[12:13], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[12:13], v[2:3], v[12:13], v[16:17] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[16:17], v61 offset0:32 offset1:48
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[28:29], v[26:27], v[24:25], v[20:21] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[22:23], v[14:15], v[24:25], v[22:23] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[20:21], v[4:5], v[24:25], v[66:67] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[18:19], v[2:3], v[24:25], v[18:19] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[24:25], v35 offset0:13 offset1:14
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[26:27], v[26:27], v[16:17], v[28:29] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[28:29], v62 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[14:15], v[14:15], v[16:17], v[22:23] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[22:23], v61 offset0:64 offset1:80
	.loc	0 80
	v_pk_fma_f32 v[4:5], v[4:5], v[16:17], v[20:21] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[20:21], v63 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[2:3], v[2:3], v[16:17], v[18:19] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[16:17], v64 offset1:1
	.loc	0 74
	ds_read2_b32 v[18:19], v61 offset0:128 offset1:144
	.loc	0 80
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[6:7], v[24:25], v[22:23], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[28:29], v[22:23], v[8:9] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[10:11], v[20:21], v[22:23], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[12:13], v[16:17], v[22:23], v[12:13] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[22:23], v61 offset0:96 offset1:112
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[66:67], v[28:29], v[18:19], v[8:9] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[8:9], v61 offset0:160 offset1:176
	.loc	0 80
	v_pk_fma_f32 v[6:7], v[24:25], v[18:19], v[6:7] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[20:21], v[18:19], v[10:11] op_sel:[1,0,0]
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[14:15], v[28:29], v[22:23], v[14:15] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[16:17], v[18:19], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[18:19], v[24:25], v[22:23], v[26:27] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[20:21], v[22:23], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[16:17], v[22:23], v[2:3] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2st64_b32 v[22:23], v51 offset1:4
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[26:27], v[28:29], v[8:9], v[14:15] op_sel:[1,0,0]
	.loc	0 73
	ds_read2st64_b32 v[28:29], v51 offset0:8 offset1:12
	.loc	0 80
	v_pk_fma_f32 v[18:19], v[24:25], v[8:9], v[18:19] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[24:25], v61 offset0:192 offset1:208
	ds_read2_b32 v[68:69], v61 offset0:224 offset1:240
	.loc	0 80
	v_pk_fma_f32 v[20:21], v[20:21], v[8:9], v[4:5] op_sel:[1,0,0]
	v_pk_fma_f32 v[2:3], v[16:17], v[8:9], v[2:3] op_sel:[1,0,0]
	s_waitcnt lgkmcnt(3)
	v_mov_b32_e32 v70, v23
	s_waitcnt lgkmcnt(2)
	v_mov_b32_e32 v72, v29
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[8:9], v[22:23], v[24:25], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[14:15], v[70:71], v[24:25], v[66:67] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[28:29], v[24:25], v[10:11] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[72:73], v[24:25], v[12:13] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(0)
	v_pk_fma_f32 v[16:17], v[22:23], v[68:69], v[18:19] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[70:71], v[68:69], v[26:27] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[28:29], v[68:69], v[20:21] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[72:73], v[68:69], v[2:3] op_sel_hi:[0,1,1]
	.loc	1 100
	s_barrier
	.loc	0 60
	s_cbranch_scc1 .LBB3_5
	s_branch .LBB3_7
.LBB3_6:
	.loc	0 0
	v_mov_b32_e32 v3, s3
	v_mov_b32_e32 v2, s3
	v_mov_b32_e32 v5, s3
	v_mov_b32_e32 v4, s3
	v_mov_b32_e32 v7, s3
	v_mov_b32_e32 v6, s3
	v_mov_b32_e32 v11, s3
	v_mov_b32_e32 v10, s3
	v_mov_b32_e32 v13, s3
	v_mov_b32_e32 v12, s3
	v_mov_b32_e32 v15, s3
	v_mov_b32_e32 v14, s3
	v_mov_b32_e32 v17, s3
	v_mov_b32_e32 v16, s3
	v_mov_b32_e32 v9, s3
	v_mov_b32_e32 v8, s3
.LBB3_7:
	.loc	0 56
	v_add_u32_e32 v18, s2, v33
	v_add_u32_e32 v0, v34, v18
	.loc	0 90
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[8:9]
	global_store_dword v[0:1], v8, off
	global_store_dword v[0:1], v9, off offset:64
	global_store_dword v[0:1], v16, off offset:128
	global_store_dword v[0:1], v17, off offset:192
	v_add_u32_e32 v0, v32, v18
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[8:9]
	global_store_dword v[0:1], v14, off
	global_store_dword v[0:1], v15, off offset:64
	global_store_dword v[0:1], v12, off offset:128
	global_store_dword v[0:1], v13, off offset:192
	v_add_u32_e32 v0, v31, v18
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[8:9]
	global_store_dword v[0:1], v10, off
	global_store_dword v[0:1], v11, off offset:64
	global_store_dword v[0:1], v6, off offset:128
	global_store_dword v[0:1], v7, off offset:192
	v_add_u32_e32 v0, v30, v18
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[8:9]
	global_store_dword v[0:1], v4, off
	global_store_dword v[0:1], v5, off offset:64
	global_store_dword v[0:1], v2, off offset:128
	global_store_dword v[0:1], v3, off offset:192
	.loc	0 93
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul_register_tiled
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
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
		.amdhsa_next_free_vgpr 76
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 76
	.end_amdhsa_kernel
	.text
.Lfunc_end3:
	.text
	.p2align	8
	.type	mmul_vectorised,@function
mmul_vectorised:
	.loc	1 57
	s_load_dword s10, s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dwordx2 s[8:9], s[0:1], 0x18
	v_and_b32_e32 v2, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 106
	v_lshlrev_b32_e32 v1, 2, v2
	s_mov_b32 s12, 0
	.loc	0 109
	s_waitcnt lgkmcnt(0)
	s_cmp_gt_i32 s10, 0
	v_lshlrev_b32_e32 v17, 2, v0
	s_cbranch_scc1 .LBB4_3
	.loc	0 0
	s_lshl_b32 s11, s3, 6
	v_lshlrev_b32_e32 v18, 2, v0
	v_lshl_add_u32 v16, s2, 6, v1
	.loc	0 109
	s_cbranch_execz .LBB4_4
	.loc	0 0
	v_mov_b32_e32 v7, s12
	v_mov_b32_e32 v6, s12
	v_mov_b32_e32 v5, s12
	v_mov_b32_e32 v4, s12
	v_mov_b32_e32 v11, s12
	v_mov_b32_e32 v10, s12
	v_mov_b32_e32 v9, s12
	v_mov_b32_e32 v8, s12
	v_mov_b32_e32 v15, s12
	v_mov_b32_e32 v14, s12
	v_mov_b32_e32 v13, s12
	v_mov_b32_e32 v12, s12
	v_mov_b32_e32 v3, s12
	v_mov_b32_e32 v2, s12
	v_mov_b32_e32 v1, s12
	v_mov_b32_e32 v0, s12
	s_branch .LBB4_7
.LBB4_3:
.LBB4_4:
	.loc	0 104
	v_lshlrev_b32_e32 v24, 4, v0
	v_add_u32_e32 v2, v24, v2
	.loc	0 106
	v_and_b32_e32 v4, 12, v1
	.loc	0 105
	v_lshrrev_b32_e32 v3, 2, v2
	v_and_b32_e32 v2, 0x7ffc, v2
	s_lshl_b32 s11, s3, 6
	v_lshl_add_u32 v25, v4, 8, v2
	v_mov_b32_e32 v2, 0x1000
	v_add_u32_e32 v3, s11, v3
	v_lshl_add_u32 v26, v1, 2, v2
	s_lshl_b32 s0, s2, 6
	v_lshl_add_u32 v27, v0, 8, v26
	.loc	0 109
	v_mul_lo_u32 v0, v0, s10
	v_mad_u64_u32 v[20:21], s[2:3], v3, s10, v[4:5]
	.loc	0 0
	v_mov_b32_e32 v4, 0
	v_add_u32_e32 v16, s0, v1
	.loc	0 109
	v_add3_u32 v18, v0, s0, v1
	s_lshl_b32 s0, s10, 4
	s_mov_b32 s1, 0
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v5, v4
	v_mov_b32_e32 v6, v4
	v_mov_b32_e32 v7, v4
	v_mov_b32_e32 v8, v4
	v_mov_b32_e32 v9, v4
	v_mov_b32_e32 v10, v4
	v_mov_b32_e32 v11, v4
	v_mov_b32_e32 v0, v4
	v_mov_b32_e32 v1, v4
	v_mov_b32_e32 v2, v4
	v_mov_b32_e32 v3, v4
	v_mov_b32_e32 v14, v4
	v_mov_b32_e32 v15, v4
	v_mov_b32_e32 v12, v4
	v_mov_b32_e32 v13, v4
.LBB4_5:
	.loc	0 110
	v_add_u32_e32 v22, s1, v20
	.loc	0 111
	v_mov_b32_e32 v19, v23
	.loc	0 110
	v_lshl_add_u64 v[36:37], v[22:23], 2, s[4:5]
	.loc	0 111
	v_lshl_add_u64 v[38:39], v[18:19], 2, s[6:7]
	.loc	0 110
	global_load_dwordx4 v[28:31], v[36:37], off
	.loc	0 116
	global_load_dwordx4 v[32:35], v[38:39], off
	.loc	0 109
	s_add_i32 s1, s1, 16
	v_add_u32_e32 v18, s0, v18
	s_cmp_ge_i32 s1, s10
	.loc	0 112
	s_waitcnt vmcnt(1)
	ds_write2st64_b32 v25, v28, v29 offset1:1
	.loc	0 114
	ds_write2st64_b32 v25, v30, v31 offset0:2 offset1:3
	.loc	0 116
	s_waitcnt vmcnt(0)
	ds_write_b128 v27, v[32:35]
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 120
	ds_read_b128 v[28:31], v24
	ds_read_b128 v[32:35], v24 offset:256
	.loc	0 121
	ds_read_b128 v[36:39], v26
	.loc	0 120
	ds_read_b128 v[40:43], v24 offset:512
	ds_read_b128 v[44:47], v24 offset:768
	ds_read_b128 v[48:51], v24 offset:1024
	ds_read_b128 v[52:55], v24 offset:1280
	.loc	0 121
	ds_read_b128 v[56:59], v26 offset:256
	.loc	0 128
	s_waitcnt lgkmcnt(5)
	v_fmac_f32_e32 v4, v28, v36
	v_fmac_f32_e32 v5, v28, v37
	v_fmac_f32_e32 v8, v29, v36
	v_fmac_f32_e32 v9, v29, v37
	v_pk_fma_f32 v[60:61], v[30:31], v[36:37], v[12:13] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v31, v36
	v_fmac_f32_e32 v1, v31, v37
	v_fmac_f32_e32 v6, v28, v38
	v_fmac_f32_e32 v7, v28, v39
	v_fmac_f32_e32 v10, v29, v38
	v_fmac_f32_e32 v11, v29, v39
	v_pk_fma_f32 v[36:37], v[30:31], v[38:39], v[14:15] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v31, v38
	v_fmac_f32_e32 v3, v31, v39
	.loc	0 121
	ds_read_b128 v[12:15], v26 offset:512
	ds_read_b128 v[28:31], v26 offset:768
	.loc	0 128
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v4, v32, v56
	v_fmac_f32_e32 v5, v32, v57
	v_fmac_f32_e32 v8, v33, v56
	v_fmac_f32_e32 v9, v33, v57
	v_pk_fma_f32 v[60:61], v[34:35], v[56:57], v[60:61] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v35, v56
	v_fmac_f32_e32 v1, v35, v57
	v_fmac_f32_e32 v6, v32, v58
	v_fmac_f32_e32 v7, v32, v59
	v_fmac_f32_e32 v10, v33, v58
	v_fmac_f32_e32 v11, v33, v59
	v_pk_fma_f32 v[56:57], v[34:35], v[58:59], v[36:37] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v35, v58
	v_fmac_f32_e32 v3, v35, v59
	.loc	0 121
	ds_read_b128 v[32:35], v26 offset:1024
	ds_read_b128 v[36:39], v26 offset:1280
	.loc	0 128
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v4, v40, v12
	v_fmac_f32_e32 v5, v40, v13
	v_fmac_f32_e32 v8, v41, v12
	v_fmac_f32_e32 v9, v41, v13
	v_pk_fma_f32 v[58:59], v[42:43], v[12:13], v[60:61] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v43, v12
	v_fmac_f32_e32 v1, v43, v13
	v_fmac_f32_e32 v6, v40, v14
	v_fmac_f32_e32 v7, v40, v15
	v_fmac_f32_e32 v10, v41, v14
	v_fmac_f32_e32 v11, v41, v15
	v_pk_fma_f32 v[56:57], v[42:43], v[14:15], v[56:57] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v43, v14
	v_fmac_f32_e32 v3, v43, v15
	.loc	0 120
	ds_read_b128 v[12:15], v24 offset:1536
	ds_read_b128 v[40:43], v24 offset:1792
	.loc	0 128
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v4, v44, v28
	v_fmac_f32_e32 v5, v44, v29
	v_fmac_f32_e32 v8, v45, v28
	v_fmac_f32_e32 v9, v45, v29
	v_pk_fma_f32 v[58:59], v[46:47], v[28:29], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v47, v28
	v_fmac_f32_e32 v1, v47, v29
	v_fmac_f32_e32 v6, v44, v30
	v_fmac_f32_e32 v7, v44, v31
	v_fmac_f32_e32 v10, v45, v30
	v_fmac_f32_e32 v11, v45, v31
	v_pk_fma_f32 v[56:57], v[46:47], v[30:31], v[56:57] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v47, v30
	v_fmac_f32_e32 v3, v47, v31
	.loc	0 121
	ds_read_b128 v[28:31], v26 offset:1536
	ds_read_b128 v[44:47], v26 offset:1792
	.loc	0 128
	s_waitcnt lgkmcnt(5)
	v_fmac_f32_e32 v4, v48, v32
	v_fmac_f32_e32 v5, v48, v33
	v_fmac_f32_e32 v8, v49, v32
	v_fmac_f32_e32 v9, v49, v33
	v_pk_fma_f32 v[58:59], v[50:51], v[32:33], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v51, v32
	v_fmac_f32_e32 v1, v51, v33
	v_fmac_f32_e32 v6, v48, v34
	v_fmac_f32_e32 v7, v48, v35
	v_fmac_f32_e32 v10, v49, v34
	v_fmac_f32_e32 v11, v49, v35
	v_pk_fma_f32 v[56:57], v[50:51], v[34:35], v[56:57] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v51, v34
	v_fmac_f32_e32 v3, v51, v35
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v4, v52, v36
	v_fmac_f32_e32 v5, v52, v37
	v_fmac_f32_e32 v8, v53, v36
	v_fmac_f32_e32 v9, v53, v37
	v_pk_fma_f32 v[58:59], v[54:55], v[36:37], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v6, v52, v38
	v_fmac_f32_e32 v7, v52, v39
	v_fmac_f32_e32 v10, v53, v38
	v_fmac_f32_e32 v11, v53, v39
	v_pk_fma_f32 v[52:53], v[54:55], v[38:39], v[56:57] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v55, v36
	v_fmac_f32_e32 v1, v55, v37
	s_waitcnt lgkmcnt(3)
	v_mov_b32_e32 v22, v15
	v_fmac_f32_e32 v2, v55, v38
	v_fmac_f32_e32 v3, v55, v39
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[54:55], v[22:23], v[28:29], v[0:1] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[12:13], v[28:29], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[62:63], v[12:13], v[30:31], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[64:65], v[12:13], v[28:29], v[8:9] op_sel:[1,0,0]
	v_pk_fma_f32 v[28:29], v[14:15], v[28:29], v[58:59] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[12:13], v[30:31], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[14:15], v[14:15], v[30:31], v[52:53] op_sel_hi:[0,1,1]
	.loc	0 120
	ds_read_b128 v[32:35], v24 offset:2048
	ds_read_b128 v[48:51], v24 offset:2304
	ds_read_b128 v[36:39], v24 offset:2560
	.loc	0 128
	v_pk_fma_f32 v[56:57], v[22:23], v[30:31], v[2:3] op_sel_hi:[0,1,1]
	.loc	0 120
	ds_read_b128 v[0:3], v24 offset:2816
	ds_read_b128 v[4:7], v24 offset:3072
	ds_read_b128 v[8:11], v24 offset:3328
	.loc	0 128
	v_mov_b32_e32 v22, v43
	s_waitcnt lgkmcnt(6)
	v_pk_fma_f32 v[52:53], v[40:41], v[44:45], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[40:41], v[44:45], v[64:65] op_sel:[1,0,0]
	v_pk_fma_f32 v[60:61], v[42:43], v[44:45], v[28:29] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[62:63], v[40:41], v[46:47], v[62:63] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[40:41], v[40:41], v[46:47], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[42:43], v[42:43], v[46:47], v[14:15] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[12:15], v26 offset:2048
	ds_read_b128 v[28:31], v26 offset:2304
	.loc	0 128
	v_pk_fma_f32 v[44:45], v[22:23], v[44:45], v[54:55] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[46:47], v[22:23], v[46:47], v[56:57] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(7)
	v_mov_b32_e32 v22, v35
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[52:53], v[32:33], v[12:13], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[32:33], v[12:13], v[58:59] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[34:35], v[12:13], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[32:33], v[14:15], v[62:63] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[32:33], v[14:15], v[40:41] op_sel:[1,0,0]
	v_pk_fma_f32 v[62:63], v[34:35], v[14:15], v[42:43] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[44:45], v[22:23], v[12:13], v[44:45] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[46:47], v[22:23], v[14:15], v[46:47] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[12:15], v26 offset:2560
	.loc	0 128
	v_mov_b32_e32 v22, v51
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[52:53], v[48:49], v[28:29], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[48:49], v[28:29], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[50:51], v[28:29], v[56:57] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[48:49], v[30:31], v[58:59] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[48:49], v[48:49], v[30:31], v[60:61] op_sel:[1,0,0]
	v_pk_fma_f32 v[50:51], v[50:51], v[30:31], v[62:63] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[44:45], v[22:23], v[28:29], v[44:45] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[46:47], v[22:23], v[30:31], v[46:47] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[28:31], v26 offset:2816
	.loc	0 128
	v_mov_b32_e32 v22, v39
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[52:53], v[36:37], v[12:13], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[36:37], v[12:13], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[38:39], v[12:13], v[56:57] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[36:37], v[14:15], v[58:59] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[48:49], v[36:37], v[14:15], v[48:49] op_sel:[1,0,0]
	v_pk_fma_f32 v[50:51], v[38:39], v[14:15], v[50:51] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[36:39], v26 offset:3072
	.loc	0 120
	ds_read_b128 v[32:35], v24 offset:3584
	ds_read_b128 v[40:43], v24 offset:3840
	.loc	0 128
	v_pk_fma_f32 v[44:45], v[22:23], v[12:13], v[44:45] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[46:47], v[22:23], v[14:15], v[46:47] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[12:15], v26 offset:3328
	.loc	0 128
	v_mov_b32_e32 v22, v3
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[52:53], v[0:1], v[28:29], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[0:1], v[28:29], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[2:3], v[28:29], v[56:57] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[0:1], v[30:31], v[58:59] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[48:49], v[0:1], v[30:31], v[48:49] op_sel:[1,0,0]
	v_pk_fma_f32 v[50:51], v[2:3], v[30:31], v[50:51] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[0:3], v26 offset:3584
	.loc	0 128
	v_pk_fma_f32 v[44:45], v[22:23], v[28:29], v[44:45] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[46:47], v[22:23], v[30:31], v[46:47] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[28:31], v26 offset:3840
	.loc	0 128
	v_mov_b32_e32 v22, v7
	s_waitcnt lgkmcnt(5)
	v_pk_fma_f32 v[52:53], v[4:5], v[36:37], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[4:5], v[36:37], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[6:7], v[36:37], v[56:57] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[4:5], v[38:39], v[58:59] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[4:5], v[38:39], v[48:49] op_sel:[1,0,0]
	v_pk_fma_f32 v[6:7], v[6:7], v[38:39], v[50:51] op_sel_hi:[0,1,1]
	v_mov_b32_e32 v48, v11
	v_pk_fma_f32 v[36:37], v[22:23], v[36:37], v[44:45] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[38:39], v[22:23], v[38:39], v[46:47] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(4)
	v_mov_b32_e32 v50, v35
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[36:37], v[48:49], v[12:13], v[36:37] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[44:45], v[8:9], v[12:13], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[46:47], v[8:9], v[12:13], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[12:13], v[10:11], v[12:13], v[56:57] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[38:39], v[48:49], v[14:15], v[38:39] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[48:49], v[8:9], v[14:15], v[58:59] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[8:9], v[14:15], v[4:5] op_sel:[1,0,0]
	v_pk_fma_f32 v[6:7], v[10:11], v[14:15], v[6:7] op_sel_hi:[0,1,1]
	v_mov_b32_e32 v22, v43
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[10:11], v[50:51], v[0:1], v[36:37] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[32:33], v[0:1], v[44:45] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[14:15], v[32:33], v[0:1], v[46:47] op_sel:[1,0,0]
	v_pk_fma_f32 v[0:1], v[34:35], v[0:1], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[36:37], v[50:51], v[2:3], v[38:39] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[38:39], v[32:33], v[2:3], v[48:49] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[32:33], v[32:33], v[2:3], v[4:5] op_sel:[1,0,0]
	v_pk_fma_f32 v[2:3], v[34:35], v[2:3], v[6:7] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(0)
	v_pk_fma_f32 v[4:5], v[40:41], v[28:29], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[40:41], v[28:29], v[14:15] op_sel:[1,0,0]
	v_pk_fma_f32 v[12:13], v[42:43], v[28:29], v[0:1] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[0:1], v[22:23], v[28:29], v[10:11] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[40:41], v[30:31], v[38:39] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[40:41], v[30:31], v[32:33] op_sel:[1,0,0]
	v_pk_fma_f32 v[14:15], v[42:43], v[30:31], v[2:3] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[22:23], v[30:31], v[36:37] op_sel_hi:[0,1,1]
	.loc	1 100
	s_barrier
	.loc	0 109
	s_cbranch_scc0 .LBB4_5
	.loc	0 0
	v_mov_b32_e32 v18, v17
.LBB4_7:
	v_add_u32_e32 v17, s11, v18
	.loc	0 136
	v_mad_u64_u32 v[16:17], s[0:1], v17, s10, v[16:17]
	v_mov_b32_e32 v17, 0
	v_lshl_add_u64 v[18:19], v[16:17], 2, s[8:9]
	v_add_u32_e32 v16, s10, v16
	.loc	0 137
	global_store_dwordx4 v[18:19], v[4:7], off
	.loc	0 136
	s_nop 1
	v_lshl_add_u64 v[4:5], v[16:17], 2, s[8:9]
	v_add_u32_e32 v16, s10, v16
	.loc	0 137
	global_store_dwordx4 v[4:5], v[8:11], off
	.loc	0 136
	v_lshl_add_u64 v[4:5], v[16:17], 2, s[8:9]
	v_add_u32_e32 v16, s10, v16
	.loc	0 137
	global_store_dwordx4 v[4:5], v[12:15], off
	.loc	0 136
	v_lshl_add_u64 v[4:5], v[16:17], 2, s[8:9]
	.loc	0 137
	global_store_dwordx4 v[4:5], v[0:3], off
	.loc	0 139
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul_vectorised
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
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
		.amdhsa_next_free_vgpr 66
		.amdhsa_next_free_sgpr 13
		.amdhsa_accum_offset 68
	.end_amdhsa_kernel
	.text
.Lfunc_end4:
	.text
	.type	__hip_cuid_9d32762909f416d2,@object
	.section	.bss,"aw",@nobits
__hip_cuid_9d32762909f416d2:
	.byte	0
	.size	__hip_cuid_9d32762909f416d2, 1
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 288
    .max_flat_workgroup_size: 1024
    .name:           mmul_naive
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         mmul_naive.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
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
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 512
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 1024
    .name:           mmul08
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         mmul08.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     28
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
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 1024
    .name:           mmul16
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         mmul16.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     44
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
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 1024
    .name:           mmul_register_tiled
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         mmul_register_tiled.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     76
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
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 8192
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 1024
    .name:           mmul_vectorised
    .private_segment_fixed_size: 0
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         mmul_vectorised.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     66
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
