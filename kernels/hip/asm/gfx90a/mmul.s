	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	mmul_naive,@function
mmul_naive:
	.file	0 "kernels/cuda/mmul.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 67
	s_load_dword s11, s[4:5], 0x2c
	.loc	1 62
	s_load_dwordx2 s[8:9], s[4:5], 0x18
	s_load_dword s10, s[4:5], 0x0
	s_load_dwordx4 s[0:3], s[4:5], 0x8
	v_and_b32_e32 v1, 0x3ff, v0
	.loc	1 67
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s4, s11, 16
	s_and_b32 s5, s11, 0xffff
	.loc	0 8
	s_mul_i32 s7, s7, s4
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 7
	s_mul_i32 s6, s6, s5
	.loc	0 8
	v_add_u32_e32 v0, s7, v0
	.loc	0 7
	v_add_u32_e32 v6, s6, v1
	.loc	0 11
	s_cmp_lt_i32 s10, 1
	v_mul_lo_u32 v0, v0, s10
	s_cbranch_scc1 .LBB0_3
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[2:3], 2, v[0:1]
	v_mov_b32_e32 v1, s1
	v_add_co_u32_e32 v2, vcc, s0, v2
	v_addc_co_u32_e32 v3, vcc, v1, v3, vcc
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v7, s3
	v_mov_b32_e32 v4, v6
	s_mov_b32 s0, s10
.LBB0_2:
	.loc	0 12
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshlrev_b64 v[8:9], 2, v[4:5]
	v_add_co_u32_e32 v8, vcc, s2, v8
	v_addc_co_u32_e32 v9, vcc, v7, v9, vcc
	global_load_dword v10, v[2:3], off
	global_load_dword v5, v[8:9], off
	.loc	0 11
	s_add_i32 s0, s0, -1
	v_add_co_u32_e32 v2, vcc, 4, v2
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_add_u32_e32 v4, s10, v4
	s_cmp_eq_u32 s0, 0
	.loc	0 12
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v1, v10, v5
	.loc	0 11
	s_cbranch_scc0 .LBB0_2
	s_branch .LBB0_4
.LBB0_3:
	.loc	0 0
	v_mov_b32_e32 v1, 0
.LBB0_4:
	.loc	0 14
	v_add_u32_e32 v2, v0, v6
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_mov_b32_e32 v0, s9
	v_add_co_u32_e32 v2, vcc, s8, v2
	v_addc_co_u32_e32 v3, vcc, v0, v3, vcc
	global_store_dword v[2:3], v1, off
	.loc	0 15
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul_naive
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 288
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 11
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
	s_load_dword s10, s[4:5], 0x0
	s_load_dwordx4 s[0:3], s[4:5], 0x8
	s_load_dwordx2 s[8:9], s[4:5], 0x18
	v_and_b32_e32 v4, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 25
	s_lshl_b32 s4, s6, 3
	.loc	0 26
	v_lshl_add_u32 v1, s7, 3, v0
	.loc	0 29
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s10, 8
	v_mul_lo_u32 v5, v1, s10
	v_mov_b32_e32 v6, 0
	s_cbranch_scc1 .LBB1_3
	.loc	0 0
	s_ashr_i32 s5, s10, 31
	s_lshr_b32 s5, s5, 29
	v_lshlrev_b32_e32 v1, 2, v4
	s_add_i32 s5, s10, s5
	v_lshlrev_b32_e32 v7, 5, v0
	v_add_u32_e32 v9, 0x100, v1
	.loc	0 29
	v_mul_lo_u32 v0, v0, s10
	s_ashr_i32 s5, s5, 3
	v_add_u32_e32 v8, v7, v1
	v_add_u32_e32 v10, v9, v7
	v_add3_u32 v0, v4, v0, s4
	s_lshl_b32 s6, s10, 3
	v_add_u32_e32 v2, v4, v5
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v11, s1
	v_mov_b32_e32 v12, s3
.LBB1_2:
	.loc	0 30
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[14:15], 2, v[2:3]
	.loc	0 31
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 30
	v_add_co_u32_e32 v14, vcc, s0, v14
	.loc	0 31
	v_lshlrev_b64 v[16:17], 2, v[0:1]
	.loc	0 30
	v_addc_co_u32_e32 v15, vcc, v11, v15, vcc
	.loc	0 31
	v_add_co_u32_e32 v16, vcc, s2, v16
	v_addc_co_u32_e32 v17, vcc, v12, v17, vcc
	.loc	0 30
	global_load_dword v1, v[14:15], off
	.loc	0 31
	global_load_dword v3, v[16:17], off
	.loc	0 29
	s_add_i32 s5, s5, -1
	v_add_u32_e32 v0, s6, v0
	v_add_u32_e32 v2, 8, v2
	s_cmp_lg_u32 s5, 0
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
	ds_read2_b32 v[22:23], v9 offset1:8
	ds_read_b128 v[14:17], v7
	ds_read_b128 v[18:21], v7 offset:16
	ds_read2_b32 v[24:25], v9 offset0:16 offset1:24
	ds_read2_b32 v[26:27], v9 offset0:32 offset1:40
	ds_read2_b32 v[28:29], v9 offset0:48 offset1:56
	s_waitcnt lgkmcnt(4)
	v_pk_mul_f32 v[14:15], v[14:15], v[22:23]
	v_add_f32_e32 v1, v6, v14
	s_waitcnt lgkmcnt(2)
	v_pk_mul_f32 v[16:17], v[16:17], v[24:25]
	v_add_f32_e32 v1, v1, v15
	v_add_f32_e32 v1, v1, v16
	s_waitcnt lgkmcnt(1)
	v_pk_mul_f32 v[18:19], v[18:19], v[26:27]
	v_add_f32_e32 v1, v1, v17
	v_add_f32_e32 v1, v1, v18
	s_waitcnt lgkmcnt(0)
	v_pk_mul_f32 v[20:21], v[20:21], v[28:29]
	v_add_f32_e32 v1, v1, v19
	v_add_f32_e32 v1, v1, v20
	v_add_f32_e32 v6, v1, v21
	.loc	1 100
	s_barrier
	.loc	0 29
	s_cbranch_scc1 .LBB1_2
.LBB1_3:
	.loc	0 39
	v_add3_u32 v0, s4, v4, v5
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_mov_b32_e32 v2, s9
	v_add_co_u32_e32 v0, vcc, s8, v0
	v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
	global_store_dword v[0:1], v6, off
	.loc	0 43
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul08
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 30
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 32
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.text
	.p2align	8
	.type	mmul16,@function
