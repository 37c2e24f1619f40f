"""What lies in the arrays of the kernels of this folder while they are timed (`measure.py`).

An array without an entry here holds random numbers of its element's type: floating-point numbers between -1 and 1,
integers of all bits. An entry is a function of a random generator that gives the first elements; its seed is made of the
names of kernel and array.
"""
import numpy as np

MOST_KEYS = 1 << 24
VERTICES = 1 << 20
DEGREE = 16
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)


def evenly(rows, each):
    """Where each row begins, rows of the same length."""
    return lambda random: np.arange(rows + 1, dtype=np.int32) * each


def below(count, bound, dtype=np.int32):
    return lambda random: random.integers(0, bound, count).astype(dtype)


def between(low, high, count=MOST_KEYS):
    return lambda random: random.uniform(low, high, count).astype(np.float32)


def zeros(count, dtype=np.uint32):
    return lambda random: np.zeros(count, dtype)


def shares_of_ones(share, count, dtype=np.uint8):
    return lambda random: (random.random(count) < share).astype(dtype)


def sorted_rows(rows, each, bound):
    return lambda random: np.sort(random.integers(0, bound, (rows, each)).astype(np.int32), axis=1)


def repeated(rows, each):
    return lambda random: np.repeat(np.arange(rows, dtype=np.int32), each)


def sorted_numbers(count, bound):
    return lambda random: np.sort(random.integers(0, bound, count).astype(np.int32))


def keys(random):
    """The same for every array, since tables and offsets are made of them."""
    return np.random.default_rng(1).integers(0, 1 << 32, MOST_KEYS, dtype=np.uint64).astype(np.uint32)


