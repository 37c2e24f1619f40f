arg s[0:1], 0
arg s2, 1
arg s[6:7], 2
thread v0
group s3
wait 1, 0
shl s4, s3, 7
add v5, v0, s4
shl v1, v5, 2
mov v3, 0
mov s10, 0
again: load v2, v1, s[0:1]
less scc, s10, s3
add s10, s10, 1
wait 0, 0
add v3, v3, v2
if scc, again
add v3, v3, s2
store v3, v1, s[6:7]
end