mmul16:
	.loc	1 57
	s_load_dword s10, s[4:5], 0x0
	s_load_dwordx4 s[0:3], s[4:5], 0x8
	s_load_dwordx2 s[8:9], s[4:5], 0x18
	v_and_b32_e32 v4, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	.loc	0 25
	s_lshl_b32 s4, s6, 4
	.loc	0 26
	v_lshl_add_u32 v1, s7, 4, v0
	.loc	0 29
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s10, 16
	v_mul_lo_u32 v5, v1, s10
	v_mov_b32_e32 v6, 0
	s_cbranch_scc1 .LBB2_3
	.loc	0 0
	s_ashr_i32 s5, s10, 31
	s_lshr_b32 s5, s5, 28
	v_lshlrev_b32_e32 v1, 2, v4
	s_add_i32 s5, s10, s5
	v_lshlrev_b32_e32 v7, 6, v0
	v_add_u32_e32 v9, 0x400, v1
	.loc	0 29
	v_mul_lo_u32 v0, v0, s10
	s_ashr_i32 s5, s5, 4
	v_add_u32_e32 v8, v7, v1
	v_add_u32_e32 v10, v9, v7
	v_add3_u32 v0, v4, v0, s4
	s_lshl_b32 s6, s10, 4
	v_add_u32_e32 v2, v4, v5
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v11, s1
	v_mov_b32_e32 v12, s3
.LBB2_2:
	.loc	0 30
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[14:15], 2, v[2:3]
	v_add_co_u32_e32 v14, vcc, s0, v14
	v_addc_co_u32_e32 v15, vcc, v11, v15, vcc
	.loc	0 31
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 30
	global_load_dword v3, v[14:15], off
	.loc	0 31
	v_lshlrev_b64 v[14:15], 2, v[0:1]
	v_add_co_u32_e32 v14, vcc, s2, v14
	v_addc_co_u32_e32 v15, vcc, v12, v15, vcc
	global_load_dword v1, v[14:15], off
	.loc	0 29
	s_add_i32 s5, s5, -1
	v_add_u32_e32 v0, s6, v0
	s_cmp_lg_u32 s5, 0
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
	ds_read_b128 v[14:17], v7
	ds_read_b128 v[18:21], v7 offset:16
	ds_read_b128 v[22:25], v7 offset:32
	ds_read_b128 v[26:29], v7 offset:48
	ds_read2_b32 v[30:31], v9 offset1:16
	ds_read2_b32 v[32:33], v9 offset0:32 offset1:48
	ds_read2_b32 v[34:35], v9 offset0:64 offset1:80
	ds_read2_b32 v[36:37], v9 offset0:96 offset1:112
	ds_read2_b32 v[38:39], v9 offset0:128 offset1:144
	ds_read2_b32 v[40:41], v9 offset0:160 offset1:176
	ds_read2_b32 v[42:43], v9 offset0:192 offset1:208
	ds_read2_b32 v[44:45], v9 offset0:224 offset1:240
	s_waitcnt lgkmcnt(7)
	v_fmac_f32_e32 v6, v14, v30
	v_fmac_f32_e32 v6, v15, v31
	s_waitcnt lgkmcnt(6)
	v_fmac_f32_e32 v6, v16, v32
	s_waitcnt lgkmcnt(5)
	v_pk_mul_f32 v[18:19], v[18:19], v[34:35]
	v_fmac_f32_e32 v6, v17, v33
	v_add_f32_e32 v1, v6, v18
	s_waitcnt lgkmcnt(4)
	v_pk_mul_f32 v[20:21], v[20:21], v[36:37]
	v_add_f32_e32 v1, v1, v19
	v_add_f32_e32 v1, v1, v20
	s_waitcnt lgkmcnt(3)
	v_pk_mul_f32 v[22:23], v[22:23], v[38:39]
	v_add_f32_e32 v1, v1, v21
	v_add_f32_e32 v1, v1, v22
	s_waitcnt lgkmcnt(2)
	v_pk_mul_f32 v[24:25], v[24:25], v[40:41]
	v_add_f32_e32 v1, v1, v23
	v_add_f32_e32 v1, v1, v24
	s_waitcnt lgkmcnt(1)
	v_pk_mul_f32 v[26:27], v[26:27], v[42:43]
	v_add_f32_e32 v1, v1, v25
	v_add_f32_e32 v1, v1, v26
	s_waitcnt lgkmcnt(0)
	v_pk_mul_f32 v[28:29], v[28:29], v[44:45]
	v_add_f32_e32 v1, v1, v27
	v_add_f32_e32 v1, v1, v28
	v_add_f32_e32 v6, v1, v29
	.loc	1 100
	s_barrier
	.loc	0 29
	s_cbranch_scc1 .LBB2_2
.LBB2_3:
	.loc	0 39
	v_add3_u32 v0, s4, v4, v5
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_mov_b32_e32 v2, s9
	v_add_co_u32_e32 v0, vcc, s8, v0
	v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
	global_store_dword v[0:1], v6, off
	.loc	0 46
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mmul16
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 46
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 48
	.end_amdhsa_kernel
	.text
.Lfunc_end2:
	.text
	.p2align	8
	.type	mmul_register_tiled,@function
mmul_register_tiled:
	.loc	1 57
	s_load_dword s14, s[4:5], 0x0
	s_load_dwordx4 s[8:11], s[4:5], 0x8
	s_load_dwordx2 s[12:13], s[4:5], 0x18
	v_bfe_u32 v1, v0, 10, 10
	.loc	0 57
	v_lshl_add_u32 v2, s7, 6, v1
	.loc	0 60
	s_waitcnt lgkmcnt(0)
	s_cmp_gt_i32 s14, 0
	s_mov_b32 s2, 0
	s_cbranch_scc1 .LBB3_2
	.loc	0 0
	v_add_u32_e32 v3, 16, v2
	v_mul_lo_u32 v40, v3, s14
	s_lshl_b32 s0, s14, 4
	v_add_u32_e32 v39, s0, v40
	v_add_u32_e32 v38, s0, v39
	s_mov_b64 s[0:1], 0
	s_branch .LBB3_3
.LBB3_2:
	s_mov_b64 s[0:1], -1
