	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.p2align	8
		.amdhsa_user_sgpr_private_segment_buffer 1
transpose_naive:
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_mov_b32_e32 v4, s1
	v_add_co_u32_e32 v0, vcc, s0, v0
	v_addc_co_u32_e32 v1, vcc, v4, v1, vcc
	global_load_dword v4, v[0:1], off
	s_movk_i32 s0, 0x84
	v_lshlrev_b32_e32 v0, 2, v3
	.loc	0 71
	v_add_u32_e32 v1, s4, v2
	.loc	0 74
	v_lshlrev_b32_e32 v5, 2, v2
	.loc	0 67
	v_mad_u32_u24 v2, v2, s0, v0
	.loc	0 74
	v_mad_u32_u24 v5, v3, s0, v5
	v_mul_lo_u32 v0, v1, s8
	v_add3_u32 v0, s5, v3, v0
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_mov_b32_e32 v3, s3
	v_add_co_u32_e32 v0, vcc, s2, v0
	v_addc_co_u32_e32 v1, vcc, v3, v1, vcc
	.loc	0 67
	s_waitcnt vmcnt(0)
	ds_write_b32 v2, v4
	.loc	1 99
	s_waitcnt lgkmcnt(0)
	.loc	1 101750
	s_barrier
	.loc	0 74
	ds_read_b32 v2, v5
	s_waitcnt lgkmcnt(0)
	global_store_dword v[0:1], off
	.loc	0 81
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel transpose_padded_1
		.amdhsa_group_segment_fixed_size 4224
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_user_sgpr_count 6
	.type	transpose_naive,@function
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
	v_mov_b32_e32 v1, s7
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
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.text
        .value_kind:     hidden_dynamic_lds_size
.Lfunc_end3:
