k:
	s_branch .L