def radix_offsets(random):
    """Where each group's keys of each digit go: digits first, groups of 4096 keys within."""
    digit = (keys(random) >> np.uint32(8) & np.uint32(255)).astype(np.int64)
    group = np.arange(MOST_KEYS) // 4096
    counts = np.bincount(digit * (MOST_KEYS // 4096) + group, minlength=256 * (MOST_KEYS // 4096))
    return (np.cumsum(counts) - counts).astype(np.uint32)


def murmur_mix(key):
    with np.errstate(over="ignore"):
        for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
            key = (key ^ key >> np.uint32(shift)) * np.uint32(factor)
        return key ^ key >> np.uint32(16)


def hash_table(random):
    """2^20 keys in 2^21 slots, each in the first free one from the beginning of its four on."""
    mask = np.uint32((1 << 21) - 1)
    pending = keys(random)[: 1 << 20]
    at = murmur_mix(pending) & mask & ~np.uint32(3)
    table = np.full(1 << 21, EMPTY, np.uint64)
    while pending.size:
        free = table[at] == EMPTY
        _, first = np.unique(at, return_index=True)
        chosen = np.zeros(pending.size, bool)
        chosen[first] = True
        chosen &= free
        table[at[chosen]] = pending[chosen].astype(np.uint64) << np.uint64(32)
        pending, at = pending[~chosen], at[~chosen] + np.uint32(1) & mask
    return table


def levels(random):
    """A quarter of the vertices was visited before."""
    return np.where(random.random(VERTICES) < 0.25, 3, -1).astype(np.int32)


def cells_of_32(random):
    """Places of 32 particles in each of 32^3 cells of side 2.5."""
    cell = np.repeat(np.arange(32**3), 32)
    corner = np.stack([cell % 32, cell // 32 % 32, cell // 1024, cell * 0], axis=1)
    return ((corner + random.random(corner.shape)) * 2.5).astype(np.float32)


GRAPH = {"begins": evenly(VERTICES, DEGREE), "neighbours": below(VERTICES * DEGREE, VERTICES)}

ARRAYS = {
    "decode_paged": {"page_table": lambda random: random.permutation(64 * 128).astype(np.int32),
                     "lengths": lambda random: np.full(64, 128 * 16, np.int32)},
    "gather_rows": {"tokens": below(8192, 32000)},
    "scatter_add_rows": {"tokens": below(8192, 32000)},
    "cross_entropy": {"labels": below(4096, 32000)},
    "bfs_top_down": GRAPH | {"frontier": lambda random: random.permutation(VERTICES)[:262144].astype(np.int32),
                             "levels": levels, "next_size": zeros(1)},
    "page_rank_pull": GRAPH | {"degrees": lambda random: np.full(VERTICES, DEGREE, np.int32)},
    "label_propagation": {"ends": below(2 * 16777216, VERTICES),
                          "labels": lambda random: random.permutation(VERTICES).astype(np.int32), "changed": zeros(1)},
    "relax_edges": GRAPH | {"weights": below(VERTICES * DEGREE, 100), "active": shares_of_ones(0.25, VERTICES),
                            "distances": below(VERTICES, 1000), "next_active": zeros(VERTICES, np.uint8)},
    "count_triangles": {"begins": evenly(VERTICES, DEGREE), "neighbours": sorted_rows(VERTICES, DEGREE, VERTICES),
                        "ends": below(2 * 4194304, VERTICES), "total": zeros(2)},
    "hash_insert": {"keys": keys, "table": lambda random: np.full(1 << 21, EMPTY, np.uint64)},
    "hash_probe": {"keys": keys, "table": hash_table},
    "lennard_jones_cells": {"cell_begins": evenly(32**3, 32), "positions": cells_of_32},
    "lattice_boltzmann": {"in": between(0.5, 1, 9 * 2048 * 2048)},
    "black_scholes": {"prices": between(50, 150), "strikes": between(50, 150), "years": between(0.25, 5)},
    "quantise_fp8": {"scale": lambda random: np.ones(1, np.float32)},
    "sum_last_block": {"ticket": zeros(1)},
    "moving_average": {"largest": zeros(1)},
    "clip_gradients": {"squares": lambda random: np.full(1, 4.0)},
    "scan_parts": {"in": below(MOST_KEYS, 100)},
    "scan_look_back": {"in": below(1048576, 100), "next_part": zeros(1), "states": zeros(4096, np.uint64)},
    "scan_segments": {"begins": shares_of_ones(0.01, 1048576)},
    "compact_above": {"in": between(0, 1), "count": zeros(1)},
    "spmv_csr_scalar": {"row_begins": evenly(1048576, 16), "columns": below(MOST_KEYS, 1048576)},
    "spmv_csr_vector<8>": {"row_begins": evenly(1048576, 16), "columns": below(MOST_KEYS, 1048576)},
    "spmv_csr_vector<32>": {"row_begins": evenly(262144, 64), "columns": below(MOST_KEYS, 262144)},
    "spmv_ell": {"columns": below(32 * 1048576, 1048576)},
    "spmv_coo": {"rows": repeated(1048576, 16), "columns": below(MOST_KEYS, 1048576)},
    "spmm_csr": {"row_begins": evenly(65536, 16), "columns": below(1048576, 65536)},
    "radix_histogram": {"keys": keys},
    "radix_scatter": {"keys": keys, "offsets": radix_offsets},
    "merge_path": {"a": sorted_numbers(524288, 1 << 20), "b": sorted_numbers(524288, 1 << 20)},
}

# Where the pointers in structures by value lie.
POINTERS = {
    "hgemm_grouped": {"products": [8 + 40 * i + at for i in range(4) for at in (16, 24, 32)]},
    "sgd_multi_tensor": {"tensors": [8 * i for i in range(72)]},
}

# Tensor maps: element, columns, rows, columns and rows of a box. Boxes of 128-byte rows are swizzled.
HALF, BYTE, FLOAT = "half", "byte", "float"
TENSOR_MAPS = {
    "hgemm_wgmma": {"map_a": (HALF, 4096, 4096, 64, 64), "map_b": (HALF, 4096, 4096, 64, 128)},
    "hgemm_warp_specialised": {"map_a": (HALF, 4096, 4096, 64, 128), "map_b": (HALF, 4096, 4096, 64, 128)},
    "hgemm_cluster": {"map_a": (HALF, 4096, 4096, 64, 64), "map_b": (HALF, 4096, 4096, 64, 64)},
    "fp8_gemm_wgmma": {"map_a": (BYTE, 4096, 4096, 128, 64), "map_b": (BYTE, 4096, 4096, 128, 128)},
    "tma_transpose": {"from": (FLOAT, 4096, 4096, 32, 32), "to": (FLOAT, 4096, 4096, 32, 32)},
}

# Textures and surfaces: width, height and depth in elements, channels of 32-bit floats, normalised coordinates. What
# they hold is not set: no kernel branches on it.
IMAGES = {
    "rotate_texture": {"image": (1920, 1080, 0, 1, False)},
    "volume_rays": {"volume": (256, 256, 256, 1, True), "picture": (1024, 1024, 0, 4, False)},
}

COOPERATIVE = {"dot_grid_sync"}