.LBB3_3:
	v_and_b32_e32 v41, 0x3ff, v0
	s_lshl_b32 s6, s6, 6
	.loc	0 60
	s_andn2_b64 vcc, exec, s[0:1]
	v_mul_lo_u32 v42, v2, s14
	s_cbranch_vccnz .LBB3_6
	.loc	0 0
	s_lshl_b32 s7, s14, 4
	v_add_u32_e32 v40, s7, v42
	v_lshlrev_b32_e32 v0, 2, v41
	v_lshlrev_b32_e32 v43, 6, v1
	v_add_u32_e32 v39, s7, v40
	v_add_u32_e32 v44, v43, v0
	v_or_b32_e32 v45, 0x1000, v0
	v_add_u32_e32 v38, s7, v39
	.loc	0 60
	v_mul_lo_u32 v0, v1, s14
	.loc	0 0
	v_mov_b32_e32 v12, 0
	v_lshl_add_u32 v46, v1, 8, v45
	.loc	0 60
	v_add3_u32 v0, v41, v0, s6
	v_add_u32_e32 v47, v41, v38
	v_add_u32_e32 v48, v41, v39
	v_add_u32_e32 v49, v41, v40
	v_add_u32_e32 v50, v41, v42
	s_mov_b32 s15, 0
	v_mov_b32_e32 v51, s9
	v_mov_b32_e32 v52, s11
	v_add_u32_e32 v53, 0x40c, v43
	v_add_u32_e32 v54, 0x80c, v43
	v_add_u32_e32 v55, 0xc0c, v43
	v_add_u32_e32 v56, 0x414, v43
	v_add_u32_e32 v57, 0x814, v43
	v_add_u32_e32 v58, 0xc14, v43
	v_add_u32_e32 v59, 0x41c, v43
	v_add_u32_e32 v60, 0x81c, v43
	v_add_u32_e32 v61, 0xc1c, v43
	v_add_u32_e32 v62, 0x424, v43
	v_add_u32_e32 v63, 60, v43
	v_add_u32_e32 v64, 0x400, v45
	v_add_u32_e32 v65, 0x800, v45
	v_add_u32_e32 v66, 0x824, v43
	v_add_u32_e32 v67, 0xc24, v43
	v_add_u32_e32 v68, 0x42c, v43
	v_add_u32_e32 v69, 0x82c, v43
	v_add_u32_e32 v70, 0xc2c, v43
	v_add_u32_e32 v71, 0xc00, v45
	v_add_u32_e32 v72, 0x434, v43
	v_add_u32_e32 v73, 0x834, v43
	v_add_u32_e32 v74, 0xc34, v43
	v_mov_b32_e32 v13, v12
	v_mov_b32_e32 v14, v12
	v_mov_b32_e32 v15, v12
	v_mov_b32_e32 v16, v12
	v_mov_b32_e32 v17, v12
	v_mov_b32_e32 v8, v12
	v_mov_b32_e32 v9, v12
	v_mov_b32_e32 v10, v12
	v_mov_b32_e32 v11, v12
	v_mov_b32_e32 v4, v12
	v_mov_b32_e32 v5, v12
	v_mov_b32_e32 v6, v12
	v_mov_b32_e32 v7, v12
	v_mov_b32_e32 v2, v12
	v_mov_b32_e32 v3, v12
