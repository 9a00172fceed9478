// Writes the seeds of the fuzzer of simulations into the given directory.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/fuzz/simulation/target.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  for (const auto& seed : bev::test::simulation_seeds()) {
    const auto path = std::filesystem::path(argv[1]) / seed.name;
    std::FILE* out = std::fopen(path.c_str(), "wb");
    if (out == nullptr) return EXIT_FAILURE;
    const auto written = std::fwrite(seed.bytes.data(), 1, seed.bytes.size(), out);
    if (std::fclose(out) != 0 || written != seed.bytes.size()) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
