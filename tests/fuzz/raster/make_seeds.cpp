// Writes the seeds of the raster fuzzers into the given directory: shapes or configs.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/raster/target.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  const bool shapes = std::string_view(argv[1]) == "shapes";
  for (const auto& seed :
       shapes ? bev::test::shape_seeds() : bev::test::config_seeds()) {
    const std::string path = std::string(argv[2]) + "/" + seed.name;
    std::FILE* out = std::fopen(path.c_str(), "wb");
    if (out == nullptr) return EXIT_FAILURE;
    const auto written = std::fwrite(seed.bytes.data(), 1, seed.bytes.size(), out);
    if (std::fclose(out) != 0 || written != seed.bytes.size()) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
