// Writes the seeds of the importers' fuzzers into the given directory, a folder each.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/fuzz/convert/target.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  for (const auto& seed : bev::test::convert_seeds()) {
    const auto folder = std::filesystem::path(argv[1]) / seed.target;
    std::filesystem::create_directories(folder);
    std::FILE* out = std::fopen((folder / seed.name).c_str(), "wb");
    if (out == nullptr) return EXIT_FAILURE;
    const auto written = std::fwrite(seed.bytes.data(), 1, seed.bytes.size(), out);
    if (std::fclose(out) != 0 || written != seed.bytes.size()) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
