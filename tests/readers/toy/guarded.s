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
load v2, v1, s[0:1]
wait 0, 0
add v2, v2, 7
store v2, v1, s[6:7]
out: end
