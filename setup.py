"""Builds the Python package with CMake; `pip install .` calls it."""

import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """Configures, builds and installs the package's C++ part, its stub and its data."""

    def build_extension(self, extension: Extension) -> None:
        build = Path(self.build_temp).resolve()
        into = Path(self.get_ext_fullpath(extension.name)).resolve().parent.parent
        run = lambda *words: subprocess.run([str(word) for word in words], check=True)  # noqa: E731
        run("cmake", "-S", ROOT, "-B", build, "--preset", "release", "-DWARPIPE_PYTHON=ON",
            "-DWARPIPE_PYTHON_WITH_LIBRARIES=ON", f"-DPython3_EXECUTABLE={sys.executable}", f"-DPYTHON_EXECUTABLE={sys.executable}")
        run("cmake", "--build", build, "--target", "_core")
        run("cmake", "--install", build, "--prefix", into, "--component", "python")


version = re.search(r"project\(warpipe VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
setup(version=version, ext_modules=[Extension("warpipe._core", [])], cmdclass={"build_ext": CMakeBuild})
