	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.p2align	8
	.type	softmax,@function
softmax:
	.file	0 "kernels/cuda/softmax.cu"
	.file	1 "kernels/hip/include/hip" "hip_runtime.h"
	.loc	1 62
	s_load_dword s14, s[4:5], 0x0
	s_load_dwordx4 s[8:11], s[4:5], 0x8
	.loc	0 32
	s_mov_b32 s1, 0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s0, s6, s14
	s_lshl_b64 s[4:5], s[0:1], 2
	s_add_u32 s0, s8, s4
	s_addc_u32 s1, s9, s5
	.loc	0 35
	s_load_dword s12, s[0:1], 0x0
	.loc	0 37
	v_cmp_gt_i32_e64 s[0:1], s14, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v5, s12
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_4
	s_add_u32 s6, s8, s4
	s_addc_u32 s7, s9, s5
	v_mov_b32_e32 v3, s7
	v_add_co_u32_e32 v2, vcc, s6, v1
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	s_mov_b64 s[6:7], 0
	v_mov_b32_e32 v5, s12
	v_mov_b32_e32 v4, v0
.LBB0_2:
	.loc	0 38
	global_load_dword v6, v[2:3], off
	.loc	0 37
	v_add_co_u32_e32 v2, vcc, 0x400, v2
	v_add_u32_e32 v4, 0x100, v4
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	.loc	1 241
	v_max_f32_e32 v5, v5, v5
	.loc	0 37
	v_cmp_le_i32_e32 vcc, s14, v4
	s_or_b64 s[6:7], vcc, s[6:7]
	.loc	1 241
	s_waitcnt vmcnt(0)
	v_max_f32_e32 v6, v6, v6
	v_max_f32_e32 v5, v5, v6
	.loc	0 37
	s_andn2_b64 exec, exec, s[6:7]
	s_cbranch_execnz .LBB0_2
	.loc	0 0
	s_or_b64 exec, exec, s[6:7]
.LBB0_4:
	s_or_b64 exec, exec, s[2:3]
	v_mbcnt_lo_u32_b32 v2, -1, 0
	v_mbcnt_hi_u32_b32 v3, -1, v2
	v_add_u32_e32 v2, 64, v3
	v_and_b32_e32 v6, 0xc0, v2
	.loc	1 127
	v_xor_b32_e32 v2, 16, v3
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v2, v6
	v_cndmask_b32_e32 v2, v3, v2, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v4, 2, v2
	ds_bpermute_b32 v2, v4, v5
	.loc	1 127
	v_xor_b32_e32 v7, 8, v3
	.loc	1 241
	v_max_f32_e32 v5, v5, v5
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v7, v6
	.loc	1 127
	v_xor_b32_e32 v8, 4, v3
	.loc	1 241
	s_waitcnt lgkmcnt(0)
	v_max_f32_e32 v2, v2, v2
	v_max_f32_e32 v2, v5, v2
	.loc	1 128
	v_cndmask_b32_e32 v5, v3, v7, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v5, 2, v5
	ds_bpermute_b32 v7, v5, v2
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v8, v6
	.loc	1 127
	v_xor_b32_e32 v9, 2, v3
	v_xor_b32_e32 v10, 1, v3
	.loc	1 241
	s_waitcnt lgkmcnt(0)
	v_max_f32_e32 v7, v7, v7
	v_max_f32_e32 v2, v2, v7
	.loc	1 128
	v_cndmask_b32_e32 v7, v3, v8, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v7, 2, v7
	ds_bpermute_b32 v8, v7, v2
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v9, v6
	.loc	1 241
	s_waitcnt lgkmcnt(0)
	v_max_f32_e32 v8, v8, v8
	v_max_f32_e32 v2, v2, v8
	.loc	1 128
	v_cndmask_b32_e32 v8, v3, v9, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v8, 2, v8
	ds_bpermute_b32 v9, v8, v2
	.loc	1 128
	v_cmp_lt_i32_e32 vcc, v10, v6
	v_cndmask_b32_e32 v3, v3, v10, vcc
	.loc	1 117
	v_lshlrev_b32_e32 v10, 2, v3
	.loc	0 14
	v_and_b32_e32 v6, 31, v0
	.loc	1 241
	s_waitcnt lgkmcnt(0)
	v_max_f32_e32 v9, v9, v9
	v_max_f32_e32 v2, v2, v9
	.loc	1 117
	ds_bpermute_b32 v3, v10, v2
	.loc	0 14
	v_cmp_eq_u32_e64 s[2:3], 0, v6
	v_lshrrev_b32_e32 v9, 3, v0
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_cbranch_execz .LBB0_6
	.loc	0 0
	s_waitcnt lgkmcnt(0)
	v_max_f32_e32 v3, v3, v3
	v_max_f32_e32 v2, v2, v2
	v_max_f32_e32 v2, v2, v3
	.loc	0 15
	ds_write_b32 v9, v2
.LBB0_6:
	.loc	0 0
	s_or_b64 exec, exec, s[6:7]
	v_mov_b32_e32 v11, 0
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 18
	ds_read_b128 v[12:15], v11
	.loc	0 21
	ds_read_b128 v[16:19], v11 offset:16
	.loc	1 241
	s_waitcnt lgkmcnt(1)
	v_max_f32_e32 v2, v13, v13
	v_max_f32_e32 v3, v12, v12
	v_max_f32_e32 v2, v3, v2
	v_max3_f32 v2, v2, v14, v15
	s_waitcnt lgkmcnt(0)
	v_max3_f32 v2, v2, v16, v17
	v_max3_f32 v6, v2, v18, v19
	.loc	0 44
	s_and_saveexec_b64 s[6:7], s[0:1]
	s_cbranch_execz .LBB0_10
	s_add_u32 s12, s8, s4
	s_addc_u32 s13, s9, s5
	v_mov_b32_e32 v3, s13
	v_add_co_u32_e32 v2, vcc, s12, v1
	v_mov_b32_e32 v11, 0
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	s_mov_b64 s[12:13], 0
	v_mov_b32_e32 v12, v0
