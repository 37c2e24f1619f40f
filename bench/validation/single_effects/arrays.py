"""What arrays hold where the course of a kernel depends on it, and what images are. All else holds random numbers."""
import numpy as np

ARRAYS = {
    "tiles_counted": {"counter": lambda random: np.zeros(1, np.int32)},
    "random_walk": {"zeros": lambda random: np.zeros(1 << 26, np.uint32)},
    "warp_walk": {"zeros": lambda random: np.zeros((1 << 26) + 32, np.uint32)},
    "page_chain": {"zeros": lambda random: np.zeros(1 << 28, np.uint32)},
    "page_steps": {"zeros": lambda random: np.zeros(1 << 28, np.uint32)},
    "binary_search": {"sorted": lambda random: np.arange(1 << 26, dtype=np.uint32)},
}

POINTERS = {}
TENSOR_MAPS = {}
COOPERATIVE = set()

# Textures and surfaces: width, height and depth in elements, channels of 32-bit floats, normalised coordinates, and
# whether texels are filtered. What they hold is not set.
FLAT = {"float": {"small": 64, "middle": 1024, "large": 8192}, "float4": {"small": 32, "middle": 512, "large": 4096}}
DEEP = {"float": {"small": 32, "middle": 128, "large": 512}, "float4": {"small": 16}}
CHANNELS = {"float": 1, "float4": 4}

IMAGES = {}
for kind, sides in FLAT.items():
    for name, side in sides.items():
        IMAGES[f"texels_2d<{kind}, {name}>"] = {"image": (side, side, 0, CHANNELS[kind], False)}
        IMAGES[f"surface_reads<{kind}, {name}>"] = {"image": (side, side, 0, CHANNELS[kind], False)}
    side = sides["small"]
    IMAGES[f"texels_2d<{kind}, small_point>"] = {"image": (side, side, 0, CHANNELS[kind], False, False)}
for kind, sides in DEEP.items():
    for name, side in sides.items():
        IMAGES[f"texels_3d<{kind}, {name}>"] = {"image": (side, side, side, CHANNELS[kind], False)}
    side = sides["small"]
    IMAGES[f"texels_3d<{kind}, small_point>"] = {"image": (side, side, side, CHANNELS[kind], False, False)}
