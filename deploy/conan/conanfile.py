"""Builds the checkout that contains this recipe: conan create deploy/conan."""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy, rmdir

ROOT = Path(__file__).resolve().parents[2]


class BevscopeConan(ConanFile):
    name = "bevscope"
    description = "Reads and samples driving-prediction data (L5Kit's zarr format)"
    license = "Apache-2.0"
    topics = ("autonomous-driving", "dataset", "l5kit", "zarr")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "native": [True, False]}
    default_options = {"shared": False, "native": True}

    def set_version(self):
        text = (ROOT / "CMakeLists.txt").read_text()
        self.version = re.search(r"project\(bevscope VERSION (\S+)", text)[1]

    def export_sources(self):
        for name in ("cmake", "core", "deploy", "include", "library", "native"):
            copy(self, f"{name}/*", str(ROOT), self.export_sources_folder)
        for name in ("CMakeLists.txt", "LICENSE", "NOTICE"):
            copy(self, name, str(ROOT), self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("bevscope is built for Linux only")

    def requirements(self):
        for name in ("c-blosc/[>=1.21]", "lz4/[>=1.9]", "zlib/[>=1.2]", "zstd/[>=1.5]"):
            self.requires(name)
        for name in ("nlohmann_json/[>=3.11]", "protozero/[>=1.7]"):
            self.requires(name, visible=False)
        if self.options.native:
            for name in ("libcurl/[>=7.88]", "libjpeg/[*]", "libpng/[>=1.6]"):
                self.requires(name)
            self.requires("yaml-cpp/[>=0.7]")
            self.requires("flatbuffers/[>=2]", visible=False)
            self.requires("xz_utils/[>=5.2]", visible=False)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def layout(self):
        self.folders.build = "build/release"
        self.folders.generators = "build/generators"

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update(
            BEV_NATIVE=bool(self.options.native),
            BEV_INSTALL=True,
            BEV_TESTS=False,
            BEV_EXAMPLES=False,
            BEV_WERROR=False,
        )
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        for name in ("LICENSE", "NOTICE"):
            copy(self, name, self.source_folder, str(Path(self.package_folder, "licenses")))
        CMake(self).install()
        rmdir(self, str(Path(self.package_folder, "lib/systemd")))

    def package_info(self):
        # The installed CMake package finds the codecs as it does without Conan.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/bevscope"]
        natively = self.options.native and not self.options.shared
        self.cpp_info.libs = [*(["bevscope_native"] if natively else []), "bevscope"]