.LBB0_8:
	.loc	0 45
	global_load_dword v13, v[2:3], off
	.loc	0 44
	v_add_co_u32_e32 v2, vcc, 0x400, v2
	v_add_u32_e32 v12, 0x100, v12
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_cmp_le_i32_e32 vcc, s14, v12
	s_or_b64 s[12:13], vcc, s[12:13]
	.loc	0 45
	s_waitcnt vmcnt(0)
	v_sub_f32_e32 v13, v13, v6
	.loc	1 206
	v_mul_f32_e32 v13, 0x3fb8aa3b, v13
	v_exp_f32_e32 v13, v13
	.loc	0 45
	v_add_f32_e32 v11, v11, v13
	.loc	0 44
	s_andn2_b64 exec, exec, s[12:13]
	s_cbranch_execnz .LBB0_8
	.loc	0 0
	s_or_b64 exec, exec, s[12:13]
.LBB0_10:
	s_or_b64 exec, exec, s[6:7]
	.loc	1 117
	ds_bpermute_b32 v2, v4, v11
	.loc	0 4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v11, v2
	.loc	1 117
	ds_bpermute_b32 v3, v5, v2
	.loc	0 4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	1 117
	ds_bpermute_b32 v3, v7, v2
	.loc	0 4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	1 117
	ds_bpermute_b32 v3, v8, v2
	.loc	0 4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	1 117
	ds_bpermute_b32 v3, v10, v2
	.loc	0 14
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_cbranch_execz .LBB0_12
	.loc	0 0
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v3
	.loc	0 15
	ds_write_b32 v9, v2 offset:32
.LBB0_12:
	.loc	0 0
	s_or_b64 exec, exec, s[6:7]
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 100
	s_barrier
	.loc	0 51
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_15
	.loc	0 0
	v_mov_b32_e32 v7, 0
	.loc	0 18
	ds_read_b128 v[2:5], v7 offset:32
	.loc	0 21
	ds_read_b128 v[8:11], v7 offset:48
	.loc	0 4
	s_waitcnt lgkmcnt(1)
	v_add_f32_e32 v2, v2, v3
	v_add_f32_e32 v2, v2, v4
	v_add_f32_e32 v2, v2, v5
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v2, v2, v8
	v_add_f32_e32 v2, v2, v9
	v_add_f32_e32 v2, v2, v10
	v_add_f32_e32 v2, v2, v11
	.loc	0 49
	v_div_scale_f32 v3, s[0:1], v2, v2, 1.0
	v_rcp_f32_e32 v4, v3
	v_div_scale_f32 v7, vcc, 1.0, v2, 1.0
	.loc	0 51
	v_mov_b32_e32 v5, s5
	.loc	0 49
	v_fma_f32 v8, -v3, v4, 1.0
	v_fmac_f32_e32 v4, v8, v4
	v_mul_f32_e32 v8, v7, v4
	v_fma_f32 v9, -v3, v8, v7
	v_fmac_f32_e32 v8, v9, v4
	v_fma_f32 v3, -v3, v8, v7
	v_div_fmas_f32 v3, v3, v4, v8
	.loc	0 51
	v_add_co_u32_e32 v1, vcc, s4, v1
	v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
	.loc	0 49
	v_div_fixup_f32 v7, v3, v2, 1.0
	.loc	0 51
	v_mov_b32_e32 v3, s9
	v_add_co_u32_e32 v2, vcc, s8, v1
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	v_mov_b32_e32 v8, s11
	v_add_co_u32_e32 v4, vcc, s10, v1
	v_addc_co_u32_e32 v5, vcc, v8, v5, vcc
	s_mov_b64 s[0:1], 0
.LBB0_14:
	.loc	0 52
	global_load_dword v1, v[2:3], off
	.loc	0 51
	v_add_co_u32_e32 v2, vcc, 0x400, v2
	v_add_u32_e32 v0, 0x100, v0
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_cmp_le_i32_e32 vcc, s14, v0
	s_or_b64 s[0:1], vcc, s[0:1]
	.loc	0 52
	s_waitcnt vmcnt(0)
	v_sub_f32_e32 v1, v1, v6
	.loc	1 206
	v_mul_f32_e32 v1, 0x3fb8aa3b, v1
	v_exp_f32_e32 v1, v1
	.loc	0 52
	v_mul_f32_e32 v1, v7, v1
	global_store_dword v[4:5], v1, off
	.loc	0 51
	v_add_co_u32_e32 v4, vcc, 0x400, v4
	v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
	s_andn2_b64 exec, exec, s[0:1]
	s_cbranch_execnz .LBB0_14
.LBB0_15:
	.loc	0 54
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel softmax
		.amdhsa_group_segment_fixed_size 64
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
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
		.amdhsa_next_free_vgpr 20
		.amdhsa_next_free_sgpr 15
		.amdhsa_accum_offset 20
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.text
	.type	__hip_cuid_9d9c5699a0fed3da,@object
	.section	.bss,"aw",@nobits
__hip_cuid_9d9c5699a0fed3da:
	.byte	0
	.size	__hip_cuid_9d9c5699a0fed3da, 1
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
    .group_segment_fixed_size: 64
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 1024
    .name:           softmax
    .private_segment_fixed_size: 0
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         softmax.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     20
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