.LBB3_5:
	.loc	0 64
	v_ashrrev_i32_e32 v1, 31, v0
	.loc	0 63
	v_add_u32_e32 v18, s15, v50
	v_add_u32_e32 v20, s15, v49
	.loc	0 64
	v_lshlrev_b64 v[26:27], 2, v[0:1]
	.loc	0 63
	v_add_u32_e32 v22, s15, v48
	v_add_u32_e32 v24, s15, v47
	v_ashrrev_i32_e32 v19, 31, v18
	v_ashrrev_i32_e32 v21, 31, v20
	.loc	0 64
	v_add_co_u32_e32 v26, vcc, s10, v26
	.loc	0 63
	v_ashrrev_i32_e32 v23, 31, v22
	v_ashrrev_i32_e32 v25, 31, v24
	v_lshlrev_b64 v[18:19], 2, v[18:19]
	v_lshlrev_b64 v[20:21], 2, v[20:21]
	.loc	0 64
	v_addc_co_u32_e32 v27, vcc, v52, v27, vcc
	.loc	0 63
	v_lshlrev_b64 v[22:23], 2, v[22:23]
	v_lshlrev_b64 v[24:25], 2, v[24:25]
	v_add_co_u32_e32 v18, vcc, s8, v18
	v_add_co_u32_e64 v20, s[0:1], s8, v20
	v_add_co_u32_e64 v22, s[2:3], s8, v22
	v_add_co_u32_e64 v24, s[4:5], s8, v24
	v_addc_co_u32_e32 v19, vcc, v51, v19, vcc
	v_addc_co_u32_e64 v21, vcc, v51, v21, s[0:1]
	v_addc_co_u32_e64 v23, vcc, v51, v23, s[2:3]
	v_addc_co_u32_e64 v25, vcc, v51, v25, s[4:5]
	.loc	0 64
	global_load_dword v1, v[26:27], off
	global_load_dword v28, v[26:27], off offset:64
	global_load_dword v29, v[26:27], off offset:128
	s_nop 0
	global_load_dword v26, v[26:27], off offset:192
	.loc	0 63
	s_nop 0
	global_load_dword v18, v[18:19], off
	s_nop 0
	global_load_dword v19, v[20:21], off
	s_nop 0
	global_load_dword v20, v[22:23], off
	global_load_dword v21, v[24:25], off
	.loc	0 60
	s_add_i32 s15, s15, 16
	v_add_u32_e32 v0, s7, v0
	s_cmp_lt_i32 s15, s14
	.loc	0 64
	s_waitcnt vmcnt(6)
	ds_write2_b32 v46, v1, v28 offset1:16
	s_waitcnt vmcnt(4)
	ds_write2_b32 v46, v29, v26 offset0:32 offset1:48
	.loc	0 63
	s_waitcnt vmcnt(2)
	ds_write2st64_b32 v44, v18, v19 offset1:4
	s_waitcnt vmcnt(0)
	ds_write2st64_b32 v44, v20, v21 offset0:8 offset1:12
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 73
	ds_read_b96 v[18:20], v43
	.loc	0 74
	ds_read2_b32 v[22:23], v45 offset1:16
	ds_read2_b32 v[24:25], v45 offset0:32 offset1:48
	ds_read2_b32 v[28:29], v45 offset0:64 offset1:80
	ds_read2_b32 v[32:33], v45 offset0:96 offset1:112
	ds_read2_b32 v[30:31], v45 offset0:128 offset1:144
	ds_read2_b32 v[34:35], v45 offset0:160 offset1:176
	.loc	0 80
	s_waitcnt lgkmcnt(5)
	v_fmac_f32_e32 v12, v18, v22
	v_fmac_f32_e32 v13, v18, v23
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v14, v18, v24
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v12, v19, v28
	v_fmac_f32_e32 v13, v19, v29
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v14, v19, v32
	.loc	0 73
	v_mov_b32_e32 v36, v19
	v_mov_b32_e32 v37, v20
	.loc	0 80
	v_fmac_f32_e32 v15, v18, v25
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v12, v20, v30
	v_fmac_f32_e32 v13, v20, v31
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v14, v20, v34
	.loc	0 73
	ds_read_b96 v[18:20], v43 offset:1024
	ds_read2_b32 v[26:27], v43 offset0:3 offset1:4
	.loc	0 74
	ds_read2_b32 v[82:83], v45 offset0:192 offset1:208
	.loc	0 80
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v16, v18, v22
	v_fmac_f32_e32 v17, v18, v23
	v_fmac_f32_e32 v8, v18, v24
	v_fmac_f32_e32 v16, v19, v28
	v_fmac_f32_e32 v17, v19, v29
	v_fmac_f32_e32 v8, v19, v32
	.loc	0 73
	v_mov_b32_e32 v76, v19
	v_mov_b32_e32 v77, v20
	.loc	0 80
	v_fmac_f32_e32 v9, v18, v25
	v_fmac_f32_e32 v16, v20, v30
	v_fmac_f32_e32 v17, v20, v31
	v_fmac_f32_e32 v8, v20, v34
	.loc	0 73
	ds_read_b96 v[18:20], v43 offset:2048
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v12, v26, v82
	v_fmac_f32_e32 v13, v26, v83
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v10, v18, v22
	v_fmac_f32_e32 v11, v18, v23
	v_fmac_f32_e32 v4, v18, v24
	v_fmac_f32_e32 v10, v19, v28
	v_fmac_f32_e32 v11, v19, v29
	v_fmac_f32_e32 v4, v19, v32
	.loc	0 73
	v_mov_b32_e32 v78, v19
	v_mov_b32_e32 v79, v20
	.loc	0 80
	v_fmac_f32_e32 v5, v18, v25
	v_fmac_f32_e32 v10, v20, v30
	v_fmac_f32_e32 v11, v20, v31
	v_fmac_f32_e32 v4, v20, v34
	.loc	0 73
	ds_read_b96 v[18:20], v43 offset:3072
	.loc	0 80
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v6, v18, v22
	v_fmac_f32_e32 v7, v18, v23
	v_fmac_f32_e32 v2, v18, v24
	v_fmac_f32_e32 v6, v19, v28
	v_fmac_f32_e32 v7, v19, v29
	v_fmac_f32_e32 v2, v19, v32
	.loc	0 73
	ds_read2_b32 v[28:29], v53 offset1:1
	.loc	0 80
	v_fmac_f32_e32 v6, v20, v30
	v_fmac_f32_e32 v7, v20, v31
	.loc	0 73
	ds_read2_b32 v[30:31], v54 offset1:1
	v_mov_b32_e32 v80, v19
	v_mov_b32_e32 v81, v20
	.loc	0 80
	v_fmac_f32_e32 v2, v20, v34
	v_mov_b32_e32 v34, v33
	.loc	0 73
	ds_read2_b32 v[32:33], v55 offset1:1
	.loc	0 80
	v_fmac_f32_e32 v3, v18, v25
	v_pk_mul_f32 v[24:25], v[36:37], v[34:35]
	v_pk_mul_f32 v[22:23], v[76:77], v[34:35]
	v_pk_mul_f32 v[20:21], v[78:79], v[34:35]
	v_pk_mul_f32 v[18:19], v[80:81], v[34:35]
	.loc	0 74
	ds_read2_b32 v[34:35], v64 offset1:16
	.loc	0 80
	v_add_f32_e32 v1, v24, v15
	v_add_f32_e32 v1, v25, v1
	.loc	0 73
	ds_read2_b32 v[24:25], v56 offset1:1
	.loc	0 80
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v16, v28, v82
	v_fmac_f32_e32 v17, v28, v83
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v10, v30, v82
	v_fmac_f32_e32 v11, v30, v83
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v6, v32, v82
	v_fmac_f32_e32 v7, v32, v83
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v12, v27, v34
	v_fmac_f32_e32 v13, v27, v35
	v_fmac_f32_e32 v16, v29, v34
	v_fmac_f32_e32 v17, v29, v35
	v_fmac_f32_e32 v10, v31, v34
	v_fmac_f32_e32 v11, v31, v35
	v_fmac_f32_e32 v6, v33, v34
	v_fmac_f32_e32 v7, v33, v35
	.loc	0 74
	ds_read2_b32 v[34:35], v45 offset0:224 offset1:240
	ds_read2_b32 v[36:37], v64 offset0:32 offset1:48
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_fmac_f32_e32 v14, v26, v34
	v_fmac_f32_e32 v8, v28, v34
	v_fmac_f32_e32 v4, v30, v34
	v_fmac_f32_e32 v2, v32, v34
	v_mov_b32_e32 v34, v35
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v35, v37
	v_pk_mul_f32 v[76:77], v[26:27], v[34:35]
	v_add_f32_e32 v1, v76, v1
	v_add_f32_e32 v15, v77, v1
	v_add_f32_e32 v1, v22, v9
	v_fmac_f32_e32 v14, v27, v36
	v_fmac_f32_e32 v8, v29, v36
	v_fmac_f32_e32 v4, v31, v36
	v_fmac_f32_e32 v2, v33, v36
	v_pk_mul_f32 v[36:37], v[28:29], v[34:35]
	v_add_f32_e32 v1, v23, v1
	v_add_f32_e32 v1, v36, v1
	v_add_f32_e32 v9, v37, v1
	v_add_f32_e32 v1, v20, v5
	v_pk_mul_f32 v[30:31], v[30:31], v[34:35]
	v_add_f32_e32 v1, v21, v1
	v_add_f32_e32 v1, v30, v1
	v_add_f32_e32 v5, v31, v1
	v_add_f32_e32 v1, v18, v3
	v_pk_mul_f32 v[28:29], v[32:33], v[34:35]
	v_add_f32_e32 v1, v19, v1
	.loc	0 74
	ds_read2_b32 v[32:33], v64 offset0:64 offset1:80
	.loc	0 73
	ds_read2_b32 v[34:35], v43 offset0:5 offset1:6
	ds_read2_b32 v[22:23], v43 offset0:7 offset1:8
	ds_read2_b32 v[20:21], v43 offset0:9 offset1:10
	ds_read2_b32 v[30:31], v57 offset1:1
	ds_read2_b32 v[18:19], v58 offset1:1
	.loc	0 80
	v_add_f32_e32 v1, v28, v1
	v_add_f32_e32 v3, v29, v1
	.loc	0 74
	ds_read2_b32 v[28:29], v64 offset0:128 offset1:144
	.loc	0 73
	ds_read2_b32 v[26:27], v43 offset0:13 offset1:14
	.loc	0 80
	s_waitcnt lgkmcnt(6)
	v_pk_fma_f32 v[12:13], v[34:35], v[32:33], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[16:17], v[24:25], v[32:33], v[16:17] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[10:11], v[30:31], v[32:33], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[6:7], v[18:19], v[32:33], v[6:7] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[32:33], v64 offset0:96 offset1:112
	.loc	0 80
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[12:13], v[34:35], v[28:29], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[16:17], v[24:25], v[28:29], v[16:17] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[30:31], v[28:29], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[6:7], v[18:19], v[28:29], v[6:7] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[28:29], v64 offset0:160 offset1:176
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[14:15], v[34:35], v[32:33], v[14:15] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[24:25], v[32:33], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[30:31], v[32:33], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[32:33], v[18:19], v[32:33], v[2:3] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[2:3], v43 offset0:11 offset1:12
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[14:15], v[34:35], v[28:29], v[14:15] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[34:35], v59 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[8:9], v[24:25], v[28:29], v[8:9] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[24:25], v64 offset0:192 offset1:208
	.loc	0 80
	v_pk_fma_f32 v[4:5], v[30:31], v[28:29], v[4:5] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[30:31], v60 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[18:19], v[18:19], v[28:29], v[32:33] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[28:29], v61 offset1:1
	.loc	0 74
	ds_read2_b32 v[32:33], v65 offset1:16
	.loc	0 80
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[12:13], v[22:23], v[24:25], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[16:17], v[34:35], v[24:25], v[16:17] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[10:11], v[30:31], v[24:25], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[6:7], v[28:29], v[24:25], v[6:7] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[24:25], v64 offset0:224 offset1:240
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[12:13], v[22:23], v[32:33], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[16:17], v[34:35], v[32:33], v[16:17] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[30:31], v[32:33], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[6:7], v[28:29], v[32:33], v[6:7] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[32:33], v65 offset0:32 offset1:48
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[14:15], v[22:23], v[24:25], v[14:15] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[34:35], v[24:25], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[30:31], v[24:25], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[18:19], v[28:29], v[24:25], v[18:19] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[24:25], v62 offset1:1
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[14:15], v[22:23], v[32:33], v[14:15] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[22:23], v66 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[8:9], v[34:35], v[32:33], v[8:9] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[34:35], v65 offset0:64 offset1:80
	.loc	0 80
	v_pk_fma_f32 v[4:5], v[30:31], v[32:33], v[4:5] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[30:31], v67 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[18:19], v[28:29], v[32:33], v[18:19] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[28:29], v65 offset0:128 offset1:144
	ds_read2_b32 v[32:33], v65 offset0:96 offset1:112
	.loc	0 80
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[12:13], v[20:21], v[34:35], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[16:17], v[24:25], v[34:35], v[16:17] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[22:23], v[34:35], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[6:7], v[30:31], v[34:35], v[6:7] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[34:35], v65 offset0:160 offset1:176
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[14:15], v[20:21], v[32:33], v[14:15] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[24:25], v[32:33], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[20:21], v[28:29], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[16:17], v[24:25], v[28:29], v[16:17] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[22:23], v[28:29], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[6:7], v[30:31], v[28:29], v[6:7] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[28:29], v65 offset0:192 offset1:208
	.loc	0 80
	v_pk_fma_f32 v[4:5], v[22:23], v[32:33], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[18:19], v[30:31], v[32:33], v[18:19] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[32:33], v68 offset1:1
	.loc	0 80
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[14:15], v[20:21], v[34:35], v[14:15] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[20:21], v69 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[8:9], v[24:25], v[34:35], v[8:9] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[24:25], v70 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[4:5], v[22:23], v[34:35], v[4:5] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[22:23], v72 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[18:19], v[30:31], v[34:35], v[18:19] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[30:31], v71 offset1:16
	ds_read2_b32 v[34:35], v65 offset0:224 offset1:240
	.loc	0 80
	s_waitcnt lgkmcnt(6)
	v_pk_fma_f32 v[12:13], v[2:3], v[28:29], v[12:13] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(5)
	v_pk_fma_f32 v[16:17], v[32:33], v[28:29], v[16:17] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[10:11], v[20:21], v[28:29], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[6:7], v[24:25], v[28:29], v[6:7] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[28:29], v71 offset0:32 offset1:48
	.loc	0 80
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[14:15], v[2:3], v[34:35], v[14:15] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[12:13], v[2:3], v[30:31], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[16:17], v[32:33], v[30:31], v[16:17] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[20:21], v[30:31], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[6:7], v[24:25], v[30:31], v[6:7] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[30:31], v71 offset0:64 offset1:80
	.loc	0 80
	v_pk_fma_f32 v[8:9], v[32:33], v[34:35], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[20:21], v[34:35], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[18:19], v[24:25], v[34:35], v[18:19] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2_b32 v[34:35], v73 offset1:1
	.loc	0 80
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[2:3], v[2:3], v[28:29], v[14:15] op_sel:[1,0,0]
	.loc	0 73
	ds_read2_b32 v[14:15], v74 offset1:1
	.loc	0 80
	v_pk_fma_f32 v[8:9], v[32:33], v[28:29], v[8:9] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[32:33], v71 offset0:128 offset1:144
	.loc	0 80
	v_pk_fma_f32 v[4:5], v[20:21], v[28:29], v[4:5] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[20:21], v71 offset0:96 offset1:112
	.loc	0 80
	v_pk_fma_f32 v[18:19], v[24:25], v[28:29], v[18:19] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[24:25], v71 offset0:160 offset1:176
	.loc	0 73
	ds_read2st64_b32 v[28:29], v63 offset1:4
	.loc	0 80
	s_waitcnt lgkmcnt(6)
	v_pk_fma_f32 v[12:13], v[26:27], v[30:31], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[16:17], v[22:23], v[30:31], v[16:17] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(5)
	v_pk_fma_f32 v[10:11], v[34:35], v[30:31], v[10:11] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[6:7], v[14:15], v[30:31], v[6:7] op_sel_hi:[0,1,1]
	.loc	0 73
	ds_read2st64_b32 v[30:31], v63 offset0:8 offset1:12
	.loc	0 80
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[12:13], v[26:27], v[32:33], v[12:13] op_sel:[1,0,0]
	v_pk_fma_f32 v[16:17], v[22:23], v[32:33], v[16:17] op_sel:[1,0,0]
	v_pk_fma_f32 v[10:11], v[34:35], v[32:33], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[6:7], v[14:15], v[32:33], v[6:7] op_sel:[1,0,0]
	.loc	0 74
	ds_read2_b32 v[32:33], v71 offset0:192 offset1:208
	.loc	0 80
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[2:3], v[26:27], v[20:21], v[2:3] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[22:23], v[20:21], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[34:35], v[20:21], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[18:19], v[14:15], v[20:21], v[18:19] op_sel_hi:[0,1,1]
	.loc	0 74
	ds_read2_b32 v[20:21], v71 offset0:224 offset1:240
	.loc	0 80
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[2:3], v[26:27], v[24:25], v[2:3] op_sel:[1,0,0]
	s_waitcnt lgkmcnt(3)
	v_mov_b32_e32 v26, v29
	v_pk_fma_f32 v[8:9], v[22:23], v[24:25], v[8:9] op_sel:[1,0,0]
	s_waitcnt lgkmcnt(2)
	v_mov_b32_e32 v22, v31
	v_pk_fma_f32 v[4:5], v[34:35], v[24:25], v[4:5] op_sel:[1,0,0]
	v_pk_fma_f32 v[18:19], v[14:15], v[24:25], v[18:19] op_sel:[1,0,0]
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[12:13], v[28:29], v[32:33], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[16:17], v[26:27], v[32:33], v[16:17] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[30:31], v[32:33], v[10:11] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[22:23], v[32:33], v[6:7] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(0)
	v_pk_fma_f32 v[14:15], v[28:29], v[20:21], v[2:3] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[26:27], v[20:21], v[8:9] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[30:31], v[20:21], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[22:23], v[20:21], v[18:19] op_sel_hi:[0,1,1]
	.loc	1 100
	s_barrier
	.loc	0 60
	s_cbranch_scc1 .LBB3_5
	s_branch .LBB3_7
.LBB3_6:
	.loc	0 0
	v_mov_b32_e32 v3, s2
	v_mov_b32_e32 v2, s2
	v_mov_b32_e32 v7, s2
	v_mov_b32_e32 v6, s2
	v_mov_b32_e32 v5, s2
	v_mov_b32_e32 v4, s2
	v_mov_b32_e32 v11, s2
	v_mov_b32_e32 v10, s2
	v_mov_b32_e32 v9, s2
	v_mov_b32_e32 v8, s2
	v_mov_b32_e32 v17, s2
	v_mov_b32_e32 v16, s2
	v_mov_b32_e32 v15, s2
	v_mov_b32_e32 v14, s2
	v_mov_b32_e32 v13, s2
	v_mov_b32_e32 v12, s2
.LBB3_7:
	.loc	0 56
	v_add_u32_e32 v18, s6, v41
	v_add_u32_e32 v0, v42, v18
	.loc	0 90
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_mov_b32_e32 v19, s13
	v_add_co_u32_e32 v0, vcc, s12, v0
	v_addc_co_u32_e32 v1, vcc, v19, v1, vcc
	global_store_dword v[0:1], v12, off
	global_store_dword v[0:1], v13, off offset:64
	global_store_dword v[0:1], v14, off offset:128
	global_store_dword v[0:1], v15, off offset:192
	v_add_u32_e32 v0, v40, v18
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_add_co_u32_e32 v0, vcc, s12, v0
	v_addc_co_u32_e32 v1, vcc, v19, v1, vcc
	global_store_dword v[0:1], v16, off
	global_store_dword v[0:1], v17, off offset:64
	global_store_dword v[0:1], v8, off offset:128
	global_store_dword v[0:1], v9, off offset:192
	v_add_u32_e32 v0, v39, v18
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_add_co_u32_e32 v0, vcc, s12, v0
	v_addc_co_u32_e32 v1, vcc, v19, v1, vcc
	global_store_dword v[0:1], v10, off
	global_store_dword v[0:1], v11, off offset:64
	global_store_dword v[0:1], v4, off offset:128
	global_store_dword v[0:1], v5, off offset:192
	v_add_u32_e32 v0, v38, v18
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_add_co_u32_e32 v0, vcc, s12, v0
	v_addc_co_u32_e32 v1, vcc, v19, v1, vcc
	global_store_dword v[0:1], v6, off
	global_store_dword v[0:1], v7, off offset:64
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 84
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 84
	.end_amdhsa_kernel
	.text
