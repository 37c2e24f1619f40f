arg s[0:1], 0
arg s2, 1
arg s[6:7], 2
thread v0
group s3
wait 1, 0
shl s4, s3, 7
add v5, v0, s4
shl v1, v5, 2
less vcc, v5, s2
and_save s[8:9], vcc
if_none exec, out
mov v3, 0
mov v4, 0
add v4, v4, v1
mov s10, 0
row: load v2, v4, s[0:1]
add v4, v4, 2048
add s10, s10, 1
wait 0, 0
add v3, v3, v2
less scc, s10, 8
if scc, row
store v3, v1, s[6:7]
out: end
