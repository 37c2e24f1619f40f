k:
.L0:
	s_branch .L0
	s_endpgm
