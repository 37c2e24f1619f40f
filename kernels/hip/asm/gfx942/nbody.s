	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	nbody,@function
nbody:
	.file	0 "kernels/cuda/nbody.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 62
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	.loc	0 10
	v_lshl_add_u32 v10, s2, 8, v0
	.loc	0 11
	v_ashrrev_i32_e32 v11, 31, v10
	s_mov_b32 s0, 0
	.loc	0 16
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s8, 1
	s_cbranch_scc1 .LBB0_5
	.loc	0 11
	v_lshl_add_u64 v[2:3], v[10:11], 4, s[4:5]
	global_load_dwordx3 v[6:8], v[2:3], off
	s_mov_b32 s1, s0
	v_lshlrev_b32_e32 v1, 4, v0
	v_mov_b32_e32 v4, 0
	v_mov_b64_e32 v[2:3], s[0:1]
	v_mov_b32_e32 v13, 0
.LBB0_2:
	.loc	0 17
	v_add_u32_e32 v12, s0, v0
	v_lshl_add_u64 v[14:15], v[12:13], 4, s[4:5]
	global_load_dwordx4 v[14:17], v[14:15], off
	s_mov_b32 s1, 0
	s_waitcnt vmcnt(0)
	ds_write_b128 v1, v[14:17]
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
.LBB0_3:
	.loc	0 21
	v_mov_b32_e32 v5, s1
	ds_read_b128 v[14:17], v5
	ds_read_b128 v[18:21], v5 offset:16
	ds_read_b128 v[22:25], v5 offset:32
	ds_read_b128 v[26:29], v5 offset:48
	.loc	0 20
	s_add_i32 s1, s1, 64
	.loc	0 24
	s_waitcnt lgkmcnt(3)
	v_sub_f32_e32 v5, v16, v8
	.loc	0 22
	v_pk_add_f32 v[14:15], v[14:15], v[6:7] neg_lo:[0,1] neg_hi:[0,1]
	.loc	0 24
	s_waitcnt lgkmcnt(2)
	v_sub_f32_e32 v9, v20, v8
	.loc	0 22
	v_pk_add_f32 v[18:19], v[18:19], v[6:7] neg_lo:[0,1] neg_hi:[0,1]
	.loc	0 25
	v_fma_f32 v12, v5, v5, s9
	v_pk_mul_f32 v[30:31], v[14:15], v[14:15]
	.loc	0 24
	s_waitcnt lgkmcnt(1)
	v_sub_f32_e32 v38, v24, v8
	.loc	0 22
	v_pk_add_f32 v[22:23], v[22:23], v[6:7] neg_lo:[0,1] neg_hi:[0,1]
	.loc	0 25
	v_fma_f32 v16, v9, v9, s9
	v_pk_mul_f32 v[32:33], v[18:19], v[18:19]
	v_add_f32_e32 v12, v31, v12
	.loc	0 24
	s_waitcnt lgkmcnt(0)
	v_sub_f32_e32 v28, v28, v8
	.loc	0 22
	v_pk_add_f32 v[26:27], v[26:27], v[6:7] neg_lo:[0,1] neg_hi:[0,1]
	.loc	0 25
	v_fma_f32 v20, v38, v38, s9
	v_pk_mul_f32 v[34:35], v[22:23], v[22:23]
	v_add_f32_e32 v16, v33, v16
	v_add_f32_e32 v12, v30, v12
	v_fma_f32 v24, v28, v28, s9
	v_pk_mul_f32 v[36:37], v[26:27], v[26:27]
	v_add_f32_e32 v20, v35, v20
	v_add_f32_e32 v16, v32, v16
	.loc	1 204
	v_rsq_f32_e32 v12, v12
	.loc	0 25
	v_add_f32_e32 v24, v37, v24
	v_add_f32_e32 v20, v34, v20
	.loc	1 204
	v_rsq_f32_e32 v16, v16
	.loc	0 25
	v_add_f32_e32 v24, v36, v24
	.loc	1 204
	v_rsq_f32_e32 v20, v20
	v_rsq_f32_e32 v24, v24
	.loc	0 26
	v_mul_f32_e32 v17, v17, v12
	v_mul_f32_e32 v21, v21, v16
	v_mul_f32_e32 v17, v12, v17
	v_mul_f32_e32 v25, v25, v20
	v_mul_f32_e32 v21, v16, v21
	v_mul_f32_e32 v12, v12, v17
	v_mul_f32_e32 v29, v29, v24
	v_mul_f32_e32 v25, v20, v25
	v_mul_f32_e32 v16, v16, v21
	.loc	0 27
	v_pk_fma_f32 v[2:3], v[14:15], v[12:13], v[2:3] op_sel_hi:[1,0,1]
	.loc	0 29
	v_fmac_f32_e32 v4, v5, v12
	.loc	0 26
	v_mul_f32_e32 v29, v24, v29
	v_mul_f32_e32 v20, v20, v25
	.loc	0 27
	v_pk_fma_f32 v[2:3], v[18:19], v[16:17], v[2:3] op_sel_hi:[1,0,1]
	.loc	0 29
	v_fmac_f32_e32 v4, v9, v16
	.loc	0 26
	v_mul_f32_e32 v24, v24, v29
	.loc	0 27
	v_pk_fma_f32 v[2:3], v[22:23], v[20:21], v[2:3] op_sel_hi:[1,0,1]
	.loc	0 29
	v_fmac_f32_e32 v4, v38, v20
	.loc	0 20
	s_cmpk_eq_i32 s1, 0x1000
	.loc	0 27
	v_pk_fma_f32 v[2:3], v[26:27], v[24:25], v[2:3] op_sel_hi:[1,0,1]
	.loc	0 29
	v_fmac_f32_e32 v4, v28, v24
	.loc	0 20
	s_cbranch_scc0 .LBB0_3
	.loc	0 16
	s_addk_i32 s0, 0x100
	s_cmp_ge_i32 s0, s8
	.loc	1 100
	s_barrier
	s_cbranch_scc0 .LBB0_2
	s_branch .LBB0_6
.LBB0_5:
	.loc	1 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v4, 0
.LBB0_6:
	.loc	1 62
	v_mov_b32_e32 v0, s6
	v_mov_b32_e32 v1, s7
	.loc	0 33
	v_lshl_add_u64 v[0:1], v[10:11], 4, v[0:1]
	v_mov_b32_e32 v5, 0
	global_store_dwordx4 v[0:1], v[2:5], off
	.loc	0 34
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel nbody
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
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 39
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 40
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.type	__hip_cuid_b2d954fedf20a6b3,@object
	.section	.bss,"aw",@nobits
__hip_cuid_b2d954fedf20a6b3:
	.byte	0
	.size	__hip_cuid_b2d954fedf20a6b3, 1
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
    .group_segment_fixed_size: 4096
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 1024
    .name:           nbody
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .symbol:         nbody.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     39
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
