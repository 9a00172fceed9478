// Writes the seeds of the fuzzer of submissions into the given directory, in one for each
// form: "csv_joint" into "csv".
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "tests/fuzz/futures/target.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  auto seeds = bev::test::submission_seeds();
  for (auto& seed : bev::test::score_seeds()) seeds.push_back(std::move(seed));
  for (const auto& seed : seeds) {
    const auto form = seed.name.substr(0, seed.name.find('_'));
    const auto folder = std::filesystem::path(argv[1]) / form;
    std::filesystem::create_directories(folder);
    const auto path = folder / seed.name;
    std::FILE* out = std::fopen(path.c_str(), "wb");
    if (out == nullptr) return EXIT_FAILURE;
    const auto written = std::fwrite(seed.bytes.data(), 1, seed.bytes.size(), out);
    if (std::fclose(out) != 0 || written != seed.bytes.size()) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