.Lfunc_end3:
	.text
	.p2align	8
	.type	mmul_vectorised,@function
mmul_vectorised:
	.loc	1 57
	s_load_dword s10, s[4:5], 0x0
	s_load_dwordx4 s[0:3], s[4:5], 0x8
	s_load_dwordx2 s[8:9], s[4:5], 0x18
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
	s_lshl_b32 s11, s7, 6
	v_lshlrev_b32_e32 v18, 2, v0
	v_lshl_add_u32 v16, s6, 6, v1
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
	s_lshl_b32 s11, s7, 6
	v_lshl_add_u32 v25, v4, 8, v2
	v_mov_b32_e32 v2, 0x1000
	v_add_u32_e32 v3, s11, v3
	v_lshl_add_u32 v26, v1, 2, v2
	s_lshl_b32 s4, s6, 6
	v_lshl_add_u32 v27, v0, 8, v26
	.loc	0 109
	v_mul_lo_u32 v0, v0, s10
	v_mad_u64_u32 v[20:21], s[6:7], v3, s10, v[4:5]
	.loc	0 0
	v_mov_b32_e32 v4, 0
	v_add_u32_e32 v16, s4, v1
	.loc	0 109
	v_add3_u32 v18, v0, s4, v1
	s_lshl_b32 s4, s10, 4
	s_mov_b32 s5, 0
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v21, s1
	v_mov_b32_e32 v28, s3
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
	v_add_u32_e32 v22, s5, v20
	v_lshlrev_b64 v[30:31], 2, v[22:23]
	.loc	0 111
	v_mov_b32_e32 v19, v23
	.loc	0 110
	v_add_co_u32_e32 v38, vcc, s0, v30
	.loc	0 111
	v_lshlrev_b64 v[32:33], 2, v[18:19]
	.loc	0 110
	v_addc_co_u32_e32 v39, vcc, v21, v31, vcc
	.loc	0 111
	v_add_co_u32_e32 v40, vcc, s2, v32
	v_addc_co_u32_e32 v41, vcc, v28, v33, vcc
	.loc	0 110
	global_load_dwordx4 v[30:33], v[38:39], off
	.loc	0 116
	global_load_dwordx4 v[34:37], v[40:41], off
	.loc	0 109
	s_add_i32 s5, s5, 16
	v_add_u32_e32 v18, s4, v18
	s_cmp_ge_i32 s5, s10
	.loc	0 112
	s_waitcnt vmcnt(1)
	ds_write2st64_b32 v25, v30, v31 offset1:1
	.loc	0 114
	ds_write2st64_b32 v25, v32, v33 offset0:2 offset1:3
	.loc	0 116
	s_waitcnt vmcnt(0)
	ds_write_b128 v27, v[34:37]
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 120
	ds_read_b128 v[30:33], v24
	ds_read_b128 v[34:37], v24 offset:256
	.loc	0 121
	ds_read_b128 v[38:41], v26
	.loc	0 120
	ds_read_b128 v[42:45], v24 offset:512
	ds_read_b128 v[46:49], v24 offset:768
	.loc	0 121
	ds_read_b128 v[50:53], v26 offset:256
	.loc	0 120
	ds_read_b128 v[54:57], v24 offset:1024
	.loc	0 128
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[58:59], v[32:33], v[38:39], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[32:33], v[40:41], v[14:15] op_sel_hi:[0,1,1]
	.loc	0 120
	ds_read_b128 v[12:15], v24 offset:1280
	.loc	0 128
	v_fmac_f32_e32 v4, v30, v38
	v_fmac_f32_e32 v5, v30, v39
	v_fmac_f32_e32 v8, v31, v38
	v_fmac_f32_e32 v9, v31, v39
	v_fmac_f32_e32 v0, v33, v38
	v_fmac_f32_e32 v1, v33, v39
	v_fmac_f32_e32 v6, v30, v40
	v_fmac_f32_e32 v7, v30, v41
	v_fmac_f32_e32 v10, v31, v40
	v_fmac_f32_e32 v11, v31, v41
	v_fmac_f32_e32 v2, v33, v40
	v_fmac_f32_e32 v3, v33, v41
	.loc	0 121
	ds_read_b128 v[30:33], v26 offset:512
	ds_read_b128 v[38:41], v26 offset:768
	.loc	0 128
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v4, v34, v50
	v_fmac_f32_e32 v5, v34, v51
	v_fmac_f32_e32 v8, v35, v50
	v_fmac_f32_e32 v9, v35, v51
	v_pk_fma_f32 v[58:59], v[36:37], v[50:51], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v37, v50
	v_fmac_f32_e32 v1, v37, v51
	v_fmac_f32_e32 v6, v34, v52
	v_fmac_f32_e32 v7, v34, v53
	v_fmac_f32_e32 v10, v35, v52
	v_fmac_f32_e32 v11, v35, v53
	v_pk_fma_f32 v[60:61], v[36:37], v[52:53], v[60:61] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v37, v52
	v_fmac_f32_e32 v3, v37, v53
	.loc	0 121
	ds_read_b128 v[34:37], v26 offset:1024
	ds_read_b128 v[50:53], v26 offset:1280
	.loc	0 128
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v4, v42, v30
	v_fmac_f32_e32 v5, v42, v31
	v_fmac_f32_e32 v8, v43, v30
	v_fmac_f32_e32 v9, v43, v31
	v_pk_fma_f32 v[58:59], v[44:45], v[30:31], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v45, v30
	v_fmac_f32_e32 v1, v45, v31
	v_fmac_f32_e32 v6, v42, v32
	v_fmac_f32_e32 v7, v42, v33
	v_fmac_f32_e32 v10, v43, v32
	v_fmac_f32_e32 v11, v43, v33
	v_pk_fma_f32 v[60:61], v[44:45], v[32:33], v[60:61] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v45, v32
	v_fmac_f32_e32 v3, v45, v33
	.loc	0 120
	ds_read_b128 v[30:33], v24 offset:1536
	ds_read_b128 v[42:45], v24 offset:1792
	.loc	0 128
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v4, v46, v38
	v_fmac_f32_e32 v5, v46, v39
	v_fmac_f32_e32 v8, v47, v38
	v_fmac_f32_e32 v9, v47, v39
	v_pk_fma_f32 v[58:59], v[48:49], v[38:39], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v49, v38
	v_fmac_f32_e32 v1, v49, v39
	v_fmac_f32_e32 v6, v46, v40
	v_fmac_f32_e32 v7, v46, v41
	v_fmac_f32_e32 v10, v47, v40
	v_fmac_f32_e32 v11, v47, v41
	v_pk_fma_f32 v[60:61], v[48:49], v[40:41], v[60:61] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v49, v40
	v_fmac_f32_e32 v3, v49, v41
	.loc	0 121
	ds_read_b128 v[38:41], v26 offset:1536
	ds_read_b128 v[46:49], v26 offset:1792
	.loc	0 128
	s_waitcnt lgkmcnt(5)
	v_fmac_f32_e32 v4, v54, v34
	v_fmac_f32_e32 v5, v54, v35
	v_fmac_f32_e32 v6, v54, v36
	v_fmac_f32_e32 v7, v54, v37
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v4, v12, v50
	v_fmac_f32_e32 v5, v12, v51
	v_fmac_f32_e32 v6, v12, v52
	v_fmac_f32_e32 v7, v12, v53
	v_fmac_f32_e32 v8, v55, v34
	v_fmac_f32_e32 v9, v55, v35
	v_pk_fma_f32 v[58:59], v[56:57], v[34:35], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v57, v34
	v_fmac_f32_e32 v1, v57, v35
	v_fmac_f32_e32 v10, v55, v36
	v_fmac_f32_e32 v11, v55, v37
	v_pk_fma_f32 v[60:61], v[56:57], v[36:37], v[60:61] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v2, v57, v36
	v_fmac_f32_e32 v3, v57, v37
	.loc	0 120
	ds_read_b128 v[34:37], v24 offset:2048
	ds_read_b128 v[54:57], v24 offset:2304
	.loc	0 128
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[62:63], v[30:31], v[38:39], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[66:67], v[30:31], v[40:41], v[6:7] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[4:7], v26 offset:2048
	.loc	0 128
	v_fmac_f32_e32 v8, v13, v50
	v_fmac_f32_e32 v9, v13, v51
	v_pk_fma_f32 v[58:59], v[14:15], v[50:51], v[58:59] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v10, v13, v52
	v_fmac_f32_e32 v11, v13, v53
	v_pk_fma_f32 v[60:61], v[14:15], v[52:53], v[60:61] op_sel_hi:[0,1,1]
	v_fmac_f32_e32 v0, v15, v50
	v_fmac_f32_e32 v1, v15, v51
	v_fmac_f32_e32 v2, v15, v52
	v_fmac_f32_e32 v3, v15, v53
	v_mov_b32_e32 v22, v33
	v_pk_fma_f32 v[50:51], v[22:23], v[38:39], v[0:1] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[52:53], v[22:23], v[40:41], v[2:3] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[64:65], v[30:31], v[38:39], v[8:9] op_sel:[1,0,0]
	v_pk_fma_f32 v[30:31], v[30:31], v[40:41], v[10:11] op_sel:[1,0,0]
	v_pk_fma_f32 v[38:39], v[32:33], v[38:39], v[58:59] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[32:33], v[32:33], v[40:41], v[60:61] op_sel_hi:[0,1,1]
	v_mov_b32_e32 v8, v45
	.loc	0 120
	ds_read_b128 v[12:15], v24 offset:2560
	ds_read_b128 v[0:3], v24 offset:2816
	.loc	0 128
	s_waitcnt lgkmcnt(5)
	v_pk_fma_f32 v[40:41], v[8:9], v[46:47], v[50:51] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[50:51], v[8:9], v[48:49], v[52:53] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[8:11], v26 offset:2304
	.loc	0 128
	v_pk_fma_f32 v[52:53], v[42:43], v[46:47], v[62:63] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[42:43], v[46:47], v[64:65] op_sel:[1,0,0]
	v_pk_fma_f32 v[46:47], v[44:45], v[46:47], v[38:39] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[42:43], v[48:49], v[66:67] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[42:43], v[42:43], v[48:49], v[30:31] op_sel:[1,0,0]
	v_pk_fma_f32 v[44:45], v[44:45], v[48:49], v[32:33] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(5)
	v_mov_b32_e32 v22, v37
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[48:49], v[22:23], v[4:5], v[40:41] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[50:51], v[22:23], v[6:7], v[50:51] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[52:53], v[34:35], v[4:5], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[34:35], v[4:5], v[58:59] op_sel:[1,0,0]
	v_pk_fma_f32 v[46:47], v[36:37], v[4:5], v[46:47] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[34:35], v[6:7], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[42:43], v[34:35], v[6:7], v[42:43] op_sel:[1,0,0]
	v_pk_fma_f32 v[44:45], v[36:37], v[6:7], v[44:45] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[4:7], v26 offset:2560
	ds_read_b128 v[34:37], v26 offset:2816
	.loc	0 128
	v_mov_b32_e32 v22, v57
	.loc	0 120
	ds_read_b128 v[30:33], v24 offset:3072
	ds_read_b128 v[38:41], v24 offset:3328
	.loc	0 128
	s_waitcnt lgkmcnt(4)
	v_pk_fma_f32 v[48:49], v[22:23], v[8:9], v[48:49] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[50:51], v[22:23], v[10:11], v[50:51] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[52:53], v[54:55], v[8:9], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[54:55], v[8:9], v[58:59] op_sel:[1,0,0]
	v_pk_fma_f32 v[46:47], v[56:57], v[8:9], v[46:47] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[54:55], v[10:11], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[54:55], v[10:11], v[42:43] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[56:57], v[10:11], v[44:45] op_sel_hi:[0,1,1]
	v_mov_b32_e32 v22, v15
	s_waitcnt lgkmcnt(3)
	v_pk_fma_f32 v[48:49], v[22:23], v[4:5], v[48:49] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[50:51], v[22:23], v[6:7], v[50:51] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[52:53], v[12:13], v[4:5], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[12:13], v[4:5], v[58:59] op_sel:[1,0,0]
	v_pk_fma_f32 v[46:47], v[14:15], v[4:5], v[46:47] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[12:13], v[6:7], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[12:13], v[6:7], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[14:15], v[6:7], v[56:57] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[4:7], v26 offset:3072
	.loc	0 128
	v_mov_b32_e32 v12, v3
	.loc	0 120
	ds_read_b128 v[8:11], v24 offset:3584
	ds_read_b128 v[42:45], v24 offset:3840
	.loc	0 128
	s_waitcnt lgkmcnt(5)
	v_pk_fma_f32 v[48:49], v[12:13], v[34:35], v[48:49] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[50:51], v[12:13], v[36:37], v[50:51] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[12:15], v26 offset:3328
	.loc	0 128
	v_pk_fma_f32 v[52:53], v[0:1], v[34:35], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[0:1], v[34:35], v[58:59] op_sel:[1,0,0]
	v_pk_fma_f32 v[46:47], v[2:3], v[34:35], v[46:47] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[0:1], v[36:37], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[54:55], v[0:1], v[36:37], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[56:57], v[2:3], v[36:37], v[56:57] op_sel_hi:[0,1,1]
	.loc	0 121
	ds_read_b128 v[0:3], v26 offset:3584
	ds_read_b128 v[34:37], v26 offset:3840
	.loc	0 128
	s_waitcnt lgkmcnt(7)
	v_mov_b32_e32 v22, v33
	s_waitcnt lgkmcnt(5)
	v_pk_fma_f32 v[52:53], v[30:31], v[4:5], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[58:59], v[30:31], v[4:5], v[58:59] op_sel:[1,0,0]
	v_pk_fma_f32 v[46:47], v[32:33], v[4:5], v[46:47] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[60:61], v[30:31], v[6:7], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[30:31], v[30:31], v[6:7], v[54:55] op_sel:[1,0,0]
	v_pk_fma_f32 v[54:55], v[32:33], v[6:7], v[56:57] op_sel_hi:[0,1,1]
	v_mov_b32_e32 v32, v41
	v_pk_fma_f32 v[4:5], v[22:23], v[4:5], v[48:49] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[22:23], v[6:7], v[50:51] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(4)
	v_mov_b32_e32 v22, v11
	s_waitcnt lgkmcnt(2)
	v_pk_fma_f32 v[4:5], v[32:33], v[12:13], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[50:51], v[38:39], v[12:13], v[52:53] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[52:53], v[38:39], v[12:13], v[58:59] op_sel:[1,0,0]
	v_pk_fma_f32 v[12:13], v[40:41], v[12:13], v[46:47] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[32:33], v[14:15], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[32:33], v[38:39], v[14:15], v[60:61] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[30:31], v[38:39], v[14:15], v[30:31] op_sel:[1,0,0]
	v_pk_fma_f32 v[14:15], v[40:41], v[14:15], v[54:55] op_sel_hi:[0,1,1]
	v_mov_b32_e32 v48, v45
	s_waitcnt lgkmcnt(1)
	v_pk_fma_f32 v[38:39], v[22:23], v[0:1], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[4:5], v[8:9], v[0:1], v[50:51] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[40:41], v[8:9], v[0:1], v[52:53] op_sel:[1,0,0]
	v_pk_fma_f32 v[0:1], v[10:11], v[0:1], v[12:13] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[46:47], v[22:23], v[2:3], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[8:9], v[2:3], v[32:33] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[30:31], v[8:9], v[2:3], v[30:31] op_sel:[1,0,0]
	v_pk_fma_f32 v[2:3], v[10:11], v[2:3], v[14:15] op_sel_hi:[0,1,1]
	s_waitcnt lgkmcnt(0)
	v_pk_fma_f32 v[4:5], v[42:43], v[34:35], v[4:5] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[8:9], v[42:43], v[34:35], v[40:41] op_sel:[1,0,0]
	v_pk_fma_f32 v[12:13], v[44:45], v[34:35], v[0:1] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[0:1], v[48:49], v[34:35], v[38:39] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[6:7], v[42:43], v[36:37], v[6:7] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[10:11], v[42:43], v[36:37], v[30:31] op_sel:[1,0,0]
	v_pk_fma_f32 v[14:15], v[44:45], v[36:37], v[2:3] op_sel_hi:[0,1,1]
	v_pk_fma_f32 v[2:3], v[48:49], v[36:37], v[46:47] op_sel_hi:[0,1,1]
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
	v_lshlrev_b64 v[18:19], 2, v[16:17]
	v_mov_b32_e32 v20, s9
	v_add_co_u32_e32 v18, vcc, s8, v18
	v_addc_co_u32_e32 v19, vcc, v20, v19, vcc
	v_add_u32_e32 v16, s10, v16
	.loc	0 137
	global_store_dwordx4 v[18:19], v[4:7], off
	.loc	0 136
	s_nop 0
	v_lshlrev_b64 v[4:5], 2, v[16:17]
	v_add_co_u32_e32 v4, vcc, s8, v4
	v_addc_co_u32_e32 v5, vcc, v20, v5, vcc
	v_add_u32_e32 v16, s10, v16
	.loc	0 137
	global_store_dwordx4 v[4:5], v[8:11], off
	.loc	0 136
	v_lshlrev_b64 v[4:5], 2, v[16:17]
	v_add_co_u32_e32 v4, vcc, s8, v4
	v_addc_co_u32_e32 v5, vcc, v20, v5, vcc
	v_add_u32_e32 v16, s10, v16
	.loc	0 137
	global_store_dwordx4 v[4:5], v[12:15], off
	.loc	0 136
	v_lshlrev_b64 v[4:5], 2, v[16:17]
	v_add_co_u32_e32 v4, vcc, s8, v4
	v_addc_co_u32_e32 v5, vcc, v20, v5, vcc
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 68
		.amdhsa_next_free_sgpr 13
		.amdhsa_accum_offset 68
	.end_amdhsa_kernel
	.text
.Lfunc_end4:
	.text
	.type	__hip_cuid_a6738c0465e0a93,@object
	.section	.bss,"aw",@nobits
__hip_cuid_a6738c0465e0a93:
	.byte	0
	.size	__hip_cuid_a6738c0465e0a93, 1
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
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .symbol:         mmul_naive.kd
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
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         mmul08.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     30
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
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         mmul16.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     46
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
    .sgpr_count:     20
    .sgpr_spill_count: 0
    .symbol:         mmul_register_tiled.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     84
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
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         mmul_vectorised.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     68
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
