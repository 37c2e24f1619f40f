arg s[0:1], 0
arg s2, 1
arg s[6:7], 2
thread v0
group s3
wait 1, 0
shl s4, s3, 7
add v5, v0, s4
shl v1, v5, 2
load v2, v1, s[0:1]
shl v3, v0, 2
wait 0, 0
lds_store v2, v3
wait 1, 0
barrier
or v3, v0, 1
shl v3, v3, 2
lds_load v2, v3
wait 1, 0
add v2, v2, s2
store v2, v1, s[6:7]
end
